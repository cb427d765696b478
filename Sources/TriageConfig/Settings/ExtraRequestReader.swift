internal import TriageCore

/// Reads what a configuration adds to every request: members of the body, and headers.
struct ExtraRequestReader {
    let faults: FaultCollector

    /// Members that define the request, or that spending limits are calculated from.
    private static let ours: [String: String] = [
        "model": "write model: … beside extra_body", "messages": "remove it", "system": "remove it",
        "stream": "remove it: answers are not streamed", "input": "remove it", "n": "remove it: one answer is read",
        "best_of": "remove it: one answer is read", "max_tokens": "write max_output_tokens: … beside extra_body",
        "max_completion_tokens": "write max_output_tokens: … beside extra_body",
        "num_predict": "write max_output_tokens: … beside extra_body",
        "reasoning_effort": "write reasoning_effort: … beside extra_body",
    ]
    private static let headersOfHTTP: Set<String> = [
        "host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection", "expect",
        "accept-encoding", "accept", "te", "trailer", "upgrade", "proxy-authorization",
    ]

    /// The mapping under `extra_body`; nil when there is none.
    func body(_ reader: MappingReader) -> ConfigNode? {
        guard let node = reader.node("extra_body") else { return nil }
        guard case .mapping(let entries) = node.value else {
            reader.fault(
                "config.wrong-type", "'extra_body' must be a mapping of members to values, not \(node.kind)",
                at: node, remedy: "write extra_body: {service_tier: flex}")
            return nil
        }
        var isSound = true
        for entry in entries {
            if let remedy = Self.ours[entry.key] {
                isSound = false
                faults.add(
                    "config.reserved-key", "'extra_body' cannot contain '\(entry.key)'",
                    at: "\(reader.document):\(entry.line):\(entry.column)", remedy: remedy)
            }
        }
        if holdsKey(node, in: reader) { isSound = false }
        return isSound ? node : nil
    }

    /// Whether a body contains a secret, judged by the names of its members.
    private func holdsKey(_ node: ConfigNode, in reader: MappingReader) -> Bool {
        switch node.value {
        case .mapping(let entries):
            return entries.reduce(false) { found, entry in
                if case .scalar = entry.value.value, isSecret(entry.key) {
                    inline(entry.key, "extra_body", at: "\(reader.document):\(entry.line):\(entry.column)")
                    return true
                }
                return holdsKey(entry.value, in: reader) || found
            }
        case .sequence(let items): return items.reduce(false) { holdsKey($1, in: reader) || $0 }
        default: return false
        }
    }

    /// The headers under `extra_headers`.
    func headers(_ reader: MappingReader) -> [ModelSettings.Header] {
        guard let node = reader.node("extra_headers") else { return [] }
        guard case .mapping(let entries) = node.value else {
            reader.fault(
                "config.wrong-type", "'extra_headers' must be a mapping of names to values, not \(node.kind)",
                at: node, remedy: "write extra_headers: {x-title: my inbox}")
            return []
        }
        return entries.compactMap { entry in
            let place = "\(reader.document):\(entry.line):\(entry.column)"
            let isName =
                (1...100).contains(entry.key.utf8.count)
                && entry.key.utf8.allSatisfy {
                    (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                }
            guard isName else {
                faults.add(
                    "config.bad-header", "'extra_headers' has an invalid header name", at: place,
                    remedy: "use letters, digits and hyphens")
                return nil
            }
            guard !Self.headersOfHTTP.contains(entry.key.lowercased()) else {
                faults.add(
                    "config.reserved-key", "'extra_headers' cannot contain '\(entry.key)': the connection sets it",
                    at: place, remedy: "remove it")
                return nil
            }
            return value(entry, place: place).map { ModelSettings.Header(name: entry.key, value: $0) }
        }
    }

    private func value(_ entry: ConfigNode.Entry, place: String) -> ModelSettings.Header.Value? {
        if case .mapping(let members) = entry.value.value, members.count == 1, members[0].key == "env",
            case .scalar(let name, _) = members[0].value.value
        {
            return variable(name, place)
        }
        guard case .scalar(let text, _) = entry.value.value else {
            faults.add(
                "config.wrong-type", "'\(entry.key)' must be text, not \(entry.value.kind)", at: place,
                remedy: "write \(entry.key): \"…\", or \(entry.key): {env: NAME} for a secret")
            return nil
        }
        if text.hasPrefix("${"), text.hasSuffix("}") { return variable(String(text.dropFirst(2).dropLast()), place) }
        // The value is not repeated in the fault, because it may be the key.
        if isSecret(entry.key) {
            inline(entry.key, "extra_headers", at: place)
            return nil
        }
        guard (1...8_192).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            text.first != " ", text.last != " "
        else {
            faults.add(
                "config.bad-header", "the value of '\(entry.key)' is not a valid header value", at: place,
                remedy: "use ASCII on one line")
            return nil
        }
        return .literal(text)
    }

    private func variable(_ name: String, _ place: String) -> ModelSettings.Header.Value? {
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
            }
        if isName { return .variable(name) }
        faults.add(
            "config.bad-variable", "'env' must be the name of an environment variable", at: place,
            remedy: "write {env: GATEWAY_KEY}")
        return nil
    }

    private func inline(_ name: String, _ subject: String, at place: String) {
        faults.add(
            "config.inline-key", "'\(name)' in '\(subject)' looks like a key, which must not be in this file",
            at: place,
            remedy: "put it in an environment variable; extra_headers reads it with \(name): {env: NAME}")
    }

    /// Judged by the name alone; header values are not examined.
    private func isSecret(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0.isLetter }
        if ["authorization", "cookie", "token", "auth", "key"].contains(plain) { return true }
        return ["apikey", "secret", "password", "authorization", "accesskey", "authtoken", "accesstoken", "virtualkey"]
            .contains { plain.contains($0) } || plain.hasSuffix("token")
            || plain.hasSuffix("key") && plain != "cachekey"
                && plain != "promptcachekey"
    }
}
