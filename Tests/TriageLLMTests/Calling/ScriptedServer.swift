import Synchronization

@testable import TriageLLM

/// A server in memory that answers by a script, for sequences; its provider reads outcomes from status and headers.
final class ScriptedServer: HTTPTransport, ChatProvider {
    /// What a request meets.
    enum Act: Sendable {
        /// 200 with this usage.
        case reply(TokenUsage = TokenUsage(input: 10, output: 5))
        case fail(CallFailure, headers: [HTTPHeader] = [], usage: TokenUsage? = nil)
        case fault(TransportFault)
        /// Never answers.
        case hang
    }

    struct Seen: Sendable {
        var body: [UInt8]
        var limits: HTTPLimits
        var moment: Duration
    }

    private struct State {
        var acts: [Act]
        var seen: [Seen] = []
        var answers: [Int: (CallFailure?, TokenUsage?)] = [:]
        var inFlight = 0
        var mostInFlight = 0
    }

    private let state: Mutex<State>
    private let rest: Act
    private let clock: CallClock
    private let latency: Duration?
    private let gathering: Int
    private let work: Duration?

    /// - Parameters:
    ///   - acts: one for each request.
    ///   - rest: for all after them.
    ///   - latency: of each answer, in real time.
    ///   - gathering: but for the first, nothing is answered before so many requests have been in flight together.
    ///   - work: what each answer takes on the clock.
    init(
        _ acts: [Act], then rest: Act = .reply(), clock: CallClock = CallClock(ContinuousClock()),
        latency: Duration? = nil, gathering: Int = 0, work: Duration? = nil
    ) {
        state = Mutex(State(acts: acts.reversed()))
        self.rest = rest
        self.clock = clock
        self.latency = latency
        self.gathering = gathering
        self.work = work
    }

    var seen: [Seen] { state.withLock { $0.seen } }
    var mostInFlight: Int { state.withLock { $0.mostInFlight } }

    func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest {
        HTTPRequest(.post, "http://test", body: Array("\(features.rawValue) \(query.user)".utf8))
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let now = clock.now
        let (number, act) = state.withLock { state in
            state.seen.append(Seen(body: request.body, limits: request.limits, moment: now))
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
            return (state.seen.count, state.acts.popLast() ?? rest)
        }
        defer { state.withLock { $0.inFlight -= 1 } }
        if let latency { try await Task.sleep(for: latency) }
        while number > 1, mostInFlight < gathering { try await Task.sleep(for: .milliseconds(1)) }
        if let work { try await clock.sleep(until: now + work) }
        var response = HTTPResponse(status: 200, headers: [HTTPHeader("number", String(number))])
        switch act {
        case .reply(let usage):
            state.withLock { $0.answers[number] = (nil, usage) }
        case .fail(let failure, let headers, let usage):
            if case .badOutput = failure {} else { response.status = 500 }
            response.headers += headers
            state.withLock { $0.answers[number] = (failure, usage) }
        case .fault(let fault):
            throw fault
        case .hang:
            try await Task.sleep(for: .seconds(3600))
        }
        return response
    }

    private func answer(_ response: HTTPResponse) -> (CallFailure?, TokenUsage?) {
        let number = response.header("number").flatMap { Int($0) } ?? 0
        return state.withLock { $0.answers[number] ?? (.transient(.inside), nil) }
    }

    func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure> {
        let (failure, usage) = answer(response)
        if let failure { return .failure(failure) }
        return .success(ChatReply(text: Array("ok".utf8), usage: usage ?? TokenUsage(isEstimated: true)))
    }

    func usage(in response: HTTPResponse) -> TokenUsage? { answer(response).1 }
}

/// A clock on which a sleeper is at once at its moment, so that sequences with hours of waiting take no time.
final class JumpingClock: Clock {
    struct Instant: InstantProtocol {
        var sinceStart: Duration
        func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
    }

    private let time = Mutex(Duration.zero)

    var now: Instant { Instant(sinceStart: time.withLock { $0 }) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline.sinceStart) }
        await Task.yield()
    }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

extension ChatQuery {
    static func test(_ text: String = "hello", cap: Int = 100) -> ChatQuery {
        ChatQuery(model: "m", system: "", user: text, maxOutputTokens: cap)
    }
}
