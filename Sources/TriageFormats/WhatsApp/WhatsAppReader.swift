import TriageCore

/// Reads chats that WhatsApp exported as text.
///
/// Nothing in such a file says which number is the day, whether a name is a person or a group, or which lines were
/// pasted. Therefore a chat is surveyed first: up to 16 MiB of it, five times the maximum that WhatsApp exports. The
/// rest of a larger file no longer changes these decisions; it is read in pieces of 4 MiB.
///
/// In a folder or zip, the first pass surveys all chats, because the person in all of them is the owner.
final class WhatsAppReader: ExportReader {
    /// Maximum bytes surveyed before the first message is emitted.
    static let surveyLimit = 16 << 20
    static let pieceSize = 4 << 20

    private let context: ReadingContext
    private let zone: TimeZoneRules
    private let zoneName: String
    private let said: OwnIdentities
    private let members: Set<String>
    private let buffer: ConversationBuffer
    private var scanner = WhatsAppScanner()
    /// Chats by source, from the first pass.
    private var chats: [String: WhatsAppChat] = [:]
    private var common: String?
    private var isSettled = false

    // The file being read.
    private var member = Member(path: "", source: "")
    private var isSurvey = false
    private var isOther = false
    private var chat: WhatsAppChat?
    private var held: [UInt8] = []
    /// Number of held bytes at which the next piece is processed.
    private var due = WhatsAppReader.surveyLimit
    /// Line number in the file of the first held line, from 1.
    private var line = 1
    private var previous: Int64?
    private var isAtStart = true
    /// Whether a message that is too long is being skipped up to the next header.
    private var isSkipping = false

    // Reported at the end.
    private var undecided: [String] = []
    private var guessed: [String] = []
    private var overruled: [String] = []
    private var hasTimes = false

    init(_ context: ReadingContext) {
        self.context = context
        zone = TimeZoneRules(name: context.options.timeZone)
        zoneName = context.options.timeZone.isEmpty ? "UTC" : context.options.timeZone
        said = OwnIdentities(context.options.ownIdentities)
        members = Set(context.companions.compactMap { $0.split(separator: "/").last.map(String.init) })
        buffer = ConversationBuffer(context, order: .oldestFirst)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        isSurvey = member.pass == 0 && !context.paths.isEmpty
        isOther = !context.paths.isEmpty && !WhatsAppTextFormat.isChat(opening, least: 1)
        if isOther, !isSurvey {
            context.notices("\(member.path) is named like a WhatsApp chat but is not one; it was skipped")
        }
        chat = chats[member.source]
        if let chat, !isSurvey { settle(chat) }
        held = []
        due = chat == nil ? Self.surveyLimit : Self.pieceSize
        line = 1
        previous = nil
        isAtStart = true
        isSkipping = false
        if !isSurvey, !isOther {
            try context.assembler.useTextKey(nil)
            context.assembler.beginSource(member.source)
        }
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard !isOther, !(isSurvey && held.count >= due) else { return false }
        held.append(contentsOf: bytes)
        if held.count >= due, !isSurvey { try work(isLast: false) }
        return true
    }

    func end(fault: RejectReason?) throws {
        defer { held = [] }
        if isOther { return }
        if isSurvey {
            look()
            chats[member.source] = chat
            return
        }
        try work(isLast: true)
        guard let fault else { return }
        try buffer.flush()
        try context.assembler.append(reject: fault, number: line, offset: -1)
    }

    func finish() throws {
        try buffer.flush()
        let remedy = "set --date-order to dmy, mdy or ymd"
        if !undecided.isEmpty {
            context.notices(
                "day and month are ambiguous in \(Self.list(undecided)): these messages have no time; \(remedy)")
        }
        if !guessed.isEmpty {
            context.notices(
                "the order of day and month is a guess in \(Self.list(guessed)); if wrong, \(remedy)")
        }
        if !overruled.isEmpty {
            context.notices("the dates in \(Self.list(overruled)) do not match --date-order; it was ignored there")
        }
        if hasTimes, context.options.timeZone.isEmpty {
            context.notices("WhatsApp exports no time zone; its times were read as UTC; set another with --timezone")
        }
    }

    private static func list(_ files: [String]) -> String {
        files.count <= 3 ? files.joined(separator: ", ") : "\(files[0]) and \(files.count - 1) other chats"
    }

    // MARK: Survey

    private func look() {
        let title = WhatsAppTitle.title(path: member.path, source: member.source)
        let survey = held.withUnsafeBufferPointer { bytes in
            WhatsAppSurvey(
                UnsafeBufferPointer(rebasing: bytes[..<min(bytes.count, Self.surveyLimit)]), title: title,
                order: context.options.dateOrder)
        }
        chat = WhatsAppChat(survey: survey, title: title)
    }

    /// Determines the owner, and notes what to report about a chat.
    private func settle(_ found: WhatsAppChat) {
        if !isSettled {
            isSettled = true
            // The only person who is in all of several chats is the one who exported them.
            var titles: [String: Set<String>] = [:]
            for chat in chats.values { titles[chat.title ?? "", default: []].formUnion(chat.survey.speakers) }
            if titles.count >= 2, var all = titles.first?.value {
                for names in titles.values { all.formIntersection(names) }
                if all.count == 1 { common = all.first }
            }
        }
        chat = found
        chat?.owner = owner(of: found)
        let survey = found.survey
        guard survey.hasHeaders else { return }
        if survey.order == nil { undecided.append(member.path) } else { hasTimes = true }
        if survey.isGuess { guessed.append(member.path) }
        if survey.isOverruled { overruled.append(member.path) }
    }

    private func owner(of chat: WhatsAppChat) -> Set<String>? {
        let speakers = chat.survey.speakers
        let own = speakers.filter { said.contains($0) }
        if !own.isEmpty { return Set(own) }
        if let common, speakers.contains(common) { return [common] }
        // A chat between two people is named after the other one.
        guard speakers.count <= 2, let title = chat.title, speakers.contains(title) else { return nil }
        return Set(speakers.filter { $0 != title })
    }

    // MARK: Messages

    /// Makes messages from the held lines; the last one waits unless nothing follows.
    private func work(isLast: Bool) throws {
        if chat == nil {
            look()
            if let chat { settle(chat) }
        }
        guard let chat else { return }
        guard chat.survey.hasHeaders else { return try refuse(isLast: isLast) }
        var size = Self.pieceSize
        while true {
            let count = held.count
            let isWhole = size >= count
            try work(on: min(size, count), isLast: isLast && isWhole, chat)
            if isWhole { break }
            // A message may be longer than a piece.
            size = held.count < count ? Self.pieceSize : size + Self.pieceSize
        }
        guard !isLast else { return }
        if held.count > context.options.maximumLine {
            try reject("input.line-too-long", "the message is too long (--max-line)")
            isSkipping = true
            isAtStart = false
            let rest = held.withUnsafeBufferPointer { WhatsAppBlock($0, isLast: false) }
            held.removeFirst(rest.end)
            line += rest.lines
            // Discard a line without an end.
            if held.count > context.options.maximumLine { held = [] }
        }
        // Release the memory of the survey.
        if held.capacity > 4 * Self.pieceSize { held = Array(held[...]) }
        due = held.count + Self.pieceSize
    }

    /// Makes messages from the first held bytes.
    private func work(on count: Int, isLast: Bool, _ chat: WhatsAppChat) throws {
        let block = held.withUnsafeBufferPointer {
            WhatsAppBlock(UnsafeBufferPointer(rebasing: $0[..<count]), isLast: isLast)
        }
        let found = messages(of: block, chat.survey, isLast: isLast)
        if let first = found.first, first.start > 0, isAtStart, !isSkipping {
            try rejectLeadingLines(upTo: first.start)
        }
        isAtStart = isAtStart && found.isEmpty
        if !found.isEmpty { isSkipping = false }
        for (index, candidate) in found.enumerated() {
            let isOpen = index + 1 == found.count
            if isOpen, !isLast { break }
            try emit(candidate, upTo: isOpen ? block.end : found[index + 1].start, chat)
        }
        if isLast {
            if found.isEmpty, isAtStart { try rejectLeadingLines(upTo: held.count) }
            line += block.lines
            held = []
            return
        }
        if let last = found.last {
            held.removeFirst(last.start)
            line += last.line
        } else if isSkipping {
            held.removeFirst(block.end)
            line += block.lines
        }
    }

    // A separate function, so that the closures release the held bytes before any are removed.
    private func messages(
        of block: WhatsAppBlock, _ survey: WhatsAppSurvey, isLast: Bool
    ) -> [WhatsAppBlock.Candidate] {
        let judgement = WhatsAppBlock.Judgement(
            template: survey.template, order: survey.order ?? .dmy, first: survey.first,
            author: { [held] candidate in
                Self.rest(of: candidate, in: held) { WhatsAppAuthor.split($0, known: survey.known)?.name }
            },
            isNotice: { [held] candidate in
                Self.rest(of: candidate, in: held) { rest in
                    WhatsAppNotices.isNotice(
                        line: WhatsAppMarks.plain(rest.prefix { $0 != 0x0A }.prefix(400)), among: survey.speakers)
                }
            }, isKnown: { survey.known.contains($0) })
        return block.messages(judgement, isLast: isLast, previous: &previous)
    }

    /// The text after a line's header.
    private static func rest<Result>(
        of candidate: WhatsAppBlock.Candidate, in held: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        held.withUnsafeBufferPointer { bytes in
            let start = min(candidate.start + Int(candidate.header.length), bytes.count)
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            return body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        }
    }

    private func emit(_ candidate: WhatsAppBlock.Candidate, upTo end: Int, _ chat: WhatsAppChat) throws {
        let number = line + candidate.line
        guard end - candidate.start <= context.options.maximumLine else {
            try context.assembler.append(
                reject: RejectReason(code: "input.line-too-long", reason: "the message is too long (--max-line)"),
                number: number, offset: -1)
            return
        }
        var timeText = ""
        var rest: [UInt8] = []
        rest.reserveCapacity(end - candidate.start)
        held.withUnsafeBufferPointer { bytes in
            let header = scanner.header(UnsafeBufferPointer(rebasing: bytes[candidate.start..<end]))
            timeText = header.map { scanner.written($0) } ?? ""
            for at in min(candidate.start + Int(candidate.header.length), end)..<end {
                // Normalize line breaks to LF.
                if bytes[at] == 0x0D, at + 1 == end || bytes[at + 1] == 0x0A { continue }
                rest.append(bytes[at])
            }
        }
        while rest.last == 0x0A { rest.removeLast() }
        let entry = WhatsAppMessage(header: candidate.header, chat: chat, zone: zone, zoneName: zoneName)
        let message = entry.message(
            rest, timeText: timeText, members: members, file: member.path, line: number)
        try buffer.add(
            message, time: entry.seconds.map { $0 * 1000 }, timeText: timeText, idPrefix: "wa:", number: number,
            source: member.source)
    }

    /// Rejects the lines before the first header, which belong to a message that is missing.
    private func rejectLeadingLines(upTo end: Int) throws {
        guard !held[..<end].allSatisfy(Opening.isBlank) else { return }
        try reject("whatsapp.no-header", "these lines come before the first date and time; their message is missing")
    }

    private func refuse(isLast: Bool) throws {
        guard context.paths.isEmpty else {
            held = []
            return
        }
        throw TriageError(
            "input.no-chat", "no line begins with a date, a time and a name", at: member.source,
            remedy: "export the chat from WhatsApp again, or name another format with --from", exit: .badData)
    }

    private func reject(_ code: String, _ words: String) throws {
        try context.assembler.append(reject: RejectReason(code: code, reason: words), number: line, offset: -1)
    }
}
