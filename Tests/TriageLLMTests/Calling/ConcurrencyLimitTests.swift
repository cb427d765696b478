import Testing
import TriageLLM

@Suite struct `Concurrency` {
    /// Runs a server of so many slots, 200 ms a request and first come first served, for some seconds of its time under
    /// a client that always has more to send.
    ///
    /// - Returns: the limit at the end, and how many were answered in the last second.
    private func simulate(
        _ limit: inout ConcurrencyLimit, slots: Int, seconds: Int
    ) -> (limit: Int, lastSecond: Int) {
        var flights: [(start: Int, end: Int, epoch: Int)] = []
        var slotFree = Array(repeating: 0, count: slots)
        var lastSecond = 0
        for now in 0..<seconds * 1000 {
            for flight in flights where flight.end <= now {
                limit.succeeded(after: .milliseconds(now - flight.start), epoch: flight.epoch)
                if now >= (seconds - 1) * 1000 { lastSecond += 1 }
            }
            flights.removeAll { $0.end <= now }
            while flights.count < limit.limit {
                let slot = slotFree.indices.min { slotFree[$0] < slotFree[$1] } ?? 0
                let end = max(now, slotFree[slot]) + 200
                slotFree[slot] = end
                flights.append((now, end, limit.epoch))
                limit.started(inFlight: flights.count)
            }
        }
        return (limit.limit, lastSecond)
    }

    @Test(arguments: [(1, 4), (4, 3)])
    func `fills a server of 32 slots within seconds`(start: Int, seconds: Int) {
        var limit = ConcurrencyLimit(start: start, highest: 32)
        let end = simulate(&limit, slots: 32, seconds: seconds)
        #expect(end.limit == 32)
        #expect(end.lastSecond >= 150)
    }

    @Test(arguments: [1, 2, 4, 8])
    func `stays near the slots of a server that queues without a word`(slots: Int) {
        var limit = ConcurrencyLimit(start: 1, highest: 1024)
        let end = simulate(&limit, slots: slots, seconds: 60)
        #expect(end.limit >= slots)
        #expect(end.limit <= slots * 2)
        #expect(end.lastSecond >= slots * 5 - 1)
    }

    @Test func `does not grow while it is not used`() {
        var limit = ConcurrencyLimit(start: 4, highest: 1024)
        for _ in 0..<1000 {
            limit.started(inFlight: 1)
            limit.succeeded(after: .milliseconds(200), epoch: limit.epoch)
        }
        #expect(limit.limit == 4)
    }

    @Test func `is halved once for a burst of refusals, down to one, and grows by one after`() {
        var limit = ConcurrencyLimit(start: 32, highest: 32)
        let epoch = limit.epoch
        for _ in 0..<32 { limit.overloaded(epoch: epoch) }
        #expect(limit.limit == 16)
        for expected in [8, 4, 2, 1, 1] {
            limit.overloaded(epoch: limit.epoch)
            #expect(limit.limit == expected)
        }
        for expected in [2, 3, 4, 5] {
            let epoch = limit.epoch
            limit.started(inFlight: limit.limit)
            for _ in 0..<4 { limit.succeeded(after: .milliseconds(100), epoch: epoch) }
            #expect(limit.limit == expected)
        }
    }

    @Test(arguments: [(-5, 8, 1), (0, 0, 1), (100, 8, 8), (5000, 5000, 1024)])
    func `has its bounds`(start: Int, highest: Int, limit: Int) {
        #expect(ConcurrencyLimit(start: start, highest: highest).limit == limit)
    }
}
