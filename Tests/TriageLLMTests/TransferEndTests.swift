import Testing

@testable import TriageLLM

@Suite struct `Ends of transfers` {
    @Test(arguments: [
        (TransferEnd(), TransportFault.Kind?.none),
        (TransferEnd(status: 529), nil),
        (TransferEnd(hasWholeHead: false), .partial),
        (TransferEnd(hasWholeBody: false), .partial),
        (TransferEnd(status: 103), .partial),
        (TransferEnd(status: 0), .partial),
        (TransferEnd(code: 1), .malformed),
        (TransferEnd(code: 3, isConnected: false), .unusable),
        (TransferEnd(code: 5, isConnected: false), .resolve),
        (TransferEnd(code: 6, isConnected: false), .resolve),
        (TransferEnd(code: 7, isConnected: false), .connect),
        (TransferEnd(code: 8), .malformed),
        (TransferEnd(code: 16), .http2),
        (TransferEnd(code: 18), .partial),
        (TransferEnd(code: 23), .malformed),
        (TransferEnd(code: 23, stop: .bodyTooLarge), .tooLarge),
        (TransferEnd(code: 23, stop: .headTooLarge), .tooLarge),
        (TransferEnd(code: 23, stop: .badEncoding), .malformed),
        (TransferEnd(code: 0, stop: .badEncoding), .malformed),
        (TransferEnd(code: 27), .tooLarge),
        (TransferEnd(code: 42, stop: .stale), .stale),
        (TransferEnd(code: 42, stop: .stale, isConnected: false), .stale),
        (TransferEnd(code: 28, isConnected: false), .connectTimeout),
        (TransferEnd(code: 28), .totalTimeout),
        (TransferEnd(code: 35, isConnected: false), .tls),
        (TransferEnd(code: 52), .emptyReply),
        (TransferEnd(code: 55), .send),
        (TransferEnd(code: 56), .receive),
        (TransferEnd(code: 56, isConnected: false), .connect),
        (TransferEnd(code: 60, isConnected: false), .certificate),
        (TransferEnd(code: 61), .malformed),
        (TransferEnd(code: 77, isConnected: false), .unusable),
        (TransferEnd(code: 92), .http2),
        (TransferEnd(code: 97, isConnected: false), .connect),
        (TransferEnd(code: 100), .tooLarge),
        (TransferEnd(code: 1_000), .receive),
        (TransferEnd(code: -1, isConnected: false), .unusable),
    ])
    func `every end has one name`(end: TransferEnd, expected: TransportFault.Kind?) {
        #expect(end.fault == expected)
    }

    @Test
    func `each phase has its own clock, and the whole one over all`() {
        var limits = HTTPLimits()
        limits.connect = .nanoseconds(10)
        limits.firstByte = .nanoseconds(100)
        limits.stall = .nanoseconds(20)
        limits.total = .nanoseconds(1_000)
        let cut = TransferLimits(limits)
        func deadline(_ moments: TransferMoments) -> [UInt64: TransportFault.Kind] {
            let (moment, kind) = moments.deadline(cut)
            return [moment: kind]
        }
        var moments = TransferMoments(asked: 5)
        #expect(deadline(moments) == [1_005: .totalTimeout])
        moments.connecting = 50
        #expect(deadline(moments) == [60: .connectTimeout])
        moments.ready = 55
        #expect(deadline(moments) == [75: .stallTimeout])
        moments.moved = 70
        #expect(deadline(moments) == [90: .stallTimeout])
        #expect(!moments.mayBeBilled)
        moments.isSent = true
        #expect(deadline(moments) == [170: .firstByteTimeout])
        #expect(moments.mayBeBilled)
        moments.firstByte = 160
        moments.lastByte = 200
        #expect(deadline(moments) == [220: .stallTimeout])
        moments.lastByte = 990
        #expect(deadline(moments) == [1_005: .totalTimeout])
        #expect(TransferMoments(connecting: 1, lost: 1).mayBeBilled)
    }

    @Test
    func `header lines come as fields, whatever bytes they are`() {
        func fields(_ text: String) -> [HTTPHeader] {
            Array(text.utf8).withUnsafeBytes { ResponseHead.fields($0) }
        }
        #expect(
            fields("HTTP/1.1 200 OK\r\nA: 1\r\nb:2 \r\nno colon\r\n: x\r\nC:\r\n folded\r\n\tagain\r\n\r\n") == [
                HTTPHeader("A", "1"), HTTPHeader("b", "2"), HTTPHeader("", "x"), HTTPHeader("C", " folded again"),
            ])
        #expect(fields("") == [])
        #expect(fields("HTTP/1.1 200") == [])
        #expect(fields(" x\n y\n\n\n:\n") == [HTTPHeader("", "")])
    }
}
