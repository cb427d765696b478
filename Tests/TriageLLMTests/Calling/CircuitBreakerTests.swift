import Testing
import TriageLLM

@Suite struct `The breaker` {
    @Test(
        arguments: [
            // Five in a row open it for 15 seconds.
            ([(0, .failing), (0, .failing), (0, .failing), (0, .failing)], 0, .closed),
            (
                [(0, .failing), (0, .failing), (0, .failing), (0, .failing), (0, .failing)], 0,
                .open(until: .seconds(15))
            ),
            ([(0, .failing), (0, .failing), (0, .failing), (0, .failing), (0, .alive), (0, .failing)], 0, .closed),
            // What says nothing does not break the row.
            (
                [(0, .failing), (0, .failing), (0, .failing), (0, .failing), (0, .none), (0, .failing)], 0,
                .open(until: .seconds(15))
            ),
            (
                [(3, .failing), (3, .failing), (3, .failing), (3, .failing), (3, .failing)], 17,
                .open(until: .seconds(18))
            ),
            ([(3, .failing), (3, .failing), (3, .failing), (3, .failing), (3, .failing)], 18, .halfOpen),
            // The probe decides; a failed one doubles the time, up to two minutes.
            (open + [(15, .alive)], 15, .closed), (open + [(15, .failing)], 15, .open(until: .seconds(45))),
            (open + [(15, .none)], 15, .halfOpen), (open + [(15, .none), (16, .alive)], 16, .closed),
            (open + [(15, .failing), (45, .failing)], 45, .open(until: .seconds(105))),
            (open + [(15, .failing), (45, .failing), (105, .failing)], 105, .open(until: .seconds(225))),
            (
                open + [(15, .failing), (45, .failing), (105, .failing), (225, .failing)], 225,
                .open(until: .seconds(345))
            ),
            // A success makes it forget.
            (
                open + [(15, .failing), (45, .alive)] + Array(repeating: (50, .failing), count: 5), 50,
                .open(until: .seconds(65))
            ),
        ] as [([(Int, CircuitBreaker.Sign)], Int, CircuitBreaker.State)])
    func `goes through its states`(steps: [(Int, CircuitBreaker.Sign)], second: Int, state: CircuitBreaker.State) {
        var breaker = CircuitBreaker()
        for (second, sign) in steps {
            guard let ticket = breaker.admit(at: .seconds(second)) else {
                Issue.record("nobody is let through at \(second)")
                return
            }
            breaker.record(sign, for: ticket, at: .seconds(second))
        }
        #expect(breaker.state(at: .seconds(second)) == state)
    }

    private func admit(_ breaker: inout CircuitBreaker, _ moment: Duration) throws -> CircuitBreaker.Ticket {
        let ticket = breaker.admit(at: moment)
        return try #require(ticket)
    }

    private static let open: [(Int, CircuitBreaker.Sign)] = Array(repeating: (0, .failing), count: 5)

    @Test func `lets nobody through while it is open, one while it is half-open, none beside the probe`() throws {
        var breaker = CircuitBreaker()
        for _ in 0..<5 {
            let ticket = try admit(&breaker, .zero)
            breaker.record(.failing, for: ticket, at: .zero)
        }
        let early = breaker.admit(at: .seconds(14))
        #expect(early == nil)
        let probe = try admit(&breaker, .seconds(15))
        #expect(probe.isProbe)
        for second in [15, 100] {
            let beside = breaker.admit(at: .seconds(second))
            #expect(beside == nil)
        }
    }

    @Test func `does not listen to news of before it opened`() throws {
        var breaker = CircuitBreaker()
        let early = try (0..<12).map { _ in try admit(&breaker, .zero) }
        for ticket in early.prefix(10) { breaker.record(.failing, for: ticket, at: .seconds(1)) }
        #expect(breaker.state(at: .seconds(1)) == .open(until: .seconds(16)))
        breaker.record(.alive, for: early[10], at: .seconds(2))
        #expect(breaker.state(at: .seconds(2)) == .open(until: .seconds(16)))
        let probe = try admit(&breaker, .seconds(16))
        breaker.record(.failing, for: early[11], at: .seconds(17))
        #expect(breaker.state(at: .seconds(17)) == .probing)
        breaker.record(.alive, for: probe, at: .seconds(17))
        #expect(breaker.state(at: .seconds(17)) == .closed)
    }

    @Test func `stays open for the run after a wrong key, with the first reason`() throws {
        var breaker = CircuitBreaker()
        let ticket = try admit(&breaker, .zero)
        breaker.latch(.authentication)
        breaker.latch(.quota)
        breaker.record(.alive, for: ticket, at: .seconds(1))
        #expect(breaker.state(at: .seconds(100_000)) == .latched(.authentication))
        let late = breaker.admit(at: .seconds(100_000))
        #expect(late == nil)
    }
}
