import Foundation
import Synchronization

/// A server that a test talks to: a Python script of `Tests/Peers`, started on a free port and stopped with the object.
///
/// The script prints a line with its port (`8080`, or any line with `127.0.0.1:8080`) and exits when its standard input
/// closes, so that it ends with the test even when that is killed. It holds nothing of the test's own output: a server that
/// is left behind must not keep open what somebody reads to its end.
///
///     let peer = try PeerProcess("faultd.py")
///     let url = peer.url("/429-date")
final class PeerProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let port: Int
    private let identifier: pid_t
    private let input: Int32
    private let printed: Mutex<(text: [UInt8], isStopped: Bool)> = Mutex(([], false))

    /// Starts `script` and waits for its port.
    ///
    /// - Parameters:
    ///   - script: a file of `Tests/Peers`, or an absolute path.
    ///   - environment: added to the test's own.
    ///   - python: found in `PATH`, or an absolute path (of a virtual environment).
    ///   - patience: seconds until the port must have been printed.
    init(
        _ script: String, _ arguments: [String] = [], environment: [String: String] = [:], python: String = "python3",
        patience: Double = 30
    ) throws {
        let path = script.hasPrefix("/") ? script : Self.folder + "/" + script
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let child = try Self.spawn([python, path] + arguments, merged.map { "\($0)=\($1)" })
        identifier = child.identifier
        input = child.input
        do {
            port = try Self.port(from: child.output, by: Date().addingTimeInterval(patience))
        } catch {
            Self.end(identifier, input)
            close(child.output)
            let words = Self.text(of: child.errors)
            close(child.errors)
            throw Failure(description: "\(script): \(error); \(words)")
        }
        close(child.errors)
        // A peer that prints must never wait for a reader.
        Thread.detachNewThread { [weak self] in
            var block = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(child.output, &block, block.count)
                guard count > 0 else { break }
                self?.printed.withLock { $0.text += block[..<count] }
            }
            close(child.output)
        }
    }

    deinit { stop() }

    /// `http://127.0.0.1:PORT` and `path`.
    func url(_ path: String = "") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// What it printed after its port.
    var output: String { printed.withLock { String(decoding: $0.text, as: UTF8.self) } }

    /// Closes its standard input; kills it when it has not ended two seconds later.
    func stop() {
        let isFirst = printed.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        if isFirst { Self.end(identifier, input) }
    }

    /// `Tests/Peers`.
    static var folder: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Peers").path
    }

    private static func end(_ identifier: pid_t, _ input: Int32) {
        close(input)
        var status: Int32 = 0
        for _ in 0..<200 {
            if waitpid(identifier, &status, WNOHANG) != 0 { return }
            usleep(10_000)
        }
        kill(identifier, SIGKILL)
        waitpid(identifier, &status, 0)
    }

    private static func port(from output: Int32, by end: Date) throws -> Int {
        var line: [UInt8] = []
        while true {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let left = end.timeIntervalSinceNow
            guard left > 0, poll(&waiting, 1, Int32(left * 1000) + 1) > 0 else {
                throw Failure(description: "no port in time")
            }
            var byte: UInt8 = 0
            guard read(output, &byte, 1) == 1 else { throw Failure(description: "ended before it printed a port") }
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            if let port = Int(text) { return port }
            if let host = text.range(of: "127.0.0.1:") {
                if let port = Int(text[host.upperBound...].prefix { $0.isNumber }) { return port }
            }
            line = []
        }
    }

    /// Starts a command whose pipes no other child inherits: a copy of the writing end would keep it alive.
    private static func spawn(
        _ command: [String], _ environment: [String]
    ) throws -> Child {
        // One at a time: between the making of a pipe and its flag no other child may start.
        try spawning.withLock { _ in try spawnAlone(command, environment) }
    }

    private struct Child {
        var identifier: pid_t
        var input: Int32
        var output: Int32
        /// A file without a name that has what it says on standard error.
        var errors: Int32
    }

    private static let spawning = Mutex(())

    private static func spawnAlone(
        _ command: [String], _ environment: [String]
    ) throws -> Child {
        let errors = try namelessFile()
        let toChild = try closedPipe(), fromChild = try closedPipe()
        defer {
            close(toChild.read)
            close(fromChild.write)
        }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild.read, 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild.write, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var identifier: pid_t = 0
        let code = posix_spawnp(&identifier, command[0], &actions, nil, arguments, variables)
        guard code == 0 else {
            close(toChild.write)
            close(fromChild.read)
            close(errors)
            throw Failure(description: "cannot start: \(String(cString: strerror(code)))")
        }
        return Child(identifier: identifier, input: toChild.write, output: fromChild.read, errors: errors)
    }

    private static func namelessFile() throws -> Int32 {
        var path = Array((NSTemporaryDirectory() + "/triage-peer.XXXXXX").utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { throw Failure(description: "no file: \(String(cString: strerror(errno)))") }
        unlink(path)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    /// The end of what is in a file.
    private static func text(of file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let size = lseek(file, 0, SEEK_END)
        let count = pread(file, &bytes, bytes.count, max(0, size - off_t(bytes.count)))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static func closedPipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
