internal import CCurlMulti

/// A libcurl handle with our bookkeeping, reused for successive requests by the thread of ``CurlLoop``.
final class CurlTransfer {
    private let handle: OpaquePointer
    private(set) var call: CurlCall?

    init?(_ options: CurlTransport.Options) {
        let made = ccm_new(options.userAgent, options.caFile, options.isHTTP1Only)
        guard let made else { return nil }
        handle = made
    }

    deinit { ccm_free(handle) }

    /// Starts sending; returns false when the address or an option is unusable.
    ///
    /// - Parameter mayRepeat: whether libcurl may send a request with a body again by itself.
    func start(
        _ call: CurlCall, _ options: CurlTransport.Options, mayRepeat: Bool, tag: Int, multi: UnsafeMutableRawPointer
    ) -> Bool {
        let request = call.request
        guard Self.isUsable(request) else { return false }
        let limits = ccm_limits(
            body_bytes: max(0, request.limits.bodyBytes), head_bytes: max(0, request.limits.headerBytes),
            connect_ms: call.limits.connect / 1_000_000, total_ms: call.limits.total / 1_000_000,
            is_fresh: request.isFresh, may_repeat: mayRepeat || request.method == .get)
        let proxy = options.proxy.proxy(for: request.url, isLoopback: ccm_is_loopback(request.url))
        let isTaken = request.body.withUnsafeBufferPointer {
            ccm_prepare(
                handle, request.method.rawValue, request.url, $0.baseAddress, $0.count, proxy, options.proxy.exceptions,
                limits)
        }
        guard isTaken == 1, addHeaders(request), ccm_start(multi, handle, UInt(tag)) == 1 else { return false }
        self.call = call
        return true
    }

    /// Removes it from `multi`, if it is there; then the handle can be reused.
    func remove(from multi: UnsafeMutableRawPointer) {
        ccm_remove(multi, handle)
        call = nil
    }

    var moments: TransferMoments {
        guard let call else { return TransferMoments() }
        return TransferMoments(asked: call.asked, bodyBytes: call.bodyBytes, ccm_get_moments(handle))
    }

    /// Whether the answer came over HTTP/2.
    var isHTTP2: Bool { ccm_is_http2(handle) }

    /// The result of the transfer after libcurl ended it with `code`.
    func result(code: Int32) -> Result<HTTPResponse, any Error> {
        let moments = moments
        let end = TransferEnd(
            code: code, stop: stop, status: ccm_status(handle), isConnected: moments.ready != 0,
            hasWholeHead: ccm_has_whole_head(handle), hasWholeBody: ccm_has_whole_body(handle))
        if let kind = end.fault {
            return .failure(TransportFault(kind, code: code, mayBeBilled: moments.mayBeBilled, resent: moments.resent))
        }
        var count = 0
        let body = [UInt8](UnsafeRawBufferPointer(start: ccm_body(handle, &count), count: count))
        let fields = ResponseHead.fields(UnsafeRawBufferPointer(start: ccm_head(handle, &count), count: count))
        let elapsed = Duration.nanoseconds(Int64(clamping: ccm_now() &- moments.asked))
        return .success(
            HTTPResponse(
                status: Int(end.status), headers: fields, body: body, elapsed: elapsed, resent: moments.lost))
    }

    private var stop: TransferEnd.Stop {
        switch ccm_get_stop(handle) {
        case CCM_BODY_TOO_LARGE: .bodyTooLarge
        case CCM_HEAD_TOO_LARGE: .headTooLarge
        case CCM_BAD_ENCODING: .badEncoding
        case CCM_NO_MEMORY: .noMemory
        case CCM_STALE: .stale
        default: .none
        }
    }

    private func addHeaders(_ request: HTTPRequest) -> Bool {
        // `Expect` makes libcurl wait a second for servers that do not know it. We decompress answers ourselves,
        // because libcurl does not tell a compressed body that is cut off from a complete one.
        var lines = ["Expect:", "Accept-Encoding: gzip"]
        let hasType = request.headers.contains { $0.name.lowercased() == "content-type" }
        if !hasType { lines.append("Content-Type:") }
        for field in request.headers {
            lines.append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
        }
        return lines.allSatisfy { ccm_add_header(handle, $0) == 1 }
    }

    /// Whether address and headers can be sent unchanged: no byte may start another header or end a C string.
    static func isUsable(_ request: HTTPRequest) -> Bool {
        let scheme = request.url.prefix(8).lowercased()
        guard scheme.hasPrefix("http://") || scheme == "https://" else { return false }
        // Some parsers end the host at a backslash, others do not.
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }) else { return false }
        return request.headers.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(isTokenByte)
                && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
                && (field.value.isEmpty || !field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 })
        }
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// Parses the header lines of one answer.
enum ResponseHead {
    /// The fields between the status line and the empty line, in the server's order; invalid lines are left out.
    ///
    /// A line that begins with a blank continues the value before it, as in the folding of old servers.
    static func fields(_ bytes: UnsafeRawBufferPointer) -> [HTTPHeader] {
        var found: [HTTPHeader] = []
        var rest = bytes[...]
        var isStatusLine = true
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = trimmed(rest[rest.startIndex..<end])
            let isFolded = rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t")
            rest = rest[(end + 1)...]
            defer { isStatusLine = false }
            if isStatusLine || line.isEmpty { continue }
            if isFolded {
                if !found.isEmpty { found[found.count - 1].value += " " + String(decoding: line, as: UTF8.self) }
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            found.append(
                HTTPHeader(
                    String(decoding: trimmed(line[line.startIndex..<colon]), as: UTF8.self),
                    String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)))
        }
        return found
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes
        while let first = bytes.first, isBlank(first) { bytes = bytes.dropFirst() }
        while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
        return bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}

/// When a transfer reached its phases, in nanoseconds of the monotonic clock; 0: not yet.
struct TransferMoments: Equatable {
    /// When the transfer was requested.
    var asked: UInt64 = 0
    var connecting: UInt64 = 0
    /// When the connection was established and sending began.
    var ready: UInt64 = 0
    /// When body bytes last moved.
    var moved: UInt64 = 0
    var isSent = false
    var firstByte: UInt64 = 0
    var lastByte: UInt64 = 0
    /// Earlier attempts, on connections that turned out to be dead.
    var lost = 0

    /// The first moment at which a limit is exceeded, and which limit.
    func deadline(_ limits: TransferLimits) -> (moment: UInt64, kind: TransportFault.Kind) {
        let total = (asked &+ limits.total, TransportFault.Kind.totalTimeout)
        let phase: (UInt64, TransportFault.Kind)
        if firstByte != 0 {
            phase = (lastByte &+ limits.stall, .stallTimeout)
        } else if ready != 0, isSent {
            phase = (max(ready, moved) &+ limits.firstByte, .firstByteTimeout)
        } else if ready != 0 {
            phase = (max(ready, moved) &+ limits.stall, .stallTimeout)
        } else if connecting != 0 {
            phase = (connecting &+ limits.connect, .connectTimeout)
        } else {
            return total
        }
        return phase.0 < total.0 ? phase : total
    }

    /// How often a server may have read the whole request; if in doubt, it counts.
    var sends: Int { lost + ((ready != 0 && isSent) || firstByte != 0 ? 1 : 0) }
    var mayBeBilled: Bool { sends > 0 }
    var resent: Int { max(0, sends - 1) }
}

extension TransferMoments {
    init(asked: UInt64, bodyBytes: Int, _ moments: ccm_moments) {
        self.init(
            asked: asked, connecting: moments.connecting, ready: moments.ready, moved: moments.sent,
            isSent: moments.sent_bytes >= bodyBytes, firstByte: moments.first_byte, lastByte: moments.last_byte,
            lost: Int(moments.lost))
    }
}

/// The times of ``HTTPLimits`` in nanoseconds, limited so that they can be added to a moment.
struct TransferLimits {
    var connect: UInt64
    var firstByte: UInt64
    var stall: UInt64
    var total: UInt64

    init(_ limits: HTTPLimits) {
        connect = Self.nanoseconds(limits.connect)
        firstByte = Self.nanoseconds(limits.firstByte)
        stall = Self.nanoseconds(limits.stall)
        total = Self.nanoseconds(limits.total)
    }

    static func nanoseconds(_ duration: Duration) -> UInt64 {
        let parts = duration.components
        // Thirty years: added to the clock's value, this stays far below 2^64.
        guard parts.seconds < 1_000_000_000 else { return 1_000_000_000_000_000_000 }
        guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 0 }
        return UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
    }
}

/// How a transfer ended according to libcurl and our own checks; decides between an answer and a fault.
///
/// libcurl also reports "OK" when the headers are cut off, or when a body is cut off inside its compression, so its
/// result alone is not enough. Two cases cannot be detected: bytes beyond the declared length, which libcurl drops (the
/// reader then sees truncated text), and a missing end of an answer without a declared length, which ends with the
/// connection.
struct TransferEnd: Equatable {
    /// libcurl's result.
    var code: Int32 = 0
    var stop = Stop.none
    var status: Int32 = 200
    /// Whether sending began.
    var isConnected = true
    var hasWholeHead = true
    var hasWholeBody = true

    /// Why we ended the transfer ourselves.
    enum Stop: Equatable { case none, bodyTooLarge, headTooLarge, badEncoding, noMemory, stale }

    /// nil: a complete answer.
    ///
    /// libcurl says "out of memory" for a header line above 100 kB too, and "receive" where a proxy says no.
    var fault: TransportFault.Kind? {
        switch stop {
        case .bodyTooLarge, .headTooLarge, .noMemory: return .tooLarge
        case .badEncoding: return .malformed
        case .stale: return .stale
        case .none: break
        }
        switch CURLcode(rawValue: UInt32(bitPattern: code)) {
        case CURLE_OK: return hasWholeHead && hasWholeBody && status >= 200 ? nil : .partial
        case CURLE_PARTIAL_FILE: return .partial
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .resolve
        case CURLE_COULDNT_CONNECT, CURLE_NO_CONNECTION_AVAILABLE, CURLE_PROXY: return .connect
        case CURLE_OPERATION_TIMEDOUT: return isConnected ? .totalTimeout : .connectTimeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_SSL_CLIENTCERT:
            return .tls
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS:
            return .certificate
        case CURLE_GOT_NOTHING: return .emptyReply
        case CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND: return .send
        case CURLE_RECV_ERROR: return isConnected ? .receive : .connect
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: return .http2
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            return .malformed
        // 100: CURLE_TOO_LARGE, which exists since libcurl 8.6.
        case CURLE_OUT_OF_MEMORY, CURLE_FILESIZE_EXCEEDED, CURLcode(rawValue: 100): return .tooLarge
        case CURLE_URL_MALFORMAT, CURLE_SSL_CACERT_BADFILE: return .unusable
        default: return isConnected ? .receive : .unusable
        }
    }
}
