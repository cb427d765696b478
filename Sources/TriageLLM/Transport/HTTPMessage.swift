/// An HTTP request to a server.
package struct HTTPRequest: Sendable, Equatable {
    package enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

    package var method: Method
    /// Absolute, `http` or `https`.
    package var url: String
    /// Sent in this order; values may contain keys, so they are never printed.
    package var headers: [HTTPHeader]
    package var body: [UInt8]
    package var limits: HTTPLimits
    /// Whether to use a new connection, as after a ``TransportFault/Kind/stale`` one.
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

/// Limits on time and bytes for one request.
package struct HTTPLimits: Sendable, Equatable {
    /// Until the connection, including TLS, is established.
    package var connect: Duration = .seconds(5)
    /// From the sent request to the first byte of the answer; the first call of a run gets more, because models load.
    package var firstByte: Duration = .seconds(60)
    /// The longest pause in the middle of an answer.
    package var stall: Duration = .seconds(30)
    /// From the call to its end, including the wait for a connection.
    package var total: Duration = .seconds(120)
    /// The size limit of the decompressed body, in bytes.
    package var bodyBytes = 8 << 20
    /// The size limit of all header lines, in bytes.
    package var headerBytes = 64 << 10

    package init() {}
}

/// A complete answer: every byte that the server announced has arrived.
package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var headers: [HTTPHeader]
    package var body: [UInt8]
    package var elapsed: Duration
    /// How often the request was sent before, on connections that were lost before a byte of an answer.
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

    /// The last value of a header, whose name is matched without regard to case.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.last { $0.name.lowercased() == wanted }?.value
    }
}

/// Why there is no complete answer; contains no address, header or text.
package struct TransportFault: Error, Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The host name cannot be resolved.
        case resolve
        /// Nothing listens at the address, or it does not respond.
        case connect
        /// TLS fails for a reason other than the certificate.
        case tls
        /// The certificate is not trusted; never retried.
        case certificate
        case connectTimeout, firstByteTimeout, stallTimeout, totalTimeout
        /// The connection closed before any byte of an answer.
        case emptyReply
        /// Like ``emptyReply``, on a kept-alive connection: it was probably closed before the request arrived.
        case stale
        /// The answer is incomplete: its headers do not end, or it has fewer bytes than declared.
        case partial
        case send, receive, http2
        /// Not HTTP, or an answer that violates it.
        case malformed
        /// More bytes than ``HTTPLimits`` allow.
        case tooLarge
        /// The address or an option is unusable.
        case unusable
    }

    package var kind: Kind
    /// libcurl's code, for bug reports.
    package var code: Int32
    /// Whether the server may have processed, and billed, the request: all of it was sent.
    package var mayBeBilled: Bool
    /// How often the request was sent again on further connections; 0 unless ``mayBeBilled``.
    package var resent: Int

    package init(_ kind: Kind, code: Int32 = 0, mayBeBilled: Bool = false, resent: Int = 0) {
        self.kind = kind
        self.code = code
        self.mayBeBilled = mayBeBilled
        self.resent = resent
    }

    /// Whether the time limit passed before the answer came.
    package var isTimeout: Bool {
        switch kind {
        case .connectTimeout, .firstByteTimeout, .stallTimeout, .totalTimeout: true
        default: false
        }
    }

    /// Whether the server was reached but did not answer in time.
    var isSlow: Bool { isTimeout && kind != .connectTimeout }

    /// Whether the same request may succeed a moment later.
    package var isTransient: Bool {
        switch kind {
        case .certificate, .tooLarge, .unusable: false
        default: true
        }
    }
}

/// Sends HTTP requests: the outside world for all code that asks a model.
package protocol HTTPTransport: Sendable {
    /// - Throws: ``TransportFault``, or `CancellationError` as soon as the task is cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
