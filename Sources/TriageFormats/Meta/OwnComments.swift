/// Tells in the rows of Instagram's lists of own comments which value is the comment and whose post it stands under.
///
/// Labels are translated, so what the values of all rows look like decides; a first part of a very long list decides
/// for the rest of it.
struct OwnComments {
    struct Row {
        var values: [(label: String, value: String)] = []
        var time: JSONNode?
        var index = 0
    }

    /// Bytes of rows that are looked at before the labels are settled.
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

    /// Takes a row in and gives out those that can be judged.
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

    /// Decides, and gives out what was held.
    mutating func settle() -> [Row] {
        defer { rows = [] }
        guard !isSettled else { return [] }
        isSettled = true
        comment = labels.first { Self.commentLabels.contains($0.name) }?.name
        owner = labels.first { Self.ownerLabels.contains($0.name) }?.name
        if owner == nil {
            // Accounts recur, comments hardly; of two that do not, the comment stands first.
            let candidates = labels.filter { $0.name != comment && $0.handles == $0.count }
            owner = candidates.reversed().min { $0.values.count * $1.count < $1.values.count * $0.count }?.name
            // The only label is that of the comments.
            if labels.count == 1 { owner = nil }
        }
        if comment == nil { comment = labels.first { $0.name != owner }?.name }
        return rows
    }

    /// The comment of a row, once settled, and the account whose post it is under; nil: there is none.
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
    /// A row in either of the forms that Instagram uses; nil: it is none.
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
        // The address of a post stands beside the account.
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

/// Repairs what Meta's JSON exports do to text: each byte of UTF-8 is written as a character of its own.
enum MetaText {
    /// The text as it was written; call it once for each string and before any trimming, because U+0085 and U+00A0 are
    /// bytes here.
    ///
    /// Text that is not of that kind comes back as it is: all of it must be U+0000–U+00FF and valid UTF-8 as bytes.
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
