import TriageCore

/// Base of the readers for Discord exports: reads JSON and CSV files, and buffers the messages until all are read.
class DiscordReader: ExportReader {
    let context: ReadingContext
    let buffer: ConversationBuffer
    private(set) var member = Member(path: "", source: "")
    private var picker: JSONPicker?
    private var rows: NamedRows?
    /// Index of the next message in its file, from 0.
    private(set) var index = 0

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .oldestFirst)
    }

    // MARK: For subclasses

    /// How to read a file.
    enum Work {
        case json(([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice)
        case table(NamedTable)
        /// The file has nothing to read; skip it silently.
        case nothing
        /// The file is not what it should be.
        case refused(String)
    }

    /// Decides how to read a file from its opening.
    func work(_ member: Member, _ opening: Opening) -> Work { .nothing }

    /// Handles a JSON value.
    ///
    /// - Returns: whether it could be read; false makes it a reject.
    func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool { true }

    /// Handles a row that has as many cells as the header.
    func take(_ row: CSVParser.Row) throws {}

    /// Whether an unreadable value counts as a message.
    func isMessage(_ path: [JSONPicker.Step]) -> Bool { path.last?.key == nil }

    /// Called at the end of a file.
    func fileEnds() throws {}

    // MARK: Reading

    final func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        context.assembler.beginSource(member.source)
        try context.assembler.useTextKey(nil)
        (picker, rows) = (nil, nil)
        index = 0
        switch work(member, opening) {
        case .json(let choose):
            let (unread, source) = (context.unread, member.source)
            picker = JSONPicker(
                maximumLength: context.options.maximumLine, offset: opening.markLength,
                unread: { if StrayWords.areIn($1) { unread.note(source) } }, choose: choose)
        case .table(let table):
            rows = NamedRows(table, opening: opening, maximumLine: context.options.maximumLine)
        case .nothing: context.notices("\(member.source) contains no messages: it is a list from the export")
        case .refused(let words): try reject("discord.no-export", words, number: 1, offset: 0)
        }
    }

    final func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        if picker != nil {
            try picker?.feed(bytes, take)
        } else if let rows {
            try rows.feed(bytes, take)
        } else {
            return false
        }
        return true
    }

    final func end(fault: RejectReason?) throws {
        if let fault {
            try fileEnds()
            try buffer.flush()
            context.assembler.beginSource(member.source)
            try context.assembler.append(reject: fault, number: max(index, rows?.line ?? 0) + 1, offset: -1)
            return
        }
        try picker?.finish(take)
        try rows?.finish(take)
        try fileEnds()
    }

    func finish() throws { try buffer.flush() }

    /// The position of the current message, for `raw.source`; also advances to the next one.
    final func place(line: Int? = nil) -> Message.RawValue {
        defer { index += 1 }
        let place = line.map { Message.RawMember("line", .int($0)) } ?? Message.RawMember("index", .int(index))
        return .object([Message.RawMember("file", .string(member.path)), place])
    }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .opened, .closed: break
        case .value(let path, let bytes, let offset, let line):
            if let node = JSONNode(bytes), try take(node, at: path) { return }
            guard isMessage(path) else {
                if StrayWords.areIn(bytes, StrayWords.isText) { context.unread.note(member.source) }
                return
            }
            index += 1
            try reject(
                "json.syntax", "the entry is not a Discord message, or is over 1 MiB", bytes, number: line,
                offset: offset)
        case .tooLong(let path, let offset, let line):
            guard isMessage(path) else { return }
            index += 1
            try reject("input.line-too-long", "the entry is too long (--max-line)", number: line, offset: offset)
        case .fault(let reason, let offset, let line):
            guard isMessage([]) else {
                return context.notices("a list in the export cannot be read, so names may be missing: \(member.source)")
            }
            try context.assembler.append(reject: reason, number: line, offset: offset)
        }
    }

    private func take(_ event: NamedRows.Event) throws {
        switch event {
        case .row(let row): try take(row)
        case .fault(let reason, let row):
            index += 1
            try row.raw.withUnsafeBufferPointer {
                try reject(reason.code, reason.reason, $0, number: row.line, offset: row.offset)
            }
        }
    }

    private func reject(
        _ code: String, _ words: String, _ bytes: UnsafeBufferPointer<UInt8>? = nil, number: Int, offset: Int
    ) throws {
        try context.assembler.append(
            reject: RejectReason(code: code, reason: words),
            raw: bytes.flatMap { $0.count <= 1 << 16 ? $0 : nil }, number: number, offset: offset)
    }
}

/// Discord ids: decimal numbers whose high bits are a time.
enum Snowflake {
    /// Discord's epoch, 1 January 2015, in milliseconds since 1970.
    private static let epoch: Int64 = 1_420_070_400_000

    /// The number of digits of ids since 2015; a shorter number may be anything.
    static let length = 15...20

    /// The id in a value: digits that fit the integer type; never read as floating point, which would change them.
    static func id(_ node: JSONNode?) -> String? { node?.identifier.flatMap(id) }

    /// The text, if it is an id.
    static func id(_ text: some StringProtocol) -> String? {
        isDigits(text) && UInt64(text) != nil ? String(text) : nil
    }

    /// When an id was created, in milliseconds since 1970.
    static func milliseconds(_ id: String) -> Int64? {
        guard length.contains(id.utf8.count), let number = UInt64(id) else { return nil }
        return Int64(number >> 22) + epoch
    }

    static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}
