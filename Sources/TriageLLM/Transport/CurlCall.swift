internal import CCurlMulti
internal import Synchronization

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
