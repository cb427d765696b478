import TriageCore

/// Hands each element on as a line of its own.
final class JSONArrayReader: ExportReader {
    private let context: ReadingContext
    private var lines: RecordLines?
    private var splitter = JSONSplitter(.array, maximumLength: 0)

    init(_ context: ReadingContext) { self.context = context }

    func begin(_ member: Member, opening: Opening) throws {
        var lines = try RecordLines(context)
        try lines.begin(member)
        self.lines = lines
        splitter = JSONSplitter(
            JSONArrayFormat.shape(of: opening) ?? .sequence, maximumLength: context.options.maximumLine,
            offset: opening.markLength)
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try splitter.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault { return try lines?.reject(fault, number: 0, offset: -1) ?? () }
        try splitter.finish(take)
    }

    func finish() throws {}

    private func take(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, let offset, let line): try lines?.append(bytes, number: line, offset: offset)
        case .member: break
        case .tooLong(let offset, let line): try lines?.rejectLong(number: line, offset: offset)
        case .fault(let reason, let bytes, let offset, let line):
            try lines?.reject(reason, raw: bytes.count <= 1 << 16 ? bytes : nil, number: line, offset: offset)
        }
    }
}
