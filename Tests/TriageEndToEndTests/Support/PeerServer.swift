import Foundation
import Testing

/// A server that the program talks to: a script of `Tests/Peers`, or what `.ci/peers` has put there.
///
/// Ends with the object, and with the test's process even when that is killed: its standard input closes.
final class PeerServer {
    struct NoAnswer: Error {}

    let port: Int
    private let process = Process()
    private let input = Pipe()

    /// - Parameter python: of an environment; nil: the one in `PATH`.
    init(_ script: String = "batches.py", _ arguments: [String] = [], python: String? = nil) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [python ?? "python3", Self.tests.appendingPathComponent("Peers/\(script)").path] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // A line that is its port, or that has its address.
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte != 0x0A {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            let digits = text.range(of: "127.0.0.1:").map { text[$0.upperBound...].prefix { $0.isNumber } } ?? text[...]
            if let port = Int(digits) {
                self.port = port
                return
            }
            line = []
        }
        throw NoAnswer()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// llmock, where `.ci/peers` has put it.
    static func llmock() throws -> PeerServer {
        try PeerServer(
            "serve_package.py", ["llmock", "--log-level", "warning"], python: installed.map { $0 + "/v/bin/python" })
    }

    /// llama.cpp's server with all-MiniLM-L6-v2, which makes vectors.
    static func miniLM() throws -> PeerServer {
        let folder = installed ?? ""
        return try PeerServer(
            "serve_llama.py", [folder + "/minilm.gguf", "0", "--embedding", "--ctx", "512", "--slots", "1"],
            python: folder + "/v/bin/python")
    }

    /// The folder of `.ci/peers`; nil where it is not there, unless it has to be.
    static let installed: String? = {
        let environment = ProcessInfo.processInfo.environment
        let folder =
            environment["TRIAGE_PEERS"]
            ?? tests.deletingLastPathComponent().appendingPathComponent(".build/peers").path
        let isThere = FileManager.default.fileExists(atPath: folder + "/ready-1")
        return isThere || environment["TRIAGE_PEERS_REQUIRED"] != nil ? folder : nil
    }()

    /// What a server says at an address of its own, such as `/counts`.
    func object(_ path: String) throws -> [String: Any] {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let fetch = "import urllib.request as u, sys; print(u.urlopen(sys.argv[1]).read().decode())"
        process.arguments = ["python3", "-c", fetch, "http://127.0.0.1:\(port)\(path)"]
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard let object = Annotated.object(Array(bytes)[...]) else { throw NoAnswer() }
        return object
    }

    /// What `batches.py` saw.
    func counts() throws -> Counts {
        let counts = try object("/counts")
        return Counts(
            batches: counts["batches"] as? Int ?? -1, ids: counts["ids"] as? [String: Int] ?? [:],
            live: counts["live"] as? Int ?? -1, deleted: counts["deleted"] as? [String] ?? [])
    }

    struct Counts {
        var batches: Int
        /// How often each question was in a batch.
        var ids: [String: Int]
        /// Questions outside of batches.
        var live: Int
        /// Names of what is gone.
        var deleted: [String]
    }
}
