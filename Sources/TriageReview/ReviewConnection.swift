import TriageCore
import TriageRun

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One connection of a browser: a request in, an answer out, and the end; or events, until one side leaves.
final class ReviewConnection {
    enum Phase {
        case reading
        /// Its answer is being made.
        case working
        case answering
        /// Answered, and told of what changes from now on.
        case streaming
        /// Answered; what the other side still sends is thrown away, so that the answer is not lost with the connection.
        case leaving
        case closed
    }

    /// What came in.
    enum Event {
        case request(WebRequest)
        case refused(Int)
    }

    let number: Int
    let descriptor: Int32
    private(set) var phase = Phase.reading
    /// When the phase is over, done or not.
    private(set) var deadline: ContinuousClock.Instant
    private var request: WebRequest
    private var out: [UInt8] = []
    private var sent = 0
    private var staysOpen = false
    /// When an answer has to be out, however it goes on.
    private var last = ContinuousClock.now
    private var thrownAway = 0

    /// From the connection to the end of the body.
    static let requestTime = Duration.seconds(10)
    /// How long an answer may stand still.
    static let answerTime = Duration.seconds(10)
    /// How long an answer may take in all.
    static let wholeAnswerTime = Duration.seconds(60)
    /// Bytes of events that a reader may be behind.
    static let streamLimit = 256 << 10

    init(number: Int, descriptor: Int32, bodyLimit: Int) {
        self.number = number
        self.descriptor = descriptor
        deadline = .now + Self.requestTime
        request = WebRequest(bodyLimit: bodyLimit, methodsWithBody: ["POST", "PUT"])
    }

    deinit { close(descriptor) }

    /// What to wait for.
    var events: Int16 {
        switch phase {
        case .reading, .leaving: Int16(POLLIN)
        case .answering: Int16(POLLOUT)
        case .streaming: sent < out.count ? Int16(POLLIN | POLLOUT) : Int16(POLLIN)
        case .working, .closed: 0
        }
    }

    /// Does what the system says can be done now.
    ///
    /// - Parameter buffer: room for what is read.
    /// - Returns: a request, once it is whole or refused.
    func proceed(_ ready: Int16, _ buffer: UnsafeMutableRawBufferPointer) -> Event? {
        switch phase {
        case .reading: return read(buffer)
        case .leaving, .streaming:
            if ready & Int16(POLLOUT) != 0 { write() }
            if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 { discard(buffer) }
        case .answering: write()
        // Who went away is told by the answer that cannot be sent.
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
                // A socket that has said nothing yet has room for it.
                if send(descriptor, line, line.count, 0) != line.count { phase = .closed }
            }
            return nil
        case .refused(let status): return .refused(status)
        case .whole:
            phase = .working
            // Work has its own limits; nobody is cut off in the middle of it.
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

    /// Answers.
    func say(_ answer: WebAnswer) {
        out = answer.bytes
        sent = 0
        staysOpen = answer.isStream
        phase = .answering
        deadline = .now + Self.answerTime
        last = .now + Self.wholeAnswerTime
        write()
    }

    /// Sends an event to who is told of changes; who reads too slowly is let go and comes again.
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
            // A reader that keeps up may stay for as long as it likes.
            deadline = .now + .seconds(3600 * 24 * 365)
            return
        }
        guard phase == .answering else { return }
        shutdown(descriptor, Int32(SHUT_WR))
        phase = .leaving
        deadline = .now + .seconds(1)
    }

    /// Its time is over.
    func expire() {
        if phase == .reading, request.hasBegun {
            say(.refused(408, "http.slow", "the request was not complete in time"))
        } else {
            phase = .closed
        }
    }

    /// Ends it, whatever it is at.
    func cut() { phase = .closed }
}
