import TriageCore
import TriageFormats
import TriageStore

extension RecordIdentity {
    /// Computes a record's key and the digest of its content.
    ///
    /// The key covers platform, conversation and id; without an id it covers the whole content. A rejected line's key
    /// covers its bytes, or its position where the bytes are not held. The number of likes and the sender's number of
    /// followers do not change the digest.
    ///
    /// - Parameter sources: names of the inputs.
    init(_ record: Record, in batch: borrowing Batch, sources: () -> [String]) {
        if record.status == .rejected {
            self = Self.rejected(record, in: batch, sources: sources)
            return
        }
        var hash = FieldHash()
        let fields = record.fields
        if fields.id.isPresent {
            for span in [fields.platform, fields.conversationID, fields.id] { hash.add(span, in: batch.arena) }
        } else {
            hash.add(MadeID.digest(of: record, in: batch)[...])
        }
        let key = hash.key
        hash = FieldHash()
        for span in [fields.text, fields.senderID, fields.senderHandle, fields.kind] { hash.add(span, in: batch.arena) }
        hash.add([fields.isSelf.map { $0 ? 1 : 0 } ?? 2])
        self.init(key: key, digest: hash.key.high)
    }

    private static func rejected(
        _ record: Record, in batch: borrowing Batch, sources: () -> [String]
    ) -> RecordIdentity {
        let line = batch.input.lines[record.line]
        var hash = FieldHash()
        hash.add(Array("reject".utf8)[...])
        if line.span.count > 0 {
            hash.add(batch.input.bytes[line.span.range])
        } else {
            let names = sources()
            let source = Int(line.source)
            let code = record.reject >= 0 ? batch.rejects[record.reject].reason.code : ""
            for word in [source < names.count ? names[source] : "", "\(line.number)", "\(line.offset)", code] {
                hash.add(Array(word.utf8)[...])
            }
        }
        return RecordIdentity(key: hash.key, digest: 0)
    }
}

/// A hash over fields, each preceded by its length, so that different lists of fields never hash the same bytes.
private struct FieldHash {
    private var bytes: [UInt8] = []

    mutating func add(_ field: ArraySlice<UInt8>) {
        withUnsafeBytes(of: UInt64(field.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: field)
    }

    /// Adds a field; an absent field hashes differently from an empty one.
    mutating func add(_ span: Span32, in arena: [UInt8]) {
        if span.isPresent {
            add(arena[span.range])
        } else {
            withUnsafeBytes(of: UInt64.max.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    var key: RecordKey {
        let digest = SHA256.digest(of: bytes)
        func word(_ slice: ArraySlice<UInt8>) -> UInt64 { slice.reduce(0) { $0 << 8 | UInt64($1) } }
        return RecordKey(high: word(digest[..<8]), low: word(digest[8..<16]))
    }
}
