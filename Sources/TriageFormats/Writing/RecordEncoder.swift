package import TriageCore

/// Encodes an annotated batch in one output format; a pure function, so that workers run it in parallel.
package protocol RecordEncoder: Sendable {
    /// Bytes written once before the first record.
    var header: [UInt8] { get }
    /// Bytes written once after the last record.
    var footer: [UInt8] { get }
    /// Length of the separator that each record starts with; the writer drops it before the first record.
    var separatorLength: Int { get }
    /// Appends, in order, every record of the batch that belongs in the output.
    func encode(_ batch: inout Batch, into out: inout OutputBuffer)
}

extension RecordEncoder {
    package var header: [UInt8] { [] }
    package var footer: [UInt8] { [] }
    package var separatorLength: Int { 0 }
}
