import Testing
import TriageLLM

@Suite struct `Headers of rates` {
    private static let date = "Sat, 21 Nov 2026 12:00:00 GMT"

    private func headers(_ fields: [(String, String)]) -> RateHeaders {
        RateHeaders(HTTPResponse(status: 429, headers: fields.map { HTTPHeader($0.0, $0.1) }))
    }

    @Test(arguments: [
        ([("Retry-After", "20")], Duration.seconds(20)),
        ([("retry-after", " 0.4 ")], .milliseconds(400)),
        ([("retry-after", "0")], .zero),
        ([("retry-after", "2"), ("retry-after-ms", "400")], .milliseconds(400)),
        ([("retry-after", "2"), ("Retry-After-MS", "12.5")], .microseconds(12_500)),
        ([("retry-after", "2"), ("retry-after-ms", "-5")], .seconds(2)),
        ([("retry-after", "2"), ("retry-after-ms", "soon")], .seconds(2)),
        ([("retry-after", "86400")], .seconds(86_400)),
        ([("Date", date), ("Retry-After", "Sat, 21 Nov 2026 12:00:30 GMT")], .seconds(30)),
        ([("Date", date), ("Retry-After", "Sun, 22 Nov 2026 00:00:00 GMT")], .seconds(43_200)),
        ([("Date", date), ("Retry-After", "Saturday, 21-Nov-26 12:01:00 GMT")], .seconds(60)),
        ([("Date", date), ("Retry-After", "Sat Nov 21 12:02:00 2026")], .seconds(120)),
    ])
    func `a wait is read in seconds, milliseconds or as a date against the date of the answer`(
        fields: [(String, String)], wait: Duration
    ) {
        #expect(headers(fields).retryAfter == wait)
    }

    @Test(arguments: [
        [("retry-after", "-1")], [("retry-after", "86401")], [("retry-after", "1e9")], [("retry-after", "inf")],
        [("retry-after", "nan")], [("retry-after", "")], [("retry-after", "5 s")], [("retry-after", "0x10")],
        [("retry-after", "99999999999999999999999")], [("retry-after", ".")], [("retry-after", "1.")],
        [("retry-after", "Sat, 21 Nov 2026 12:00:30 GMT")],
        [("date", date), ("retry-after", "Sat, 21 Nov 2026 11:59:30 GMT")],
        [("date", date), ("retry-after", "Sat, 21 Nov 2027 12:00:00 GMT")],
        [("date", date), ("retry-after", "Sat, 31 Feb 2026 12:00:00 GMT")],
        [("date", "yesterday"), ("retry-after", "Sat, 21 Nov 2026 12:00:30 GMT")],
    ])
    func `a wait that is negative, absurd or unreadable counts as not sent`(fields: [(String, String)]) {
        #expect(headers(fields).retryAfter == nil)
    }

    @Test(arguments: [
        ("360ms", Duration.milliseconds(360)), ("1.864s", .milliseconds(1864)), ("6m0s", .seconds(360)),
        ("1h2m3.5s", .milliseconds(3_723_500)), ("12us", .microseconds(12)), ("7\u{B5}s", .microseconds(7)),
        ("250ns", .nanoseconds(250)), ("0s", .zero), ("45", .seconds(45)), ("1795262460", .seconds(60)),
        ("1795262460000", .seconds(60)),
    ])
    func `the reset of a bucket is read as Go writes it and as a number`(text: String, reset: Duration) {
        let read = headers([
            ("date", Self.date), ("x-ratelimit-limit-requests", "60"), ("x-ratelimit-remaining-requests", "0"),
            ("x-ratelimit-reset-requests", text), ("x-ratelimit-remaining-tokens", "149984"),
        ])
        #expect(read.requests == RateHeaders.Bucket(limit: 60, remaining: 0, resetAfter: reset))
        #expect(read.tokens == RateHeaders.Bucket(remaining: 149_984))
    }

    @Test(arguments: ["", "s", "-3s", "3", "3 s", "9999999999h", "999999999999999h", "1d", "ms", "1s2"])
    func `an unreadable reset of a bucket counts as not sent`(text: String) {
        let read = headers([("x-ratelimit-limit-tokens", "5"), ("x-ratelimit-reset-tokens", text)])
        #expect(read.tokens?.resetAfter == (text == "3" ? .seconds(3) : nil))
        #expect(read.tokens?.limit == 5)
    }

    @Test
    func `Anthropic's buckets are read with the moment of their reset`() {
        let read = headers([
            ("Date", Self.date), ("anthropic-ratelimit-requests-limit", "50"),
            ("anthropic-ratelimit-requests-remaining", "49"),
            ("anthropic-ratelimit-requests-reset", "2026-11-21T12:00:05Z"),
            ("anthropic-ratelimit-input-tokens-limit", "30000"),
            ("anthropic-ratelimit-input-tokens-remaining", "29000"),
            ("anthropic-ratelimit-input-tokens-reset", "2026-11-21T13:00:07.25+01:00"),
            ("anthropic-ratelimit-output-tokens-limit", "8000"), ("x-should-retry", "false"),
        ])
        #expect(read.requests == RateHeaders.Bucket(limit: 50, remaining: 49, resetAfter: .seconds(5)))
        #expect(read.tokens == RateHeaders.Bucket(limit: 30_000, remaining: 29_000, resetAfter: .seconds(7)))
        #expect(read.shouldRetry == false)
    }

    @Test
    func `an answer without such headers says nothing`() {
        #expect(headers([("content-type", "text/html"), ("x-should-retry", "maybe")]) == RateHeaders())
    }
}
