import TriageConfig
import TriageCore
import TriageLLM

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads keys for servers from where `triage.yaml` says they are; never from the command line.
enum KeyReader {
    /// Longest key file; keys are a few hundred bytes.
    private static let limit = 16 << 10

    /// - Parameter url: where it will be sent.
    /// - Throws: ``TriageError`` (exit 78) when the variable is unset or holds another provider's key, or the file is
    ///   missing, empty or open to others.
    static func key(variable: String?, file: String?, for url: String) throws -> SecretKey? {
        if let variable {
            try KeyHome.check(variable, for: url)
            guard let text = Terminal.environment(variable) else {
                throw TriageError(
                    "llm.no-key", "environment variable \(variable) is not set", at: "api_key_env",
                    remedy: "export \(variable), or use --offline", exit: .badConfiguration)
            }
            guard let key = SecretKey(text) else { throw unusable("variable \(variable)", "api_key_env") }
            return key
        }
        guard let file else { return nil }
        var info = stat()
        guard stat(file, &info) == 0 else {
            throw TriageError(
                "llm.no-key", "cannot read the key file: \(String(cString: strerror(errno)))", at: file,
                remedy: "check api_key_file, or use --offline", exit: .badConfiguration)
        }
        guard info.st_mode & 0o077 == 0 else {
            throw TriageError(
                "llm.open-key", "other users can read the key file", at: file, remedy: "chmod 600 \(file)",
                exit: .badConfiguration)
        }
        guard info.st_size <= limit else { throw unusable("file", file) }
        guard let key = SecretKey(String(decoding: try ConfigurationFile.read(file), as: UTF8.self)) else {
            throw unusable("file", file)
        }
        return key
    }

    private static func unusable(_ what: String, _ place: String) -> TriageError {
        TriageError(
            "llm.bad-key", "the \(what) has no key: it is empty, or contains spaces or line breaks", at: place,
            remedy: "put only the key there, on one line", exit: .badConfiguration)
    }
}
