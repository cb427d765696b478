/// A line `Label: value` of TikTok's text files, where labels are translated.
struct TikTokField {
    /// What the shape of the value says.
    enum Kind { case date, address, nothing, text }

    var label: String
    var value: String
    var kind: Kind

    /// nil: the line is none.
    init?(_ line: some Collection<UInt8>) {
        let bytes = Array(line.prefix(1 << 16))
        var end = bytes.count
        for (index, byte) in bytes.prefix(80).enumerated() {
            // Some languages write a wide colon.
            if byte == 0x3A || (byte == 0xEF && bytes[index...].starts(with: [0xEF, 0xBC, 0x9A])) {
                end = index
                break
            }
        }
        guard end > 0, end < bytes.count, bytes[0] >= 0x41 else { return nil }
        let rest = bytes[(end + (bytes[end] == 0x3A ? 1 : 3))...].drop { $0 == 0x20 }
        label = String(decoding: bytes[..<end], as: UTF8.self)
        value = String(decoding: rest, as: UTF8.self)
        if value.isEmpty || value == "N/A" {
            kind = .nothing
        } else if Self.isDate(value) {
            kind = .date
        } else {
            kind = value.hasPrefix("https://") || value.hasPrefix("http://") ? .address : .text
        }
    }

    /// `2024-06-01 11:00:00` with or without ` UTC`.
    static func isDate(_ text: String) -> Bool {
        let count = text.utf8.count
        return (count == 19 || (count == 23 && text.hasSuffix(" UTC"))) && SourceTime.milliseconds(text) != nil
    }

    /// How languages call a comment, as far as TikTok's labels are known to begin or end with it.
    private static let comments = [
        "comment", "coment", "komment", "reactie", "koment", "yorum", "комент",
        "коммент", "σχόλι", "bình luận", "ความคิดเห็น", "تعليق", "תגובה", "コメント", "댓글", "评论", "評論", "留言", "टिप्पणी",
        "opmerking", "hozzászól",
    ]

    var isCommentLabel: Bool {
        let label = label.lowercased()
        return Self.comments.contains { label.contains($0) }
    }

    /// Whether a block is a comment: a date and what was said.
    ///
    /// Lists of searches and followers have a date and a text too, so the label must say it, or what newer exports say of
    /// absent photos and stickers.
    static func isComment(_ block: [TikTokField]) -> Bool {
        guard let first = block.first, first.kind == .date else { return false }
        return block.dropFirst().contains { $0.isCommentLabel } || block.count { $0.value == "N/A" } > 1
    }

    /// Whether a block is a profile: TikTok names the account, its address and its birthday, one below the other.
    static func isProfile(_ block: [TikTokField]) -> Bool {
        block.count > 3 && block[0].kind != .date && block.contains { $0.value.contains(".tiktokcdn") }
    }
}
