public import TriageCore

/// Asks a model about messages: each gets a checked verdict or the reason why not, for as little as possible.
public typealias MessageAsker = Asker<MessageQuestion, MessageVerdict>

/// Gets an answer or a failure for each of many questions, paying for as few requests as possible.
///
/// An answer that is kept, or under way for somebody else, is not asked for again. Questions travel in packs; a pack
/// whose answer is of no use is divided, a question that a pack lost is asked again alone, and a question alone gets
/// one second chance. Every answer is in the cache before anything else is done with it.
///
/// One asker serves a whole run and any number of calls at a time: they share what is under way, the counts, and the
/// stop. All requests go to the caller at once, up to ``AskingLimits/inFlight``, and the caller bounds the server's load.
public struct Asker<Question: Sendable, Answer: Sendable & Equatable>: Sendable {
    let caller: any ModelCaller
    let cache: (any AnswerCache)?
    let script: any AskingScript<Question, Answer>
    let limits: AskingLimits
    let stop: AskingStop
    let flights = AnswerFlights<Answer>()
    let tally = AskingTally()
    let fit = AskingFit()
    /// What goes on behind answers that were not waited for.
    public let late = LateAnswers()

    public init(
        caller: any ModelCaller, cache: (any AnswerCache)?, script: any AskingScript<Question, Answer>,
        limits: AskingLimits = AskingLimits(), stop: AskingStop = AskingStop()
    ) {
        self.caller = caller
        self.cache = cache
        self.script = script
        self.limits = limits
        self.stop = stop
    }

    /// What was asked until now.
    public var counts: AskingCounts { tally.counts }

    /// Asks, and returns when every question is settled.
    ///
    /// When the task is cancelled nothing more is sent, what has come is kept, and the rest is `cancelled`.
    ///
    /// - Returns: as many results as questions, in their order.
    public func ask(_ questions: [Question]) async -> [Result<Answer, CallFailure>] {
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
    func distinct(_ questions: [Question]) -> (items: [AskingItem<Question>], places: [Int]) {
        var items: [AskingItem<Question>] = []
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
                AskingItem(
                    question: question, digest: digest, tokens: essence.tokens, travelsAlone: essence.travelsAlone))
            return items.count - 1
        }
        return (items, places)
    }

    /// Lands every claimed question, by the cache or by asking.
    ///
    /// - Parameter sendBefore: nothing is sent from that moment on; nil: no limit.
    func settle(
        _ own: [Int], of items: [AskingItem<Question>], sendBefore: ContinuousClock.Instant? = nil
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
        let round = AskingRound(asker: self, items: missing.map { items[$0] }, sendBefore: sendBefore)
        for (place, landing) in await round.run() { landings.append((missing[place], landing)) }
        return landings
    }
}

/// A question and what planning needs to know of it.
struct AskingItem<Question: Sendable>: Sendable {
    var question: Question
    var digest: String
    var tokens: Int
    var travelsAlone: Bool
}
