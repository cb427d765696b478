import TriageFormats

/// What a request of Meta, or of anybody else, comes to.
struct DeliveryAnswer: Equatable {
    var status: Int
    var text: String
    /// The line for the spool that has to be on disk before the answer goes out; nil: nothing is stored.
    var line: [UInt8]?

    init(_ status: Int, _ text: String? = nil, line: [UInt8]? = nil) {
        self.status = status
        self.text = text ?? Self.reasons[status] ?? "Error"
        self.line = line
    }

    /// Judges a head before its body is there.
    ///
    /// - Returns: nil when the body is wanted.
    static func refusal(of request: WebRequest) -> DeliveryAnswer? {
        guard request.method.elementsEqual("POST".utf8) else { return nil }
        // A signature that is not there once and whole is none; the body need not be waited for.
        let signatures = request.values(of: "x-hub-signature-256")
        guard signatures.count == 1, signatures[0].count == 71, signatures[0].starts(with: "sha256=".utf8) else {
            return DeliveryAnswer(403)
        }
        return nil
    }

    /// Judges a whole request.
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
        // Meta sends a number; nothing that a browser could take for a page goes back.
        guard let challenge = parameters["hub.challenge"], (1...128).contains(challenge.count),
            challenge.allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "-_.".utf8.contains($0)
            })
        else { return DeliveryAnswer(400) }
        return DeliveryAnswer(200, String(decoding: challenge, as: UTF8.self))
    }

    /// The answer as it goes out; the connection ends with it.
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
