import Testing

@testable import TriageRun

/// The reader of HTTP requests: the same whatever pieces come in, and unharmed by any bytes.
@Suite struct `A request that comes in pieces` {
    private static let limit = 64

    private static let requests = [
        "POST /a?b=c HTTP/1.1\r\nX-Hub-Signature-256: sha256=00\r\nContent-Length: 5\r\n\r\nhello",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello more",
        "GET /?hub.mode=subscribe&hub.challenge=%31 HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 65\r\n\r\n", "POST / HTTP/1.1\r\n\r\n", "G\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET / HTTP/1.1\nHost: x\n\n\r\n\r\n",
    ]

    /// What the last word was, and what was read.
    private func read(_ pieces: [ArraySlice<UInt8>]) -> (WebRequest.Outcome?, WebRequest) {
        var request = WebRequest(bodyLimit: Self.limit)
        var last: WebRequest.Outcome?
        for piece in pieces {
            guard let outcome = request.feed(piece) else { continue }
            last = outcome
            if outcome != .head { break }
        }
        return (last, request)
    }

    @Test(arguments: requests)
    func `a request is the same in one piece, in bytes, and cut anywhere`(text: String) {
        let bytes = Array(text.utf8)
        let (whole, request) = read([bytes[...]])
        let cuts = bytes.indices.map { [bytes[..<$0], bytes[$0...]] } + [bytes.indices.map { bytes[$0...$0] }]
        for pieces in cuts {
            let (outcome, other) = read(pieces)
            #expect(outcome == whole)
            #expect(other.body == request.body && other.headers == request.headers && other.target == request.target)
        }
    }

    /// Heads that two readers could take differently, and one that never ends.
    @Test(arguments: [
        "GET / HTTP/1.1\n", "GET / HTTP/1.1\nHost: x\n\n", "GET / HTTP/1.1\r\nHost: x\n",
        "GET / HTTP/1.1\r\nHost: x\n\n",
        "GET / HTTP/1.1\r\nHost: x\ry\r\n", "GET / HTTP/1.1\rX: y", "\nGET / HTTP/1.1\r\n",
        "\r\nGET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", "GET / HTTP/1.1\r\nA : b\r\n\r\n", "GET / HTTP/1.1\r\nA\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx",
        "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\nx", "POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\nx",
        "POST / HTTP/1.1\r\nContent-Length: 0x1\r\n\r\nx", "GET / HTTP/1.1\r\nA: b\u{0}\r\n\r\n",
    ])
    func `a head that could be read in two ways is refused at once, and not waited for`(text: String) {
        let bytes = Array(text.utf8)
        #expect(read([bytes[...]]).0 == .refused(400))
        #expect(read(bytes.indices.map { bytes[$0...$0] }).0 == .refused(400))
    }

    @Test(arguments: 0..<200)
    func `no bytes do harm, and what is taken is never more than was allowed`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = Array((Self.requests.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 3))
            }
        }
        var (outcome, request) = read([bytes[...]])
        #expect(request.body.count <= Self.limit && request.body.count <= bytes.count)
        if case .refused(let status)? = outcome { #expect([400, 411, 413, 431, 505].contains(status)) }
        _ = request.parameters
        _ = DeliveryAnswer.answer(to: request, secret: [1], token: [2]).bytes
        outcome = request.feed(bytes[...])
        #expect(request.body.count <= Self.limit)
    }

    @Test(arguments: [
        ("8080", "127.0.0.1", 8080), ("localhost:1", "127.0.0.1", 1), ("127.1.2.3:0", "127.1.2.3", 0),
        ("[::1]:80", "::1", 80), ("0.0.0.0:80", "0.0.0.0", 80),
    ])
    func `an address is read`(text: String, host: String, port: UInt16) {
        let address = ListenAddress(text)
        #expect(address?.host == host && address?.port == port)
        #expect(address?.isLoopback == (host != "0.0.0.0"))
    }

    @Test(arguments: [
        "", ":", "x:1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "1:2:3", "-1", "+1", "[::1]",
    ])
    func `what is no address is refused`(text: String) { #expect(ListenAddress(text) == nil) }
}
