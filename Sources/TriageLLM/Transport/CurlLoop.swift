internal import CCurlMulti
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The thread that owns libcurl's multi handle, and the queue through which all other threads use it.
///
/// Other threads only append to the queue and call `curl_multi_wakeup`, the only call that libcurl allows them.
final class CurlLoop: Sendable {
    private struct Queue {
        var incoming: [CurlCall] = []
        var cancelled: [CurlCall] = []
        var isClosed = false
        /// nil before the first call and after the thread has ended.
        var multi: Multi?
        var thread: pthread_t?
    }

    private struct Multi: @unchecked Sendable {
        // Safe: the owner thread does everything with it; others only wake it, under the queue's lock and while it
        // exists.
        let handle: UnsafeMutableRawPointer
    }

    private let options: CurlTransport.Options
    private let queue = Mutex(Queue())

    /// libcurl's global initialization, once per process and before any thread of ours.
    private static let isReady = ccm_global_init() == 1

    init(_ options: CurlTransport.Options) {
        self.options = options
    }

    /// Passes `call` to the thread, which the first call starts; a call that cannot be accepted ends with a fault.
    func submit(_ call: CurlCall) {
        let isTaken = queue.withLock { queue in
            guard !queue.isClosed, queue.multi != nil || start(&queue) else { return false }
            queue.incoming.append(call)
            wake(queue)
            return true
        }
        if !isTaken { call.end(.failure(TransportFault(.unusable, code: Int32(CURLE_FAILED_INIT.rawValue)))) }
    }

    /// Stops the transfer of `call`, whose caller has already been told.
    func cancel(_ call: CurlCall) {
        queue.withLock { queue in
            guard !queue.isClosed, queue.multi != nil else { return }
            queue.cancelled.append(call)
            wake(queue)
        }
    }

    func close(isWaiting: Bool) {
        let thread: pthread_t? = queue.withLock { queue in
            queue.isClosed = true
            wake(queue)
            defer { queue.thread = nil }
            return queue.thread
        }
        guard let thread else { return }
        if isWaiting, pthread_equal(thread, pthread_self()) == 0 {
            pthread_join(thread, nil)
        } else {
            pthread_detach(thread)
        }
    }

    private func wake(_ queue: borrowing Queue) {
        if let multi = queue.multi { curl_multi_wakeup(multi.handle) }
    }

    private func start(_ queue: inout Queue) -> Bool {
        guard Self.isReady, let handle = ccm_multi_new(max(1, options.maxConnectionsPerHost)) else { return false }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let kept = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                #if canImport(Darwin)
                    let kept = Unmanaged<CurlLoop>.fromOpaque(context)
                #else
                    guard let context else { return nil }
                    let kept = Unmanaged<CurlLoop>.fromOpaque(context)
                #endif
                // Signals are for the program's other threads; a lost connection must not raise one here.
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                kept.takeRetainedValue().run()
                return nil
            }, kept.toOpaque())
        guard code == 0 else {
            kept.release()
            curl_multi_cleanup(handle)
            return false
        }
        queue.multi = Multi(handle: handle)
        queue.thread = thread
        return true
    }

    // MARK: The owner thread

    private func run() {
        guard let multi = queue.withLock({ $0.multi }) else { return }
        var transfers = CurlTransfers(multi: multi.handle, options: options)
        while true {
            let (incoming, cancelled, isClosed) = queue.withLock { queue in
                defer {
                    queue.incoming.removeAll(keepingCapacity: true)
                    queue.cancelled.removeAll(keepingCapacity: true)
                }
                return (queue.incoming, queue.cancelled, queue.isClosed)
            }
            for call in incoming { transfers.start(call) }
            if isClosed { break }
            for call in cancelled { transfers.drop(call) }
            ccm_perform(multi.handle)
            transfers.finishDone()
            ccm_poll(multi.handle, transfers.endOverdue(at: ccm_now()))
        }
        transfers.endAll()
        queue.withLock { $0.multi = nil }
        curl_multi_cleanup(multi.handle)
    }
}

/// The active transfers, and idle handles for the next ones; used only by the thread of ``CurlLoop``.
struct CurlTransfers {
    private let multi: UnsafeMutableRawPointer
    private let options: CurlTransport.Options
    /// Transfers by tag; nil: the tag is free.
    private var working: [CurlTransfer?] = []
    private var freeTags: [Int] = []
    private var tags: [ObjectIdentifier: Int] = [:]
    private var idle: [CurlTransfer] = []
    /// Whether the last answer came over HTTP/2.
    ///
    /// With HTTP/2, a request that libcurl sends again is usually one that the server did not accept (RFC 9113, 8.7),
    /// and many are sent again at a time.
    private var speaksHTTP2 = false

    /// The number of idle handles that are kept; each takes some kilobytes.
    private static let mostIdle = 64
    /// The time in milliseconds after which the thread checks its state even if nothing is due.
    private static let longestWait: UInt64 = 1_000

    init(multi: UnsafeMutableRawPointer, options: CurlTransport.Options) {
        self.multi = multi
        self.options = options
    }

    mutating func start(_ call: CurlCall) {
        // The call was cancelled on its way here, perhaps before we could know of it.
        if call.isEnded { return }
        guard let transfer = idle.popLast() ?? CurlTransfer(options) else {
            return call.end(.failure(TransportFault(.unusable, code: Int32(CURLE_FAILED_INIT.rawValue))))
        }
        let tag = freeTags.popLast() ?? working.count
        guard transfer.start(call, options, mayRepeat: speaksHTTP2, tag: tag, multi: multi) else {
            if tag < working.count { freeTags.append(tag) }
            return call.end(.failure(TransportFault(.unusable, code: Int32(CURLE_URL_MALFORMAT.rawValue))))
        }
        if tag < working.count { working[tag] = transfer } else { working.append(transfer) }
        tags[ObjectIdentifier(call)] = tag
    }

    /// Stops the transfer of a cancelled call, if it is still there.
    mutating func drop(_ call: CurlCall) {
        guard let tag = tags[ObjectIdentifier(call)] else { return }
        remove(tag)
    }

    /// Ends the transfers that libcurl has finished.
    mutating func finishDone() {
        var tag: UInt = 0, code: Int32 = 0
        while ccm_next_done(multi, &tag, &code) == 1 {
            let tag = Int(tag)
            guard working.indices.contains(tag), let transfer = working[tag], let call = transfer.call else { continue }
            let result = transfer.result(code: code)
            let isRepeated = transfer.moments.lost > 0
            if case .success = result { speaksHTTP2 = transfer.isHTTP2 }
            remove(tag)
            // A handle that saw a fault is not reused, so that nothing of it reaches the next request. Nor is one that
            // lost a connection: libcurl counts lost connections over all requests of a handle, and gives up at the
            // sixth.
            if case .success = result, !isRepeated, idle.count < Self.mostIdle { idle.append(transfer) }
            call.end(result)
        }
    }

    /// Ends the transfers that exceeded a limit, and returns the milliseconds until the next limit.
    mutating func endOverdue(at now: UInt64) -> Int32 {
        var next = now &+ Self.longestWait * 1_000_000
        for tag in working.indices {
            guard let transfer = working[tag], let call = transfer.call else { continue }
            let moments = transfer.moments
            let (deadline, kind) = moments.deadline(call.limits)
            guard deadline <= now else {
                next = min(next, deadline)
                continue
            }
            remove(tag)
            call.end(
                .failure(
                    TransportFault(
                        kind, code: Int32(CURLE_OPERATION_TIMEDOUT.rawValue), mayBeBilled: moments.mayBeBilled,
                        resent: moments.resent)))
        }
        return Int32((next - now + 999_999) / 1_000_000)
    }

    /// Ends all transfers, because the transport is closed.
    mutating func endAll() {
        for tag in working.indices {
            guard let transfer = working[tag], let call = transfer.call else { continue }
            let moments = transfer.moments
            remove(tag)
            call.end(
                .failure(
                    TransportFault(
                        .unusable, code: Int32(CURLE_ABORTED_BY_CALLBACK.rawValue), mayBeBilled: moments.mayBeBilled,
                        resent: moments.resent)))
        }
        idle = []
    }

    private mutating func remove(_ tag: Int) {
        guard let transfer = working[tag] else { return }
        if let call = transfer.call { tags[ObjectIdentifier(call)] = nil }
        transfer.remove(from: multi)
        working[tag] = nil
        freeTags.append(tag)
    }
}
