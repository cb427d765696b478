import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A script of `Tests/Peers` that prints its port and serves on it.
///
/// Ends with the object, and with the test's process even when that is killed: its standard input closes.
final class ChildServer {
    struct NoPort: Error {
        var script: String
        var printed: String
    }

    let port: Int
    private let process = Process()
    private let input = Pipe()

    /// `Tests`.
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// - Parameter python: of an environment; nil: the one in `PATH`.
    init(_ script: String, _ arguments: [String] = [], python: String? = nil) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [python ?? "python3", Self.tests.appendingPathComponent("Peers/\(script)").path] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = Self.line(from: output.fileHandleForReading.fileDescriptor, seconds: 120)
        guard let port = Int(line) else {
            kill(process.processIdentifier, SIGKILL)
            throw NoPort(script: script, printed: line)
        }
        self.port = port
    }

    deinit {
        // Told in words too: another child may have come to hold the writing end.
        try? input.fileHandleForWriting.close()
        process.terminate()
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
