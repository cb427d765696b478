import Synchronization
import TriageCore
package import TriageLLM

/// Names the host on standard error before the first byte goes to it.
///
/// All requests to configured servers go through this type, so no command can forget the notice.
package final class NamedTransport: HTTPTransport {
    private let inner: CurlTransport
    private let line: String
    /// The lines that this process has already printed.
    private static let said = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - url: the prefix of all requests.
    ///   - keyVariable: the environment variable whose key is sent along; nil: none is.
    package init(_ inner: CurlTransport, model: String, url: String, keyVariable: String?) {
        self.inner = inner
        let host = KeyHome.host(of: url)
        var line = "asking \(model) at \(host)"
        if let keyVariable, let home = KeyHome.homes[keyVariable], !KeyHome.isHome(home, of: url) {
            line += ", with the key in \(keyVariable), which is usually for \(home)"
        }
        self.line = line
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        // Printed even with --quiet, and under the lock, so no request goes out before it is.
        Self.said.withLock { said in
            if said.insert(line).inserted { Terminal.tell("triage: \(Terminal.harmlessLine(line))\n") }
        }
        return try await inner.send(request)
    }

    /// Closes the connections.
    package func close() { inner.close() }
}

/// Knows which host each well-known key belongs to.
package enum KeyHome {
    /// The variable names that the providers' own tools read.
    package static let homes = [
        "OPENAI_API_KEY": "api.openai.com", "ANTHROPIC_API_KEY": "api.anthropic.com",
        "OPENROUTER_API_KEY": "openrouter.ai", "MISTRAL_API_KEY": "api.mistral.ai", "GROQ_API_KEY": "api.groq.com",
        "GEMINI_API_KEY": "generativelanguage.googleapis.com", "GOOGLE_API_KEY": "generativelanguage.googleapis.com",
        "DEEPSEEK_API_KEY": "api.deepseek.com", "TOGETHER_API_KEY": "api.together.xyz", "XAI_API_KEY": "api.x.ai",
        "FIREWORKS_API_KEY": "api.fireworks.ai", "CEREBRAS_API_KEY": "api.cerebras.ai",
    ]

    /// Host and port of an address, without user name and password.
    package static func host(of url: String) -> String {
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        let authority = rest.prefix { !"/?#\\".contains($0) }
        return String(authority.split(separator: "@").last ?? "")
    }

    package static func isHome(_ home: String, of url: String) -> Bool {
        let host = host(of: url).lowercased()
        return host == home || host == "\(home):443"
    }

    /// Refuses to send one provider's key to another provider.
    ///
    /// That the settings name both the variable and the URL does not prove intent: the two lines are often copied from
    /// different pages.
    /// - Throws: ``TriageError`` (exit 78).
    package static func check(_ variable: String, for url: String) throws {
        guard let home = homes[variable], !isHome(home, of: url) else { return }
        guard let other = Set(homes.values).first(where: { isHome($0, of: url) }) else { return }
        throw TriageError(
            "llm.foreign-key", "\(variable) holds a key for \(home), but base_url is \(other)", at: "api_key_env",
            remedy: "name the variable with the key for \(other)", exit: .badConfiguration)
    }
}
