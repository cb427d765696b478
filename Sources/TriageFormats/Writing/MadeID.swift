package import TriageCore

/// The id of a record that came without one: the same for the same message in every run.
package enum MadeID {
    /// `"t:"` and 32 hex digits, quoted: the first half of the SHA-256 over platform, conversation, sender
    /// (id, handle and name), `sent_at` and text, each preceded by its length so that no two field lists run together.
    static func bytes(for record: Record, in batch: borrowing Batch) -> [UInt8] {
        var out = Array("\"t:".utf8)
        for byte in digest(of: record, in: batch).prefix(16) {
            out.append(digits[Int(byte >> 4)])
            out.append(digits[Int(byte & 15)])
        }
        out.append(UInt8(ascii: "\""))
        return out
    }

    /// The id as it stands in the output, without quotes.
    package static func text(for record: Record, in batch: borrowing Batch) -> String {
        String(decoding: bytes(for: record, in: batch).dropFirst().dropLast(), as: UTF8.self)
    }

    /// The whole hash, 32 bytes.
    package static func digest(of record: Record, in batch: borrowing Batch) -> [UInt8] {
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
        return hash.digest()
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
