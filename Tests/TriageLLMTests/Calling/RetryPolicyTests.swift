import Testing
import TriageLLM

@Suite struct `Retries` {
    @Test(
        arguments: [
            (1, nil, 0.0, 0), (1, nil, 0.999, 500), (2, nil, 0.999, 1000), (3, nil, 0.5, 1000), (8, nil, 0.999, 30_000),
            (1_000_000, nil, 0.999, 30_000), (0, nil, 0.999, 500), (1, 2.0, 0.5, 2000), (7, 2.0, 0.5, 15_000),
            (1, nil, 7.0, 500), (1, nil, -7.0, 0),
        ] as [(Int, Double?, Double, Int)])
    func `wait a random part of a doubling ceiling, and no less than the server asks`(
        failures: Int, floor: Double?, random: Double, milliseconds: Int
    ) {
        let wait = RetryPolicy().wait(afterFailures: failures, floor: floor.map { .seconds($0) }, random: random)
        #expect(wait <= .milliseconds(milliseconds))
        #expect(wait >= .milliseconds(milliseconds) * 0.998)
    }

    static let lost = CallFailure.transient(.transport(TransportFault(.emptyReply)))

    @Test(arguments: [
        (CallFailure.rateLimited(after: nil), true), (.overloaded(after: nil), true), (.transient(.status(500)), true),
        (.transient(.inside), true), (lost, true), (.transient(.transport(TransportFault(.connect))), true),
        (.transient(.transport(TransportFault(.certificate))), false),
        (.transient(.transport(TransportFault(.tooLarge))), false), (.badOutput(.notJSON), false), (.refused, false),
        (.tooLong, false), (.unsupported(.schema), false), (.authentication, false), (.quota, false),
        (.configuration(status: 404), false), (.cancelled, false), (.deadline, false), (.queueTimeout, false),
        (.overthinking, false), (.budget, false),
        (.unavailable, false), (.useless, false),
    ])
    func `follow what may heal and nothing else`(failure: CallFailure, isRetried: Bool) {
        var budget = RetryBudget()
        let failed = RetryPolicy.Failed(failure, attempts: 1, remaining: .seconds(60))
        let decision = RetryPolicy().decision(on: failed, budget: &budget, random: 0.5)
        #expect((decision != .giveUp) == isRetried)
        // What is not retried takes nothing from the budget.
        #expect((budget == RetryBudget()) == !isRetried)
    }

    @Test(
        arguments: [
            (1, 60, nil, nil, true), (3, 60, nil, nil, true), (4, 60, nil, nil, false), (1, 60, 59, nil, true),
            (1, 60, 60, nil, false), (1, 60, 3600, nil, false), (1, 0, nil, nil, false), (1, 60, nil, false, false),
        ] as [(Int, Int, Int?, Bool?, Bool)])
    func `end with the attempts, with the time, and by the server's word`(
        attempts: Int, remaining: Int, after: Int?, shouldRetry: Bool?, isRetried: Bool
    ) {
        var budget = RetryBudget()
        let failed = RetryPolicy.Failed(
            .overloaded(after: after.map { .seconds($0) }), attempts: attempts, remaining: .seconds(remaining),
            shouldRetry: shouldRetry)
        #expect((RetryPolicy().decision(on: failed, budget: &budget, random: 0) != .giveUp) == isRetried)
    }

    @Test(arguments: [CallFailure.transient(.status(504)), .overloaded(after: nil), .rateLimited(after: nil)])
    func `never come before the moment that the server names, whatever its status`(failure: CallFailure) {
        var budget = RetryBudget()
        let failed = RetryPolicy.Failed(failure, attempts: 1, remaining: .seconds(60), retryAfter: .seconds(7))
        #expect(RetryPolicy().decision(on: failed, budget: &budget, random: 0.5) == .retry(after: .seconds(7)))
    }

    @Test func `come at once, and once, after a connection that may have been stale`() {
        var budget = RetryBudget()
        var failed = RetryPolicy.Failed(Self.lost, attempts: 1, remaining: .seconds(60))
        #expect(RetryPolicy().decision(on: failed, budget: &budget, random: 0.5) == .retry(after: .zero))
        failed.hasRetriedLostConnection = true
        #expect(RetryPolicy().decision(on: failed, budget: &budget, random: 0.5) == .retry(after: .milliseconds(250)))
    }

    @Test func `come once after a kept connection that was dead, whatever the budget says`() {
        var budget = RetryBudget(capacity: 0)
        var failed = RetryPolicy.Failed(
            .transient(.transport(TransportFault(.stale))), attempts: 1, remaining: .seconds(60))
        #expect(RetryPolicy().decision(on: failed, budget: &budget, random: 0.5) == .retry(after: .zero))
        failed.hasRetriedLostConnection = true
        #expect(RetryPolicy().decision(on: failed, budget: &budget, random: 0.5) == .giveUp)
    }

    private func taken(_ budget: inout RetryBudget, of count: Int) -> Int {
        (0..<count).map { _ in budget.take() }.filter { $0 }.count
    }

    @Test func `are ten at most, and then one for each ten successes`() {
        var budget = RetryBudget()
        #expect(taken(&budget, of: 11) == 10)
        for _ in 0..<9 { budget.succeeded() }
        #expect(taken(&budget, of: 3) == 0)
        budget.succeeded()
        #expect(taken(&budget, of: 1) == 1)
        #expect(taken(&budget, of: 3) == 0)
        for _ in 0..<1000 { budget.succeeded() }
        #expect(taken(&budget, of: 11) == 10)
    }
}
