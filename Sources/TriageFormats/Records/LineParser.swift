import CRecordScan

/// One worker's parser for lines.
///
/// `@unchecked Sendable`: it goes from thread to thread, but ``RecordReader`` takes it out of its list under a lock
/// before it is used and puts it back afterwards, so that only one thread at a time has it.
final class LineParser: @unchecked Sendable {
    /// What became of a line.
    struct Result {
        var status: trs_status
        /// Where the fault is; of a line that is fine, 0.
        var offset = 0
        var reason: UnsafePointer<CChar>?
    }

    /// nil when there is no memory for simdjson: then the checker does without it.
    private let scanner: OpaquePointer?

    init(usesFastPath: Bool) {
        scanner = trs_scanner_new()
        if let scanner { trs_scanner_use_fast_path(scanner, usesFastPath ? 1 : 0) }
    }

    deinit { trs_scanner_free(scanner) }

    /// Parses one line; at least 64 bytes must follow it.
    ///
    /// - Parameters:
    ///   - arena: gets the decoded values; room for as many bytes as the line has and 64 is always enough.
    ///   - used: bytes of the arena that are taken, before and after; a line that fails takes none.
    func parse(
        _ line: UnsafeBufferPointer<UInt8>, textKey: UnsafePointer<CChar>?, arena: UnsafeMutableBufferPointer<UInt8>,
        used: inout Int, into found: inout trs_record
    ) -> Result {
        var result = Result(status: TRS_ARENA_FULL)
        guard let base = line.baseAddress, let target = arena.baseAddress else { return result }
        result.status = trs_scan(
            scanner, base, line.count, textKey, target, arena.count, &used, &found, &result.offset, &result.reason)
        return result
    }
}
