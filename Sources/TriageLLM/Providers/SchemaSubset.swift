/// Reduces a schema to what a server enforces; other constraints are described to the model in words.
struct SchemaSubset: Sendable, Hashable {
    /// Keywords that limit the size, length or form of a value.
    private static let ranges: Set<String> = [
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
        "maxItems", "minItems", "format",
    ]

    /// The keywords of ``ranges`` that are kept.
    var kept: Set<String>

    /// For servers that enforce ranges (llama.cpp, vLLM), where a length stops a runaway string.
    ///
    /// `pattern` is always removed, because Ollama refuses the whole schema for it.
    static let withRanges = SchemaSubset(kept: ranges.subtracting(["pattern", "format", "multipleOf"]))
    /// For servers that refuse or ignore ranges: all of them are put into words.
    static let withoutRanges = SchemaSubset(kept: [])

    /// Whether ``reduced(_:depth:)`` would change nothing; false if in doubt.
    private func isReduced(_ schema: JSONValue, depth: Int = 0) -> Bool {
        guard case .object(let members) = schema else { return true }
        guard depth < 32 else { return false }
        var isClosed = true
        for member in members {
            switch member.key {
            case "properties", "$defs":
                guard case .object(let inner) = member.value,
                    inner.allSatisfy({ isReduced($0.value, depth: depth + 1) })
                else { return false }
            case "items": guard isReduced(member.value, depth: depth + 1) else { return false }
            case "anyOf":
                guard case .array(let inner) = member.value, inner.allSatisfy({ isReduced($0, depth: depth + 1) })
                else { return false }
            case "oneOf": return false
            case "type": if member.value == .string("object") { isClosed = false }
            case "additionalProperties": break
            default: if Self.ranges.contains(member.key), !kept.contains(member.key) { return false }
            }
        }
        if isClosed { return !members.contains { $0.key == "additionalProperties" } }
        return members.last == JSONMember("additionalProperties", .bool(false))
            && members.count { $0.key == "additionalProperties" } == 1
    }

    /// The reduced schema of a value; `oneOf` becomes `anyOf`, and objects are closed.
    func reduced(_ schema: JSONValue, depth: Int = 0) -> JSONValue {
        guard case .object(let members) = schema, depth < 32 else { return schema }
        // Most servers accept our schemas unchanged, and each request may have a schema of its own.
        if depth == 0, isReduced(schema) { return schema }
        var out: [JSONMember] = []
        var words: [String] = []
        var isObject = false
        for member in members {
            switch member.key {
            case "properties", "$defs":
                let inner = member.value.members ?? []
                out.append(
                    JSONMember(
                        member.key,
                        .object(inner.map { JSONMember($0.key, reduced($0.value, depth: depth + 1)) })))
            case "items": out.append(JSONMember("items", reduced(member.value, depth: depth + 1)))
            case "anyOf", "oneOf":
                let inner = member.value.array ?? []
                out.append(JSONMember("anyOf", .array(inner.map { reduced($0, depth: depth + 1) })))
            case let key where Self.ranges.contains(key) && !kept.contains(key):
                words.append(key + ": " + String(decoding: member.value.encoded, as: UTF8.self))
            case "additionalProperties": break
            default:
                if member.key == "type", member.value == .string("object") { isObject = true }
                out.append(member)
            }
        }
        if isObject { out.append(JSONMember("additionalProperties", .bool(false))) }
        if !words.isEmpty {
            let note = words.joined(separator: ", ")
            if let at = out.firstIndex(where: { $0.key == "description" }) {
                out[at].value = .string((out[at].value.string ?? "") + " (" + note + ")")
            } else {
                out.append(JSONMember("description", .string(note)))
            }
        }
        return .object(out)
    }
}
