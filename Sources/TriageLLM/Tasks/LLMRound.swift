import TriageCore

/// Asks questions that are neither cached nor under way, until each has landed.
struct LLMRound<Question: Sendable, Answer: Sendable & Equatable>: Sendable {
    typealias Landing = (index: Int, landing: Result<Answer, CallFailure>)

    /// A request to be sent.
    private struct Work: Sendable {
        /// Indices into ``items``; just one unless the attempt is `first` or `part`.
        var members: [Int]
        var attempt: Attempt = .first
        /// Whether it gets the allowance of a model that thinks.
        var thinks = false
    }

    private enum Attempt: Sendable {
        case first
        /// Part of a divided pack.
        case part
        /// Asked again, with the faults of the first answer.
        case repair(LLMExchange<Answer>)
        /// Asked again with twice the room.
        case wider
        /// Asked again with a shorter text.
        case clipped(Question)
        /// Asked again alone, because the pack's answer is doubtful.
        case confirm(Answer)
        /// Asked again with what was refused in a valid answer, which counts unless a better one comes.
        case amend(LLMExchange<Answer>, Answer)

        var isSecond: Bool {
            switch self {
            case .first, .part: false
            case .repair, .wider, .clipped, .confirm, .amend: true
            }
        }
    }

    private struct Step: Sendable {
        var landings: [Landing] = []
        var next: [Work] = []
    }

    private let asker: LLMClient<Question, Answer>
    private let items: [LLMItem<Question>]
    private let plan: PackPlan
    private let sendBefore: ContinuousClock.Instant?
    private let patienceEnds: ContinuousClock.Instant?

    /// - Parameter sendBefore: nothing is sent from this moment on; nil: no limit.
    init(
        asker: LLMClient<Question, Answer>, items: [LLMItem<Question>], sendBefore: ContinuousClock.Instant? = nil
    ) {
        self.asker = asker
        self.items = items
        self.sendBefore = sendBefore
        patienceEnds = asker.limits.queueTimeout.map { ContinuousClock.now + $0 }
        plan = PackPlan(
            items.map { .init(digest: $0.digest, tokens: $0.tokens, travelsAlone: $0.travelsAlone) },
            limits: asker.limits)
    }

    /// - Returns: one landing per item; their flights have landed too.
    func run() async -> [Landing] {
        await withTaskGroup(of: Step.self) { group in
            var landings: [Landing] = []
            // Taken from the end: follow-up requests go before the next pack, so a useless model is noticed after a few
            // messages and little work stays half done.
            var waiting = plan.packs.reversed().map { Work(members: $0) }
            var running = 0
            while true {
                while running < mostInFlight, var work = waiting.popLast() {
                    // What was learnt after the packs were made applies to those that still wait.
                    if let smaller = fitted(work) {
                        waiting += smaller.reversed()
                        continue
                    }
                    work.thinks = asker.stop.thinks
                    if let failure = obstacle {
                        landings += giveUp(work, failure)
                    } else {
                        running += 1
                        let work = work
                        group.addTask { await perform(work) }
                    }
                }
                guard let step = await group.next() else { return landings }
                running -= 1
                landings += step.landings
                waiting += step.next
            }
        }
    }

    /// Only a few until something was answered, because what the first answers show helps all others.
    private var mostInFlight: Int {
        let most = asker.limits.inFlight
        return asker.stop.isAnswered ? (asker.fit.isSampled ? most : min(8, most)) : min(4, most)
    }

    /// The halves of a pack that is too large; nil when it fits, as far as is known.
    private func fitted(_ work: Work) -> [Work]? {
        guard case .first = work.attempt, !asker.fit.takes(count: work.members.count, tokens: tokens(of: work)) else {
            return nil
        }
        let middle = work.members.count / 2
        return [Work(members: Array(work.members[..<middle])), Work(members: Array(work.members[middle...]))]
    }

    private func tokens(of work: Work) -> Int {
        work.members.reduce(0) { sum, index in
            let (more, overflow) = sum.addingReportingOverflow(items[index].tokens)
            return overflow ? Int.max : more
        }
    }

    /// Why nothing more is sent.
    private var obstacle: CallFailure? {
        if let failure = asker.stop.failure { return failure }
        if Task.isCancelled { return .cancelled }
        if let sendBefore, ContinuousClock.now >= sendBefore { return .deadline }
        if let patienceEnds, ContinuousClock.now >= patienceEnds { return .queueTimeout }
        return nil
    }

    private func land(_ members: [Int], _ landing: Result<Answer, CallFailure>) -> [Landing] {
        members.map { index in
            asker.flights.land(items[index].digest, landing)
            return (index, landing)
        }
    }

    /// Lands questions that get no further answer; a doubtful answer counts as far as it needs no confirmation.
    private func giveUp(_ work: Work, _ failure: CallFailure) -> [Landing] {
        switch (work.attempt, work.members.first) {
        case (.confirm(let answer), let index?):
            land([index], .success(asker.script.unconfirmed(answer, to: items[index].question)))
        case (.amend(_, let answer), let index?): land([index], .success(answer))
        default: land(work.members, .failure(failure))
        }
    }

    private func perform(_ work: Work) async -> Step {
        if let failure = obstacle { return Step(landings: giveUp(work, failure)) }
        var work = work
        if work.members.count == 1, !work.attempt.isSecond {
            switch asker.fit.single(tokens: tokens(of: work), isAnswered: asker.stop.isAnswered) {
            case .whole: break
            case .never: return Step(landings: giveUp(work, .tooLong))
            case .clipped:
                if let question = asker.script.clipped(items[work.members[0]].question) {
                    work.attempt = .clipped(question)
                }
            }
        }
        let sent = work
        let exchange = exchange(for: work)
        asker.tally.add { count(work, in: &$0) }
        let result = await asker.caller.call(exchange.query, sendBefore: sendBefore) { reply in
            await read(reply, exchange, sent)
        }
        switch result {
        case .failure(let failure): return after(LLMFault(settled(failure)), reply: [], work)
        case .success(let step): return step
        }
    }

    private func exchange(for work: Work) -> LLMExchange<Answer> {
        var asked = work.members.map { AskedQuestion(id: id(of: $0, in: work), question: items[$0].question) }
        let room = asker.limits.output(for: asked.count, thinks: work.thinks)
        switch work.attempt {
        case .first, .part, .confirm: return asker.script.exchange(about: asked, maxOutputTokens: room)
        case .wider: return asker.script.exchange(about: asked, maxOutputTokens: asker.limits.fixedOutput ?? room * 2)
        case .clipped(let question):
            asked[0].question = question
            return asker.script.exchange(about: asked, maxOutputTokens: room)
        case .repair(let exchange), .amend(let exchange, _): return exchange
        }
    }

    /// A single question always has the same id, so that everything around it is always the same.
    private func id(of index: Int, in work: Work) -> String {
        work.members.count == 1 ? AnswerFormat.singleID : plan.ids[items[index].digest] ?? "m\(index)"
    }

    private func count(_ work: Work, in counts: inout LLMCounts) {
        switch work.attempt {
        case .first, .part: if work.members.count > 1 { counts.packs += 1 } else { counts.singles += 1 }
        case .repair, .amend: counts.repairs += 1
        case .wider: counts.widened += 1
        case .clipped: counts.clipped += 1
        case .confirm: counts.confirmed += 1
        }
    }

    /// The failure to report: if the caller refuses because the run has stopped, that is the failure that stopped it.
    private func settled(_ failure: CallFailure) -> CallFailure {
        asker.stop.note(failure)
        guard failure == .unavailable, let reason = asker.stop.failure else { return failure }
        return reason
    }

    private func read(_ reply: ChatReply, _ exchange: LLMExchange<Answer>, _ work: Work) async -> Step {
        let reading = exchange.read(reply)
        var found: [(index: Int, answer: Answer)] = []
        var lost: [Int] = []
        for index in work.members {
            let id = id(of: index, in: work)
            if reading.faults[id] == nil, let answer = reading.answers[id] {
                found.append((index, answer))
            } else {
                lost.append(index)
            }
        }
        var step = Step()
        if work.members.count > 1 {
            let doubtful = Set(
                asker.script.doubtful(found.map { (items[$0.index].question, $0.answer) }))
            step.next = doubtful.sorted().map { Work(members: [found[$0].index], attempt: .confirm(found[$0].answer)) }
            found = found.indices.filter { !doubtful.contains($0) }.map { found[$0] }
        }
        // An answer to be amended is stored only after the second answer came; otherwise the next run asks again.
        let amended = found.compactMap { found in amendment(of: found.answer, reply: reply.text, work) }
        step.next += amended
        if !amended.isEmpty { found = [] }
        await keep(
            Dictionary(
                found.map { (items[$0.index].digest, asker.script.bytes(of: $0.answer)) },
                uniquingKeysWith: { first, _ in first }))
        for (index, answer) in found { step.landings += land([index], .success(answer)) }
        let isOfUse = !found.isEmpty || !step.next.isEmpty
        if isOfUse {
            asker.caller.note(badOutput: false)
            asker.stop.answered()
            if case .first = work.attempt {
                asker.fit.noted(isRefused: false, packOf: work.members.count, tokens: tokens(of: work))
            }
        }
        guard !lost.isEmpty else { return step }
        if !isOfUse {
            var fault = reading.whole
            if lost.count == 1, let own = reading.faults[id(of: lost[0], in: work)] { fault = own }
            if reply.isTruncated, case .badOutput = fault.failure {
                fault.failure = .badOutput(reply.isReasoned ? .thoughtOnly : .truncated)
            }
            return after(fault, reply: reply.text, work)
        }
        asker.tally.add { $0.resent += lost.count }
        step.next += lost.map { Work(members: [$0], attempt: .part) }
        return step
    }

    /// The one additional request that a valid but hardly useful answer is worth.
    private func amendment(of answer: Answer, reply: [UInt8], _ work: Work) -> Work? {
        guard work.members.count == 1, !work.attempt.isSecond, let index = work.members.first else { return nil }
        let asked = AskedQuestion(id: id(of: index, in: work), question: items[index].question)
        let exchange = asker.script.amendment(
            of: answer, reply: Array(reply.prefix(LLMExchange<Answer>.repairBytes)), about: asked,
            maxOutputTokens: asker.limits.output(for: 1, thinks: work.thinks))
        return exchange.map { Work(members: [index], attempt: .amend($0, answer)) }
    }

    /// Stores answers in the cache, and returns once a killed process can no longer lose them.
    ///
    /// It runs in a task of its own, because the answers are paid for: a cancellation must not interrupt the write.
    private func keep(_ answers: [String: [UInt8]]) async {
        guard let cache = asker.cache, !answers.isEmpty else { return }
        let refused = await Task { await cache.keep(answers) }.value
        if refused > 0 { asker.tally.add { $0.notKept += refused } }
    }

    /// What follows an answer that is useless for all its questions.
    private func after(_ fault: LLMFault, reply: [UInt8], _ work: Work) -> Step {
        switch fault.failure {
        case .badOutput, .refused, .tooLong: break
        default: return Step(landings: giveUp(work, fault.failure))
        }
        if case .badOutput(.thoughtOnly) = fault.failure, let step = afterThinking(fault, work) { return step }
        learn(from: fault.failure, work)
        guard work.members.count == 1 else {
            asker.tally.add { $0.splits += 1 }
            return Step(next: divided(work))
        }
        if let second = secondChance(fault, reply: reply, work) { return Step(next: [second]) }
        // Reported only when a message is given up, not for every useless answer: a model that fails at packs but
        // succeeds at single messages is useful, however many packs failed before the first message did.
        if case .badOutput = fault.failure { asker.caller.note(badOutput: true) }
        return Step(landings: giveUp(work, fault.failure))
    }

    /// What follows when thinking used up the whole allowance; nil: the pack is divided.
    private func afterThinking(_ fault: LLMFault, _ work: Work) -> Step? {
        let limits = asker.limits
        let hadRoom = work.thinks || limits.thinks || limits.fixedOutput != nil
        var isPart = false
        if case .part = work.attempt { isPart = true }
        switch asker.stop.overthought(hadRoom: hadRoom, isPart: isPart || work.attempt.isSecond) {
        case .askAgain:
            asker.tally.add { $0.widened += 1 }
            return Step(next: [work])
        case .divide where work.members.count > 1: return nil
        case .divide, .giveUp:
            if let failure = asker.stop.failure { return Step(landings: giveUp(work, failure)) }
            asker.caller.note(badOutput: true)
            return Step(landings: giveUp(work, fault.failure))
        }
    }

    /// Records what a failure shows about how much fits.
    private func learn(from failure: CallFailure, _ work: Work) {
        switch failure {
        case .tooLong:
            let tokens = tokens(of: work)
            if work.members.count > 1 {
                asker.fit.tooLong(packOf: tokens)
            } else if !work.attempt.isSecond {
                asker.fit.tooLong(single: tokens)
            }
        case .refused:
            if case .first = work.attempt {
                asker.fit.noted(isRefused: true, packOf: work.members.count, tokens: tokens(of: work))
            }
        default: break
        }
    }

    /// The halves of a pack; a small half of a pack that failed before is split into single messages at once.
    ///
    /// This finds one bad message among eight in seven requests, as repeated halving does, and a pack of eight never
    /// takes more than two requests per message plus three.
    private func divided(_ work: Work) -> [Work] {
        let members = work.members
        if case .part = work.attempt, members.count <= 4 { return members.map { Work(members: [$0], attempt: .part) } }
        let middle = members.count / 2
        return [members[..<middle], members[middle...]].map { Work(members: Array($0), attempt: .part) }
    }

    /// The one additional request for a single question; nil when it has had it, or nothing can help.
    private func secondChance(_ fault: LLMFault, reply: [UInt8], _ work: Work) -> Work? {
        guard !work.attempt.isSecond, let index = work.members.first else { return nil }
        switch fault.failure {
        case .badOutput(.truncated) where asker.limits.fixedOutput == nil:
            return Work(members: [index], attempt: .wider)
        case .badOutput(.leak), .badOutput(.thoughtOnly), .badOutput(.truncated):
            // If a text made the model reveal its instructions, it is not sent again.
            return nil
        case .badOutput(let kind):
            let errors = fault.errors.isEmpty ? ["the answer is not usable: \(kind.rawValue)"] : fault.errors
            let shown = Array(reply.prefix(LLMExchange<Answer>.repairBytes))
            let asked = AskedQuestion(id: id(of: index, in: work), question: items[index].question)
            let exchange = asker.script.repair(
                of: shown, errors: errors, about: asked,
                maxOutputTokens: asker.limits.output(for: 1, thinks: work.thinks))
            return exchange.map { Work(members: [index], attempt: .repair($0)) }
        case .tooLong:
            return asker.script.clipped(items[index].question).map { Work(members: [index], attempt: .clipped($0)) }
        default:
            return nil
        }
    }
}
