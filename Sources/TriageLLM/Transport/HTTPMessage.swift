/// One request to a server.
package struct HTTPRequest: Sendable, Equatable {
    package enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

    package var method: Method
    /// Absolute, `http` or `https`.
    package var url: String
    /// Sent in this order; values hold keys, so they are never printed.
    package var headers: [HTTPHeader]
    package var body: [UInt8]
    package var limits: HTTPLimits
    /// Whether it goes out on a connection of its own: what follows a ``TransportFault/Kind/stale`` one.
    package var isFresh = false

    package init(
        _ method: Method = .post, _ url: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
        limits: HTTPLimits = HTTPLimits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
    }
}

/// A header field; names are compared without regard to case.
package struct HTTPHeader: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What one request may cost in time and bytes.
package struct HTTPLimits: Sendable, Equatable {
    /// Until the connection (with TLS) stands.
    package var connect: Duration = .seconds(5)
    /// From the sent request to the first byte of the answer; the first call of a run is given more, for models load.
    package var firstByte: Duration = .seconds(60)
    /// Without a byte in mid-answer.
    package var stall: Duration = .seconds(30)
    /// From the call to its end, waiting for a connection included.
    package var total: Duration = .seconds(120)
    /// Bytes of the answer after decompression.
    package var bodyBytes = 8 << 20
    /// Bytes of all header lines.
    package var headerBytes = 64 << 10

    package init() {}
}

/// A complete answer: every byte that the server promised came.
package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var headers: [HTTPHeader]
    package var body: [UInt8]
    package var elapsed: Duration
    /// How often the request went out before, on connections that were lost before a byte of an answer.
    package var resent: Int

    package init(
        status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], elapsed: Duration = .zero, resent: Int = 0
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.elapsed = elapsed
        self.resent = resent
    }

    /// The last value of a field, by its name in any case.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.last { $0.name.lowercased() == wanted }?.value
    }
}

/// Why no complete answer came; holds no address, header or text of anybody's.
package struct TransportFault: Error, Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The name does not resolve.
        case resolve
        /// Nothing listens, or it does not answer.
        case connect
        /// TLS fails for another reason than the certificate.
        case tls
        /// The certificate is not trusted: never tried again.
        case certificate
        case connectTimeout, firstByteTimeout, stallTimeout, totalTimeout
        /// The connection closed before any byte of an answer.
        case emptyReply
        /// As ``emptyReply``, of a connection that had been kept open: likely it was closed before the request came.
        case stale
        /// The answer is cut: headers without their end, or fewer bytes than declared.
        case partial
        case send, receive, http2
        /// Not HTTP at all, or an answer that breaks it.
        case malformed
        /// More bytes than ``HTTPLimits`` allow.
        case tooLarge
        /// The address or an option is of no use.
        case unusable
    }

    package var kind: Kind
    /// libcurl's code, for bug reports.
    package var code: Int32
    /// Whether the server may have worked, and billed: the whole request went out.
    package var mayBeBilled: Bool
    /// How often the request went out beyond the first time, on further connections; 0 unless ``mayBeBilled``.
    package var resent: Int

    package init(_ kind: Kind, code: Int32 = 0, mayBeBilled: Bool = false, resent: Int = 0) {
        self.kind = kind
        self.code = code
        self.mayBeBilled = mayBeBilled
        self.resent = resent
    }

    /// Whether the time was over before the answer came.
    package var isTimeout: Bool {
        switch kind {
        case .connectTimeout, .firstByteTimeout, .stallTimeout, .totalTimeout: true
        default: false
        }
    }

    /// Whether the server was there and did not answer in time.
    var isSlow: Bool { isTimeout && kind != .connectTimeout }

    /// Whether the same request may succeed a moment later.
    package var isTransient: Bool {
        switch kind {
        case .certificate, .tooLarge, .unusable: false
        default: true
        }
    }
}

/// Sends requests; the outside world of everything that asks a model.
package protocol HTTPTransport: Sendable {
    /// - Throws: ``TransportFault``, or `CancellationError` as soon as the task is cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
