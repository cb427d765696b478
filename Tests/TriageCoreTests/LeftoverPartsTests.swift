import Foundation
import Testing
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What killed runs left beside a file goes with the next run that writes it, and nothing else does.
final class LeftoverPartsTests: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var listing: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func write(_ name: String, secondsAgo: Double = 0) throws -> String {
        let place = folder.appendingPathComponent(name).path
        try "a private word".write(toFile: place, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: place)
        return place
    }

    /// Above what any system gives.
    static let dead = 2_000_000_011

    static let gone = ["out.\(dead).part", "out.\(dead).7.part"]
    static let stays = [
        // Of a process that is there; of another file; of no process; a name that only looks alike.
        "out.1.part", "out2.\(dead).part", "my.out.\(dead).part", "out.part", "out.x.part", "out.\(dead).part.txt",
        "out..part", "out.-5.part", "out.\(dead).7.8.part", "out.99999999999999.part",
    ]

    @Test func `parts of processes that are gone are removed, and nothing else is`() throws {
        for name in Self.gone + Self.stays { _ = try write(name) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("out.\(Self.dead).3.part"), withIntermediateDirectories: false)
        let link = "out.\(Self.dead).4.part"
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent(link).path, withDestinationPath: "out.part")
        LeftoverParts.sweep(besides: folder.appendingPathComponent("out").path)
        #expect(listing == (Self.stays + ["out.\(Self.dead).3.part", link]).sorted())
    }

    @Test func `a part that is being written stays, whatever its number`() throws {
        let place = try write(Self.gone[0])
        let descriptor = open(place, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        LeftoverParts.sweep(besides: folder.appendingPathComponent("out").path)
        #expect(listing == [Self.gone[0]])
        close(descriptor)
        LeftoverParts.sweep(besides: folder.appendingPathComponent("out").path)
        #expect(listing.isEmpty)
    }

    @Test func `of parts with our own number, as a container gives every run, the old ones are removed`() throws {
        let own = "out.\(ProcessInfo.processInfo.processIdentifier)"
        _ = try write(own + ".part")
        _ = try write(own + ".2.part", secondsAgo: 600)
        try OutputFile.write([0x61], to: folder.appendingPathComponent("out").path)
        #expect(listing == ["out", own + ".part"])
    }

    @Test(arguments: [false, true])
    func `a hundred parts that cannot be removed are in nobody's way`(isThere: Bool) throws {
        let out = folder.appendingPathComponent("out").path
        if isThere { try "old".write(toFile: out, atomically: false, encoding: .utf8) }
        let own = "out.\(ProcessInfo.processInfo.processIdentifier)"
        for number in 1...150 { _ = try write(own + (number == 1 ? "" : ".\(number)") + ".part") }
        try OutputFile.write(Array("new".utf8), to: out)
        #expect(try String(contentsOfFile: out, encoding: .utf8) == "new")
        #expect(listing.count == 151)
    }

    #if os(Linux)
        @Test func `what is being written has no name that a killed process could leave`() throws {
            let file = try OutputFile(path: folder.appendingPathComponent("out").path)
            try file.writer.write("a private word")
            #expect(listing.isEmpty)
            try file.commit()
            #expect(listing == ["out"])
        }
    #endif

    @Test func `where a name is wanted it is locked while it is written, and goes with a discarded file`() throws {
        let file = try OutputFile(path: folder.appendingPathComponent("out").path, isNamed: true)
        let name = try #require(file.partName)
        let descriptor = open(name, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        close(descriptor)
        file.discard()
        #expect(listing.isEmpty)
    }
}

/// The same fault of the system ends every command with the same code.
struct SystemFaultTests {
    @Test(arguments: [
        (ENOSPC, TriageCore.ExitStatus.ioError), (EDQUOT, .ioError), (EFBIG, .ioError), (EIO, .ioError),
        (EMFILE, .temporary),
        (ENFILE, .temporary), (ENOMEM, .temporary), (ENOENT, .noInput), (EACCES, .noInput),
    ])
    func `a full disk is 74 and a lack that passes is 75, wherever it happens`(
        code: Int32, expected: TriageCore.ExitStatus
    ) {
        #expect(SystemFault.exit(code, otherwise: .noInput) == expected)
        let remedy = SystemFault.remedy(code, otherwise: nil)
        #expect((remedy == nil) == [ENOENT, EACCES, EIO].contains(code))
    }
}
