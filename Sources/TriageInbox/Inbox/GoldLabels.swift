package import TriageLLM
package import TriageStore

/// What people said of a message as labels that `evaluate`, `train` and `faq learn` read.
package enum GoldLabels {
    /// nil when nothing that was said is a label.
    package static func members(of entry: InboxEntry) -> [JSONMember]? {
        var members: [JSONMember] = []
        if let category = entry.corrections[.category] { members.append(JSONMember("category", .string(category))) }
        if let sentiment = entry.corrections[.sentiment] { members.append(JSONMember("sentiment", .string(sentiment))) }
        if let urgent = entry.corrections[.urgent] { members.append(JSONMember("urgent", .bool(urgent == "true"))) }
        switch entry.corrections[.faq] {
        case nil: break
        case "right": members.append(JSONMember("faq_id", entry.message.faq.map { .string($0) } ?? .null))
        case "none": members.append(JSONMember("faq_id", .null))
        case let value? where value.hasPrefix("entry:"):
            members.append(JSONMember("faq_id", .string(String(value.dropFirst(6)))))
        default: break
        }
        return members.isEmpty ? nil : members
    }

    package static func json(_ members: [JSONMember]) -> JSONMember { JSONMember("gold", .object(members)) }
}
