internal import TriageCore

/// One rule file, read but not parsed.
package struct RuleSource: Sendable {
    /// The kind of file, which decides what it may contain.
    package enum Kind: Sendable {
        /// Signals with everything that belongs to them.
        case rules
        /// The words of one language for signals that rule files define.
        case language
    }

    /// The name of the file in faults.
    package var name: String
    package var bytes: [UInt8]
    package var kind: Kind

    package init(name: String, bytes: [UInt8], kind: Kind = .rules) {
        self.name = name
        self.bytes = bytes
        self.kind = kind
    }

    /// The first 12 hex digits of the SHA-256 over names, lengths and bytes of the files, in order.
    ///
    /// Only the content of the user's file counts: the same rules in another folder have the same digest.
    package static func digest(shipped: [RuleSource], user: RuleSource?) -> String {
        var hash = SHA256()
        for source in shipped + (user.map { [RuleSource(name: "user", bytes: $0.bytes)] } ?? []) {
            // The lengths keep "ab"+"c" apart from "a"+"bc".
            hash.update(Array("\(source.name)\n\(source.bytes.count)\n".utf8))
            hash.update(source.bytes)
        }
        return String(hash.hex().prefix(12))
    }
}
