import TriageConfig
import TriageCore
import TriageFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How webhooks are taken in.
struct DeliverySettings: Sendable {
    var address: ListenAddress
    /// The file that every delivery is appended to before it is acknowledged.
    var spool: String
    /// What deliveries are signed with; never empty.
    var secret: [UInt8]
    /// What Meta says at the handshake; empty: none was agreed on, and every handshake is refused.
    var token: [UInt8]
    /// Bytes of the largest body.
    var bodyLimit = 1 << 20
    /// From the connection to the end of the body.
    var requestTime = Duration.seconds(15)
    /// Connections at a time; beyond them the one that has said too little for longest is let go.
    var connectionLimit = 512

    /// Longest secret or token.
    private static let secretLimit = 4096

    /// A secret out of a file, or else out of the environment; never out of the arguments, which everybody can list.
    ///
    /// - Returns: without blanks and line breaks at its ends; empty when there is none.
    /// - Throws: ``TriageError`` (exit 78) when the file is missing, or open to others.
    static func secret(file: String?, variable: String) throws -> [UInt8] {
        guard let file else { return trimmed(Array((Terminal.environment(variable) ?? "").utf8)) }
        var info = stat()
        guard stat(file, &info) == 0, info.st_size <= secretLimit else {
            throw TriageError(
                "webhook.no-secret", "the secret file cannot be read, or is too long", at: file,
                remedy: "put only the secret there, on one line", exit: .badConfiguration)
        }
        guard info.st_mode & 0o077 == 0 else {
            throw TriageError(
                "webhook.open-secret", "other users can read the secret file", at: file,
                remedy: "chmod 600 \(file)", exit: .badConfiguration)
        }
        return trimmed(try ConfigurationFile.read(file))
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        var slice = bytes[...]
        while let last = slice.last, last <= 0x20 { slice.removeLast() }
        while let first = slice.first, first <= 0x20 { slice.removeFirst() }
        return Array(slice)
    }
}
