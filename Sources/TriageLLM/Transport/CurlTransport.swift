internal import CCurlMulti
internal import Synchronization

/// Sends requests with libcurl: many at a time, from one thread of its own.
///
/// Guarantees:
/// - Every `send` ends with an answer, a ``TransportFault`` or a cancellation, no later than its total limit.
/// - An answer is complete, as far as HTTP lets a client tell (``TransferEnd`` names the gaps).
/// - ``HTTPLimits`` limits the memory of an answer.
/// - No redirect is followed, so a key never travels to another host.
/// - Requests to loopback addresses never go through a proxy.
/// - No fault contains an address, a header or text.
///
/// A `POST` is sent once. If a kept-alive connection turns out to be dead before a byte of the answer came, libcurl
/// would send the request on another connection, unseen and uncounted. This is prevented, and the request ends as
/// `stale`. To keep that rare, connections that were idle for four seconds are not reused (llama.cpp closes them after
/// five). HTTP/2 is the exception: requests that a server did not accept before closing (GOAWAY) are sent again, except
/// some when more than about thirty were waiting. Those end as `receive` or `http2`, which callers may retry.
///
/// Nothing is started before the first `send`. The thread ends with ``close()`` or when the transport is deallocated.
package final class CurlTransport: HTTPTransport {
    /// Options for all requests of a transport.
    package struct Options: Sendable, Equatable {
        /// The maximum number of connections to one host, at least 1.
        ///
        /// Further requests wait, while their total limit runs. Over HTTP/2, many requests share a connection.
        package var maxConnectionsPerHost = 32
        /// A PEM file of certificate authorities to trust instead of the system's.
        package var caFile: String?
        /// Disables HTTP/2; plain `http` never uses it.
        package var isHTTP1Only = false
        /// The user agent, such as `triage/0.1.0`.
        package var userAgent = "triage"
        package var proxy = ProxySettings.none

        package init() {}
    }

    let loop: CurlLoop

    package init(_ options: Options = Options()) {
        loop = CurlLoop(options)
    }

    deinit { loop.close(isWaiting: false) }

    /// Sends `request` and waits for the whole answer.
    ///
    /// A `GET` has no body. Headers are sent as given; `content-type` is not added.
    ///
    /// - Throws: ``TransportFault``, or `CancellationError` as soon as the task is cancelled; by then, the server may
    ///   have started to work, and to bill.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let call = CurlCall(request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if call.wait(with: continuation) { loop.submit(call) }
            }
        } onCancel: {
            call.end(.failure(CancellationError()))
            loop.cancel(call)
        }
    }

    /// Ends the thread and all connections; current and later callers get a fault of kind `unusable`.
    ///
    /// It waits some milliseconds for the thread to end, because a program that exits during TLS work may crash.
    package func close() {
        loop.close(isWaiting: true)
    }

    /// Whether an absolute address names this machine by its spelling: 127/8, `::1`, `localhost` and names below it.
    package static func isLoopback(_ url: String) -> Bool {
        CurlTransfer.isUsable(HTTPRequest(.get, url)) && ccm_is_loopback(url)
    }
}

/// One waiting caller: its request, and the continuation, which is resumed exactly once, by whoever comes first.
final class CurlCall: Sendable {
    let request: HTTPRequest
    let limits: TransferLimits
    /// The size of the request body in bytes; a `GET` has none.
    let bodyBytes: Int
    /// When the request was made, in nanoseconds of the monotonic clock.
    let asked: UInt64

    private enum State {
        case new
        case waiting(CheckedContinuation<HTTPResponse, any Error>)
        case ended
    }
    private let state = Mutex(State.new)

    init(_ request: HTTPRequest) {
        self.request = request
        limits = TransferLimits(request.limits)
        bodyBytes = request.method == .get ? 0 : request.body.count
        asked = ccm_now()
    }

    /// Stores the continuation; returns false, after resuming it, when the call was cancelled before.
    func wait(with continuation: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: CancellationError()) }
        return isNew
    }

    var isEnded: Bool {
        state.withLock { state in
            if case .ended = state { true } else { false }
        }
    }

    func end(_ result: Result<HTTPResponse, any Error>) {
        let continuation: CheckedContinuation<HTTPResponse, any Error>? = state.withLock { state in
            defer { state = .ended }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume(with: result)
    }
}

/// The proxies of requests, from the variables that curl and most programs read.
///
/// The variables are read once and here, not by libcurl, because reading the environment is unsafe while another thread
/// sets a variable. Requests to loopback addresses never go through a proxy, whatever the variables say.
package struct ProxySettings: Sendable, Equatable {
    /// For `http` addresses: `scheme://[user:password@]host[:port]`; nil: direct.
    ///
    /// It may contain a secret and is never printed.
    package var http: String?
    /// For `https` addresses.
    package var https: String?
    /// Hosts without a proxy, separated by commas: names including those below them, addresses, networks, or `*`.
    package var exceptions: String

    package init(http: String? = nil, https: String? = nil, exceptions: String = "") {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// No proxy at all.
    package static let none = ProxySettings()

    /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; lower case takes precedence.
    ///
    /// `HTTP_PROXY` is ignored, because a web server sets it from a stranger's header (CVE-2016-5385).
    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        http = value("http_proxy") ?? all
        https = value("https_proxy", "HTTPS_PROXY") ?? all
        exceptions = value("no_proxy", "NO_PROXY") ?? ""
    }

    /// The proxy for an absolute address; empty: none, which libcurl understands too.
    func proxy(for url: String, isLoopback: Bool) -> String {
        if isLoopback { return "" }
        return (url.prefix(6).lowercased() == "https:" ? https : http) ?? ""
    }
}
