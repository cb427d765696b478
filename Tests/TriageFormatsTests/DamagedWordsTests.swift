import Foundation
import Testing
import TriageCore

@testable import TriageFormats

/// No damage to an export makes a word that somebody wrote disappear unsaid: it comes out, or stands in a reject, or a
/// reject, an error or a count says that something is missing.
///
/// `TRIAGE_DAMAGES` (of each kind and file) and `TRIAGE_MUTATION_SEED` make it longer and different, by hand.
struct DamagedWordsTests {
    static let rounds = number("TRIAGE_DAMAGES") ?? 4
    static let seed = UInt64(number("TRIAGE_MUTATION_SEED") ?? 1)

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    // MARK: Marks

    /// The mark of the text at a place; no mark stands in another.
    private static func mark(_ index: Int) -> String {
        "zq" + String(UnicodeScalar(UInt8(97 + index / 26 % 26))) + String(UnicodeScalar(UInt8(97 + index % 26)))
            + "kolibri"
    }

    private static func has(_ bytes: [UInt8], _ mark: String) -> Bool { bytes.firstRange(of: Array(mark.utf8)) != nil }

    /// Puts a mark into every text that stands in the bytes as it comes out.
    private static func marked(_ bytes: [UInt8], _ texts: [String]) -> (bytes: [UInt8], marks: [String]) {
        var places = Set<Int>()
        for text in texts {
            // The longest run of plain letters and blanks, which no escape changes.
            let runs = text.split { !($0.isASCII && ($0.isLetter || $0 == " ")) }
            guard let run = runs.max(by: { $0.count < $1.count }), run.count >= 2 else { continue }
            let wanted = Array(run.utf8)
            guard let found = bytes.firstRange(of: wanted) else { continue }
            // Twice the same could be a name or a quote.
            guard bytes[found.upperBound...].firstRange(of: wanted) == nil else { continue }
            places.insert(found.lowerBound + wanted.count / 2)
        }
        var out = bytes
        var marks: [String] = []
        for (index, place) in places.sorted(by: >).enumerated() {
            marks.append(mark(index))
            out.insert(contentsOf: marks[index].utf8, at: place)
        }
        return (out, marks)
    }

    // MARK: Damage

    enum Damage: String, CaseIterable {
        case renamedKey, deletedKey, changedType, brokenTag, lostEnd, cut, doubled, swappedLines, zero
    }

    /// Where keys of JSON begin and end, quotes included, and where their values begin.
    private static func keys(_ bytes: [UInt8]) -> [(key: Range<Int>, value: Int)] {
        var found: [(Range<Int>, Int)] = []
        var start: Int?
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\\"), start != nil {
                at += 2
                continue
            }
            if bytes[at] == UInt8(ascii: "\"") {
                if let open = start {
                    start = nil
                    var next = at + 1
                    while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
                    if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
                        var value = next + 1
                        while value < bytes.count, bytes[value] <= 0x20 { value += 1 }
                        found.append((open..<(at + 1), value))
                    }
                } else {
                    start = at
                }
            }
            at += 1
        }
        return found
    }

    /// Where the value that begins somewhere ends.
    private static func end(of start: Int, in bytes: [UInt8]) -> Int {
        var depth = 0
        var isInString = false
        var at = start
        while at < bytes.count {
            let byte = bytes[at]
            if isInString {
                if byte == UInt8(ascii: "\\") {
                    at += 2
                    continue
                }
                if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 0 { return at + 1 }
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                if depth == 0 { return at }
                depth -= 1
                if depth == 0 { return at + 1 }
            } else if depth == 0, byte == UInt8(ascii: ",") || byte <= 0x20 {
                return at
            }
            at += 1
        }
        return bytes.count
    }

    /// Words that tell what follows: keys of JSON, names of tags, attributes and their values, columns, header fields.
    private static func names(_ bytes: [UInt8]) -> [Range<Int>] {
        let inJSON = keys(bytes).map { ($0.key.lowerBound + 1)..<($0.key.upperBound - 1) }
        guard inJSON.isEmpty else { return inJSON }
        guard bytes.first != UInt8(ascii: "<") else { return tags(bytes) }
        // The first line of a table, or the lines of a mail's header.
        let head = bytes.firstRange(of: Array("\n\n".utf8))?.lowerBound ?? bytes.firstIndex(of: 0x0A) ?? bytes.count
        var found: [Range<Int>] = []
        var start: Int?
        for at in 0...head {
            let isLetter = at < head && (bytes[at] | 0x20) &- 0x61 < 26
            if isLetter {
                start = start ?? at
            } else if let begin = start {
                found.append(begin..<at)
                start = nil
            }
        }
        return found
    }

    /// Words inside of the tags of a page.
    private static func tags(_ bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var isInside = false
        var start: Int?
        for at in bytes.indices {
            let byte = bytes[at]
            let isWord = isInside && ((byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F || byte == 0x2D)
            if isWord {
                start = start ?? at
            } else if let begin = start {
                found.append(begin..<at)
                start = nil
            }
            if byte == UInt8(ascii: "<") { isInside = true }
            if byte == UInt8(ascii: ">") { isInside = false }
        }
        return found
    }

    private static func damaged(_ bytes: [UInt8], _ damage: Damage, _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        func any() -> Int { Int.random(in: 0..<bytes.count, using: &random) }
        switch damage {
        case .renamedKey:
            guard let name = names(bytes).randomElement(using: &random) else { return bytes }
            let other = [Array("x".utf8) + bytes[name], Array(bytes[name].dropLast()), Array("other".utf8)]
            bytes.replaceSubrange(name, with: other.randomElement(using: &random) ?? [])
        case .deletedKey:
            if let found = keys(bytes).randomElement(using: &random) {
                // Alone, or with its value.
                let isAlone = Bool.random(using: &random)
                var last = isAlone ? found.value : end(of: found.value, in: bytes)
                if !isAlone, last < bytes.count, bytes[last] == UInt8(ascii: ",") { last += 1 }
                bytes.removeSubrange(found.key.lowerBound..<last)
            } else if let name = names(bytes).randomElement(using: &random) {
                bytes.removeSubrange(name)
            }
        case .changedType:
            guard let found = keys(bytes).randomElement(using: &random) else {
                guard let name = names(bytes).randomElement(using: &random) else { return bytes }
                bytes.replaceSubrange(name, with: "7".utf8)
                return bytes
            }
            let range = found.value..<end(of: found.value, in: bytes)
            let value = Array(bytes[range])
            let others: [[UInt8]] = [
                Array("[".utf8) + value + Array("]".utf8), Array("{\"v\":".utf8) + value + Array("}".utf8),
                Array("7".utf8), Array("null".utf8), Array("{}".utf8), Array("[[[".utf8) + value + Array("]]]".utf8),
                Array("\"".utf8) + value.filter { $0 != 0x22 && $0 != 0x5C } + Array("\"".utf8),
            ]
            bytes.replaceSubrange(range, with: others.randomElement(using: &random) ?? [])
        case .brokenTag:
            let signs = bytes.indices.filter { "<>\"'=/:,;{[]}".utf8.contains(bytes[$0]) }
            guard let at = signs.randomElement(using: &random) else { return bytes }
            if Bool.random(using: &random) {
                bytes.remove(at: at)
            } else {
                bytes[at] = "<>\"'=/ x".utf8.randomElement(using: &random) ?? 0x20
            }
        case .lostEnd:
            // An end tag of a page as a whole, or a bracket.
            let ends = bytes.indices.filter { "}])>".utf8.contains(bytes[$0]) }
            guard let at = ends.randomElement(using: &random) else { return bytes }
            var start = at
            if bytes[at] == UInt8(ascii: ">") {
                start = bytes[..<at].lastIndex(of: UInt8(ascii: "<")) ?? at
            }
            bytes.removeSubrange(start...at)
        case .cut: bytes.removeSubrange(any()...)
        case .doubled:
            let start = any()
            let last = min(bytes.count, start + Int.random(in: 1...200, using: &random))
            bytes.insert(contentsOf: bytes[start..<last], at: Bool.random(using: &random) ? last : any())
        case .swappedLines:
            var separator: UInt8 = 0x0A
            // Pages and JSON may stand on one line.
            let isPage = bytes.first == UInt8(ascii: "<")
            if bytes.count(where: { $0 == separator }) < 4, isPage || !keys(bytes).isEmpty {
                separator = UInt8(ascii: isPage ? ">" : ",")
            }
            var lines = bytes.split(separator: separator, omittingEmptySubsequences: false)
            lines.swapAt(
                Int.random(in: lines.indices, using: &random), Int.random(in: lines.indices, using: &random))
            bytes = Array(lines.joined(separator: [separator]))
        case .zero: bytes.insert(0, at: any())
        }
        return bytes
    }

    // MARK: Words

    /// Words of notices that say that something is missing, or was read in a way that may be wrong.
    private static let counts = [
        "skipped", "without a message", "only the beginning", "contains no", "cannot be read", "unreadable",
        "could not be read",
        "has no comments",
    ]

    @Test(.timeLimit(.minutes(5)), arguments: FormatContractTests.files)
    func `no word is lost in silence, however an export is damaged`(file: FormatContractTests.File) throws {
        let whole = try Fixtures.bytes(file.path)
        let scratch = try ScratchFolder()
        let (bytes, marks) = Self.marked(whole, try readInputs([scratch.write("x.bin", whole)]).texts)
        let before = try readInputs([scratch.write("x.bin", bytes)])
        for mark in marks {
            #expect(before.texts.contains { $0.contains(mark) }, "\(mark) comes out of the whole file")
        }
        let usual = Set(before.notices)
        #expect(!usual.contains { $0.contains("unreadable text") }, "a whole file is read whole")
        for damage in Damage.allCases {
            for round in 0..<Self.rounds {
                let salt = (file.path + damage.rawValue).utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
                var random = SeededNumbers(seed: Self.seed &* 1_000_003 &+ salt &+ UInt64(round))
                let mangled = Self.damaged(bytes, damage, &random)
                let isNamed = round % 2 == 1
                let found: ReadResult
                do {
                    found = try readInputs([scratch.write("x.bin", mangled)]) {
                        if isNamed { $0.format = file.format }
                    }
                } catch let error as TriageError where error.code.hasPrefix("input.") {
                    // The file is refused as a whole, which nobody overlooks.
                    continue
                }
                let isTold =
                    !found.codes.isEmpty
                    || found.notices.contains { notice in
                        !usual.contains(notice) && Self.counts.contains { notice.contains($0) }
                    }
                guard !isTold else { continue }
                for mark in marks where Self.has(mangled, mark) {
                    let isThere = found.lines.contains { $0.contains(mark) }
                    #expect(
                        isThere,
                        "\(file.path): \(damage), seed \(Self.seed), round \(round): \(mark) is lost in silence")
                }
            }
        }
    }
}
