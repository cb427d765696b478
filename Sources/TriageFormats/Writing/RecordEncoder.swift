package import TriageCore

/// Turns an annotated batch into bytes of one output format; pure, so that workers encode in parallel.
package protocol RecordEncoder: Sendable {
    /// Written once before the first record.
    var header: [UInt8] { get }
    /// Written once behind the last record.
    var footer: [UInt8] { get }
    /// Bytes that stand before every record but belong before every one except the first.
    var separatorLength: Int { get }
    /// Appends every record of the batch that belongs in the output, in order.
    func encode(_ batch: inout Batch, into out: inout OutputBuffer)
}

extension RecordEncoder {
    package var header: [UInt8] { [] }
    package var footer: [UInt8] { [] }
    package var separatorLength: Int { 0 }
}
