import Synchronization
package import TriageCore

/// Asks a model about messages as cheaply as possible: each gets a checked verdict, or the reason why not.
package typealias MessageAsker = LLMClient<MessageQuestion, MessageVerdict>

/// Gets an answer or a failure for each of many questions, with as few paid requests as possible.
///
/// It does not request an answer that is cached or already under way. Questions travel in packs. A pack whose answer is
/// useless is divided; a question that a pack's answer left out is asked again alone; and a single question gets one
/// second chance. Every answer is stored in the cache before it is used.
///
/// One client serves a whole run and any number of concurrent calls, which share the requests under way, the counts,
/// and the stop. All requests go to the caller at once, up to ``LLMLimits/inFlight``; the caller limits the server's
/// load.
package struct LLMClient<Question: Sendable, Answer: Sendable & Equatable>: Sendable {
    let caller: any ModelCaller
    let cache: (any AnswerCache)?
    let script: any LLMTask<Question, Answer>
    let limits: LLMLimits
    let stop: LLMStop
    let flights = AnswerFlights<Answer>()
    let tally = LLMTally()
    let fit = LLMFit()
    /// Requests that continue although nobody waits for their answers.
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

    /// What has been asked so far.
    package var counts: LLMCounts { tally.counts }

    /// Asks, and returns when every question has a result.
    ///
    /// If the task is cancelled, nothing more is sent, received answers are kept, and the other results are
    /// `cancelled`.
    ///
    /// - Returns: one result per question, in order.
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
                // The task that asked was cancelled; whoever still needs the answer asks for it.
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

    /// The distinct questions, and for each question its place among them.
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

    /// Lands every claimed question, from the cache or by asking.
    ///
    /// - Parameter sendBefore: nothing is sent from this moment on; nil: no limit.
    func settle(
        _ own: [Int], of items: [LLMItem<Question>], sendBefore: ContinuousClock.Instant? = nil
    ) async -> [(index: Int, landing: Result<Answer, CallFailure>)] {
        var landings: [(index: Int, landing: Result<Answer, CallFailure>)] = []
        var missing: [Int] = []
        // Read after claiming: an answer that was under way elsewhere a moment ago is in the cache by now.
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

/// A question with what is needed for planning.
struct LLMItem<Question: Sendable>: Sendable {
    var question: Question
    var digest: String
    var tokens: Int
    var travelsAlone: Bool
}

extension LLMClient: AnswerSource {
    /// Asks, and returns at the deadline at the latest.
    ///
    /// Questions without an answer by then get `.deadline`. Requests already sent are waited for in the background and
    /// cached, because they are paid for. Others are not sent at all, so a model that is too slow for its messages
    /// falls no further behind.
    ///
    /// - Parameter deadline: nil: no deadline, as in ``ask(_:)``.
    /// - Returns: one result per question, in order.
    package func ask(
        _ questions: [Question], until deadline: ContinuousClock.Instant?
    ) async -> [Result<Answer, CallFailure>] {
        guard let deadline else { return await ask(questions) }
        return await ask(questions, sendBefore: deadline) {
            try? await Task.sleep(until: deadline, clock: .continuous)
        }
    }

    /// Like ``ask(_:until:)``, with the deadline at the moment when `isOver` returns.
    ///
    /// - Parameters:
    ///   - sendBefore: nothing is sent from this moment on.
    ///   - isOver: returns when nobody waits any longer, or when its task is cancelled.
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

/// Requests that continue although nobody waits for them any more: their answers are cached.
///
/// Their number is limited by what is under way, because nothing is sent after its deadline.
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

    /// Cancels everything under way and everything started later.
    package func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Waits until nothing is under way, and cancels what still is after `grace`.
    package func finish(within grace: Duration) async {
        let timer = Task {
            do { try await Task.sleep(for: grace) } catch { return }
            cancel()
        }
        while let task = state.withLock({ $0.tasks.first?.value }) {
            await task.value
            // The task removes itself from the list a moment after its end.
            await Task.yield()
        }
        timer.cancel()
    }
}

/// Whether the run still asks: after a stop, everything that waits fails at once and nothing more is sent.
///
/// Share one instance between the clients of a run, because a key that is wrong for messages is wrong for drafts too.
package final class LLMStop: Sendable {
    private struct State {
        var failure: CallFailure?
        /// Whether any question of the run has been answered.
        var isAnswered = false
        var thinks = false
        /// The number of packs and single questions that spent even the larger allowance on thinking.
        var overthought = 0
    }

    /// This many without a single answer cannot be due to their messages.
    private static let mostOverthought = 3

    private let state = Mutex(State())

    package init() {}

    /// The failure that stopped the requests, always final for the run; nil while they continue.
    package var failure: CallFailure? { state.withLock { $0.failure } }

    /// Stops if the failure would affect all later requests too; the first failure is kept.
    func note(_ failure: CallFailure) {
        guard failure.isFinalForRun else { return }
        state.withLock { if $0.failure == nil { $0.failure = failure } }
    }

    /// Whether the server, the model and the prompt are known to work.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Whether the model needs the larger allowance.
    var thinks: Bool { state.withLock { $0.thinks } }

    func answered() { state.withLock { $0.isAnswered = true } }

    /// What to do when thinking used up the allowance of a request.
    enum Overthought { case askAgain, divide, giveUp }

    /// - Parameters:
    ///   - hadRoom: whether the request had the larger allowance.
    ///   - isPart: whether it is about part of an earlier request.
    func overthought(hadRoom: Bool, isPart: Bool) -> Overthought {
        state.withLock { state in
            guard hadRoom else {
                state.thinks = true
                return .askAgain
            }
            // A stranger's text may make a model think at length; it must not end the requests for all others.
            if isPart { return .giveUp }
            state.overthought += 1
            if !state.isAnswered, state.overthought >= Self.mostOverthought, state.failure == nil {
                state.failure = .overthinking
            }
            return state.failure == nil ? .divide : .giveUp
        }
    }
}
