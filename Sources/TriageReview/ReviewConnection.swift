import Platform
import TriageCore
import TriageRun

/// One browser connection: a request, its answer, and the end; or a stream of events until one side leaves.
final class ReviewConnection {
    enum Phase {
        case reading
        /// Its answer is being prepared.
        case working
        case answering
        /// Answered; from now on, it receives events about changes.
        case streaming
        /// Answered. Whatever the other side still sends is discarded, because closing at once could lose the answer.
        case leaving
        case closed
    }

    /// What arrived.
    enum Event {
        case request(WebRequest)
        case refused(Int)
    }

    let number: Int
    let descriptor: Int32
    private(set) var phase = Phase.reading
    /// When the phase ends, finished or not.
    private(set) var deadline: ContinuousClock.Instant
    private var request: WebRequest
    private var out: [UInt8] = []
    private var sent = 0
    private var staysOpen = false
    /// When the answer must be sent completely, whatever its progress.
    private var last = ContinuousClock.now
    private var thrownAway = 0

    /// The time limit from the connection to the end of the body.
    static let requestTime = Duration.seconds(10)
    /// How long an answer may make no progress.
    static let answerTime = Duration.seconds(10)
    /// The time limit for a whole answer.
    static let wholeAnswerTime = Duration.seconds(60)
    /// The number of event bytes by which a reader may lag behind.
    static let streamLimit = 256 << 10

    init(number: Int, descriptor: Int32, bodyLimit: Int) {
        self.number = number
        self.descriptor = descriptor
        deadline = .now + Self.requestTime
        request = WebRequest(bodyLimit: bodyLimit, methodsWithBody: ["POST", "PUT"])
    }

    deinit { close(descriptor) }

    /// The poll events to wait for.
    var events: Int16 {
        switch phase {
        case .reading, .leaving: Int16(POLLIN)
        case .answering: Int16(POLLOUT)
        case .streaming: sent < out.count ? Int16(POLLIN | POLLOUT) : Int16(POLLIN)
        case .working, .closed: 0
        }
    }

    /// Does what `poll` reported as possible.
    ///
    /// - Parameter buffer: room for received bytes.
    /// - Returns: a request, once it is complete or refused.
    func proceed(_ ready: Int16, _ buffer: UnsafeMutableRawBufferPointer) -> Event? {
        switch phase {
        case .reading: return read(buffer)
        case .leaving, .streaming:
            if ready & Int16(POLLOUT) != 0 { write() }
            if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 { discard(buffer) }
        case .answering: write()
        // A client that left is noticed when the answer cannot be sent.
        case .working, .closed: break
        }
        return nil
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Event? {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR && errno != EWOULDBLOCK) { phase = .closed }
            return nil
        }
        switch request.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
        case nil: return nil
        case .head:
            if request.wantsContinue {
                let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                // Nothing has been sent on this socket yet, so its buffer has room for the line.
                if send(descriptor, line, line.count, 0) != line.count { phase = .closed }
            }
            return nil
        case .refused(let status): return .refused(status)
        case .whole:
            phase = .working
            // Work has limits of its own; no connection is closed in the middle of it.
            deadline = .now + .seconds(600)
            defer { request = WebRequest(bodyLimit: 0) }
            return .request(request)
        }
    }

    private func discard(_ buffer: UnsafeMutableRawBufferPointer) {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR && errno != EWOULDBLOCK) {
            phase = .closed
        } else if count > 0 {
            thrownAway += count
            if thrownAway > 1 << 20 { phase = .closed }
        }
    }

    /// Queues an answer.
    func say(_ answer: WebAnswer) {
        out = answer.bytes
        sent = 0
        staysOpen = answer.isStream
        phase = .answering
        deadline = .now + Self.answerTime
        last = .now + Self.wholeAnswerTime
        write()
    }

    /// Sends an event to a listener; one that reads too slowly is disconnected and connects again.
    func tell(_ event: [UInt8]) {
        guard phase == .streaming else { return }
        guard out.count - sent + event.count <= Self.streamLimit else {
            phase = .closed
            return
        }
        if sent == out.count { deadline = .now + Self.answerTime }
        out = Array(out[sent...]) + event
        sent = 0
        write()
    }

    private func write() {
        while sent < out.count {
            let count = out.withUnsafeBytes { bytes in
                send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, 0)
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN, errno != EWOULDBLOCK { phase = .closed }
                return
            }
            sent += count
            deadline = phase == .answering ? min(last, .now + Self.answerTime) : .now + Self.answerTime
        }
        if staysOpen {
            phase = .streaming
            (out, sent) = ([], 0)
            // A reader that keeps up may stay as long as it likes.
            deadline = .now + .seconds(3600 * 24 * 365)
            return
        }
        guard phase == .answering else { return }
        shutdown(descriptor, Int32(SHUT_WR))
        phase = .leaving
        deadline = .now + .seconds(1)
    }

    /// Ends the phase when its deadline has passed.
    func expire() {
        if phase == .reading, request.hasBegun {
            say(.refused(408, "http.slow", "the request was not complete in time"))
        } else {
            phase = .closed
        }
    }

    /// Closes the connection in any phase.
    func cut() { phase = .closed }
}
