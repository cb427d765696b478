import Synchronization

/// What a cascade asked, added up over batches.
public final class CascadeCounts: Sendable {
    public struct Totals: Sendable, Equatable {
        /// Messages with text.
        public var messages = 0
        /// Messages that a model was to read.
        public var asked = 0
        /// Messages that wanted a second opinion and were kept from the model, for they may be injections.
        public var withheld = 0

        public init() {}

        /// Asked out of all, 0–1.
        public var share: Double { messages > 0 ? Double(asked) / Double(messages) : 0 }
    }

    private let state = Mutex(Totals())

    public init() {}

    public var totals: Totals { state.withLock { $0 } }

    func add(messages: Int, asked: Int, withheld: Int) {
        state.withLock {
            $0.messages += messages
            $0.asked += asked
            $0.withheld += withheld
        }
    }
}
