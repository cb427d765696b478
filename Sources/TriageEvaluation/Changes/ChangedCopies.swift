/// Which changed copies of a record are made to train with.
public enum ChangedCopies {
    /// A copy.
    public struct Copy: Sendable, Equatable {
        /// That of the record, with `+` and the id of each change behind it.
        public var id: String
        public var text: String
        /// Ids of the changes, in the order in which they were made.
        public var changes: [String]
    }

    /// At most so many copies, each by one change, or one in three by two, chosen by the record's id.
    ///
    /// Only changes that keep every label are used, with the texts that are for training; no two copies begin with the same
    /// change. There are fewer where fewer changes apply.
    public static func of(_ subject: ChangeSubject, by list: ChangeList, count: Int) -> [Copy] {
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
