/// Turns an annotated batch into bytes of one output format; pure, so that workers encode in parallel.
public protocol RecordEncoder: Sendable {
    /// Written once before the first record.
    var header: [UInt8] { get }
    /// Written once behind the last record.
    var footer: [UInt8] { get }
    /// Bytes that stand before every record but belong before every one except the first.
    var separatorLength: Int { get }
    /// Appends every record of the batch that belongs in the output, in order.
    func encode(_ batch: inout Batch, into out: inout [UInt8])
}

extension RecordEncoder {
    public var header: [UInt8] { [] }
    public var footer: [UInt8] { [] }
    public var separatorLength: Int { 0 }
}

/// What happens to records that are rejected.
public enum RejectPolicy: String, Sendable, CaseIterable {
    /// Answered in place in the output.
    case pass
    /// Left out of the output, written to the rejects.
    case skip
    /// The first one ends the run with exit 65.
    case fail
}
