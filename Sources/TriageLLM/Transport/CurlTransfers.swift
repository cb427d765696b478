internal import CCurlMulti

/// The transfers at work, and idle handles for the next ones; belongs to the thread of ``CurlLoop``.
struct CurlTransfers {
    private let multi: UnsafeMutableRawPointer
    private let options: CurlTransport.Options
    /// By tag; nil: the tag is free.
    private var working: [CurlTransfer?] = []
    private var freeTags: [Int] = []
    private var tags: [ObjectIdentifier: Int] = [:]
    private var idle: [CurlTransfer] = []
    /// Whether the last answer came over HTTP/2.
    ///
    /// There a request that libcurl sends again is as a rule one that the server took no more of (RFC 9113, 8.7), and they
    /// are many at a time.
    private var speaksHTTP2 = false

    /// Idle handles that are kept; each has some kilobytes.
    private static let mostIdle = 64
    /// Milliseconds after which the thread looks round when nothing is due.
    private static let longestWait: UInt64 = 1_000

    init(multi: UnsafeMutableRawPointer, options: CurlTransport.Options) {
        self.multi = multi
        self.options = options
    }

    mutating func start(_ call: CurlCall) {
        // Cancelled on its way here, maybe before we could know of it.
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

    /// Takes a cancelled call off the wire; one that is not there any more is none of our business.
    mutating func drop(_ call: CurlCall) {
        guard let tag = tags[ObjectIdentifier(call)] else { return }
        remove(tag)
    }

    /// Ends what libcurl is done with.
    mutating func finishDone() {
        var tag: UInt = 0, code: Int32 = 0
        while ccm_next_done(multi, &tag, &code) == 1 {
            let tag = Int(tag)
            guard working.indices.contains(tag), let transfer = working[tag], let call = transfer.call else { continue }
            let result = transfer.result(code: code)
            let isRepeated = transfer.moments.lost > 0
            if case .success = result { speaksHTTP2 = transfer.isHTTP2 }
            remove(tag)
            // A handle that saw a fault is not used again: nothing of it may reach the next request. Nor is one that lost a
            // connection: libcurl counts these over all requests of a handle, and at the sixth gives up.
            if case .success = result, !isRepeated, idle.count < Self.mostIdle { idle.append(transfer) }
            call.end(result)
        }
    }

    /// Ends what is past a limit, and returns the milliseconds until the next one.
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

    /// Ends all, for the transport is closed.
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
