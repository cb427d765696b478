import TriageCore
import TriageFormats
package import TriageLLM
package import TriageStore

/// The annotated record of a stored message, parsed for display.
package struct StoredRecord {
    /// The parsed record; nil when it is too large or malformed, although the store holds it exactly as written.
    package let value: JSONValue?
    /// The `triage` member: the answers.
    package let triage: JSONValue?

    private static let limits = JSONLimits(bytes: 64 << 20, depth: 128, values: 1 << 20)

    package init(_ bytes: [UInt8]) {
        let value = try? StrictJSON.parse(bytes, limits: Self.limits, surrogates: .replace)
        self.value = value
        triage = value?["triage"] ?? Self.answers(in: bytes)
    }

    /// The answers of a record that cannot be parsed, such as one with duplicate keys.
    ///
    /// They are its last member, and inside strings every quotation mark is escaped.
    private static func answers(in bytes: [UInt8]) -> JSONValue? {
        guard let start = answersStart(in: bytes), let end = bytes.lastIndex(of: UInt8(ascii: "}")) else { return nil }
        return try? StrictJSON.parse(Array(bytes[(start + 9)..<end]), limits: limits, surrogates: .replace)
    }

    /// The offset of the member with the answers; nil: there is none.
    package static func answersStart(in bytes: [UInt8]) -> Int? {
        let head = Array("\"triage\":{\"schema\":".utf8)
        guard let end = bytes.lastIndex(of: UInt8(ascii: "}")), end > head.count else { return nil }
        var start = end - head.count
        while start >= 0, bytes[start] != head[0] || !bytes[start...].starts(with: head) { start -= 1 }
        return start >= 0 ? start : nil
    }

    package subscript(_ path: String...) -> JSONValue? { Self.member(value, path) }

    /// A member of the answers, by path.
    package func answer(_ path: String...) -> JSONValue? { Self.member(triage, path) }

    private static func member(_ value: JSONValue?, _ path: [String]) -> JSONValue? {
        path.reduce(value) { value, key in value?[key] }
    }

    /// A value as text: a string, a number as written, or a Boolean as in JSON.
    package static func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text): text
        case .number(let digits): digits
        case .bool(let flag): flag ? "true" : "false"
        default: ""
        }
    }

    /// The record as JSON without its answers; nil when it cannot be parsed.
    package func withoutAnswers(adding members: [JSONMember] = []) -> [UInt8]? {
        guard let all = value?.members else { return nil }
        let replaced = Set(members.map(\.key)).union(["triage"])
        return JSONValue.object(all.filter { !replaced.contains($0.key) } + members).encoded
    }

    /// A CSV row, as `run --to csv` writes it.
    ///
    /// - Parameter further: cells to append.
    package func row(of entry: InboxEntry, further: [String] = []) -> [UInt8] {
        func answer(_ path: String...) -> String { Self.text(Self.member(triage, path)) }
        func field(_ key: String) -> String { Self.text(self[key]) }
        let hasLabel = !answer("category", "label").isEmpty
        let hasFeeling = !answer("sentiment", "label").isEmpty
        let sender = ["handle", "name", "id"].lazy.map { Self.text(self["sender", $0]) }.first { !$0.isEmpty } ?? ""
        var budget = answer("opportunity", "budget", "amount")
        let currency = answer("opportunity", "budget", "currency")
        if !currency.isEmpty { budget += " " + currency }
        let cells =
            [
                entry.message.id, field("platform"), field("conversation_id"), sender, field("sent_at"),
                value == nil ? entry.message.text : field("text"), answer("category", "label"),
                hasLabel ? answer("category", "confidence") : "", hasLabel ? answer("category", "level") : "",
                answer("sentiment", "label"), hasFeeling ? answer("sentiment", "intensity") : "",
                answer("urgency", "urgent"), answer("urgency", "score"), answer("priority"),
                answer("opportunity", "score"), answer("opportunity", "tier"),
            ]
            + ["monetary", "brand_fit", "legitimacy", "urgency"].map {
                answer("opportunity", "breakdown", $0, "points")
            }
            + [
                budget, answer("opportunity", "deadline"), answer("faq", "id"), answer("faq", "match"),
                answer("draft", "text"), answer("injection", "suspected"),
                answer("campaign", "id"), answer("campaign", "count"),
            ] + further
        var row: [UInt8] = []
        for (place, cell) in cells.enumerated() {
            if place > 0 { row.append(UInt8(ascii: ",")) }
            row += CSVRecordEncoder.cell(cell)
        }
        return row + [0x0D, 0x0A]
    }
}
