import TriageCore

/// Records with another text, every other byte as it was.
package struct ChangedRecord {
    private let line: UnsafeBufferPointer<UInt8>
    private let textKey: String

    /// - Parameters:
    ///   - line: the record's JSON, checked before.
    ///   - textKey: the member that holds the text.
    package init(_ line: UnsafeBufferPointer<UInt8>, textKey: String) {
        self.line = line
        self.textKey = textKey
    }

    /// The record by itself, belonging to no conversation, so that no other message has a say in its answers.
    ///
    /// - Parameter text: nil: its own.
    package func alone(text: String?) -> [UInt8] {
        var edits: [(range: Range<Int>, bytes: [UInt8])] = []
        JSONView(line).forEachMember { key, value in
            if key == "conversation_id" { edits.append((value.range, Array("null".utf8))) }
            if key == textKey, let text { edits.append((value.range, Self.json(text))) }
        }
        return edited(edits)
    }

    /// A copy to train with: another id and text, the changes in `meta.changed`, and all else as it was.
    package func copy(id: String, text: String, changes: [String]) -> [UInt8] {
        var edits: [(range: Range<Int>, bytes: [UInt8])] = []
        let names = Array("[".utf8) + Array(changes.map(Self.json).joined(separator: Array(",".utf8))) + Array("]".utf8)
        var hasMeta = false
        let record = JSONView(line)
        record.forEachMember { key, value in
            switch key {
            case "id": edits.append((value.range, Self.json(id)))
            case textKey: edits.append((value.range, Self.json(text)))
            case "meta":
                hasMeta = true
                edits.append(Self.edit(of: value, names))
            default: break
            }
        }
        if !hasMeta, let end = record.lastBrace {
            edits.append((end..<end, Array(",\"meta\":{\"changed\":".utf8) + names + Array("}".utf8)))
        }
        return edited(edits)
    }

    /// What makes a `meta` name the changes.
    private static func edit(of meta: JSONView, _ names: [UInt8]) -> (range: Range<Int>, bytes: [UInt8]) {
        guard meta.isObject, let end = meta.lastBrace else {
            return (meta.range, Array("{\"changed\":".utf8) + names + Array("}".utf8))
        }
        var last: Range<Int>?
        var isEmpty = true
        meta.forEachMember { key, value in
            isEmpty = false
            if key == "changed" { last = value.range }
        }
        if let last { return (last, names) }
        return (end..<end, Array((isEmpty ? "" : ",").utf8) + Array("\"changed\":".utf8) + names)
    }

    private static func json(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return bytes
    }

    private func edited(_ edits: [(range: Range<Int>, bytes: [UInt8])]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(line.count + edits.reduce(0) { $0 + $1.bytes.count })
        var at = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where edit.range.lowerBound >= at {
            out.append(contentsOf: line[at..<edit.range.lowerBound])
            out.append(contentsOf: edit.bytes)
            at = edit.range.upperBound
        }
        out.append(contentsOf: line[at...])
        return out
    }
}

/// Which changed copies of a record are made to train with.
package enum ChangedCopies {
    /// A copy.
    package struct Copy: Sendable, Equatable {
        /// That of the record, with `+` and the id of each change behind it.
        package var id: String
        package var text: String
        /// Ids of the changes, in the order in which they were made.
        package var changes: [String]
    }

    /// At most so many copies, each by one change, or one in three by two, chosen by the record's id.
    ///
    /// Only changes that keep every label are used, with the texts that are for training; no two copies begin with the same
    /// change. There are fewer where fewer changes apply.
    package static func of(_ subject: ChangeSubject, by list: ChangeList, count: Int) -> [Copy] {
        let possible = list.changes.filter { $0.keepsLabels && $0.changed(subject, for: .training) != nil }
            .map { (change: $0, rank: subject.hash(with: "copy \($0.id)")) }
            .sorted { ($0.rank, $0.change.id) < ($1.rank, $1.change.id) }
            .map(\.change)
        return possible.prefix(count).map { first in
            var changes = [first]
            let draw = subject.hash(with: "second \(first.id)")
            if draw % 3 == 0, possible.count > 1 {
                let others = possible.filter { $0.id != first.id }
                changes.append(others[Int(draw / 3 % UInt64(others.count))])
            }
            var text = subject.text
            for change in changes { text = change.applied(to: text, of: subject, for: .training) ?? text }
            let ids = changes.map(\.id)
            return Copy(id: CopyName.joined(subject.id, ids), text: text, changes: ids)
        }
    }
}
