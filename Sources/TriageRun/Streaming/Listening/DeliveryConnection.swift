import Platform
import TriageCore
import TriageFormats

/// One connection: it reads one request, sends one answer, and closes.
final class DeliveryConnection {
    enum Phase {
        case reading
        /// The delivery is waiting to be written to disk.
        case storing
        case answering
        /// Answered. Whatever the other side still sends is discarded, because closing at once could lose the answer.
        case leaving
        case closed
    }

    let descriptor: Int32
    let begunAt = ContinuousClock.now
    private(set) var phase = Phase.reading
    /// When the phase ends, finished or not.
    private(set) var deadline: ContinuousClock.Instant
    private var request: WebRequest
    private var out: [UInt8] = []
    private var sent = 0
    /// The answer whose delivery must be on disk before it is sent.
    private(set) var answer: DeliveryAnswer?
    private var thrownAway = 0

    init(descriptor: Int32, settings: DeliverySettings) {
        self.descriptor = descriptor
        deadline = begunAt + settings.requestTime
        request = WebRequest(bodyLimit: settings.bodyLimit)
    }

    deinit { close(descriptor) }

    /// The poll events to wait for.
    var events: Int16 {
        switch phase {
        case .reading, .leaving: Int16(POLLIN)
        case .answering: Int16(POLLOUT)
        case .storing, .closed: 0
        }
    }

    /// The number of bytes it holds.
    var weight: Int { request.weight }

    /// Reads the bytes that are available.
    ///
    /// - Parameter buffer: room for the bytes.
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
        // A client that closes before its request is complete gets no answer: nobody is there to read it.
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
                // Nothing has been sent on this socket yet, so its buffer has room for the line.
                if send(descriptor, line, line.count, 0) != line.count { phase = .closed }
            }
        case .whole:
            let found = DeliveryAnswer.answer(to: request, secret: settings.secret, token: settings.token)
            if found.line == nil { return say(found) }
            answer = found
            phase = .storing
        }
    }

    /// Queues an answer.
    func say(_ answer: DeliveryAnswer) {
        request = WebRequest(bodyLimit: 0)
        self.answer = nil
        out = answer.bytes
        sent = 0
        phase = .answering
        deadline = .now + .seconds(5)
        write()
    }

    /// Sends as much as the socket takes.
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

    /// Ends the phase when its deadline has passed.
    func expire() {
        switch phase {
        case .reading where request.hasBegun: say(DeliveryAnswer(408))
        default: phase = .closed
        }
    }

    /// Closes the connection in any phase.
    func cut() { phase = .closed }
}

/// The answer to a request from Meta, or from anybody else.
struct DeliveryAnswer: Equatable {
    var status: Int
    var text: String
    /// The spool line that must be on disk before the answer is sent; nil: nothing is stored.
    var line: [UInt8]?

    init(_ status: Int, _ text: String? = nil, line: [UInt8]? = nil) {
        self.status = status
        self.text = text ?? Self.reasons[status] ?? "Error"
        self.line = line
    }

    /// Checks the head before the body has arrived.
    ///
    /// - Returns: nil when the body should be read.
    static func refusal(of request: WebRequest) -> DeliveryAnswer? {
        guard request.method.elementsEqual("POST".utf8) else { return nil }
        // A signature that is missing, repeated or incomplete is invalid, so there is no need to wait for the body.
        let signatures = request.values(of: "x-hub-signature-256")
        guard signatures.count == 1, signatures[0].count == 71, signatures[0].starts(with: "sha256=".utf8) else {
            return DeliveryAnswer(403)
        }
        return nil
    }

    /// Answers a complete request.
    static func answer(to request: WebRequest, secret: [UInt8], token: [UInt8]) -> DeliveryAnswer {
        if let refusal = refusal(of: request) { return refusal }
        switch String(decoding: request.method, as: UTF8.self) {
        case "GET": return handshake(request, token)
        case "POST":
            let signature = request.values(of: "x-hub-signature-256")[0]
            guard MetaDelivery.isSigned(request.body, signature: signature, secret: secret) else {
                return DeliveryAnswer(403)
            }
            guard let line = MetaDelivery.envelope(body: request.body, signature: signature) else {
                return DeliveryAnswer(400)
            }
            return DeliveryAnswer(200, "EVENT_RECEIVED", line: line)
        default: return DeliveryAnswer(405)
        }
    }

    private static func handshake(_ request: WebRequest, _ token: [UInt8]) -> DeliveryAnswer {
        guard let parameters = request.parameters, parameters["hub.mode"] == Array("subscribe".utf8),
            MetaDelivery.isToken(parameters["hub.verify_token"] ?? [], token)
        else { return DeliveryAnswer(403) }
        // Meta sends a number. Nothing that a browser could take for a page is sent back.
        guard let challenge = parameters["hub.challenge"], (1...128).contains(challenge.count),
            challenge.allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "-_.".utf8.contains($0)
            })
        else { return DeliveryAnswer(400) }
        return DeliveryAnswer(200, String(decoding: challenge, as: UTF8.self))
    }

    /// The answer as sent; the connection closes after it.
    var bytes: [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Error")\r\n"
        head += "Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
        head += "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n"
        if status == 405 { head += "Allow: GET, POST\r\n" }
        if status == 503 { head += "Retry-After: 5\r\n" }
        return Array((head + "\r\n" + text).utf8)
    }

    private static let reasons = [
        200: "OK", 400: "Bad Request", 403: "Forbidden", 405: "Method Not Allowed", 408: "Request Timeout",
        411: "Length Required", 413: "Content Too Large", 431: "Request Header Fields Too Large",
        503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}
