import Foundation

/// A server that the program talks to: a script of `Tests/Peers`, or what `.ci/peers` has put there.
///
/// Ends with the object.
final class PeerServer {
    struct NoAnswer: Error {}

    let port: Int
    private let server: ChildServer

    /// - Parameter python: of an environment; nil: the one in `PATH`.
    init(_ script: String = "batches.py", _ arguments: [String] = [], python: String? = nil) throws {
        server = try ChildServer(script, arguments, python: python)
        port = server.port
    }

    /// llmock, where `.ci/peers` has put it.
    static func llmock() throws -> PeerServer {
        try PeerServer(
            "serve_package.py", ["llmock", "--log-level", "warning"], python: installed.map { $0 + "/v/bin/python" })
    }

    /// llama.cpp's server with all-MiniLM-L6-v2, which makes vectors.
    static func miniLM() throws -> PeerServer {
        let folder = installed ?? ""
        return try PeerServer(
            "serve_llama.py", [folder + "/minilm.gguf", "--embedding", "--context", "512", "--slots", "1"],
            python: folder + "/v/bin/python")
    }

    /// The folder of `.ci/peers`; nil where it is not there, unless it has to be.
    static let installed: String? = {
        let environment = ProcessInfo.processInfo.environment
        let folder =
            environment["TRIAGE_PEERS"]
            ?? ChildServer.tests.deletingLastPathComponent().appendingPathComponent(".build/peers").path
        let isThere = FileManager.default.fileExists(atPath: folder + "/ready-2")
        return isThere || environment["TRIAGE_PEERS_REQUIRED"] != nil ? folder : nil
    }()

    /// What a server says at an address of its own, such as `/counts`.
    func object(_ path: String) throws -> [String: Any] {
        let bytes = try LoopbackSocket.get(path, port: port)
        guard let object = Annotated.object(bytes[...]) else { throw NoAnswer() }
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
