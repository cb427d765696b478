/// Sends queries to one model on one server, with the safeguards that thousands of requests need.
///
/// It retries what may succeed a moment later, within a retry budget; stops when the server keeps failing; respects the
/// server's rates and the concurrency that it can bear; stays within the spending limits; and gives up on a request
/// that is not answered in time. Waiting for a turn does not count toward a request's time limit. All calls of a run go
/// through one instance, from any number of tasks.
package final class ReliableCaller: ModelCaller {
    private let transport: any HTTPTransport
    private let provider: any ChatProvider
    private let settings: CallerSettings
    private let clock: CallClock
    private let gate: CallGate

    /// - Parameters:
    ///   - features: the features to request at first; those that the server does not support are left out for the rest
    ///     of the
    ///     run.
    ///   - random: uniformly distributed in 0..<1; spreads retries.
    package init(
        transport: any HTTPTransport, provider: any ChatProvider, settings: CallerSettings = CallerSettings(),
        features: ServerFeatures = [.schema, .jsonObject, .sampling, .completionTokens],
        clock: CallClock = CallClock(ContinuousClock()),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.transport = transport
        self.provider = provider
        self.settings = settings
        self.clock = clock
        gate = CallGate(rules: GateRules(settings: settings, features: features, random: random), clock: clock)
    }

    /// What has been spent so far.
    package var report: SpendReport { gate.withRules { $0.spending } }

    /// The features that the server is known to support so far.
    package var features: ServerFeatures { gate.withRules { $0.features } }

    /// The number of requests that may be in flight now.
    package var concurrency: Int { gate.withRules { $0.limit.limit } }

    /// Why nothing is sent for the rest of the run; nil while requests are sent.
    package var finalFailure: CallFailure? {
        let now = clock.now
        return gate.withRules { rules in
            guard case .latched(let failure) = rules.breaker.state(at: now) else { return nil }
            return failure
        }
    }

    package func note(badOutput: Bool) { gate.withRules { $0.note(badOutput: badOutput) } }

    package func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure> {
        await call(query, sendBefore: nil) { $0 }
    }

    package func call<Kept: Sendable>(
        _ query: ChatQuery, sendBefore: ContinuousClock.Instant?, keeping keep: @Sendable (ChatReply) async -> Kept
    ) async -> Result<Kept, CallFailure> {
        let left = sendBefore.map { ContinuousClock.now.duration(to: $0) }
        let result = await attempts(query, sendBefore: left.map { clock.now + $0 }, keep)
        gate.withRules { rules in
            switch result {
            case .success: rules.ended(nil)
            case .failure(let failure): rules.ended(failure)
            }
        }
        return result
    }

    /// - Parameter sendBefore: a moment on the clock of calls.
    private func attempts<Kept: Sendable>(
        _ query: ChatQuery, sendBefore: Duration?, _ keep: @Sendable (ChatReply) async -> Kept
    ) async -> Result<Kept, CallFailure> {
        // Built once per set of features: every attempt sends the same bytes.
        var asked = gate.withRules { $0.features }
        var made = provider.request(query, features: asked)
        var count = 0
        var lastFailure: CallFailure?
        var hasRetriedLostConnection = false
        var hasTimedOut = false
        var waited: Duration = .zero
        while true {
            if Task.isCancelled { return .failure(.cancelled) }
            if let sendBefore, clock.now >= sendBefore { return .failure(lastFailure ?? .deadline) }
            let need = Spend.Need(input: TokenEstimate.input(of: query), output: query.maxOutputTokens)
            let permit: GatePermit
            let came = clock.now
            let patience = settings.queueTimeout.map { came + max($0 - waited, .zero) }
            let entry = [patience, sendBefore].compactMap { $0 }.min()
            switch await gate.enter(CallGate.Need(spend: need, deadline: entry, isRetry: lastFailure != nil)) {
            case .success(let given): permit = given
            case .failure(.unavailable): return .failure(lastFailure ?? .unavailable)
            case .failure(.deadline):
                let isOver = sendBefore.map { clock.now >= $0 } ?? false
                return .failure(isOver ? .deadline : lastFailure ?? .queueTimeout)
            case .failure(let failure): return .failure(failure)
            }
            waited += clock.now - came
            if permit.features != asked {
                // Another call reduced the features in the meantime; the reservation for the longer request is
                // sufficient.
                asked = permit.features
                made = provider.request(query, features: asked)
            }
            var request = made
            if case .transient(.transport(let fault)) = lastFailure, fault.kind == .stale { request.isFresh = true }
            // An answer that is not streamed begins only when it is complete.
            request.limits.total =
                permit.isUnproven ? max(settings.requestTimeout, settings.firstCallTimeout) : settings.requestTimeout
            request.limits.firstByte = request.limits.total
            let (result, headers) = await attempt(request, query, permit, keep)
            guard case .failure(let failure) = result else { return result }

            if case .unsupported(let refused) = failure {
                // Each round asks for fewer features than the one before, so this ends.
                guard let less = gate.withRules({ $0.lessen(asked, refused: refused) }), less != asked else {
                    gate.withRules { $0.notLessened() }
                    return result
                }
                asked = less
                made = provider.request(query, features: asked)
                continue
            }
            count += 1
            let worth = min(settings.longestPause, sendBefore.map { $0 - clock.now } ?? settings.longestPause)
            let failed = RetryPolicy.Failed(
                failure, attempts: count, remaining: worth, shouldRetry: headers?.shouldRetry,
                retryAfter: headers?.retryAfter, hasRetriedLostConnection: hasRetriedLostConnection,
                hasTimedOut: hasTimedOut)
            guard case .retry(let wait) = gate.withRules({ $0.decision(on: failed) }) else { return result }
            if wait > .zero {
                do { try await clock.sleep(until: clock.now + wait) } catch { return .failure(.cancelled) }
            } else {
                hasRetriedLostConnection = true
            }
            if case .transient(.transport(let fault)) = failure, fault.isSlow { hasTimedOut = true }
            lastFailure = failure
        }
    }

    /// Sends once, and returns the permit with the outcome.
    private func attempt<Kept: Sendable>(
        _ request: HTTPRequest, _ query: ChatQuery, _ permit: GatePermit,
        _ keep: @Sendable (ChatReply) async -> Kept
    ) async -> (Result<Kept, CallFailure>, RateHeaders?) {
        do {
            let response = try await transport.send(request)
            let headers = RateHeaders(response)
            let result = provider.read(response, to: query)
            var end = AttemptEnd(failure: nil, settlement: .unknown, headers: headers, resent: response.resent)
            switch result {
            case .success(let reply):
                end.settlement = .answered(reply.usage)
                // The slot is released only now, so a killed process loses at most the replies that may be in flight.
                let kept = await keep(reply)
                gate.leave(permit, as: end)
                return (.success(kept), headers)
            case .failure(let failure):
                end.failure = failure
                if let words = ServerWords(response, to: request, hiding: query.user) {
                    gate.withRules { $0.note(words, for: failure) }
                }
                end.settlement = settlement(of: failure, response)
                gate.leave(permit, as: end)
                return (.failure(failure), headers)
            }
        } catch let fault as TransportFault {
            let failure = CallFailure.transient(.transport(fault))
            gate.leave(
                permit,
                as: AttemptEnd(
                    failure: failure, settlement: fault.mayBeBilled ? .unknown : .unsent, resent: fault.resent))
            return (.failure(failure), nil)
        } catch {
            gate.leave(
                permit, as: AttemptEnd(failure: .cancelled, settlement: .unknown, isInterrupted: true))
            return (.failure(.cancelled), nil)
        }
    }

    /// What a failed answer used: what it reports, or else nothing, unless the model did write something.
    private func settlement(of failure: CallFailure, _ response: HTTPResponse) -> Spend.Settlement {
        if let usage = provider.usage(in: response) { return .answered(usage) }
        switch failure {
        case .badOutput, .refused: return response.status < 300 ? .unknown : .answered(TokenUsage())
        default: return .answered(TokenUsage())
        }
    }
}

/// Sends a query until it succeeds, fails for good, or runs out of time, attempts or money.
package protocol ModelCaller: Sendable {
    /// - Returns: the reply, or why there is none. Never throws: `CallFailure.cancelled` stands for a cancelled task.
    func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure>

    /// Like ``call(_:)``, but the request counts as in flight until `keep` has returned.
    ///
    /// - Parameters:
    ///   - sendBefore: nothing is sent from this moment on, and the result is `deadline` if nothing was sent earlier.
    ///     Requests
    ///     already in flight are waited for. Nil: no limit.
    ///   - keep: stores the reply safely, so that a killed process never loses more paid replies than may be in flight.
    func call<Kept: Sendable>(
        _ query: ChatQuery, sendBefore: ContinuousClock.Instant?, keeping keep: @Sendable (ChatReply) async -> Kept
    ) async -> Result<Kept, CallFailure>

    /// Reports whether a reply returned by ``call(_:)`` was useful; failures that it returned are not reported.
    ///
    /// The caller may stop sending when too many consecutive replies are useless.
    func note(badOutput: Bool)
}

extension ModelCaller {
    package func call<Kept: Sendable>(
        _ query: ChatQuery, sendBefore: ContinuousClock.Instant?, keeping keep: @Sendable (ChatReply) async -> Kept
    ) async -> Result<Kept, CallFailure> {
        return switch await call(query) {
        case .failure(let failure): .failure(failure)
        case .success(let reply): .success(await keep(reply))
        }
    }

    package func note(badOutput: Bool) {}
}

/// The settings of ``ReliableCaller``.
package struct CallerSettings: Sendable, Equatable {
    package var retry = RetryPolicy()
    package var retryBudget = RetryBudget()
    package var breaker = CircuitBreaker.Policy()
    /// The time limit for one request, counted from when it is sent: time in our queue does not count.
    package var requestTimeout: Duration = .seconds(120)
    /// How long a call may wait for its turn, summed over its retries; nil: no limit.
    package var queueTimeout: Duration?
    /// The longest pause that a server may ask for.
    package var longestPause: Duration = .seconds(120)
    /// The minimum time limit for one request until a first call has succeeded: a server may have to load its model.
    package var firstCallTimeout: Duration = .seconds(180)
    /// How long a call waits for a server that worked and then failed; later openings of the breaker are not waited
    /// for.
    package var patience: Duration = .seconds(15)
    /// The upper bound of the adaptive limit, 1–1,024.
    package var maxConcurrency = 8
    /// The start of the adaptive limit; nil: 4, or 1 for a server on this machine.
    package var startConcurrency: Int?
    /// Whether the server is on this machine.
    package var isLocal = false
    /// Nil: the server's own limit applies.
    package var requestsPerMinute: Int?
    /// Input and output together; nil: the server's own limit applies.
    package var tokensPerMinute: Int?
    package var limits = SpendLimits()
    /// Nil: unknown, and so is the cost of the run.
    package var price: ModelPrice?
    /// The number of consecutive useless replies that ends the requests.
    package var badOutputsInARow = 20

    package init() {}
}
