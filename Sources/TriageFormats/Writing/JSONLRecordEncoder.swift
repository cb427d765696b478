public import TriageCore

/// Writes each record as it came, with `,"triage":{…}` spliced in before its closing brace.
public struct JSONLRecordEncoder: RecordEncoder {
    /// How records are put together.
    public enum Container: Sendable {
        /// One a line.
        case lines
        /// One JSON array.
        case array
    }

    private let object: TriageObjectEncoder
    private let container: Container
    private let rejects: RejectPolicy
    private let sourceNames: @Sendable () -> [String]

    /// - Parameter sources: names of the inputs so far, for rejects answered in place.
    public init(
        object: TriageObjectEncoder, container: Container = .lines, rejects: RejectPolicy = .skip,
        sources: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.object = object
        self.container = container
        self.rejects = rejects
        sourceNames = sources
    }

    public var header: [UInt8] { container == .array ? Array("[".utf8) : [] }
    public var separatorLength: Int { container == .array ? 1 : 0 }
    public var footer: [UInt8] { container == .array ? Array("\n]\n".utf8) : [] }

    public func encode(_ batch: inout Batch, into out: inout [UInt8]) {
        out.reserveCapacity(out.count + batch.input.bytes.count + batch.records.count * 1024)
        for record in batch.records {
            switch record.status {
            case .filtered: continue
            case .rejected:
                guard rejects == .pass, record.reject >= 0 else { continue }
                separate(&out)
                object.encodeReject(batch.rejects[record.reject], of: batch, sources: sourceNames(), into: &out)
            case .own, .notMessage:
                open(record, batch, &out)
                object.encodeSkipped(record, of: batch, into: &out)
                close(record, batch, &out)
            case .message:
                open(record, batch, &out)
                object.encode(record, of: batch, into: &out)
                close(record, batch, &out)
            }
            if container == .lines { out.append(0x0A) }
        }
    }

    /// Array elements stand one a line; the writer drops the comma before the very first one.
    @inline(__always)
    private func separate(_ out: inout [UInt8]) {
        if container == .array { out.add(",\n") }
    }

    @inline(__always)
    private func open(_ record: Record, _ batch: borrowing Batch, _ out: inout [UInt8]) {
        separate(&out)
        let line = batch.input.lines[record.line].span
        let start = Int(line.start)
        batch.input.bytes.withUnsafeBufferPointer { bytes in
            if record.cuts.isEmpty {
                out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<start + record.closingBrace]))
            } else {
                var from = 0
                for cut in record.cuts {
                    out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start + from..<start + cut.lowerBound]))
                    from = cut.upperBound
                }
                out.append(
                    contentsOf: UnsafeBufferPointer(rebasing: bytes[start + from..<start + record.closingBrace]))
            }
        }
        out.append(UInt8(ascii: ","))
    }

    @inline(__always)
    private func close(_ record: Record, _ batch: borrowing Batch, _ out: inout [UInt8]) {
        let line = batch.input.lines[record.line].span
        let start = Int(line.start)
        let end = start + Int(line.count)
        batch.input.bytes.withUnsafeBufferPointer { bytes in
            out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start + record.closingBrace..<end]))
        }
    }
}
