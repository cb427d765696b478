/// What one batch of a run adds to a store, all or nothing.
package struct InboxCommit: Sendable {
    /// A record that is done.
    package struct Known: Sendable, Equatable {
        package var identity: RecordIdentity
        /// From 1.
        package var revision: Int

        package init(identity: RecordIdentity, revision: Int = 1) {
            self.identity = identity
            self.revision = revision
        }
    }

    /// Records, and rejected lines, that need never be looked at again.
    package var known: [Known] = []
    /// New messages, new revisions, and better answers for old ones.
    ///
    /// One whose key is there with a lower revision takes its place, and what was there becomes an earlier revision; with
    /// the same revision it takes its place and nothing is left of that; with a higher one it is not written.
    package var messages: [InboxMessage] = []
    /// What texts of messages that are there, or that come with this, are compared by.
    package var likenesses: [(key: RecordKey, likeness: InboxLikeness)] = []
    /// Own messages that come with this, each with the id of the message that it names as answered: what they answer is a
    /// pair to learn from.
    package var replies: [(key: RecordKey, replyTo: String?)] = []
    /// Messages whose answer is still to come; one that is already owed keeps its place in the queue.
    package var owed: [OwedMessage] = []
    /// Messages of which nothing is owed any more.
    package var settled: [RecordKey] = []
    /// What is to be remembered of conversations, by their keys.
    package var conversations: [(key: UInt64, state: [UInt8])] = []
    /// How much of the files beside the store is done.
    package var outputs: [OutputState] = []
    /// The run that does it, with its counts so far; nil: none.
    package var run: (id: Int64, counts: String)?
    /// Whether messages that are there stay of the run that brought them, for only their answers are other ones.
    package var keepsRuns = false
    /// What language models were paid since the last commit, and the day (since 1970) on which.
    package var spend: (day: Int, amount: InboxSpend)?

    package init() {}
}

/// What is committed of a file beside a store.
package struct OutputState: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable {
        case output
        case rejects
    }

    package var role: Role
    /// Absolute.
    package var path: String
    package var device: UInt64
    package var inode: UInt64
    /// Bytes from its beginning that are committed.
    package var length: Int64
    /// When the file was last changed, in nanoseconds since 1970.
    package var changed: Int64
    /// State of the writer's digest over all of them.
    package var digestState: [UInt8]

    package init(
        role: Role, path: String, device: UInt64, inode: UInt64, length: Int64, changed: Int64,
        digestState: [UInt8] = []
    ) {
        self.role = role
        self.path = path
        self.device = device
        self.inode = inode
        self.length = length
        self.changed = changed
        self.digestState = digestState
    }
}

/// What language models cost.
package struct InboxSpend: Sendable, Equatable {
    package var requests = 0
    package var inputTokens = 0
    package var outputTokens = 0
    /// US dollars for the requests with a price.
    package var cost = 0.0
    /// Requests whose price is not known.
    package var unpriced = 0

    package init(requests: Int = 0, inputTokens: Int = 0, outputTokens: Int = 0, cost: Double = 0, unpriced: Int = 0) {
        self.requests = requests
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.cost = cost
        self.unpriced = unpriced
    }

    package static func += (a: inout InboxSpend, b: InboxSpend) {
        a.requests = sum(a.requests, b.requests)
        a.inputTokens = sum(a.inputTokens, b.inputTokens)
        a.outputTokens = sum(a.outputTokens, b.outputTokens)
        a.cost += b.cost
        a.unpriced = sum(a.unpriced, b.unpriced)
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, isTooMuch) = a.addingReportingOverflow(b)
        return isTooMuch ? .max : sum
    }
}
