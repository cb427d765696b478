/// Finds out which value in Instagram's lists of own comments is the comment, and which names the post's account.
///
/// Labels are translated, so the form of the values across all rows decides. For a very long list, the first part
/// decides for the rest.
struct OwnComments {
    struct Row {
        var values: [(label: String, value: String)] = []
        var time: JSONNode?
        var index = 0
    }

    /// Maximum bytes of rows examined before the labels are settled.
    private static let limit = 4 << 20

    private struct Label {
        var name: String
        var count = 0
        var handles = 0
        var values = Set<String>()
    }

    private var labels: [Label] = []
    private var rows: [Row] = []
    private var held = 0
    private var owner: String?
    private var comment: String?
    private var isSettled = false

    /// Adds a row and returns those that can be judged.
    mutating func add(_ row: Row) -> [Row] {
        if isSettled { return [row] }
        for (label, value) in row.values {
            held += label.utf8.count + value.utf8.count + 64
            guard let at = labels.firstIndex(where: { $0.name == label }) else {
                if labels.count < 32 { labels.append(Label(name: label)) }
                count(value, labels.count - 1)
                continue
            }
            count(value, at)
        }
        rows.append(row)
        return held > Self.limit ? settle() : []
    }

    private mutating func count(_ value: String, _ at: Int) {
        labels[at].count += 1
        if Self.isHandle(value) { labels[at].handles += 1 }
        if labels[at].values.count < 1000 { labels[at].values.insert(value) }
    }

    /// Decides, and returns the held rows.
    mutating func settle() -> [Row] {
        defer { rows = [] }
        guard !isSettled else { return [] }
        isSettled = true
        comment = labels.first { Self.commentLabels.contains($0.name) }?.name
        owner = labels.first { Self.ownerLabels.contains($0.name) }?.name
        if owner == nil {
            // Accounts recur, comments hardly ever do; if neither recurs, the comment comes first.
            let candidates = labels.filter { $0.name != comment && $0.handles == $0.count }
            owner = candidates.reversed().min { $0.values.count * $1.count < $1.values.count * $0.count }?.name
            // A single label is that of the comments.
            if labels.count == 1 { owner = nil }
        }
        if comment == nil { comment = labels.first { $0.name != owner }?.name }
        return rows
    }

    /// A row's comment, once the labels are settled, and the account of the post, if any; nil: the row has no comment.
    func parts(of row: Row) -> (text: String, owner: String?)? {
        func value(_ label: String?) -> String? { row.values.first { $0.label == label }?.value }
        return value(comment).map { ($0, value(owner)) }
    }

    private static let commentLabels: Set<String> = [
        "Comment", "Opmerking", "Commento", "Kommentar", "Commentaire", "Comentario", "Comentário",
    ]
    private static let ownerLabels: Set<String> = [
        "Media Owner", "Media-eigenaar", "Proprietario del contenuto multimediale",
    ]

    private static func isHandle(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 30
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x5F
            }
    }
}

extension OwnComments.Row {
    /// Parses a row in either form that Instagram uses; nil: it is not a row.
    init?(_ node: JSONNode, index: Int) {
        self.index = index
        if let map = node["string_map_data"] {
            for entry in map.members {
                if time == nil, let seconds = entry.value["timestamp"]?.int, seconds > 0 {
                    time = entry.value["timestamp"]
                }
                add(entry.key, entry.value["value"])
            }
        } else if let list = node["label_values"] {
            time = node["timestamp"]
            add(list, depth: 0)
        } else {
            return nil
        }
    }

    private mutating func add(_ label: String, _ value: JSONNode?) {
        // Skip the URL of the post, which is next to the account.
        guard let value = value?.metaText, !value.isEmpty, !value.hasPrefix("https://") else { return }
        values.append((MetaText.repaired(label), value))
    }

    private mutating func add(_ list: JSONNode, depth: Int) {
        for item in list.elements {
            if let label = item["label"]?.string { add(label, item["value"]) }
            guard depth < 4 else { continue }
            for key in ["dict", "vec"] { if let inner = item[key] { add(inner, depth: depth + 1) } }
        }
    }
}

/// Repairs the text in Meta's JSON exports, which write each byte of UTF-8 as a separate character.
enum MetaText {
    /// The original text.
    ///
    /// Call it once per string and before any trimming, because U+0085 and U+00A0 stand for bytes here. Text that is
    /// not damaged this way is returned unchanged: all characters must be U+0000–U+00FF and form valid UTF-8 as bytes.
    static func repaired(_ text: String) -> String {
        var bytes: [UInt8] = []
        var isASCII = true
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return text }
            isASCII = isASCII && byte < 0x80
            bytes.append(byte)
        }
        if isASCII { return text }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}

extension JSONNode {
    /// A string of a Meta export, repaired.
    var metaText: String? { string.map(MetaText.repaired) }
}
