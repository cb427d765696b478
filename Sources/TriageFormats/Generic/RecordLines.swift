import TriageCore

/// Emits JSON records as lines, byte for byte, and decides once per file which member holds the text.
struct RecordLines {
    private let context: ReadingContext
    private var isSettled = false
    private let named: String?

    init(_ context: ReadingContext) throws {
        self.context = context
        named = try ColumnMapping.names(context.options.columns)["text"]
        if context.options.columns.contains(where: { !$0.hasPrefix("text=") }) {
            context.notices("for JSON records, only text can be mapped; other --map fields are ignored")
        }
    }

    /// Starts a file.
    mutating func begin(_ member: Member) throws {
        context.assembler.beginSource(member.source)
        isSettled = named != nil
        try context.assembler.useTextKey(named == "text" ? nil : named)
    }

    mutating func append(_ line: UnsafeBufferPointer<UInt8>, number: Int, offset: Int) throws {
        if !isSettled { try settle(line) }
        try context.assembler.append(line: line, number: number, offset: offset)
    }

    func reject(_ reason: RejectReason, raw: UnsafeBufferPointer<UInt8>? = nil, number: Int, offset: Int) throws {
        try context.assembler.append(reject: reason, raw: raw, number: number, offset: offset)
    }

    func rejectLong(number: Int, offset: Int) throws {
        let limit = context.options.maximumLine
        let reason = RejectReason(
            code: "input.line-too-long", reason: "the record is longer than \(limit) bytes (--max-line)", offset: limit)
        try reject(reason, number: number, offset: offset)
    }

    /// Decides by the first record of the file; lines that are not records decide nothing.
    private mutating func settle(_ line: UnsafeBufferPointer<UInt8>) throws {
        guard let record = JSONNode(line), record.isObject else { return }
        isSettled = true
        guard record["text"]?.string == nil, let key = Self.textKey(of: record) else { return }
        try context.assembler.useTextKey(key)
        context.notices("the text is taken from '\(key)'; --map text=NAME chooses another")
    }

    /// The member with a name that is common for texts.
    static func namedTextKey(of record: JSONNode) -> String? {
        let strings = record.members.filter { $0.value.string != nil }.map(\.key)
        let normalized = strings.map(ColumnNames.normalized)
        for candidate in ColumnNames.text {
            if let index = normalized.firstIndex(of: candidate) { return strings[index] }
        }
        return nil
    }

    /// Whether a member names the speaker, by a name that packages, pages and lists do not use.
    static func saysWho(_ record: JSONNode) -> Bool {
        let fields: Set<TableField> = [.handle, .name, .senderID]
        let wide: Set<String> = ["name", "full_name", "display_name", "author", "profile"]
        return record.members.contains { member in
            guard let field = ColumnNames.field(of: member.key) else { return false }
            return fields.contains(field) && !wide.contains(ColumnNames.normalized(member.key))
        }
    }

    /// Names of members that contain words nobody sent.
    private static let titles: Set<String> = [
        "title", "header", "url", "path", "label", "query", "subject", "address", "file", "filename", "description",
        "summary", "product", "title_url", "location", "city", "country",
    ]

    /// The member that holds the text: by its name, else the only string that contains a space.
    static func textKey(of record: JSONNode) -> String? {
        if let key = namedTextKey(of: record) { return key }
        let sentences = record.members.filter {
            $0.value.string?.contains(" ") == true && !titles.contains(ColumnNames.normalized($0.key))
        }
        return sentences.count == 1 && ColumnNames.field(of: sentences[0].key) == nil ? sentences[0].key : nil
    }
}
