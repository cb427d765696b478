package import TriageCore

/// Writes each record unchanged, with `,"triage":{…}` spliced in before its closing brace.
package struct JSONLRecordEncoder: RecordEncoder {
    /// How records are combined.
    package enum Container: Sendable {
        /// One record per line.
        case lines
        /// One JSON array.
        case array
    }

    private let object: TriageObjectEncoder
    private let container: Container
    private let rejects: RejectPolicy
    private let sourceNames: @Sendable () -> [String]

    /// - Parameter sources: names of the inputs so far, for rejects that are answered in place.
    package init(
        object: TriageObjectEncoder, container: Container = .lines, rejects: RejectPolicy = .skip,
        sources: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.object = object
        self.container = container
        self.rejects = rejects
        sourceNames = sources
    }

    package var header: [UInt8] { container == .array ? Array("[".utf8) : [] }
    package var separatorLength: Int { container == .array ? 1 : 0 }
    package var footer: [UInt8] { container == .array ? Array("\n]\n".utf8) : [] }

    package func encode(_ batch: inout Batch, into out: inout OutputBuffer) {
        BatchView.with(batch) { view in
            guard let first = view.records.baseAddress else { return }
            for index in view.records.indices { encode(first + index, of: batch, view, into: &out) }
        }
    }

    private func encode(
        _ record: UnsafePointer<Record>, of batch: borrowing Batch, _ view: BatchView, into out: inout OutputBuffer
    ) {
        switch record.pointee.status {
        case .filtered: return
        case .rejected:
            guard rejects == .pass, record.pointee.reject >= 0 else { return }
            separate(&out)
            var bytes: [UInt8] = []
            object.encodeReject(
                batch.rejects[record.pointee.reject], of: batch, sources: sourceNames(), into: &bytes)
            out.add(bytes)
        case .own, .notMessage:
            open(record, view, &out)
            object.encodeSkipped(record, of: batch, into: &out)
            close(record, view, &out)
        case .message:
            open(record, view, &out)
            object.encode(record, of: batch, view, into: &out)
            close(record, view, &out)
        }
        if container == .lines { out.add(byte: 0x0A) }
    }

    /// Starts an array element with a comma and a line break; the writer drops the comma before the very first element.
    @inline(__always)
    private func separate(_ out: inout OutputBuffer) {
        if container == .array { out.add(",\n") }
    }

    /// The line up to its closing brace, without existing `triage` members.
    private func open(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        separate(&out)
        let start = Int(view.lines[record.pointee.line].span.start)
        var from = 0
        for index in record.pointee.cuts {
            let cut = view.cuts[index]
            out.add(UnsafeBufferPointer(rebasing: view.input[start + from..<start + cut.lowerBound]))
            from = cut.upperBound
        }
        out.add(UnsafeBufferPointer(rebasing: view.input[start + from..<start + record.pointee.closingBrace]))
        out.add(byte: UInt8(ascii: ","))
    }

    /// The closing brace and whatever follows it.
    private func close(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        let line = view.lines[record.pointee.line].span
        let start = Int(line.start)
        out.add(
            UnsafeBufferPointer(rebasing: view.input[start + record.pointee.closingBrace..<start + Int(line.count)]))
    }
}
