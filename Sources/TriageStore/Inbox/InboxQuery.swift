/// Which messages of a store are wanted, and in which order.
package struct InboxQuery: Sendable, Equatable {
    /// What people look at; a correction counts more than an answer.
    package enum View: String, Sendable, CaseIterable {
        /// Every message of somebody else's.
        case all
        /// What a person should look at first: urgent, or strongly negative and no spam.
        case priority
        /// Offers, but for those that were dismissed.
        case business
        case fan
        case spam
    }

    package enum Order: String, Sendable, CaseIterable {
        /// Offers by their score, others by their priority, the highest first.
        case score
        /// The latest first.
        case recent
        /// The highest budget first.
        case value
        /// As they came.
        case arrival
    }

    package var view: View
    package var order: Order
    /// Only what was sent at this second since 1970 or later.
    package var since: Int64?
    /// So many at most; nil: all.
    package var limit: Int?
    /// Whether own messages, and what is no message, are wanted too; only with ``View/all``.
    package var includesContext = false

    package init(view: View = .all, order: Order = .score, since: Int64? = nil, limit: Int? = nil) {
        self.view = view
        self.order = order
        self.since = since
        self.limit = limit
    }

    /// The clauses behind `SELECT … FROM message m`, and their arguments.
    ///
    /// - Parameter isCorrected: whether there are any corrections; without, an index answers.
    func sql(isCorrected: Bool) -> (sql: String, arguments: [Int64]) {
        var conditions: [String] = []
        var arguments: [Int64] = []
        if !(includesContext && view == .all) { conditions.append("m.kind = 0") }
        switch view {
        case .all: break
        case .priority: conditions.append(isCorrected ? Self.correctedPriority : Self.priority)
        case .business, .fan, .spam:
            let name = view.rawValue
            conditions.append(
                isCorrected
                    ? "coalesce(\(Self.correction("category")), m.category) = '\(name)'" : "m.category = '\(name)'")
            if view == .business, isCorrected {
                conditions.append("coalesce(\(Self.correction("opportunity")), '') <> 'dismissed'")
            }
        }
        if let since {
            conditions.append("m.sent_at >= ?")
            arguments.append(since)
        }
        var sql = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        sql += " ORDER BY "
        switch order {
        case .score where view == .business: sql += "m.score DESC, m.seq"
        case .score: sql += "m.priority DESC, m.seq"
        case .recent: sql += "m.sent_at DESC, m.seq DESC"
        case .value: sql += "m.usd DESC, m.seq"
        case .arrival: sql += "m.seq"
        }
        if let limit {
            sql += " LIMIT ?"
            arguments.append(Int64(max(0, limit)))
        }
        return (sql, arguments)
    }

    /// To the letter as in the index that answers it.
    private static let priority = """
        (m.urgent = 1 OR (m.sentiment = 'negative' AND m.intensity >= 0.6))
        AND (m.urgent = 1 OR coalesce(m.category, '') <> 'spam')
        """

    /// The lowest priority of who is in danger: no spam to anybody, whoever calls it so.
    package static let dangerPriority = 90

    private static let correctedPriority = """
        ((CASE \(correction("urgent")) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE m.urgent END = 1
        AND (coalesce(\(correction("category")), '') <> 'spam' OR coalesce(m.priority, 0) >= \(dangerPriority)
        OR coalesce(\(correction("urgent")), '') = 'true'))
        OR (coalesce(\(correction("category")), m.category, '') <> 'spam' AND CASE coalesce(\(correction("sentiment")), '') WHEN 'negative' THEN 1
        WHEN '' THEN coalesce(m.sentiment = 'negative' AND m.intensity >= 0.6, 0) ELSE 0 END = 1))
        """

    /// What people said last of a field of the message `m`; NULL: nothing.
    static func correction(_ field: String) -> String {
        """
        (SELECT f.value FROM feedback f WHERE f.key = m.key AND f.field = '\(field)' AND f.undoes IS NULL
        AND NOT EXISTS (SELECT 1 FROM feedback u WHERE u.undoes = f.id) ORDER BY f.id DESC LIMIT 1)
        """
    }
}
