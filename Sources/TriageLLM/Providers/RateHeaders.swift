/// What the headers of a response say about when the server will take more requests.
///
/// Negative, unreadable and absurd values count as missing.
package struct RateHeaders: Sendable, Equatable {
    /// How long to wait before the next request, at most a day; the only value that waits are based on.
    package var retryAfter: Duration?
    package var requests: Bucket?
    /// The limit for all tokens if the server reports it, else for input tokens, else for output tokens.
    package var tokens: Bucket?
    /// The server's own statement on whether to try again.
    package var shouldRetry: Bool?

    /// One limit, as the server counts it.
    package struct Bucket: Sendable, Equatable {
        /// The capacity of the bucket, in requests or tokens; the period is not reported, but is usually a minute.
        package var limit: Int?
        package var remaining: Int?
        /// Until the bucket is full again, not until the next request fits; at most 31 days.
        package var resetAfter: Duration?

        package init(limit: Int? = nil, remaining: Int? = nil, resetAfter: Duration? = nil) {
            self.limit = limit
            self.remaining = remaining
            self.resetAfter = resetAfter
        }
    }

    package init(
        retryAfter: Duration? = nil, requests: Bucket? = nil, tokens: Bucket? = nil, shouldRetry: Bool? = nil
    ) {
        self.retryAfter = retryAfter
        self.requests = requests
        self.tokens = tokens
        self.shouldRetry = shouldRetry
    }

    /// Reads the headers of OpenAI's family, of Anthropic and of plain HTTP.
    ///
    /// Dates are compared with the response's own `Date`, because clocks differ; without one, they are not used.
    package init(_ response: HTTPResponse) {
        let fields = Fields(response)
        retryAfter = fields.retryAfter
        shouldRetry =
            switch fields["x-should-retry"] {
            case "true": true
            case "false": false
            default: nil
            }
        guard fields.hasLimits else { return }
        requests =
            fields.bucket("x-ratelimit-", "-requests") ?? fields.bucket("anthropic-ratelimit-requests-", "")
            ?? fields.bucket("x-ratelimit-", "")
        tokens =
            fields.bucket("x-ratelimit-", "-tokens") ?? fields.bucket("anthropic-ratelimit-tokens-", "")
            ?? fields.bucket("anthropic-ratelimit-input-tokens-", "")
            ?? fields.bucket("anthropic-ratelimit-output-tokens-", "")
    }

    private struct Fields {
        private var values: [String: String] = [:]
        /// Whether there is any header about limits.
        private(set) var hasLimits = false
        private var date: Int?

        init(_ response: HTTPResponse) {
            for header in response.headers where header.value.utf8.count <= 128 {
                let value = header.value.utf8.drop { $0 == 0x20 || $0 == 0x09 }
                let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 }
                guard let end else { continue }
                let name = header.name.lowercased()
                if name.hasPrefix("x-ratelimit-") || name.hasPrefix("anthropic-ratelimit-") { hasLimits = true }
                values[name] = String(Substring(value[...end]))
            }
            date = values["date"].flatMap { WireTime.httpDate($0) }
        }

        subscript(_ name: String) -> String? { values[name] }

        var retryAfter: Duration? {
            func plausible(_ wait: Duration?) -> Duration? { wait.flatMap { $0 <= .seconds(86_400) ? $0 : nil } }
            if let exact = values["retry-after-ms"], let wait = plausible(WireTime.milliseconds(exact)) {
                return wait
            }
            guard let text = values["retry-after"] else { return nil }
            return plausible(WireTime.seconds(text) ?? WireTime.httpDate(text).flatMap(until))
        }

        func bucket(_ before: String, _ after: String) -> Bucket? {
            let bucket = Bucket(
                limit: values[before + "limit" + after].flatMap { WireTime.count($0) },
                remaining: values[before + "remaining" + after].flatMap { WireTime.count($0) },
                resetAfter: values[before + "reset" + after].flatMap(reset))
            return bucket == Bucket() ? nil : bucket
        }

        /// A Go duration, a moment, or a number: a count of seconds, or seconds or milliseconds since 1970, judged by
        /// its size.
        private func reset(_ text: String) -> Duration? {
            var wait = WireTime.goDuration(text) ?? WireTime.rfc3339(text).flatMap(until)
            if wait == nil, let number = WireTime.count(text) {
                wait =
                    switch number {
                    case ..<1_000_000_000: WireTime.seconds(text)
                    case ..<100_000_000_000: until(number)
                    default: until(number / 1000)
                    }
            }
            return wait.flatMap { $0 <= .seconds(31 * 86_400) ? $0 : nil }
        }

        /// The time from the response's date to a moment; nil when the moment has passed or no date is known.
        private func until(_ moment: Int) -> Duration? {
            guard let date, moment >= date else { return nil }
            return .seconds(moment - date)
        }
    }
}
