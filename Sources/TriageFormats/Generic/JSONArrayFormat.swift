import TriageCore

/// A JSON array of records, an object that contains one, or JSON records that span several lines.
struct JSONArrayFormat: ExportFormat {
    let name = "json-array"
    let summary = "a JSON array of records, or an object with one under messages, data, items …"
    var takesAnyText: Bool { true }

    /// Names of the members in which exporters put their records.
    static let containerKeys = ["messages", "data", "items", "comments", "results", "records", "rows"]

    func detect(_ opening: Opening) -> Detection? {
        guard let shape = Self.shape(of: opening), Self.hasText(opening, shape) else { return nil }
        return switch shape {
        case .array: Detection(format: name, reason: "the file begins with '['")
        case .container(let keys):
            Detection(format: name, reason: "an object with an array of records under '\(keys.sorted().joined())'")
        case .sequence: Detection(format: name, reason: "objects that span several lines")
        }
    }

    /// Whether a visible element has a text, or none is complete; JSON of other kinds is not read as messages.
    private static func hasText(_ opening: Opening, _ shape: JSONSplitter.Shape) -> Bool {
        var splitter = JSONSplitter(shape, maximumLength: Opening.limit)
        var seen = 0
        var withText = 0
        opening.bytes.withUnsafeBufferPointer { bytes in
            splitter.feed(bytes) { event in
                guard case .element(let element, _, _) = event, seen < 20, withText == 0 else { return }
                guard let record = JSONNode(element), record.isObject else { return }
                seen += 1
                if RecordLines.namedTextKey(of: record) != nil
                    || (shape != .sequence && RecordLines.saysWho(record) && RecordLines.textKey(of: record) != nil)
                {
                    withText += 1
                }
            }
        }
        return seen == 0 || withText > 0
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { JSONArrayReader(context) }

    /// The JSON shape that the opening starts with; nil: something else.
    static func shape(of opening: Opening) -> JSONSplitter.Shape? {
        let rest = opening.bytes.drop(while: Opening.isBlank)
        if rest.first == UInt8(ascii: "[") {
            // `[12:30] text` is a chat log, not JSON.
            let next = rest.dropFirst().first { !Opening.isBlank($0) }
            guard let next else { return .array }
            return next == UInt8(ascii: "{") || next == UInt8(ascii: "]") ? .array : nil
        }
        guard rest.first == UInt8(ascii: "{") else { return nil }
        if let key = firstContainer(in: opening) { return .container([key]) }
        guard let line = opening.firstLine, JSONNode(line) == nil else { return nil }
        // In JSON Lines with a broken first record, the next line begins with `{`; in a record that spans lines it does
        // not.
        let second = rest.drop { $0 != 0x0A }.first { !Opening.isBlank($0) }
        return line.count == 1 && second == UInt8(ascii: "\"") ? .sequence : nil
    }

    /// The name of the member that holds the records, in an object that resembles a record itself.
    static func container(in record: JSONNode) -> String? {
        if record["text"]?.string != nil { return nil }
        let arrays = record.members.filter { member in
            guard containerKeys.contains(member.key), case .array(let elements) = member.value else { return false }
            return elements.isEmpty || elements[0].isObject
        }
        return (arrays.first { !$0.value.elements.isEmpty } ?? arrays.first)?.key
    }

    /// Whether the first line, which is a JSON value, is followed by more such lines.
    static func hasMoreLines(_ opening: Opening) -> Bool {
        guard let line = opening.firstLine, JSONNode(line)?.isObject == true else { return false }
        return opening.bytes[line.endIndex...].first { !Opening.isBlank($0) } == UInt8(ascii: "{")
    }

    /// The first array of objects under a known name at the top level of an opening that may be incomplete.
    private static func firstContainer(in opening: Opening) -> String? {
        var splitter = JSONSplitter(.container(Set(containerKeys)), maximumLength: Opening.limit)
        var seen: String?
        var filled: String?
        var isRecord = false
        splitter.keySeen = { seen = $0 }
        opening.bytes.withUnsafeBufferPointer { bytes in
            splitter.feed(bytes) { event in
                switch event {
                case .member("text", let value): isRecord = isRecord || value.first == 0x22
                case .element(let value, _, _) where value.first == 0x7B: filled = filled ?? seen
                default: break
                }
            }
        }
        guard !isRecord, let found = filled ?? seen else { return nil }
        // JSON Lines whose first record has such a member are still JSON Lines.
        guard let line = opening.firstLine, let record = JSONNode(line) else { return found }
        // If there are several lines, each with a text of its own, each is a record, whatever else it contains.
        if hasMoreLines(opening), RecordLines.namedTextKey(of: record) != nil { return nil }
        return container(in: record)
    }
}

/// Emits each element as a line of its own.
private final class JSONArrayReader: ExportReader {
    private let context: ReadingContext
    private var lines: RecordLines?
    private var splitter = JSONSplitter(.array, maximumLength: 0)
    /// For input with one JSON value per line: the current line, its number and offset, and the last member that held
    /// records.
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

    /// Emits the records in a line; a line that is a record itself, or has no records, is judged as one record.
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
            // Do not search a very long line for its records: expect them where the other lines have theirs.
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
