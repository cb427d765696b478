import Foundation
import Testing
import TriageCore

@testable import TriageFormats

/// A file that grows, step by step: what is done to it is done while nothing is waiting to be read.
@Suite struct `A file that is followed` {
    private let path = NSTemporaryDirectory() + "followed-\(UUID().uuidString)"

    private func append(_ text: String) {
        let file = fopen(path, "a")
        fputs(text, file)
        fclose(file)
    }

    /// What is read while the steps are done one by one, `|` where it begins anew.
    private func read(_ steps: [() -> Void], from start: FollowStart = .beginning) throws -> String {
        defer { unlink(path) }
        let stop = try InputStop()
        let file = FollowedFile(path: path, from: start, stop: stop)
        var (text, done) = ("", 0)
        while true {
            let piece = try file.next {
                if done < steps.count { steps[done]() } else { stop.stop() }
                done += 1
            }
            switch piece {
            case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .restarted: text += "|"
            case .stopped: return text
            }
        }
    }

    @Test func `from the end on, a line that is half written is read whole`() throws {
        append("one\ntw")
        #expect(try read([{ append("o\n") }, { append("three\n") }], from: .end) == "two\nthree\n")
    }

    @Test func `from a byte on, what stands before it is left out`() throws {
        append("one\ntwo\n")
        #expect(try read([{ append("three\n") }], from: .offset(4)) == "two\nthree\n")
    }

    @Test func `a file that comes later is read from its beginning, whatever was asked`() throws {
        #expect(try read([{ append("one\n") }, { append("two\n") }], from: .end) == "one\ntwo\n")
    }

    @Test func `a file that is cut, or written anew, begins anew`() throws {
        append("one\n")
        let anew = {
            truncate(path, 0)
            append("other\n")
        }
        #expect(try read([{ truncate(path, 0) }, { append("two\n") }, {}, anew]) == "one\n|two\n|other\n")
    }

    @Test func `a renamed file is read on until its successor has been there for a while`() throws {
        append("one\n")
        var steps: [() -> Void] = [
            { rename(path, path + ".1") }, { [path] in _ = path }, { append("two\n") },
        ]
        // Its farewell takes some looks.
        steps += (0..<60).map { _ in { usleep(10_000) } }
        let read = try read(steps)
        unlink(path + ".1")
        #expect(read == "one\n|two\n")
    }
}
