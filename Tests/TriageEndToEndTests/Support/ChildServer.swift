import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A script of `Tests/Peers` that prints its port and serves on it.
///
/// Ends with the object, and with the test's process even when that is killed: its standard input closes, or its parent is
/// another. It holds nothing of the test's own output: a server that is left behind must not keep open what somebody reads
/// to its end.
final class ChildServer {
    struct NoPort: Error {
        var script: String
        var printed: String
    }

    let port: Int
    var identifier: pid_t { process.processIdentifier }
    private let process = Process()
    private let input: Pipe
    private let folder: ScratchFolder

    /// `Tests`.
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// - Parameter python: of an environment; nil: the one in `PATH`.
    init(_ script: String, _ arguments: [String] = [], python: String? = nil) throws {
        // A child of another test that starts in between would hold the writing end.
        let (input, output) = Program.starting.withLock {
            let pipes = (input: Pipe(), output: Pipe())
            for pipe in [pipes.input, pipes.output] {
                for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                    _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
                }
            }
            return pipes
        }
        self.input = input
        folder = try ScratchFolder()
        let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.write("errors", "")))
        defer { try? errors.close() }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [python ?? "python3", Self.tests.appendingPathComponent("Peers/\(script)").path] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let line = Self.line(from: output.fileHandleForReading.fileDescriptor, seconds: 120)
        guard let port = Int(line) else {
            kill(process.processIdentifier, SIGKILL)
            throw NoPort(script: script, printed: line + ((try? folder.text("errors")) ?? ""))
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        for _ in 0..<50 where process.isRunning { usleep(10_000) }
        // Told by a signal too: it may be busy.
        if process.isRunning { process.terminate() }
        for _ in 0..<200 where process.isRunning { usleep(10_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The first line, or what there was of it when the time was over.
    private static func line(from descriptor: Int32, seconds: Int) -> String {
        var line: [UInt8] = []
        var left = seconds * 10
        while left > 0 {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 100) > 0 else {
                left -= 1
                continue
            }
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1, byte != 0x0A else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
