internal import Foundation
internal import GRDB

/// A sketch for comparing a text with other senders' texts; it holds no word of the text.
package struct InboxLikeness: Sendable, Equatable {
    /// The first text among those that nearly match, possibly this one.
    package var campaign: UInt64
    /// Distinguishes senders.
    package var sender: UInt64
    package var sketch: [UInt8]

    package init(campaign: UInt64, sender: UInt64, sketch: [UInt8]) {
        self.campaign = campaign
        self.sender = sender
        self.sketch = sketch
    }
}

extension InboxStore {
    /// The sketches of the latest texts, oldest first, each with the number of senders who sent nearly the same text.
    ///
    /// - Parameter limit: the maximum number returned.
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
