internal import TriageCore

/// One rule file, read but not parsed.
package struct RuleSource: Sendable {
    /// What a file may say.
    package enum Kind: Sendable {
        /// Signals with all that belongs to them.
        case rules
        /// The words of one language for signals that rule files define.
        case language
    }

    /// How faults name it.
    package var name: String
    package var bytes: [UInt8]
    package var kind: Kind

    package init(name: String, bytes: [UInt8], kind: Kind = .rules) {
        self.name = name
        self.bytes = bytes
        self.kind = kind
    }

    /// First 12 hex digits of the SHA-256 over names, lengths and bytes of the files, in their order.
    ///
    /// The user's file counts by its content alone: the same rules in another folder are the same rules.
    package static func digest(shipped: [RuleSource], user: RuleSource?) -> String {
        var hash = SHA256()
        for source in shipped + (user.map { [RuleSource(name: "user", bytes: $0.bytes)] } ?? []) {
            // Lengths keep "ab"+"c" apart from "a"+"bc".
            hash.update(Array("\(source.name)\n\(source.bytes.count)\n".utf8))
            hash.update(source.bytes)
        }
        return String(hash.hex().prefix(12))
    }
}
