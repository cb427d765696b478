/// Makes plain text of what Slack keeps: mentions, links and escapes.
struct SlackText {
    let directory: SlackDirectory

    /// What a reader sees of a message's text.
    func plain(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return text }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x3C else {
                out.append(bytes[at])
                at += 1
                continue
            }
            let end = bytes[(at + 1)...].firstIndex { $0 == 0x3E || $0 == 0x3C } ?? bytes.count
            if end < bytes.count, bytes[end] == 0x3E,
                let plain = token(String(decoding: bytes[(at + 1)..<end], as: UTF8.self))
            {
                out += plain.utf8
                at = end + 1
            } else {
                out += bytes[at..<end]
                at = end
            }
        }
        return String(decoding: BasicEntities.decode(out, BasicEntities.signs), as: UTF8.self)
    }

    /// Of what stands between `<` and `>`; nil when it means nothing.
    private func token(_ inside: String) -> String? {
        let bar = inside.firstIndex(of: "|")
        let target = bar.map { inside[..<$0] } ?? inside[...]
        let label = bar.map { String(inside[$0...].dropFirst()) } ?? ""
        switch target.utf8.first {
        case UInt8(ascii: "@"):
            let id = String(target.dropFirst())
            return Self.marked(
                "@", label.isEmpty ? directory.person(id)?.handle ?? directory.person(id)?.name ?? id : label)
        case UInt8(ascii: "#"):
            let id = String(target.dropFirst())
            return Self.marked("#", label.isEmpty ? directory.channelName(id) ?? id : label)
        case UInt8(ascii: "!"):
            let parts = target.dropFirst().split(separator: "^")
            guard let word = parts.first else { return nil }
            if word == "date" { return label }
            if word == "subteam" {
                return Self.marked("@", label.isEmpty ? parts.dropFirst().first.map(String.init) ?? "" : label)
            }
            return Self.marked("@", label.isEmpty ? String(word) : label)
        default:
            guard let colon = target.firstIndex(of: ":"), colon > target.startIndex else { return nil }
            if ["mailto", "tel"].contains(target[..<colon]) {
                return label.isEmpty ? String(target[colon...].dropFirst()) : label
            }
            return label.isEmpty || label == target ? String(target) : "\(label) (\(target))"
        }
    }

    private static func marked(_ mark: String, _ name: String) -> String { name.hasPrefix(mark) ? name : mark + name }

    // MARK: Messages without text

    /// The text in blocks, which apps write instead.
    func plain(blocks: [JSONNode]) -> String {
        blocks.map(block).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func block(_ node: JSONNode) -> String {
        switch node["type"]?.string {
        case "rich_text": return elements(node, separator: "\n")
        case "section", "header", "context":
            let fields = node["fields"]?.elements ?? []
            let texts = [node["text"]].compactMap { $0 } + fields + (node["elements"]?.elements ?? [])
            return texts.compactMap(object).filter { !$0.isEmpty }.joined(separator: "\n")
        default: return ""
        }
    }

    /// `{"type":"mrkdwn","text":…}`; only that kind is escaped.
    private func object(_ node: JSONNode) -> String? {
        guard let text = node["text"]?.string else { return nil }
        return node["type"]?.string == "plain_text" ? text : plain(text)
    }

    private func elements(_ node: JSONNode, separator: String) -> String {
        (node["elements"]?.elements ?? []).map(element).joined(separator: separator)
    }

    /// Nesting is bounded by that of the tree.
    private func element(_ node: JSONNode) -> String {
        switch node["type"]?.string {
        case "text": return node["text"]?.string ?? ""
        case "link":
            let address = node["url"]?.string ?? ""
            guard let text = node["text"]?.string, !text.isEmpty, text != address else { return address }
            return "\(text) (\(address))"
        case "user":
            let id = node["user_id"]?.string ?? ""
            return "@" + (directory.person(id)?.handle ?? directory.person(id)?.name ?? id)
        case "channel":
            let id = node["channel_id"]?.string ?? ""
            return "#" + (directory.channelName(id) ?? id)
        case "usergroup": return "@" + (node["usergroup_id"]?.string ?? "")
        case "broadcast": return "@" + (node["range"]?.string ?? "here")
        case "emoji": return SlackEmoji.emoji(node["name"]?.string ?? "")
        case "rich_text_list": return elements(node, separator: "\n")
        case "rich_text_section", "rich_text_quote", "rich_text_preformatted": return elements(node, separator: "")
        default: return ""
        }
    }
}
