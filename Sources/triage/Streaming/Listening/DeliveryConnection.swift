import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One connection: a request in, an answer out, and the end.
final class DeliveryConnection {
    enum Phase {
        case reading
        /// Its delivery is to be put on disk.
        case storing
        case answering
        /// Answered; what the other side still sends is thrown away, so that the answer is not lost with the connection.
        case leaving
        case closed
    }

    let descriptor: Int32
    let begunAt = ContinuousClock.now
    private(set) var phase = Phase.reading
    /// When the phase is over, done or not.
    private(set) var deadline: ContinuousClock.Instant
    private var request: WebRequest
    private var out: [UInt8] = []
    private var sent = 0
    /// What is put on disk before the answer goes out.
    private(set) var answer: DeliveryAnswer?
    private var thrownAway = 0

    init(descriptor: Int32, settings: DeliverySettings) {
        self.descriptor = descriptor
        deadline = begunAt + settings.requestTime
        request = WebRequest(bodyLimit: settings.bodyLimit)
    }

    deinit { close(descriptor) }

    /// What to wait for.
    var events: Int16 {
        switch phase {
        case .reading, .leaving: Int16(POLLIN)
        case .answering: Int16(POLLOUT)
        case .storing, .closed: 0
        }
    }

    /// Bytes that it holds.
    var weight: Int { request.weight }

    /// Reads what is there.
    ///
    /// - Parameter buffer: room for what is read.
    func read(_ settings: DeliverySettings, _ buffer: UnsafeMutableRawBufferPointer) {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count < 0 {
            if errno != EAGAIN, errno != EINTR, errno != EWOULDBLOCK { phase = .closed }
            return
        }
        if phase == .leaving {
            thrownAway += count
            if count == 0 || thrownAway > 4 * settings.bodyLimit { phase = .closed }
            return
        }
        // Who ends before the request does gets nothing: there is nobody left.
        guard count > 0 else {
            phase = .closed
            return
        }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        switch request.feed(bytes) {
        case nil: break
        case .refused(let status): say(DeliveryAnswer(status))
        case .head:
            if let refusal = DeliveryAnswer.refusal(of: request) {
                say(refusal)
            } else if request.wantsContinue {
                let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                // A socket that has said nothing yet has room for it.
                if send(descriptor, line, line.count, 0) != line.count { phase = .closed }
            }
        case .whole:
            let found = DeliveryAnswer.answer(to: request, secret: settings.secret, token: settings.token)
            if found.line == nil { return say(found) }
            answer = found
            phase = .storing
        }
    }

    /// Answers.
    func say(_ answer: DeliveryAnswer) {
        request = WebRequest(bodyLimit: 0)
        self.answer = nil
        out = answer.bytes
        sent = 0
        phase = .answering
        deadline = .now + .seconds(5)
        write()
    }

    /// Sends what it can.
    func write() {
        while sent < out.count {
            let count = out.withUnsafeBytes { send(descriptor, $0.baseAddress! + sent, $0.count - sent, 0) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN, errno != EWOULDBLOCK { phase = .closed }
                return
            }
            sent += count
        }
        shutdown(descriptor, Int32(SHUT_WR))
        phase = .leaving
        deadline = .now + .seconds(1)
    }

    /// Its time is over.
    func expire() {
        switch phase {
        case .reading where request.hasBegun: say(DeliveryAnswer(408))
        default: phase = .closed
        }
    }

    /// Ends it, whatever it is at.
    func cut() { phase = .closed }
}
