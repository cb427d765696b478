import Testing
import TriageLLM

@Suite struct `Rates` {
    /// When each of `count` needs passes, in milliseconds, when each is taken as soon as it may be.
    private func moments(_ bucket: inout RateBucket, _ count: Int, of need: Int = 1, from start: Int = 0) -> [Int] {
        var now = Duration.milliseconds(start)
        return (0..<count).map { _ in
            now = max(now, bucket.ready(for: need, at: now))
            bucket.take(need, at: now)
            return Int((now / .milliseconds(1)).rounded())
        }
    }

    @Test func `are without bounds when nobody has told any`() {
        var bucket = RateBucket()
        #expect(moments(&bucket, 1000).last == 0)
        var nonsense = RateBucket(perMinute: 0)
        #expect(moments(&nonsense, 1000).last == 0)
    }

    @Test func `are paced by the second when they are configured`() {
        var bucket = RateBucket(perMinute: 120)
        #expect(moments(&bucket, 5) == [0, 0, 500, 1000, 1500])
    }

    @Test func `let a need pass that is more than a bucket holds, and have it paid for`() {
        var bucket = RateBucket(perMinute: 6000)
        #expect(moments(&bucket, 3, of: 1000) == [0, 10_000, 20_000])
    }

    @Test func `come back with what was estimated too much`() {
        var bucket = RateBucket(perMinute: 6000)
        bucket.take(1000, at: .zero)
        bucket.give(back: 950)
        #expect(moments(&bucket, 2, of: 100) == [500, 1500])
    }

    @Test func `are learned from headers: what remains at once, the rest as the bucket fills`() {
        var bucket = RateBucket()
        bucket.learn(.init(limit: 10, remaining: 4, resetAfter: .seconds(6)), inFlight: 1, at: .zero)
        #expect(moments(&bucket, 5) == [0, 0, 0, 1000, 2000])
    }

    @Test(arguments: [
        RateHeaders.Bucket(limit: nil, remaining: 0, resetAfter: .seconds(100)),
        .init(limit: 0, remaining: 0, resetAfter: .seconds(100)), .init(limit: 10, remaining: nil, resetAfter: nil),
        .init(limit: 10, remaining: -5, resetAfter: nil), .init(limit: -1, remaining: 0, resetAfter: nil),
        .init(limit: 10, remaining: .max, resetAfter: .seconds(-4)),
        .init(limit: .max, remaining: 3, resetAfter: .zero),
    ])
    func `are not learned from headers without sense`(header: RateHeaders.Bucket) {
        var bucket = RateBucket()
        bucket.learn(header, inFlight: 0, at: .zero)
        #expect(moments(&bucket, 3).last == 0)
    }

    @Test func `do not stop a run for a bucket that will be full only next month`() {
        var bucket = RateBucket()
        bucket.learn(.init(limit: 100, remaining: 0, resetAfter: .seconds(31 * 86_400)), inFlight: 0, at: .seconds(5))
        #expect(bucket.ready(for: 1, at: .seconds(6)) == .seconds(65))
    }

    @Test func `are nil until the server takes more, then half, then a tenth more each minute`() {
        var bucket = RateBucket(perMinute: 60)
        bucket.refused(for: .seconds(10), at: .seconds(100))
        #expect(moments(&bucket, 3, from: 100_000) == [110_000, 112_000, 113_987])
        // After five minutes all is as it was.
        #expect(moments(&bucket, 3, from: 411_000) == [411_000, 412_000, 413_000])
    }

    @Test func `that were refused again start the way back again and are not halved twice`() {
        var bucket = RateBucket(perMinute: 60)
        for second in 0..<20 { bucket.refused(for: .seconds(1), at: .seconds(second)) }
        #expect(moments(&bucket, 2, from: 20_000) == [20_000, 22_000])
    }

    @Test func `of which nothing is known only wait as long as they were told`() {
        var bucket = RateBucket()
        bucket.refused(for: .seconds(3), at: .seconds(1))
        bucket.refused(for: .seconds(1), at: .seconds(1))
        #expect(moments(&bucket, 3, from: 1000) == [4000, 4000, 4000])
    }
}
