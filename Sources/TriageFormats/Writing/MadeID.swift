import TriageCore

/// The id of a record that came without one: the same for the same message in every run.
enum MadeID {
    /// `"t:"` and 32 hex digits, quoted: the first half of the SHA-256 over platform, conversation, sender
    /// (id, handle and name), `sent_at` and text, each preceded by its length so that no two field lists run together.
    static func bytes(for record: Record, in batch: borrowing Batch) -> [UInt8] {
        var hash = SHA256()
        let fields = record.fields
        for span in [
            fields.platform, fields.conversationID, fields.senderID, fields.senderHandle, fields.senderName,
            fields.sentAt, fields.text,
        ] {
            let count = span.isPresent ? UInt64(span.count) : UInt64.max
            withUnsafeBytes(of: count.littleEndian) { hash.update(Array($0)) }
            if span.isPresent { hash.update(Array(batch.arena[span.range])) }
        }
        var out = Array("\"t:".utf8)
        for byte in hash.digest().prefix(16) {
            out.append(digits[Int(byte >> 4)])
            out.append(digits[Int(byte & 15)])
        }
        out.append(UInt8(ascii: "\""))
        return out
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
