import CRecordScan

/// One worker's parser for lines and the buffer for their decoded values.
///
/// `@unchecked Sendable`: it goes from thread to thread, but ``RecordReader`` takes it out of its list under a lock
/// before it is used and puts it back afterwards, so that only one thread at a time has it.
final class LineParser: @unchecked Sendable {
    /// What became of a line; the values are good until the next one is parsed.
    struct Result {
        var status: trs_status
        var values: UnsafeBufferPointer<UInt8>
        var offset: Int
        var reason: UnsafePointer<CChar>
    }

    /// nil when there is no memory for simdjson: then the checker does without it.
    private let scanner: OpaquePointer?
    private var scratch: UnsafeMutableBufferPointer<UInt8>
    /// A very long line must not keep its memory for the rest of the run.
    private static let kept = 1 << 20
    private static let noReason: StaticString = ""

    init(usesFastPath: Bool) {
        scanner = trs_scanner_new()
        if let scanner { trs_scanner_use_fast_path(scanner, usesFastPath ? 1 : 0) }
        scratch = .allocate(capacity: 1 << 16)
    }

    deinit {
        trs_scanner_free(scanner)
        scratch.deallocate()
    }

    /// Parses one line; at least 64 bytes must follow it in `bytes`.
    func parse(_ bytes: [UInt8], _ range: Range<Int>, textKey: [CChar]?, into found: inout trs_record) -> Result {
        resize(for: range.count + 64)
        var used = 0
        var offset = 0
        var reason: UnsafePointer<CChar>?
        let status = bytes.withUnsafeBufferPointer { bytes -> trs_status in
            guard let base = bytes.baseAddress, let target = scratch.baseAddress else { return TRS_ARENA_FULL }
            func scan(_ key: UnsafePointer<CChar>?) -> trs_status {
                trs_scan(
                    scanner, base + range.lowerBound, range.count, key, target, scratch.count, &used, &found, &offset,
                    &reason)
            }
            guard let textKey else { return scan(nil) }
            return textKey.withUnsafeBufferPointer { scan($0.baseAddress) }
        }
        return Result(
            status: status, values: UnsafeBufferPointer(rebasing: scratch[..<used]), offset: offset,
            reason: reason ?? UnsafeRawPointer(Self.noReason.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    private func resize(for capacity: Int) {
        if scratch.count < capacity {
            scratch.deallocate()
            scratch = .allocate(capacity: max(capacity, min(2 * scratch.count, Self.kept)))
        } else if scratch.count > Self.kept, capacity <= Self.kept {
            scratch.deallocate()
            scratch = .allocate(capacity: Self.kept)
        }
    }
}
