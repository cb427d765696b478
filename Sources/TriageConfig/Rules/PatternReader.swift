internal import TriageCore

/// Reads and checks the patterns of one signal.
struct PatternReader {
    /// Bytes of one pattern.
    static let lengthLimit = 200

    let reader: MappingReader
    let folder: TextFolder

    /// Patterns of one key; nil when the signal does not give it.
    func patterns(_ key: String, kind: Pattern.Kind) -> [Pattern]? {
        guard let texts = reader.strings(key) else { return nil }
        var patterns: [Pattern] = []
        patterns.reserveCapacity(texts.count)
        var seen: [[UInt8]: Int] = [:]
        seen.reserveCapacity(texts.count)
        for (text, node) in texts {
            guard let identity = checked(text, kind, node) else { continue }
            if let line = seen.updateValue(node.line, forKey: identity) {
                reader.fault(
                    "rules.duplicate-pattern", "pattern '\(text)' says the same as one on line \(line)", at: node,
                    remedy: "remove one of them; case and accents make no difference")
                continue
            }
            patterns.append(Pattern(kind: kind, text: text, place: "\(reader.document):\(node.line)"))
        }
        return patterns
    }

    /// What tells the pattern from others; nil with a fault when it can never match.
    private func checked(_ text: String, _ kind: Pattern.Kind, _ node: ConfigNode) -> [UInt8]? {
        guard text.utf8.count <= Self.lengthLimit else {
            reader.fault(
                "rules.pattern-too-long",
                "a pattern has \(text.utf8.count) bytes; at most \(Self.lengthLimit) are allowed", at: node,
                remedy: "keep the telling part, or split it into a composite of two signals")
            return nil
        }
        if kind == .regex { return checkedRegex(text, node) }
        let folded = trimmed(folder.fold(text))
        guard !folded.isEmpty else {
            reader.fault(
                "rules.empty-pattern", "a pattern is empty once blanks and hidden characters are taken out", at: node,
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
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            reader.fault(
                "rules.regex-not-ascii", "a regex may hold printable ASCII only", at: node,
                remedy: "use 'words' or 'literals' for other scripts; accents are folded away before matching")
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
                    "a regex asks for the capital '\(Unicode.Scalar(byte))', and texts are lower case", at: node,
                    remedy: "write it in lower case")
                return nil
            } else if byte == UInt8(ascii: "("), index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "?"),
                bytes[index + 2] != UInt8(ascii: ":")
            {
                return unsupported("(?\(Unicode.Scalar(bytes[index + 2]))", node)
            }
        }
        return bytes
    }

    private func unsupported(_ construct: String, _ node: ConfigNode) -> [UInt8]? {
        reader.fault(
            "rules.regex-unsupported", "a regex uses '\(construct)', which the matcher does not have", at: node,
            remedy: "use 'words' for whole words, or a composite with 'when'")
        return nil
    }

    private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.firstIndex(where: { $0 != 0x20 }), let last = bytes.lastIndex(where: { $0 != 0x20 })
        else { return [] }
        return first == 0 && last == bytes.count - 1 ? bytes : Array(bytes[first...last])
    }
}
