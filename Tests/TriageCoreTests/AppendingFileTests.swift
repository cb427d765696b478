import Foundation
import Testing
import TriageCore

final class AppendingFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triage-\(UUID().uuidString)")
    private var path = ""

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = try AppendingFile.place(of: folder.appendingPathComponent("out.jsonl").path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func append(_ text: String, to file: AppendingFile) throws {
        try Array(text.utf8).withUnsafeBytes { try file.append($0) }
    }

    /// Writes `text` and commits it.
    private func commit(
        _ text: String, after earlier: AppendingFile.Commitment? = nil
    ) throws -> AppendingFile.Commitment {
        let file = try AppendingFile(path: path, committed: earlier)
        defer { file.close() }
        try append(text, to: file)
        let commitment = try file.synchronize()
        file.commit(commitment)
        return commitment
    }

    private var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    @Test func `it grows from opening to opening, and is its owner's alone`() throws {
        let first = try commit("one\n")
        let second = try commit("two\n", after: first)
        #expect(text == "one\ntwo\n")
        #expect(second.length == 8)
        #expect(SHA256(snapshot: second.digest)?.hex() == SHA256.hex("one\ntwo\n".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(arguments: ["half a l", "a whole line\n", String(repeating: "x", count: 300_000)])
    func `what was not committed is cut off on opening`(tail: String) throws {
        let first = try commit("one\n")
        do {
            let killed = try AppendingFile(path: path, committed: first)
            try append(tail, to: killed)
            killed.close()
        }
        #expect(text == "one\n" + tail)
        let file = try AppendingFile(path: path, committed: first)
        #expect(file.cutOff == tail.utf8.count)
        #expect(text == "one\n")
        try append("two\n", to: file)
        #expect(try file.synchronize().length == 8)
        #expect(text == "one\ntwo\n")
    }

    @Test func `what failed half-way is taken away at once`() throws {
        let first = try commit("one\n")
        let file = try AppendingFile(path: path, committed: first)
        try append("two\n", to: file)
        file.commit(try file.synchronize())
        try append("thr", to: file)
        file.cutBack()
        #expect(text == "one\ntwo\n")
    }

    /// What somebody did to the file, and what opening it says.
    static let changes:
        [(name: String, change: @Sendable (String) throws -> Void, code: String, exit: TriageCore.ExitStatus)] = [
            ("one byte less", { _ = truncate($0, 7) }, "output.shorter", .ioError),
            ("changed in the middle", { try overwrite($0, "ONE\ntwo\n") }, "output.changed", .ioError),
            ("changed, and longer", { try overwrite($0, "ONE\ntwo\nthree\n") }, "output.changed", .ioError),
            (
                "another file with the same words",
                { try "one\ntwo\n".write(toFile: $0, atomically: true, encoding: .utf8) }, "output.replaced", .ioError
            ),
            (
                "a link in its place",
                {
                    try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".moved")
                    try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0 + ".moved")
                }, "output.symlink", .cannotCreate
            ),
        ]

    /// In place: the same file with other bytes.
    private static func overwrite(_ path: String, _ text: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test(arguments: changes.indices)
    func `a file that is not as it was is refused and left alone`(index: Int) throws {
        let (_, change, code, exit) = Self.changes[index]
        let committed = try commit("one\ntwo\n")
        // Clocks of file systems have ticks of some milliseconds.
        usleep(20_000)
        try change(path)
        let before = try? Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: TriageError.self) { _ = try AppendingFile(path: self.path, committed: committed) }
        #expect(error?.code == code)
        #expect(error?.exit == exit)
        #expect(error?.remedy != nil)
        let after = try? Data(contentsOf: URL(fileURLWithPath: path))
        #expect(after == before)
    }

    /// What programs that rotate logs do, and what the file is called then.
    static let rotations: [(name: String, rotate: @Sendable (String) throws -> Void, old: String)] = [
        ("moved away", { try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".1") }, ".1"),
        (
            "moved away, and a new one made",
            {
                try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".1")
                _ = FileManager.default.createFile(atPath: $0, contents: nil)
            }, ".1"
        ),
        (
            "copied and emptied",
            {
                try FileManager.default.copyItem(atPath: $0, toPath: $0 + ".1")
                _ = truncate($0, 0)
            }, ".1"
        ),
        ("removed", { try FileManager.default.removeItem(atPath: $0) }, ""),
    ]

    @Test(arguments: rotations.indices)
    func `a file that was rotated is gone on with in a new one`(index: Int) throws {
        let (_, rotate, old) = Self.rotations[index]
        let committed = try commit("one\n")
        try rotate(path)
        let file = try AppendingFile(path: path, committed: committed)
        #expect(file.isSuccessor && file.cutOff == 0)
        try append("two\n", to: file)
        let next = try file.synchronize()
        #expect(next.length == 4 && SHA256(snapshot: next.digest)?.hex() == SHA256.hex("two\n".utf8))
        file.commit(next)
        file.close()
        #expect(text == "two\n")
        if !old.isEmpty { #expect(try String(contentsOfFile: path + old, encoding: .utf8) == "one\n") }
        let again = try AppendingFile(path: path, committed: next)
        #expect(!again.isSuccessor)
    }

    @Test func `what was not committed in a file that was moved away is cut off there`() throws {
        let committed = try commit("one\n")
        let killed = try AppendingFile(path: path, committed: committed)
        try append("half a l", to: killed)
        killed.close()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        // Unless a run was killed, it is somebody else's.
        try AppendingFile(path: path, committed: committed).close()
        #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == "one\nhalf a l")
        let file = try AppendingFile(path: path, committed: committed, cutsPredecessor: true)
        #expect(file.isSuccessor && file.cutOff == 8)
        #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == "one\n")
    }

    @Test func `a file that is rotated while it is open says so, and is never blown up again`() throws {
        let file = try AppendingFile(path: path, committed: nil)
        try append("one\n", to: file)
        file.commit(try file.synchronize())
        #expect(!file.isRotated)
        try append("two\n", to: file)
        #expect(truncate(path, 0) == 0)
        #expect(file.isRotated)
        file.cutBack()
        #expect(text.isEmpty)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        #expect(file.isRotated)
    }

    @Test func `a copy is adopted when its beginning is the same, and only then`() throws {
        let committed = try commit("one\n")
        try "one\nmore\n".write(toFile: path, atomically: true, encoding: .utf8)
        let file = try AppendingFile(path: path, committed: committed, adopts: true)
        #expect(text == "one\n")
        file.close()
        try "two\n".write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: TriageError.self) {
            _ = try AppendingFile(path: self.path, committed: committed, adopts: true)
        }
        #expect(error?.code == "output.changed")
    }

    @Test func `a file of somebody else's is not written to, an empty one is`() throws {
        try "mine\n".write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: TriageError.self) { _ = try AppendingFile(path: self.path, committed: nil) }
        #expect(error?.code == "output.foreign")
        #expect(error?.exit == .cannotCreate)
        #expect(text == "mine\n")
        #expect(truncate(path, 0) == 0)
        _ = try commit("one\n")
        #expect(text == "one\n")
    }

    @Test func `where nothing is committed, the store's own file is emptied and another at its place is left`() throws {
        let nothing = try commit("")
        // What a run wrote and could not commit goes.
        try append("half a l", to: try AppendingFile(path: path, committed: nothing))
        #expect(try AppendingFile(path: path, committed: nothing).cutOff == 8)
        #expect(text.isEmpty)
        try "mine\n".write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: TriageError.self) { _ = try AppendingFile(path: self.path, committed: nothing) }
        #expect(error?.code == "output.foreign")
        #expect(text == "mine\n")
    }

    @Test func `two runs do not write one file`() throws {
        let first = try AppendingFile(path: path, committed: nil)
        let error = #expect(throws: TriageError.self) { _ = try AppendingFile(path: self.path, committed: nil) }
        #expect(error?.exit == .temporary)
        first.close()
        _ = try AppendingFile(path: path, committed: nil)
    }

    @Test func `a line that another program wrote in between is noticed before it is promised`() throws {
        let file = try AppendingFile(path: path, committed: nil)
        try append("one\n", to: file)
        let other = try #require(FileHandle(forWritingAtPath: path))
        try other.seekToEnd()
        try other.write(contentsOf: Data("theirs\n".utf8))
        let error = #expect(throws: TriageError.self) { _ = try file.synchronize() }
        #expect(error?.code == "output.changed")
    }

    @Test func `the place of a file is the same from everywhere`() throws {
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        #expect(try AppendingFile.place(of: link.path + "/out.jsonl") == path)
        #expect(try AppendingFile.place(of: folder.path + "/./out.jsonl") == path)
        for bad in ["", ".", "/", folder.path + "/..", folder.path + "/nowhere/out.jsonl", "a\0b"] {
            let error = #expect(throws: TriageError.self) { _ = try AppendingFile.place(of: bad) }
            #expect(error?.exit == .cannotCreate)
        }
    }
}
