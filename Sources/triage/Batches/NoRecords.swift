import TriageCore
import TriageFormats

/// Writes nothing, for runs that only find out.
struct NoRecords: RecordEncoder {
    func encode(_ batch: inout Batch, into out: inout OutputBuffer) {}
}
