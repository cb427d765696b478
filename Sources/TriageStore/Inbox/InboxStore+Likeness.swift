internal import Foundation
internal import GRDB

/// What a text is compared by with that of other senders: no word of it.
package struct InboxLikeness: Sendable, Equatable {
    /// The text that came first of those that are nearly the same, be it itself.
    package var campaign: UInt64
    /// Tells senders apart.
    package var sender: UInt64
    package var sketch: [UInt8]

    package init(campaign: UInt64, sender: UInt64, sketch: [UInt8]) {
        self.campaign = campaign
        self.sender = sender
        self.sketch = sketch
    }
}

extension InboxStore {
    /// What the texts that came last are compared by, the oldest first, each with how many senders sent nearly the same.
    ///
    /// - Parameter limit: so many at most.
    /// - Throws: `TriageError`.
    package func likenesses(limit: Int) throws -> [(likeness: InboxLikeness, senders: Int)] {
        try read { database in
            var senders: [Int64: Int] = [:]
            let several = """
                SELECT campaign, count(DISTINCT sender) FROM likeness GROUP BY campaign HAVING count(DISTINCT sender) > 1
                """
            let campaigns = try Row.fetchCursor(database, sql: several)
            while let row = try campaigns.next() { senders[try row.get(0)] = try row.get(1) }
            var found: [(likeness: InboxLikeness, senders: Int)] = []
            let latest = "SELECT campaign, sender, sketch FROM likeness ORDER BY seq DESC LIMIT ?"
            let rows = try Row.fetchCursor(database, sql: latest, arguments: [max(0, limit)])
            while let row = try rows.next() {
                let (campaign, sender): (Int64, Int64) = try (row.get(0), row.get(1))
                let likeness = InboxLikeness(
                    campaign: UInt64(bitPattern: campaign), sender: UInt64(bitPattern: sender),
                    sketch: [UInt8](try row.get(2) as Data))
                found.append((likeness, senders[campaign] ?? 1))
            }
            return found.reversed()
        }
    }

    static func put(_ likeness: InboxLikeness, of key: RecordKey, _ database: Database) throws {
        let sql = """
            INSERT OR REPLACE INTO likeness (seq, campaign, sender, sketch) SELECT seq, ?2, ?3, ?4 FROM message WHERE key = ?1
            """
        try database.cachedStatement(sql: sql).execute(arguments: [
            Data(key.bytes), Int64(bitPattern: likeness.campaign), Int64(bitPattern: likeness.sender),
            Data(likeness.sketch),
        ])
    }
}
