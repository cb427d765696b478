/// TikTok's export as text files: conversations, and what the owner commented.
///
/// File names and labels are translated, so both are told by their form.
struct TikTokTextFormat: ExportFormat {
    let name = "tiktok-text"
    let summary = "a TikTok data export (TXT), such as Direct Messages.txt"

    /// What a text file of TikTok holds.
    enum Content { case chats, comments, profile }

    /// Begins every conversation, in every language.
    static let marker = Array(">>> Chat History with ".utf8)

    func detect(_ opening: Opening) -> Detection? {
        switch Self.content(of: opening) {
        case .chats:
            Detection(
                format: name, reason: "a line '>>> Chat History with …'",
                missing: ["TikTok exports only contain the owner's comments, not those of others"])
        case .comments:
            Detection(
                format: name, reason: "blocks of a date and a comment",
                missing: ["these are only the owner's comments, so there is nothing to triage"])
        case .profile: Detection(format: name, reason: "the profile of a TikTok export", hasMessages: false)
        case nil: nil
        }
    }

    static func content(of opening: Opening) -> Content? {
        guard let first = opening.firstByte, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            first != UInt8(ascii: "<")
        else { return nil }
        var blocks: [[TikTokField]] = []
        var block: [TikTokField] = []
        var lines = 0
        let bytes = opening.bytes.prefix(1 << 16)
        for line in bytes.split(separator: 0x0A, maxSplits: 400, omittingEmptySubsequences: false).prefix(400) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.allSatisfy(Opening.isBlank) {
                if !block.isEmpty { blocks.append(block) }
                block = []
                continue
            }
            lines += 1
            // Before the first conversation stands a note at most; what quotes the marker further down is something else.
            if lines <= 8, line.starts(with: marker), line.last == UInt8(ascii: ":") { return .chats }
            if let field = TikTokField(line) { block.append(field) } else { break }
        }
        if !block.isEmpty { blocks.append(block) }
        guard !blocks.isEmpty else { return nil }
        // The last one may be cut off.
        let whole = blocks.count > 1 && !opening.isWhole ? blocks.dropLast() : blocks[...]
        if whole.allSatisfy(TikTokField.isComment) { return .comments }
        return blocks.count == 1 && TikTokField.isProfile(block.isEmpty ? blocks[0] : block) ? .profile : nil
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { TikTokTextReader(context) }
}
