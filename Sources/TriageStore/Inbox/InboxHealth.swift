/// How a store is, as far as it can be told without changing it.
public struct InboxHealth: Sendable, Equatable {
    /// The version of its tables, such as `v3`; nil: it cannot be told.
    public var version: String?
    /// The version that this program writes.
    public var latest = ""
    /// How many rows each table has that can be read.
    public var counts: [Count] = []
    /// What is wrong, in words without anything that the store holds.
    public var problems: [String] = []

    public struct Count: Sendable, Equatable {
        public var name: String
        public var rows: Int
    }
}

/// What became of a damaged store.
public struct InboxRepair: Sendable, Equatable {
    /// Rows of one kind.
    public struct Part: Sendable, Equatable {
        /// What people call them.
        public var name: String
        public var saved = 0
        public var lost = 0
        /// Whether there may be more that are lost than could be counted.
        public var isCut = false
    }

    public var parts: [Part] = []
    /// Where the store is as it was; nil: where it was.
    public var backup: String?

    /// Whether anything is gone.
    public var hasLosses: Bool { parts.contains { $0.lost > 0 || $0.isCut } }
}
