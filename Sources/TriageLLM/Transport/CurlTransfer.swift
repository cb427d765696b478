internal import CCurlMulti

/// A handle of libcurl with our bookkeeping, used for one request after the other; belongs to the thread of ``CurlLoop``.
final class CurlTransfer {
    private let handle: OpaquePointer
    private(set) var call: CurlCall?

    init?(_ options: CurlTransport.Options) {
        let made = ccm_new(options.userAgent, options.caFile, options.isHTTP1Only)
        guard let made else { return nil }
        handle = made
    }

    deinit { ccm_free(handle) }

    /// Begins to send; false: the address or an option is of no use.
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

    /// Takes it out of `multi`, if it is in; the handle is free again.
    func remove(from multi: UnsafeMutableRawPointer) {
        ccm_remove(multi, handle)
        call = nil
    }

    var moments: TransferMoments {
        guard let call else { return TransferMoments() }
        return TransferMoments(asked: call.asked, bodyBytes: call.bodyBytes, ccm_get_moments(handle))
    }

    /// Whether the answer that came, came over HTTP/2.
    var isHTTP2: Bool { ccm_is_http2(handle) }

    /// What the transfer came to, when libcurl ended it with `code`.
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
        // `Expect` makes libcurl wait a second for servers that do not know it. Encodings are ours to undo, since libcurl does
        // not tell a compressed body that is cut from a whole one.
        var lines = ["Expect:", "Accept-Encoding: gzip"]
        let hasType = request.headers.contains { $0.name.lowercased() == "content-type" }
        if !hasType { lines.append("Content-Type:") }
        for field in request.headers {
            lines.append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
        }
        return lines.allSatisfy { ccm_add_header(handle, $0) == 1 }
    }

    /// Whether address and headers can be sent as they stand: no byte may begin another header or cut a string of C.
    static func isUsable(_ request: HTTPRequest) -> Bool {
        let scheme = request.url.prefix(8).lowercased()
        guard scheme.hasPrefix("http://") || scheme == "https://" else { return false }
        // A backslash ends the host for some readers and not for others.
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
