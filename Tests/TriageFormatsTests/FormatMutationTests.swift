import Foundation
import Testing
import TriageCore

@testable import TriageFormats

/// No export, however mangled, brings a reader down, and every message it gives is a record.
///
/// `TRIAGE_MUTATIONS` (of all formats together) and `TRIAGE_MUTATION_SEED` make it longer and different, by hand.
struct FormatMutationTests {
    static let mutations = number("TRIAGE_MUTATIONS") ?? 40_000
    static let seed = UInt64(number("TRIAGE_MUTATION_SEED") ?? 1)

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    /// Pieces that parsers of exports stumble over.
    private static let pieces: [[UInt8]] = [
        "{", "}", "[", "]", "\"", ",", ":", "\\", "\n", "\r\n", "\r", "\t", "\u{0}", "null", "true", "-", "1e999",
        "\"\"",
        "18446744073709551616", "-9223372036854775809", "99999999999999999999999999", "\\ud800", "\\u0000", "\\x01",
        "\u{FEFF}", "\u{200E}", "\u{202F}", "From ", ">From ", "From: ", "=?UTF-8?B?", "<", "</div>", "<!--",
        "&#x110000;",
        "&amp;", "; ", "[01.06.24, 10:40:00] ", "31/12/99, 23:59 - ", "2024-02-30T25:61:61Z", "=", "=3D", "--",
    ].map { Array($0.utf8) }

    private static func mangled(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, at + Int.random(in: 0..<200, using: &random))
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: at)
            case 2, 3: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: at)
            case 4: bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 5: bytes.replaceSubrange(at..<end, with: pieces.randomElement(using: &random) ?? [])
            default: bytes.removeSubrange(at..<end)
            }
        }
        return bytes
    }

    /// Feeds bytes in pieces of random sizes and counts what is wrong with what comes out.
    private static func faults(_ bytes: [UInt8], format: (any ExportFormat)?, _ random: inout SeededNumbers) throws
        -> Int
    {
        var faults = 0
        let records = RecordReader()
        let assembler = BatchAssembler { input in
            var batch = Batch()
            batch.reset(to: input)
            records.read(&batch)
            // What a reader made is a record; what it passed on may be anything.
            for (line, record) in zip(input.lines, batch.records)
            where line.isMade && line.reject == nil && record.status == .rejected {
                faults += 1
            }
        }
        let context = ReadingContext(assembler: assembler, options: InputReader.Options())
        let pump = FormatDispatcher(
            Member(path: "x", source: "x"), context, formats: ExportFormats.standard, format: format)
        do {
            var at = 0
            while at < bytes.count {
                let size = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1...64, using: &random) : 1 << 16
                let end = min(at + size, bytes.count)
                guard try bytes[at..<end].withUnsafeBufferPointer({ try pump.feed($0) }) else { break }
                at = end
            }
            try pump.finish()
            try assembler.flush()
        } catch let error as TriageError where error.code.hasPrefix("input.") {
            return faults
        }
        return faults
    }

    @Test(.timeLimit(.minutes(20)), arguments: ExportFormats.standard.map(\.name))
    func `mangled exports end in records, rejects or an error of ours`(name: String) throws {
        let files = try FormatContractTests.files.filter { $0.format == name }.map { try Fixtures.bytes($0.path) }
        let format = try ExportFormats.named(name)
        let salt = name.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
        let rounds = max(1, Self.mutations / ExportFormats.standard.count)
        for round in 0..<rounds {
            var random = SeededNumbers(seed: Self.seed &* 1_000_003 &+ salt &+ UInt64(round))
            guard let file = files.randomElement(using: &random) else { break }
            let bytes = Self.mangled(file, &random)
            // Half by content, half told what it is.
            let faults = try Self.faults(bytes, format: round % 2 == 0 ? nil : format, &random)
            #expect(faults == 0, "\(name): seed \(Self.seed), round \(round): messages that are no records")
        }
    }

    /// The ends of what 64 bits hold, what is beyond, and times just beyond the years that have a usual form.
    private static let extremes = [
        "-9223372036854775808", "-9223372036854775807", "9223372036854775807", "9223372036854775808",
        "99999999999999999999", "-1", "0", "1e308", "-62167219201", "253402300800", "253402300800000",
    ]

    /// Puts a number in place of each that has so many digits at least.
    private static func replacing(_ bytes: [UInt8], digits least: Int, by number: String) -> [UInt8] {
        var out: [UInt8] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(where: { (0x30...0x39).contains($0) }) {
            let run = rest[start...].prefix { (0x30...0x39).contains($0) }
            out += rest[..<start] + (run.count >= least ? Array(number.utf8) : Array(run))
            rest = rest[run.endIndex...]
        }
        return out + rest
    }

    @Test(arguments: ExportFormats.standard.map(\.name))
    func `numbers at the ends of their range end in records, rejects or an error of ours`(name: String) throws {
        let format = try ExportFormats.named(name)
        var random = SeededNumbers(seed: Self.seed)
        for file in FormatContractTests.files where file.format == name {
            let bytes = try Fixtures.bytes(file.path)
            guard bytes.count < 1 << 20 else { continue }
            for extreme in Self.extremes {
                for least in [1, 4, 9] {
                    let replaced = Self.replacing(bytes, digits: least, by: extreme)
                    let faults = try Self.faults(replaced, format: format, &random)
                    #expect(faults == 0, "\(file.path): \(extreme)")
                }
            }
        }
    }
}
