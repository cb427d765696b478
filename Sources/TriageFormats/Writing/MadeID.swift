package import TriageCore

/// The id generated for a record without one: the same message gets the same id in every run.
package enum MadeID {
    /// The quoted id: `"t:"` and 32 hex digits, the first half of a SHA-256.
    ///
    /// The hash covers platform, conversation, sender (id, handle and name), `sent_at` and text, each preceded by its
    /// length, so that different lists of fields never hash the same bytes.
    static func bytes(for record: Record, in batch: borrowing Batch) -> [UInt8] {
        var out = Array("\"t:".utf8)
        for byte in digest(of: record, in: batch).prefix(16) {
            out.append(digits[Int(byte >> 4)])
            out.append(digits[Int(byte & 15)])
        }
        out.append(UInt8(ascii: "\""))
        return out
    }

    /// The id as in the output, without quotes.
    package static func text(for record: Record, in batch: borrowing Batch) -> String {
        String(decoding: bytes(for: record, in: batch).dropFirst().dropLast(), as: UTF8.self)
    }

    /// The full 32-byte hash.
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
