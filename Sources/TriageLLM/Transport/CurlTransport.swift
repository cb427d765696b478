internal import CCurlMulti
internal import Synchronization

/// Sends requests with libcurl: many at a time, from one thread of its own.
///
/// Promises: every `send` ends, by an answer, a ``TransportFault`` or a cancellation, no later than its total limit; an answer
/// is complete as far as HTTP lets a client see it (``TransferEnd`` names the gaps); memory of an answer is bounded by
/// ``HTTPLimits``; no redirect is followed, so that a key never travels to another host; loopback never goes through a
/// proxy; no fault holds an address, a header or text.
///
/// A `POST` goes out once: where a connection that was kept open turns out to be dead before a byte of the answer came,
/// libcurl would send the request on another one, unseen and uncounted, so it is kept from that and the request ends as
/// `stale`. To keep that rare, connections idle for four seconds are not used again (llama.cpp closes them after five).
/// HTTP/2 is the exception: the streams that a server takes no more of before it closes (GOAWAY) do go out again, but not
/// all when more than some thirty were waiting: those end as `receive` or `http2`, which callers may send again.
///
/// Nothing is started before the first `send`. The thread ends with ``close()`` or when the transport goes away.
package final class CurlTransport: HTTPTransport {
    /// How a transport speaks to all servers.
    package struct Options: Sendable, Equatable {
        /// Connections to one host at a time, at least 1.
        ///
        /// Further requests wait, and their total limit runs. Over HTTP/2 many requests share a connection.
        package var maxConnectionsPerHost = 32
        /// PEM file of the certificate authorities to trust in place of the system's.
        package var caFile: String?
        /// Never HTTP/2; plain `http` never has it.
        package var isHTTP1Only = false
        /// Such as `triage/0.1.0`.
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
    /// A `GET` carries no body. Header fields are sent as given; without a `content-type` none is sent.
    ///
    /// - Throws: ``TransportFault``, or `CancellationError` at once when the task is cancelled; the server may have begun to
    ///   work, and to bill, by then.
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

    /// Ends the thread and all connections; whoever waits, or sends later, gets a fault of kind `unusable`.
    ///
    /// Waits for the thread's end, some milliseconds: a program that exits while TLS is at work may crash.
    package func close() {
        loop.close(isWaiting: true)
    }

    /// Whether an absolute address names this machine by its spelling: 127/8, `::1`, `localhost` and names below it.
    package static func isLoopback(_ url: String) -> Bool {
        CurlTransfer.isUsable(HTTPRequest(.get, url)) && ccm_is_loopback(url)
    }
}

/// One waiting caller: its request, and the continuation that is resumed exactly once, by whoever is first.
final class CurlCall: Sendable {
    let request: HTTPRequest
    let limits: TransferLimits
    /// Bytes of the body that goes out; a `GET` carries none.
    let bodyBytes: Int
    /// When it was asked for, in nanoseconds of the monotonic clock.
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

    /// Takes the continuation; false, with the continuation resumed, when the call was cancelled before.
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

/// Which proxy requests take, by the variables that curl and most programs read.
///
/// The variables are read once and here, not by libcurl: reading the environment from another thread while the program sets
/// a variable is not safe. Loopback never goes through a proxy, whatever they say.
package struct ProxySettings: Sendable, Equatable {
    /// For `http` addresses: `scheme://[user:password@]host[:port]`; nil: direct.
    ///
    /// May hold a secret: never printed.
    package var http: String?
    /// For `https` addresses.
    package var https: String?
    /// Hosts that are asked directly: names with all below them, addresses, networks, or `*`; commas between.
    package var exceptions: String

    package init(http: String? = nil, https: String? = nil, exceptions: String = "") {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// No proxy at all.
    package static let none = ProxySettings()

    /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, of which the lower case wins.
    ///
    /// `HTTP_PROXY` is not read: a web server sets it from a header of a stranger (CVE-2016-5385).
    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        http = value("http_proxy") ?? all
        https = value("https_proxy", "HTTPS_PROXY") ?? all
        exceptions = value("no_proxy", "NO_PROXY") ?? ""
    }

    /// The proxy of an absolute address; empty: none, which libcurl too takes for none.
    func proxy(for url: String, isLoopback: Bool) -> String {
        if isLoopback { return "" }
        return (url.prefix(6).lowercased() == "https:" ? https : http) ?? ""
    }
}
