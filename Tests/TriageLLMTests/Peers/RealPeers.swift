import Foundation
import Testing

/// The real servers that `.ci/peers` installs: each is started once, by the first test that needs it, and shared.
///
/// They end with the tests, for each ends when its standard input closes. Where they are not installed their suites are
/// skipped and say so; with `TRIAGE_PEERS_REQUIRED` in the environment, as in `.ci/run`, those tests run and fail.
///
/// Ollama's own interface has no real server here, for none can be installed from a package: its provider is tested
/// against recorded answers and against `faultd.py`, which speaks its shapes.
enum RealPeers {
    /// `TRIAGE_PEERS`, else `.build/peers` of this package.
    static let folder: String = {
        if let given = ProcessInfo.processInfo.environment["TRIAGE_PEERS"], !given.isEmpty { return given }
        return URL(fileURLWithPath: PeerProcess.folder).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(".build/peers").path
    }()

    static let areRequired = ProcessInfo.processInfo.environment["TRIAGE_PEERS_REQUIRED"].map { !$0.isEmpty } ?? false

    /// Whether tests that need them run.
    static let areUsed: Bool = {
        let needed = ["/v/bin/python", "/tiny.gguf", "/minilm.gguf"]
        return areRequired || needed.allSatisfy { FileManager.default.fileExists(atPath: folder + $0) }
    }()

    static let nginxIsUsed: Bool = {
        let folders = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"]
        return areRequired || folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/nginx") }
    }()

    /// llama.cpp with a small random model, whose tokens are single characters: 2 slots of 8,192 tokens.
    static func llama() async throws -> PeerProcess {
        try await server("serve_llama.py", [folder + "/tiny.gguf"])
    }

    /// The same with a key, and one slot of 7,168 tokens.
    static func lockedLlama(key: String) async throws -> PeerProcess {
        try await server(
            "serve_llama.py", [folder + "/tiny.gguf", "--key", key, "--slots", "1", "--context", "7168"])
    }

    /// llama.cpp with MiniLM, which turns texts of up to 512 tokens into vectors.
    static func embeddings() async throws -> PeerProcess {
        try await server(
            "serve_llama.py", [folder + "/minilm.gguf", "--embedding", "--context", "512", "--slots", "1"])
    }

    /// llmock; servers with different options are different servers.
    static func llmock(_ options: String...) async throws -> PeerProcess {
        try await server("serve_package.py", ["llmock", "--log-level", "error"] + options)
    }

    static func mocklimit() async throws -> PeerProcess {
        let peers = PeerProcess.folder
        return try await server(
            "serve_package.py",
            [
                "mocklimit", "--log-level", "ERROR", "--spec", peers + "/mocklimit-openapi.yaml", "--rate-config",
                peers + "/mocklimit.yaml",
            ])
    }

    private static let servers = Servers()

    private static func server(_ script: String, _ arguments: [String]) async throws -> PeerProcess {
        let python = folder + "/v/bin/python"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw PeerProcess.Failure(description: "no \(python); run .ci/peers")
        }
        return try await servers.server(script, arguments, python: python)
    }

    /// Starts each server once, however many tests ask at a time.
    private actor Servers {
        private var started: [[String]: Task<PeerProcess, any Error>] = [:]

        func server(_ script: String, _ arguments: [String], python: String) async throws -> PeerProcess {
            let key = [script] + arguments
            if let task = started[key] { return try await task.value }
            let task = Task {
                try await withCheckedThrowingContinuation { continuation in
                    // On a thread of its own: the start may take seconds, and tasks have as many threads as there are cores.
                    Thread.detachNewThread {
                        continuation.resume(
                            with: Result {
                                try PeerProcess(script, arguments, python: python, patience: 120)
                            })
                    }
                }
            }
            started[key] = task
            return try await task.value
        }
    }
}
