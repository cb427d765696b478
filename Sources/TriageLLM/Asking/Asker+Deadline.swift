extension Asker: AnswerSource {
    /// Asks, and returns at the deadline at the latest.
    ///
    /// What is not answered by then is `.deadline`. What was sent by then is waited for in the background, for it is
    /// paid, and goes to the cache; what was not sent by then is not sent at all, so that a model that is too slow for
    /// its messages falls no further behind.
    ///
    /// - Parameter deadline: nil: none; as ``ask(_:)``.
    /// - Returns: as many results as questions, in their order.
    public func ask(
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
