internal import CCurlMulti
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The thread that owns libcurl's multi handle, and the queue by which all others speak to it.
///
/// Others only append to the queue and call `curl_multi_wakeup`, the one call that libcurl allows them.
final class CurlLoop: Sendable {
    private struct Queue {
        var incoming: [CurlCall] = []
        var cancelled: [CurlCall] = []
        var isClosed = false
        /// nil before the first call and after the thread's end.
        var multi: Multi?
        var thread: pthread_t?
    }

    private struct Multi: @unchecked Sendable {
        // Proof: the owner thread does everything with it, others only wake it, under the queue's lock and while it lives.
        let handle: UnsafeMutableRawPointer
    }

    private let options: CurlTransport.Options
    private let queue = Mutex(Queue())

    /// libcurl's own set-up, once in a process and before any thread of ours.
    private static let isReady = ccm_global_init() == 1

    init(_ options: CurlTransport.Options) {
        self.options = options
    }

    /// Hands `call` to the thread, which is started by the first; a call that cannot be taken ends with a fault.
    func submit(_ call: CurlCall) {
        let isTaken = queue.withLock { queue in
            guard !queue.isClosed, queue.multi != nil || start(&queue) else { return false }
            queue.incoming.append(call)
            wake(queue)
            return true
        }
        if !isTaken { call.end(.failure(TransportFault(.unusable, code: Int32(CURLE_FAILED_INIT.rawValue)))) }
    }

    /// Takes `call` off the wire; its caller was told before.
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
