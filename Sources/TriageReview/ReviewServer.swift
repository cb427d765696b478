import Dispatch
import Platform
import Synchronization
import TriageCore
import TriageRun

/// Serves the page of a store to the browser of the user who started it, on this machine only.
///
/// One thread with one `poll` handles all connections, and a few threads prepare answers. General servers do not handle
/// cases that matter here. Tested: FlyingFox 0.27.1 with 256 descriptors fails in `accept` at the 250th connection and
/// ends for good; it waits for ever for a request that stops in the middle of its head, and for a reader that does not
/// read; it does not limit the length of a header line; and of a repeated header, it silently uses the last one.
final class ReviewServer: Sendable {
    /// Prepares an answer; may block.
    typealias Handler = @Sendable (WebRequest) -> WebAnswer
    /// Refuses a request before any work is done, without blocking; nil: the request is allowed.
    typealias Gate = @Sendable (WebRequest) -> WebAnswer?

    /// The limit for open connections; beyond it, the oldest one that is reading or leaving is closed.
    static let connectionLimit = 64
    /// The limit for connections that receive events.
    static let streamLimit = 16
    /// The size limit of a body, in bytes.
    static let bodyLimit = 64 << 10
    private static let workers = 3

    /// The port it listens on.
    let port: UInt16
    private let listener: Int32
    private let pipe: WakePipe
    private let shared = Mutex(Shared())
    private let waiting = DispatchSemaphore(value: 0)
    private let streams = Atomic(0)

    private struct Shared {
        var jobs: [(number: Int, request: WebRequest)] = []
        var answers: [(number: Int, answer: WebAnswer)] = []
        var events: [[UInt8]] = []
        var isStopped = false
    }

    /// Starts listening; ``start(gate:handler:onEnd:)`` starts answering.
    ///
    /// - Throws: ``TriageError`` when the address cannot be used.
    init(address: ListenAddress) throws {
        pipe = try WakePipe("review.no-descriptors")
        (listener, port) = try address.listen()
    }

    deinit { close(listener) }

    /// Whether any connection receives events.
    var hasListeners: Bool { streams.load(ordering: .relaxed) > 0 }

    /// Starts answering, on threads of its own.
    ///
    /// - Parameter onEnd: called once every connection is closed; its argument says why the server ended by itself, if
    ///   it did.
    func start(gate: @escaping Gate, handler: @escaping Handler, onEnd: @escaping @Sendable (TriageError?) -> Void) {
        for _ in 0..<Self.workers {
            startBlockingThread { [self] in
                while let job = nextJob() {
                    let answer = handler(job.request)
                    shared.withLock { $0.answers.append((job.number, answer)) }
                    pipe.wake()
                }
            }
        }
        startBlockingThread { [self] in
            let failure = serve(gate)
            shared.withLock { $0.isStopped = true }
            for _ in 0..<Self.workers { waiting.signal() }
            onEnd(failure)
        }
    }

    /// Sends an event to all connections that receive events.
    func broadcast(_ event: [UInt8]) {
        shared.withLock { $0.events.append(event) }
        pipe.wake()
    }

    /// Accepts no more connections and ends.
    func stop() {
        shared.withLock { $0.isStopped = true }
        pipe.wake()
    }

    private func nextJob() -> (number: Int, request: WebRequest)? {
        while true {
            waiting.wait()
            let (job, isStopped) = shared.withLock { ($0.jobs.isEmpty ? nil : $0.jobs.removeFirst(), $0.isStopped) }
            if let job { return job }
            if isStopped { return nil }
        }
    }

    // MARK: - The thread of all connections

    private func serve(_ gate: Gate) -> TriageError? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
        defer { buffer.deallocate() }
        var open: [ReviewConnection] = []
        var count = 0
        var lastWord: ContinuousClock.Instant?
        var heartbeat = ContinuousClock.now + .seconds(15)
        while true {
            let (answers, events, isStopped) = takeShared()
            if isStopped {
                // Requests that can still be answered are; listeners for events connect again later.
                lastWord = lastWord ?? .now + .milliseconds(500)
                for connection in open where [.reading, .streaming, .leaving].contains(connection.phase) {
                    connection.cut()
                }
            }
            for (number, answer) in answers {
                open.first { $0.number == number && $0.phase == .working }?.say(answer)
            }
            for event in events { for connection in open { connection.tell(event) } }
            if heartbeat <= .now {
                for connection in open { connection.tell(Array(": still here\n\n".utf8)) }
                heartbeat = .now + .seconds(15)
            }
            relieveStreams(open)
            open.removeAll { $0.phase == .closed }
            streams.store(open.count { $0.phase == .streaming }, ordering: .relaxed)
            if let lastWord, open.isEmpty || lastWord <= .now { return nil }

            var waits = open.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            waits.append(pollfd(fd: isStopped ? -1 : listener, events: Int16(POLLIN), revents: 0))
            waits.append(pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0))
            let next = (open.map(\.deadline) + [heartbeat] + (lastWord.map { [$0] } ?? [])).min() ?? heartbeat
            if poll(&waits, nfds_t(waits.count), Self.milliseconds(until: next)) < 0, errno != EINTR, errno != EAGAIN {
                return TriageError(
                    "review.failed", "the server failed: \(String(cString: strerror(errno)))", exit: .ioError)
            }
            if waits[waits.count - 1].revents != 0 { pipe.drain() }
            for (connection, wait) in zip(open, waits) where wait.revents != 0 {
                if connection.phase == .working {
                    // For a client that has left, `poll` reports only that, again and again; so the connection is
                    // closed.
                    if wait.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { connection.cut() }
                    continue
                }
                if let event = connection.proceed(wait.revents, buffer) { take(event, of: connection, gate) }
            }
            let now = ContinuousClock.now
            for connection in open where connection.deadline <= now { connection.expire() }
            if waits[waits.count - 2].revents != 0 { accept(into: &open, &count) }
        }
    }

    private func takeShared() -> (answers: [(number: Int, answer: WebAnswer)], events: [[UInt8]], isStopped: Bool) {
        shared.withLock { shared in
            defer { (shared.answers, shared.events) = ([], []) }
            return (shared.answers, shared.events, shared.isStopped)
        }
    }

    private func take(_ event: ReviewConnection.Event, of connection: ReviewConnection, _ gate: Gate) {
        switch event {
        case .refused(let status):
            connection.say(.refused(status, "http.refused", "the request is not valid"))
        case .request(let request):
            if let refusal = gate(request) { return connection.say(refusal) }
            shared.withLock { $0.jobs.append((connection.number, request)) }
            waiting.signal()
        }
    }

    private static func milliseconds(until instant: ContinuousClock.Instant) -> Int32 {
        let left = ContinuousClock.now.duration(to: instant)
        guard left > .zero else { return 0 }
        return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// Closes the oldest event connections when there are too many.
    private func relieveStreams(_ open: [ReviewConnection]) {
        let streaming = open.filter { $0.phase == .streaming }
        for connection in streaming.dropLast(Self.streamLimit) { connection.cut() }
    }

    private func accept(into open: inout [ReviewConnection], _ count: inout Int) {
        while true {
            let descriptor: Int32
            switch Arrival(at: listener) {
            case .connection(let arrived): descriptor = arrived
            case .noRoom:
                // The oldest connection makes room, and the next turn accepts the new one.
                _ = drop(from: &open)
                return
            case .nobody: return
            }
            count += 1
            let connection = ReviewConnection(number: count, descriptor: descriptor, bodyLimit: Self.bodyLimit)
            // If no connection can be closed, the new one is refused, and its browser tries again.
            if open.count >= Self.connectionLimit, !drop(from: &open) { continue }
            open.append(connection)
        }
    }

    /// Closes the oldest connection that is reading or leaving; the array is in the order of arrival.
    private func drop(from open: inout [ReviewConnection]) -> Bool {
        guard let place = open.firstIndex(where: { $0.phase == .reading || $0.phase == .leaving }) else { return false }
        open[place].cut()
        open.remove(at: place)
        return true
    }
}
