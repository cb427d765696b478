import TriageCore

/// Reads the days of a Slack export; the lists of people and conversations are looked at before.
///
/// The days of a conversation come out together: an archive may have them in any order.
final class SlackReader: ExportReader {
    private let context: ReadingContext
    private let shelf: MessageShelf
    private var directory: SlackDirectory
    /// Days of each conversation that are still to come.
    private var expected: [String: Int] = [:]
    /// Conversations of which some days were read, but not all.
    private var begun = Set<String>()
    private var untimed = 0

    // The file that is being read.
    private var member = Member(path: "", source: "")
    private var picker = JSONPicker(maximumLength: 0) { _, _ in .skip }
    private var roster: SlackPath.Roster?
    private var isSurvey = false
    private var isMetadata = false
    private var scopes: [String] = []
    private var folder: String?
    private var conversation: SlackDirectory.Conversation?
    private var title: String?
    private var index = 0

    init(_ context: ReadingContext) {
        self.context = context
        shelf = MessageShelf(context, order: .oldestFirst)
        directory = SlackDirectory(said: context.options.ownIdentities)
        for path in context.paths where SlackPath(path) != nil { expected[Self.folder(of: path), default: 0] += 1 }
    }

    private var isWhole: Bool { !context.paths.isEmpty }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        context.assembler.beginSource(member.source)
        try context.assembler.useTextKey(nil)
        index = 0
        isSurvey = isWhole && member.pass == 0
        roster = isSurvey ? SlackPath.roster(member.path)?.roster : nil
        isMetadata = !isWhole && SlackFormat().detect(opening)?.hasMessages == false
        if isMetadata { context.notices("\(member.source) contains no messages: it is a list from the export") }
        place(member)
        picker = JSONPicker(maximumLength: context.options.maximumLine, offset: opening.markLength) { path, kind in
            path.isEmpty && kind == .array ? .enter : .take
        }
    }

    /// Finds out which conversation a file is of, and where the lists for it are.
    private func place(_ member: Member) {
        // Of a single file the path that was given may tell more than its name.
        let place = SlackPath(member.path) ?? (isWhole ? nil : SlackPath(member.source))
        folder = place?.conversation
        // Exports side by side may have channels of one name, so their container counts; one that was split over
        // several archives has its lists in another.
        let container = String(member.source.dropLast(member.path.count))
        let own = place?.scope ?? SlackPath.roster(member.path)?.scope ?? ""
        scopes = [container + own, own]
        if let above = SlackPath.organization(of: own) { scopes += [container + above, above] }
        conversation = folder.flatMap { directory.conversation($0, in: scopes) }
        // Folders of direct messages are called after an id, which says nothing to people.
        title = conversation.map { directory.title(of: $0, in: scopes) } ?? folder.flatMap { Self.isID($0) ? nil : $0 }
        if !isSurvey, folder != nil { begun.insert(Self.folder(of: member.path)) }
    }

    private static func isID(_ name: String) -> Bool {
        name.utf8.count >= 8 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        if isMetadata || (isSurvey && roster == nil) { return false }
        try picker.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if isSurvey || isMetadata {
            if fault == nil, !isMetadata { try picker.finish(take) }
            return
        }
        if fault == nil { try picker.finish(take) }
        let key = Self.folder(of: member.path)
        let left = (expected[key] ?? 1) - 1
        expected[key] = left
        if left <= 0 { begun.remove(key) }
        if !isWhole || begun.isEmpty || fault != nil { try shelf.flush() }
        if let fault {
            context.assembler.beginSource(member.source)
            try context.assembler.append(reject: fault, number: index + 1, offset: -1)
        }
    }

    func finish() throws {
        try shelf.flush()
        guard untimed > 0 else { return }
        context.notices(
            untimed == 1
                ? "1 entry without a time was skipped" : "\(untimed) entries without a time were skipped")
    }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .opened, .closed: break
        case .value(_, let bytes, let offset, let line):
            if isSurvey { return takeListed(bytes) }
            defer { index += 1 }
            guard let node = JSONNode(bytes), node.isObject else {
                return try reject("json.syntax", "the entry is no message of Slack, or over 1 MiB", bytes, line, offset)
            }
            try takeMessage(node)
        case .tooLong(_, let offset, let line):
            index += 1
            if !isSurvey { try reject("input.line-too-long", "the entry is too long (--max-line)", nil, line, offset) }
        case .fault(let reason, let offset, let line):
            guard isSurvey else { return try context.assembler.append(reject: reason, number: line, offset: offset) }
            context.notices("a list in the export cannot be read, so names may be missing: \(member.source)")
        }
    }

    private func takeListed(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let roster, let node = JSONNode(bytes) else { return }
        guard let type = roster.type else { return directory.add(person: node) }
        for scope in Set(scopes.prefix(2)) { directory.add(conversation: node, type: type, scope: scope) }
    }

    private func takeMessage(_ node: JSONNode) throws {
        guard let time = SlackTime(node["ts"]) else {
            untimed += 1
            return
        }
        let place = Message.RawValue.object([
            Message.RawMember("file", .string(member.path)), Message.RawMember("index", .int(index)),
        ])
        let entry = SlackMessage(
            node: node, time: time, directory: directory, scopes: scopes, conversation: conversation, folder: folder,
            title: title)
        let message = entry.message(place)
        if node.hasWords(besides: message.text) { context.unread.note(member.source) }
        try shelf.add(
            message, time: time.milliseconds, timeText: time.source, idPrefix: "slack:",
            number: index + 1, source: member.source)
    }

    private func reject(
        _ code: String, _ words: String, _ raw: UnsafeBufferPointer<UInt8>?, _ line: Int, _ offset: Int
    ) throws {
        try context.assembler.append(
            reject: RejectReason(code: code, reason: words), raw: raw.flatMap { $0.count <= 1 << 16 ? $0 : nil },
            number: line, offset: offset)
    }
}
