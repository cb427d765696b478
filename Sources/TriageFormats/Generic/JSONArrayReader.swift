import TriageCore

/// Hands each element on as a line of its own.
final class JSONArrayReader: ExportReader {
    private let context: ReadingContext
    private var lines: RecordLines?
    private var splitter = JSONSplitter(.array, maximumLength: 0)
    /// Texts on a line each: the line at hand, its number and offset, and the member that held the records last.
    private var isLines = false
    private var line: [UInt8] = []
    private var isTooLong = false
    private var number = 1
    private var offset = 0
    private var key = ""

    init(_ context: ReadingContext) { self.context = context }

    func begin(_ member: Member, opening: Opening) throws {
        var lines = try RecordLines(context)
        try lines.begin(member)
        self.lines = lines
        isLines = false
        if JSONArrayFormat.hasMoreLines(opening), case .container(let keys)? = JSONArrayFormat.shape(of: opening) {
            isLines = true
            key = keys.first ?? ""
            (line, isTooLong, number, offset) = ([], false, 1, opening.markLength)
        }
        splitter = JSONSplitter(
            JSONArrayFormat.shape(of: opening) ?? .sequence, maximumLength: context.options.maximumLine,
            offset: opening.markLength)
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard !isLines else {
            try readLines(bytes)
            return true
        }
        try splitter.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault { return try lines?.reject(fault, number: isLines ? number : 0, offset: -1) ?? () }
        if isLines { return try endLine(length: 0) }
        try splitter.finish(take)
    }

    func finish() throws {}

    private func readLines(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if isTooLong || line.count + end - start > context.options.maximumLine {
                isTooLong = true
                line = []
            } else {
                line.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
            }
            if end < bytes.count { try endLine(length: line.count + 1) }
            start = end + 1
        }
    }

    /// Hands on the records that a line holds; a line that is a record itself, or none at all, is judged as one.
    private func endLine(length: Int) throws {
        defer {
            line.removeAll(keepingCapacity: line.capacity <= 1 << 20)
            isTooLong = false
            number += 1
            offset += length
        }
        guard !isTooLong else { return try lines?.rejectLong(number: number, offset: offset) ?? () }
        if line.last == 0x0D { line.removeLast() }
        guard !line.allSatisfy(Opening.isBlank) else { return }
        let node = JSONNode(line[...])
        if let node, let found = JSONArrayFormat.container(in: node) { key = found }
        try line.withUnsafeBufferPointer { bytes in
            // A very long line is not taken apart to look for its records: they stand where those of the others do.
            guard node.map({ JSONArrayFormat.container(in: $0) != nil }) ?? (bytes.count > 1 << 20) else {
                return try lines?.append(bytes, number: number, offset: offset) ?? ()
            }
            var splitter = JSONSplitter(
                .container([key]), maximumLength: context.options.maximumLine, offset: offset)
            try splitter.feed(bytes, take)
            try splitter.finish(take)
        }
    }

    private func take(_ event: JSONSplitter.Event) throws {
        switch event {
        case .element(let bytes, let offset, let line):
            try lines?.append(bytes, number: isLines ? number : line, offset: offset)
        case .member: break
        case .tooLong(let offset, let line): try lines?.rejectLong(number: isLines ? number : line, offset: offset)
        case .fault(let reason, let bytes, let offset, let line):
            try lines?.reject(
                reason, raw: bytes.count <= 1 << 16 ? bytes : nil, number: isLines ? number : line, offset: offset)
        }
    }
}
