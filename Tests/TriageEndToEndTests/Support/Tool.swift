import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that a test calls beside `triage`: a shell, a script of ours.
///
/// What it prints goes through a file. A pipe would end only when the last process that has it ends, and children of
/// other tests, which may live as long as the tests do, can come to have it.
enum Tool {
    struct TookTooLong: Error { var words: [String] }

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - words: the program, found in `PATH`, and its arguments.
    ///   - environment: all of it; nil: the test's own.
    ///   - mixesErrors: whether what it says on standard error is kept too.
    /// - Throws: ``TookTooLong`` after `seconds`; the program is killed then.
    static func run(
        _ words: [String], environment: [String: String]? = nil, directory: String? = nil, mixesErrors: Bool = false,
        seconds: Int = 300
    ) throws -> (status: Int32, printed: String) {
        let folder = try ScratchFolder()
        let place = try folder.write("printed", "")
        guard let output = FileHandle(forWritingAtPath: place) else { throw CocoaError(.fileWriteUnknown) }
        defer { try? output.close() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        if let environment { process.environment = environment }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = mixesErrors ? output : FileHandle.nullDevice
        try process.run()
        for _ in 0..<seconds * 100 where process.isRunning { usleep(10_000) }
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            throw TookTooLong(words: words)
        }
        return (process.terminationStatus, try folder.text("printed"))
    }
}
