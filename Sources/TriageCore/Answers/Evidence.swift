/// One reason for an answer.
public struct Evidence: Sendable, Equatable {
    /// Index into the run's ``SignalNames``.
    public var signal: UInt16
    /// Log-odds that it moved the answer by.
    public var weight: Float
    /// UTF-8 byte offsets into the decoded text; −1 where the evidence is not in the text.
    public var start: Int32
    public var end: Int32

    public init(signal: UInt16, weight: Float, start: Int32 = -1, end: Int32 = -1) {
        self.signal = signal
        self.weight = weight
        self.start = start
        self.end = end
    }
}

/// A run of ``Batch/evidence``, strongest first.
public typealias EvidenceRange = Range<Int>
