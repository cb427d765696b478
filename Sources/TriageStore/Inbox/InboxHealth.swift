/// How a store is, as far as it can be told without changing it.
package struct InboxHealth: Sendable, Equatable {
    /// The version of its tables, such as `v3`; nil: it cannot be told.
    package var version: String?
    /// The version that this program writes.
    package var latest = ""
    /// How many rows each table has that can be read.
    package var counts: [Count] = []
    /// What is wrong, in words without anything that the store holds.
    package var problems: [String] = []

    package struct Count: Sendable, Equatable {
        package var name: String
        package var rows: Int
    }
}

/// What became of a damaged store.
package struct InboxRepair: Sendable, Equatable {
    /// Rows of one kind.
    package struct Part: Sendable, Equatable {
        /// What people call them.
        package var name: String
        package var saved = 0
        package var lost = 0
        /// Whether there may be more that are lost than could be counted.
        package var isCut = false
    }

    package var parts: [Part] = []
    /// Where the store is as it was; nil: where it was.
    package var backup: String?

    /// Whether anything is gone.
    package var hasLosses: Bool { parts.contains { $0.lost > 0 || $0.isCut } }
}
