internal import CCurlMulti

/// How a transfer ended, as libcurl and our own checks saw it; decides between an answer and a fault.
///
/// libcurl says "OK" to headers that are cut and to bodies that are cut inside their compression, so its word alone is not
/// enough. Not to be seen: bytes beyond the declared length, which it drops (the answer is then cut text to its reader), and
/// a missing end of an answer that declares no length, where the end of the connection is the end of the answer.
struct TransferEnd: Equatable {
    /// libcurl's result.
    var code: Int32 = 0
    var stop = Stop.none
    var status: Int32 = 200
    /// Sending began.
    var isConnected = true
    var hasWholeHead = true
    var hasWholeBody = true

    /// Why we ended it ourselves.
    enum Stop: Equatable { case none, bodyTooLarge, headTooLarge, badEncoding, noMemory, stale }

    /// nil: a complete answer.
    ///
    /// | libcurl | kind |
    /// |---|---|
    /// | 0 OK, the head whole, the body at its end | an answer |
    /// | 0 OK otherwise, 18 partial file | `partial` |
    /// | 5 and 6 cannot resolve proxy or host | `resolve` |
    /// | 7 cannot connect, 89 no connection, 97 proxy | `connect` |
    /// | 28 timed out | `connectTimeout` before the connection stood, `totalTimeout` after |
    /// | 35 TLS connect, 53, 54, 58, 59, 64, 66, 80, 98 | `tls` |
    /// | 60 not verified, 83 issuer, 90 pinned key, 91 status | `certificate` |
    /// | 52 nothing came | `emptyReply` |
    /// | 55 send, 65 cannot send again | `send` |
    /// | 56 receive | `receive`; `connect` before the connection stood (a proxy says no) |
    /// | 16 and 92 | `http2` |
    /// | 1 HTTP/0.9, 8 weird reply, 61 encoding | `malformed` |
    /// | 23 a callback ended it | `tooLarge` or `malformed`, by what the callback saw |
    /// | 42 before a request would have gone out again | `stale` |
    /// | 27 out of memory, which a header line above 100 kB is called too; 63 and 100 too large | `tooLarge` |
    /// | 3 address, 77 CA file, and all others before the connection stood | `unusable` |
    /// | all others after it | `receive` |
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
        // 100: CURLE_TOO_LARGE, which libcurl has since 8.6.
        case CURLE_OUT_OF_MEMORY, CURLE_FILESIZE_EXCEEDED, CURLcode(rawValue: 100): return .tooLarge
        case CURLE_URL_MALFORMAT, CURLE_SSL_CACERT_BADFILE: return .unusable
        default: return isConnected ? .receive : .unusable
        }
    }
}
