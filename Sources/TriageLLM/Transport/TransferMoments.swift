internal import CCurlMulti

/// When a transfer came to its phases, in nanoseconds of the monotonic clock; 0: it did not yet.
struct TransferMoments: Equatable {
    /// When it was asked for.
    var asked: UInt64 = 0
    var connecting: UInt64 = 0
    /// The connection stands and sending began.
    var ready: UInt64 = 0
    /// The body moved last.
    var moved: UInt64 = 0
    var isSent = false
    var firstByte: UInt64 = 0
    var lastByte: UInt64 = 0
    /// Attempts before this one, on connections that turned out dead.
    var lost = 0

    /// The first moment at which a limit is passed, and which.
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

    /// How often a server may have read the whole request: in doubt it has.
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

/// The times of ``HTTPLimits`` in nanoseconds, cut to what can be added to a moment.
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
        // Thirty years: with the clock's own value this stays far from the end of 64 bits.
        guard parts.seconds < 1_000_000_000 else { return 1_000_000_000_000_000_000 }
        guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 0 }
        return UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
    }
}
