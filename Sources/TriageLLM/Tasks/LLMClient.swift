import Synchronization
package import TriageCore

/// Asks a model about messages: each gets a checked verdict or the reason why not, for as little as possible.
package typealias MessageAsker = LLMClient<MessageQuestion, MessageVerdict>

/// Gets an answer or a failure for each of many questions, paying for as few requests as possible.
///
/// An answer that is kept, or under way for somebody else, is not asked for again. Questions travel in packs; a pack
/// whose answer is of no use is divided, a question that a pack lost is asked again alone, and a question alone gets
/// one second chance. Every answer is in the cache before anything else is done with it.
///
/// One client serves a whole run and any number of calls at a time: they share what is under way, the counts, and the
/// stop. All requests go to the caller at once, up to ``LLMLimits/inFlight``, and the caller bounds the server's load.
package struct LLMClient<Question: Sendable, Answer: Sendable & Equatable>: Sendable {
    let caller: any ModelCaller
    let cache: (any AnswerCache)?
    let script: any LLMTask<Question, Answer>
    let limits: LLMLimits
    let stop: LLMStop
    let flights = AnswerFlights<Answer>()
    let tally = LLMTally()
    let fit = LLMFit()
    /// What goes on behind answers that were not waited for.
    package let late = LateAnswers()

    package init(
        caller: any ModelCaller, cache: (any AnswerCache)?, script: any LLMTask<Question, Answer>,
        limits: LLMLimits = LLMLimits(), stop: LLMStop = LLMStop()
    ) {
        self.caller = caller
        self.cache = cache
        self.script = script
        self.limits = limits
        self.stop = stop
    }

    /// What was asked until now.
    package var counts: LLMCounts { tally.counts }

    /// Asks, and returns when every question is settled.
    ///
    /// When the task is cancelled nothing more is sent, what has come is kept, and the rest is `cancelled`.
    ///
    /// - Returns: as many results as questions, in their order.
    package func ask(_ questions: [Question]) async -> [Result<Answer, CallFailure>] {
        let (items, places) = distinct(questions)
        tally.add {
            $0.asked += questions.count
            $0.coalesced += questions.count - items.count
        }
        var landings = [Result<Answer, CallFailure>?](repeating: nil, count: items.count)
        var open = Array(items.indices)
        while !open.isEmpty {
            var own: [Int] = []
            var others: [(index: Int, flight: AnswerFlight<Answer>)] = []
            for index in open {
                switch flights.claim(items[index].digest) {
                case .own: own.append(index)
                case .others(let flight): others.append((index, flight))
                }
            }
            for (index, landing) in await settle(own, of: items) { landings[index] = landing }
            open = []
            for (index, flight) in others {
                let landing = await flight.landing()
                // Who asked was called off; whoever still wants to know asks.
                if landing == .failure(.cancelled), !Task.isCancelled {
                    open.append(index)
                } else {
                    tally.add { $0.coalesced += 1 }
                    landings[index] = landing
                }
            }
        }
        let results = places.map { landings[$0] ?? .failure(.cancelled) }
        tally.add(resultsOf: results)
        return results
    }

    /// The questions that differ, and which of them each question is.
    func distinct(_ questions: [Question]) -> (items: [LLMItem<Question>], places: [Int]) {
        var items: [LLMItem<Question>] = []
        var known: [String: Int] = [:]
        let key = AnswerKey(identity: script.identity)
        let places = questions.map { question in
            let essence = script.essence(of: question)
            let digest = key.digest(of: essence.parts)
            if let place = known[digest] {
                if essence.travelsAlone { items[place].travelsAlone = true }
                return place
            }
            known[digest] = items.count
            items.append(
                LLMItem(
                    question: question, digest: digest, tokens: essence.tokens, travelsAlone: essence.travelsAlone))
            return items.count - 1
        }
        return (items, places)
    }

    /// Lands every claimed question, by the cache or by asking.
    ///
    /// - Parameter sendBefore: nothing is sent from that moment on; nil: no limit.
    func settle(
        _ own: [Int], of items: [LLMItem<Question>], sendBefore: ContinuousClock.Instant? = nil
    ) async -> [(index: Int, landing: Result<Answer, CallFailure>)] {
        var landings: [(index: Int, landing: Result<Answer, CallFailure>)] = []
        var missing: [Int] = []
        // The claims came first: an answer that was under way elsewhere a moment ago is in the cache by now.
        var kept: [String: [UInt8]] = [:]
        if !Task.isCancelled, let cache { kept = await cache.answers(for: own.map { items[$0].digest }) }
        for index in own {
            if let bytes = kept[items[index].digest], let answer = script.answer(in: bytes, to: items[index].question) {
                tally.add { $0.fromCache += 1 }
                flights.land(items[index].digest, .success(answer))
                landings.append((index, .success(answer)))
            } else {
                missing.append(index)
            }
        }
        guard !missing.isEmpty else { return landings }
        let round = LLMRound(asker: self, items: missing.map { items[$0] }, sendBefore: sendBefore)
        for (place, landing) in await round.run() { landings.append((missing[place], landing)) }
        return landings
    }
}

/// A question and what planning needs to know of it.
struct LLMItem<Question: Sendable>: Sendable {
    var question: Question
    var digest: String
    var tokens: Int
    var travelsAlone: Bool
}

extension LLMClient: AnswerSource {
    /// Asks, and returns at the deadline at the latest.
    ///
    /// What is not answered by then is `.deadline`. What was sent by then is waited for in the background, for it is
    /// paid, and goes to the cache; what was not sent by then is not sent at all, so that a model that is too slow for
    /// its messages falls no further behind.
    ///
    /// - Parameter deadline: nil: none; as ``ask(_:)``.
    /// - Returns: as many results as questions, in their order.
    package func ask(
        _ questions: [Question], until deadline: ContinuousClock.Instant?
    ) async -> [Result<Answer, CallFailure>] {
        guard let deadline else { return await ask(questions) }
        return await ask(questions, sendBefore: deadline) {
            try? await Task.sleep(until: deadline, clock: .continuous)
        }
    }

    /// As ``ask(_:until:)``, with the deadline where `isOver` returns.
    ///
    /// - Parameters:
    ///   - sendBefore: nothing is sent from that moment on.
    ///   - isOver: returns when nobody waits any longer, or its task is cancelled.
    package func ask(
        _ questions: [Question], sendBefore: ContinuousClock.Instant, isOver: @escaping @Sendable () async -> Void
    ) async -> [Result<Answer, CallFailure>] {
        let (items, places) = distinct(questions)
        tally.add {
            $0.asked += questions.count
            $0.coalesced += questions.count - items.count
        }
        var own: [Int] = []
        let wanted = items.indices.map { index in
            switch flights.claim(items[index].digest) {
            case .own(let flight):
                own.append(index)
                return flight
            case .others(let flight):
                tally.add { $0.coalesced += 1 }
                return flight
            }
        }
        if !own.isEmpty {
            let own = own
            late.start { _ = await settle(own, of: items, sendBefore: sendBefore) }
        }
        let waiting = Task { () -> [Result<Answer, CallFailure>] in
            var landings: [Result<Answer, CallFailure>] = []
            for flight in wanted { landings.append(await flight.landing()) }
            return landings
        }
        let timer = Task {
            await isOver()
            waiting.cancel()
        }
        let landings = await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            waiting.cancel()
        }
        timer.cancel()
        let isCalledOff = Task.isCancelled
        let results = places.map { place -> Result<Answer, CallFailure> in
            guard landings[place] == .failure(.cancelled) else { return landings[place] }
            return .failure(isCalledOff ? .cancelled : .deadline)
        }
        tally.add(resultsOf: results)
        return results
    }
}

/// Asking that goes on although nobody waits for it any more: its answers go to the cache.
///
/// Bounded by what is under way, for nothing is sent once its deadline has passed.
package final class LateAnswers: Sendable {
    private struct State {
        var isCancelled = false
        var next = 0
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Runs `body` in a task of its own that nobody has to wait for.
    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.next += 1
            let number = state.next
            let task = Task {
                await body()
                self.state.withLock { $0.tasks[number] = nil }
            }
            state.tasks[number] = task
            if state.isCancelled { task.cancel() }
        }
    }

    /// Ends what is under way and whatever begins later.
    package func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Waits until nothing is under way; what still is after `grace` is cancelled.
    package func finish(within grace: Duration) async {
        let timer = Task {
            do { try await Task.sleep(for: grace) } catch { return }
            cancel()
        }
        while let task = state.withLock({ $0.tasks.first?.value }) {
            await task.value
            // The task takes itself off the list a moment after its end.
            await Task.yield()
        }
        timer.cancel()
    }
}

/// Whether the run still asks: once it does not, everything that waits fails at once and nothing more is sent.
///
/// Share one between the askers of a run, for a key that is wrong for messages is wrong for drafts.
package final class LLMStop: Sendable {
    private struct State {
        var failure: CallFailure?
        /// Whether any question of the run has been answered.
        var isAnswered = false
        var thinks = false
        /// Packs and single questions whose larger allowance, too, went into thinking.
        var overthought = 0
    }

    /// So many without one answer are no chance of their messages.
    private static let mostOverthought = 3

    private let state = Mutex(State())

    package init() {}

    /// What stopped the asking, always final for the run; nil while it goes on.
    package var failure: CallFailure? { state.withLock { $0.failure } }

    /// Stops if nothing sent later can escape the failure; the first one stays.
    func note(_ failure: CallFailure) {
        guard failure.isFinalForRun else { return }
        state.withLock { if $0.failure == nil { $0.failure = failure } }
    }

    /// Whether the server, the model and the prompt are any good.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Whether the model takes the larger allowance.
    var thinks: Bool { state.withLock { $0.thinks } }

    func answered() { state.withLock { $0.isAnswered = true } }

    /// What follows when a request's allowance went into thinking.
    enum Overthought { case askAgain, divide, giveUp }

    /// - Parameters:
    ///   - hadRoom: whether the request had the larger allowance.
    ///   - isPart: whether it is about part of what was asked before.
    func overthought(hadRoom: Bool, isPart: Bool) -> Overthought {
        state.withLock { state in
            guard hadRoom else {
                state.thinks = true
                return .askAgain
            }
            // A stranger's text may set a model thinking; it must not end the asking for all others.
            if isPart { return .giveUp }
            state.overthought += 1
            if !state.isAnswered, state.overthought >= Self.mostOverthought, state.failure == nil {
                state.failure = .overthinking
            }
            return state.failure == nil ? .divide : .giveUp
        }
    }
}
