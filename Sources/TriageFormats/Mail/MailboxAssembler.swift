import TriageCore

/// Collects emails, finds out who owns the mailbox, and emits each record once, grouped by conversation.
///
/// Records wait, in bounded memory, until there is enough evidence for the owner.
final class MailboxAssembler {
    private struct Waiting {
        var message: Message
        var time: Int64?
        var timeText: String
        var number: Int
        var source: String
    }

    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private let parser = MailParser()
    private var owner: MailOwner
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    private var isDecided = false
    private var skipped: [GmailLabels.Place: Int] = [:]
    private var cut = 0

    /// The number of emails that is enough evidence.
    private static let enoughMails = 1000
    private static let enoughBytes = 8 << 20

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .oldestFirst)
        owner = MailOwner(identities: context.options.ownIdentities)
    }

    /// Adds one email.
    ///
    /// - Parameters:
    ///   - left: number of its bytes that are not in `bytes`.
    ///   - number: position in its file, from 1.
    func take(_ bytes: consuming [UInt8], left: Int, separatorTime: Int64?, number: Int, _ member: Member) throws {
        // The parser modifies its input.
        let raw = copy bytes
        guard let mail = parser.parse(bytes) else {
            context.assembler.beginSource(member.source)
            try context.assembler.append(
                reject: RejectReason(code: "mail.no-header", reason: "there is no mail header where one should begin"),
                number: number, offset: -1)
            return
        }
        let labels = GmailLabels(mail.labels)
        owner.learn(from: mail.fromAddress, deliveredTo: mail.deliveredTo, isSent: labels.places.contains(.sent))
        if let place = labels.reasonToSkip {
            skipped[place, default: 0] += 1
            // If a separator is damaged, its email is attached to the previous one.
            if MailBodies.holdMail(raw) { context.unread.note(member.source) }
            return
        }
        if left > 0 { cut += 1 }
        var message = mail.message(labels: labels, separatorTime: separatorTime, left: left)
        let isNameless = mail.attachments.contains { $0.name == nil && MailBodies.mayBeText($0.mime) }
        let isSilent = message.text.isEmpty && MailBodies.haveWords(raw)
        if isNameless || isSilent || MailBodies.haveWordsInHeader(raw) || (left == 0 && MailBodies.areBroken(raw)) {
            context.unread.note(member.source)
        }
        message.raw.append(Message.source(member.path, index: number - 1))
        let entry = Waiting(
            message: message, time: mail.time(separatorTime: separatorTime), timeText: mail.dateText ?? "",
            number: number, source: member.source)
        if isDecided {
            try hand(on: entry)
            return
        }
        waiting.append(entry)
        waitingBytes += message.text.utf8.count + 1024
        if waiting.count >= Self.enoughMails || waitingBytes >= Self.enoughBytes { try decide() }
    }

    /// Called when everything was read: emits held records and reports what was left out.
    func finish() throws {
        try decide()
        try buffer.flush()
        if !skipped.isEmpty {
            let parts = [GmailLabels.Place.spam, .trash, .drafts, .chats].compactMap { place in
                skipped[place].map { "\($0) in \(place.rawValue)" }
            }
            context.notices("skipped because of their Gmail labels: " + parts.joined(separator: ", "))
        }
        if cut > 0 {
            context.notices(
                "of \(cut) \(cut == 1 ? "mail" : "mails") larger than \(context.options.maximumLine) bytes (--max-line)"
                    + " only the beginning was read; raw.cut says how much is missing")
        }
        if buffer.repeated > 0 {
            context.notices("\(buffer.repeated) \(buffer.repeated == 1 ? "mail" : "mails") came more than once")
        }
    }

    private func decide() throws {
        isDecided = true
        for entry in waiting { try hand(on: entry) }
        waiting = []
        waitingBytes = 0
    }

    private func hand(on entry: Waiting) throws {
        var message = entry.message
        message.sender.isSelf = owner.isOwn(message.sender.id)
        // Extreme dates must not overflow.
        let time = entry.time.map { min(max($0, -1 << 50), 1 << 50) * 1000 }
        try buffer.add(
            message, time: time, timeText: entry.timeText, idPrefix: "mail:", number: entry.number,
            source: entry.source)
    }
}

/// Learns from the emails of an export who owns the mailbox.
private struct MailOwner {
    private let named: Set<String>
    private var delivered: [String: Int] = [:]
    private var deliveries = 0
    private var sent = Set<String>()

    /// - Parameter identities: the user's own identities; any addresses among them settle the question.
    init(identities: [String]) {
        named = Set(identities.filter { $0.contains("@") && $0.first != "@" }.map(Self.normalized))
    }

    /// Adds the evidence of one email.
    mutating func learn(from: String?, deliveredTo: [String], isSent: Bool) {
        if isSent, let from { sent.insert(Self.normalized(from)) }
        guard !deliveredTo.isEmpty else { return }
        deliveries += 1
        for address in Set(deliveredTo.map(Self.normalized)) {
            // No mailbox has that many addresses, but a collection of emails does; keep memory bounded.
            guard delivered[address] != nil || delivered.count < 10_000 else { continue }
            delivered[address, default: 0] += 1
        }
    }

    var isKnown: Bool { !named.isEmpty || !sent.isEmpty || !delivered.isEmpty }

    /// Whether an address is the owner's; nil: the owner is unknown.
    func isOwn(_ address: String?) -> Bool? {
        guard isKnown, let address else { return nil }
        let own = Self.normalized(address)
        if !named.isEmpty { return named.contains(own) }
        if sent.contains(own) { return true }
        // A mailing list delivers to its own address first, but that is less than a tenth of all emails.
        return delivered[own].map { $0 * 10 >= deliveries } ?? false
    }

    /// The address in lower case; for Gmail without dots and without the part after a plus sign.
    static func normalized(_ address: String) -> String {
        let text = address.lowercased()
        guard let at = text.lastIndex(of: "@") else { return text }
        let domain = text[text.index(after: at)...]
        guard domain == "gmail.com" || domain == "googlemail.com" else { return text }
        return text[..<at].prefix { $0 != "+" }.filter { $0 != "." } + "@gmail.com"
    }
}
