internal import TriageCore

/// Reads and checks the patterns of one signal.
struct PatternReader {
    /// The maximum length of a word or literal, in bytes.
    static let lengthLimit = 200
    /// The maximum length of a regex, in bytes; alternations can get long without getting slow.
    static let regexLimit = 500

    /// Identifies a pattern within a signal.
    struct Identity: Hashable {
        var kind: Pattern.Kind
        var bytes: [UInt8]
    }

    /// A pattern with its identity, because folding 50,000 words twice would slow down every cold start.
    typealias Found = (pattern: Pattern, identity: Identity)

    let reader: MappingReader
    let folder: TextFolder

    /// The patterns of one key; nil when the signal does not have it.
    func patterns(_ key: String, kind: Pattern.Kind) -> [Found]? {
        guard let texts = reader.strings(key) else { return nil }
        var patterns: [Found] = []
        patterns.reserveCapacity(texts.count)
        var seen: [[UInt8]: Int] = [:]
        seen.reserveCapacity(texts.count)
        for (text, node) in texts {
            guard let identity = checked(text, kind, node) else { continue }
            if let line = seen.updateValue(node.line, forKey: identity) {
                reader.fault(
                    "rules.duplicate-pattern", "pattern '\(text)' duplicates the one on line \(line)", at: node,
                    remedy: "remove one of them; case and accents are ignored")
                continue
            }
            patterns.append(
                (
                    Pattern(kind: kind, text: text, file: reader.document, line: node.line),
                    Identity(kind: kind, bytes: identity)
                ))
        }
        return patterns
    }

    /// The identity of the pattern; nil, with a fault, when it can never match.
    private func checked(_ text: String, _ kind: Pattern.Kind, _ node: ConfigNode) -> [UInt8]? {
        let limit = kind == .regex ? Self.regexLimit : Self.lengthLimit
        guard text.utf8.count <= limit else {
            reader.fault(
                "rules.pattern-too-long", "a pattern has \(text.utf8.count) bytes; the limit is \(limit)",
                at: node,
                remedy: "keep the significant part, or split it into a composite of two signals")
            return nil
        }
        if kind == .regex { return checkedRegex(text, node) }
        let folded = Self.trimmed(folder.fold(text))
        guard !folded.isEmpty else {
            reader.fault(
                "rules.empty-pattern", "a pattern is empty after removing spaces and hidden characters", at: node,
                remedy: "remove it, or quote it if it begins with '#'")
            return nil
        }
        return folded
    }

    private func checkedRegex(_ text: String, _ node: ConfigNode) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else {
            reader.fault("rules.empty-pattern", "a regex is empty", at: node, remedy: "remove it")
            return nil
        }
        if let scalar = firstUnusable(text) {
            reader.fault(
                "rules.regex-bad-character",
                "a regex cannot contain U+\(String(scalar.value, radix: 16, uppercase: true)) here",
                at: node,
                remedy:
                    "non-ASCII: only signs that folding keeps, not in brackets or before ? * + {; or use 'words'"
            )
            return nil
        }
        var escaped = false
        for (index, byte) in bytes.enumerated() {
            if escaped {
                escaped = false
                if byte == UInt8(ascii: "b") || byte == UInt8(ascii: "B") || (0x31...0x39).contains(byte) {
                    return unsupported("\\\(Unicode.Scalar(byte))", node)
                }
                continue
            }
            if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if (0x41...0x5A).contains(byte) {
                reader.fault(
                    "rules.never-matches",
                    "a regex contains the capital '\(Unicode.Scalar(byte))', but texts are lowercase", at: node,
                    remedy: "write it in lowercase")
                return nil
            } else if byte == UInt8(ascii: "("), index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "?"),
                bytes[index + 2] != UInt8(ascii: ":")
            {
                return unsupported("(?\(Unicode.Scalar(bytes[index + 2]))", node)
            }
        }
        return bytes
    }

    /// The first character that cannot be used in a regex.
    ///
    /// The matcher works on the bytes of folded text. So a character of several bytes works in an alternation but not
    /// in a class, and a repetition would repeat only its last byte.
    private func firstUnusable(_ text: String) -> Unicode.Scalar? {
        let scalars = Array(text.unicodeScalars)
        var isInClass = false
        for (index, scalar) in scalars.enumerated() {
            if scalar.value < 0x20 || scalar.value == 0x7F { return scalar }
            if scalar.isASCII {
                let isEscaped = index > 0 && scalars[index - 1] == "\\"
                if scalar == "[", !isEscaped { isInClass = true }
                if scalar == "]", !isEscaped { isInClass = false }
                continue
            }
            let isRepeated = index + 1 < scalars.count && "?*+{".unicodeScalars.contains(scalars[index + 1])
            if isInClass || isRepeated || folder.fold(String(scalar)) != Array(String(scalar).utf8) { return scalar }
        }
        return nil
    }

    private func unsupported(_ construct: String, _ node: ConfigNode) -> [UInt8]? {
        reader.fault(
            "rules.regex-unsupported", "a regex uses '\(construct)', which the matcher does not support", at: node,
            remedy: "use 'words' for whole words, or a composite with 'when'")
        return nil
    }

    /// The identity of a pattern that was read.
    static func identity(of pattern: Pattern, _ folder: TextFolder) -> Identity {
        let bytes = pattern.kind == .regex ? Array(pattern.text.utf8) : trimmed(folder.fold(pattern.text))
        return Identity(kind: pattern.kind, bytes: bytes)
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.firstIndex(where: { $0 != 0x20 }), let last = bytes.lastIndex(where: { $0 != 0x20 })
        else { return [] }
        return first == 0 && last == bytes.count - 1 ? bytes : Array(bytes[first...last])
    }
}
