import Synchronization
internal import TriageCore

/// Gathers what asking would take, over any number of calls and without sending anything.
public final class AskingForecast: Sendable {
    /// What was found up to now.
    public struct Totals: Sendable, Equatable {
        /// Distinct messages without an answer in the cache.
        public var messages: [AskingEstimate.Message] = []
        /// Distinct messages whose answer is kept.
        public var fromCache = 0
        /// Messages that say the same as one before them.
        public var repeated = 0

        public init() {}
    }

    private struct State {
        var totals = Totals()
        var seen: Set<String> = []
    }

    private let state = Mutex(State())

    public init() {}

    public var totals: Totals { state.withLock { $0.totals } }

    /// Whether the digest is new.
    func isNew(_ digest: String) -> Bool {
        state.withLock { state in
            let isNew = state.seen.insert(digest).inserted
            if !isNew { state.totals.repeated += 1 }
            return isNew
        }
    }

    func add(_ message: AskingEstimate.Message?) {
        state.withLock { state in
            if let message { state.totals.messages.append(message) } else { state.totals.fromCache += 1 }
        }
    }
}

extension Asker {
    /// Finds out what asking these questions would take; sends nothing.
    public func foresee(_ questions: [Question], in forecast: AskingForecast) async {
        let key = AnswerKey(identity: script.identity)
        var new: [(question: Question, essence: AskingEssence, digest: String)] = []
        for question in questions {
            let essence = script.essence(of: question)
            let digest = key.digest(of: essence.parts)
            if forecast.isNew(digest) { new.append((question, essence, digest)) }
        }
        let kept = await cache?.answers(for: new.map(\.digest)) ?? [:]
        for (question, essence, digest) in new {
            if let bytes = kept[digest], script.answer(in: bytes, to: question) != nil {
                forecast.add(nil)
            } else {
                forecast.add(AskingEstimate.Message(tokens: essence.tokens, travelsAlone: essence.travelsAlone))
            }
        }
    }
}
