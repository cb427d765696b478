package import TriageCore

/// Counts of what a run did, added up batch by batch.
package struct RunCounts: Sendable {
    /// Records read, of any kind.
    package private(set) var read = 0
    /// Messages that were triaged.
    package private(set) var messages = 0
    /// Messages sent by the creator.
    package private(set) var own = 0
    /// Reactions, calls, system notices.
    package private(set) var notMessages = 0
    /// Messages without readable content, such as a photo.
    package private(set) var withoutText = 0
    /// Rejected records.
    package private(set) var rejected = 0
    /// Messages by ``Category``.
    package private(set) var categories = [Int](repeating: 0, count: Category.allCases.count)
    package private(set) var urgent = 0
    /// Texts that several senders sent almost identically, and the number of such messages.
    package private(set) var campaigns = 0
    package private(set) var campaignMessages = 0
    /// Messages with at least one problem.
    package private(set) var withProblems = 0
    /// Records that do not say whether the sender is the owner.
    package private(set) var ownerUnknown = 0
    /// The best offers, at most ``offerLimit``, best first.
    package private(set) var offers: [Offer] = []
    /// The first rejected records, up to the requested number.
    package private(set) var firstRejects: [RejectedRecord] = []

    /// Number of offers named in the summary.
    package static let offerLimit = 3

    /// An offer worth naming.
    package struct Offer: Sendable, Equatable {
        package var score: Int
        package var tier: String?
        package var who: String
        /// Its budget as text; empty if it names none.
        package var budget: String
        fileprivate var batch: Int
        fileprivate var record: Int

        fileprivate static func isBetter(_ a: Offer, _ b: Offer) -> Bool {
            if a.score != b.score { return a.score > b.score }
            return (a.batch, a.record) < (b.batch, b.record)
        }
    }

    /// A rejected record and its location.
    package struct RejectedRecord: Sendable {
        package var reason: RejectReason
        /// Index into the run's list of sources.
        package var source: Int
        /// Line number from 1.
        package var line: Int

        /// `path:line`.
        package func place(in sources: [String]) -> String {
            source < sources.count ? "\(sources[source]):\(line)" : "line \(line)"
        }
    }

    package init() {}

    /// Counts one batch.
    ///
    /// - Parameter rejectsKept: how many rejected records to keep for display; the first one is always kept.
    package init(_ batch: borrowing Batch, rejectsKept: Int) {
        let sequence = batch.input.sequence
        batch.records.withUnsafeBufferPointer { records in
            guard let first = records.baseAddress else { return }
            for number in records.indices {
                switch records[number].status {
                case .filtered: continue
                case .rejected: break
                case .own: own += 1
                case .notMessage: notMessages += 1
                case .message: count(first + number, number, sequence, batch)
                }
                read += 1
            }
        }
        rejected = batch.rejects.count
        for reject in batch.rejects.prefix(max(1, rejectsKept)) {
            let line = batch.input.lines[reject.line]
            firstRejects.append(
                RejectedRecord(reason: reject.reason, source: Int(line.source), line: line.number))
        }
    }

    /// The first rejected record; nil when there was none.
    package var firstReject: RejectedRecord? { firstRejects.first }

    private mutating func count(
        _ record: UnsafePointer<Record>, _ number: Int, _ sequence: Int, _ batch: borrowing Batch
    ) {
        messages += 1
        if Self.isBlank(record, batch) { withoutText += 1 }
        if let label = record.pointee.category?.label { categories[Int(label.rawValue)] += 1 }
        if record.pointee.urgency?.isUrgent ?? false { urgent += 1 }
        if let campaign = record.pointee.campaign {
            if campaign.isFirst { campaigns += 1 }
            campaignMessages += Int(campaign.added)
        }
        if record.pointee.hasProblems { withProblems += 1 }
        if record.pointee.fields.isSelf == nil { ownerUnknown += 1 }
        guard let opportunity = record.pointee.opportunity, opportunity.score > 0 else { return }
        if offers.count == Self.offerLimit, offers[offers.count - 1].score >= opportunity.score { return }
        let fields = record.pointee.fields
        let sender: Span32 =
            [fields.senderName, fields.senderHandle, fields.senderID].first { $0.count > 0 } ?? .absent
        let budget = record.pointee.facts.budget ?? record.pointee.thread.budget
        keep(
            Offer(
                score: opportunity.score, tier: opportunity.tier,
                who: String(decoding: batch.arena[sender.range.prefix(256)], as: UTF8.self),
                budget: budget.map { MoneyText.short($0) } ?? "", batch: sequence, record: number))
    }

    /// Whether a reader would see nothing: whitespace and hidden characters do not count as text.
    private static func isBlank(_ record: UnsafePointer<Record>, _ batch: borrowing Batch) -> Bool {
        let text = record.pointee.fields.text
        // A message with a label had text, and most have one, so their text need not be examined.
        guard text.count > 0, record.pointee.category?.label == nil else { return text.count == 0 }
        return String(decoding: batch.arena[text.range], as: UTF8.self).unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Keeps an offer; repeated offers from one sender for the same amount are named once, with the best score.
    private mutating func keep(_ offer: Offer) {
        if !offer.who.isEmpty,
            let known = offers.firstIndex(where: { $0.who == offer.who && $0.budget == offer.budget })
        {
            guard Offer.isBetter(offer, offers[known]) else { return }
            offers.remove(at: known)
        }
        let place = offers.firstIndex { Offer.isBetter(offer, $0) } ?? offers.count
        offers.insert(offer, at: place)
        if offers.count > Self.offerLimit { offers.removeLast() }
    }

    /// Adds a batch's counts; call it in input order.
    package mutating func merge(_ other: RunCounts) {
        read += other.read
        messages += other.messages
        own += other.own
        notMessages += other.notMessages
        withoutText += other.withoutText
        rejected += other.rejected
        urgent += other.urgent
        campaigns += other.campaigns
        campaignMessages += other.campaignMessages
        withProblems += other.withProblems
        ownerUnknown += other.ownerUnknown
        for index in categories.indices { categories[index] += other.categories[index] }
        for offer in other.offers { keep(offer) }
        if firstRejects.isEmpty, let first = other.firstRejects.first { firstRejects = [first] }
    }

    /// One line per rejected record of this batch, up to `limit` in total with those already shown.
    package func rejectLines(sources: [String], shownSoFar: Int, limit: Int = 20) -> [String] {
        firstRejects.prefix(max(0, limit - shownSoFar)).map { reject in
            "\(reject.place(in: sources)): rejected: \(reject.reason.reason) [\(reject.reason.code)]"
        }
    }

    /// The summary of the run, as lines of text for people.
    ///
    /// - Parameters:
    ///   - hiddenRejects: number of rejected records that are neither listed nor written to a file.
    ///   - columns: width of the terminal.
    ///   - isOwnerNamed: whether the creator's handle or name is known, so that nobody needs to be asked for it.
    package func summary(hiddenRejects: Int = 0, columns: Int = 80, isOwnerNamed: Bool = false) -> [String] {
        var lines = [firstLine]
        var others: [String] = []
        if own > 0 { others.append("\(MoneyText.count(own)) of your own") }
        if notMessages > 0 {
            others.append(
                notMessages == 1
                    ? "1 that is not a message" : "\(MoneyText.count(notMessages)) that are not messages")
        }
        if withoutText > 0 { others.append("\(MoneyText.count(withoutText)) without text") }
        if !others.isEmpty { lines.append("passed through unchanged: " + others.joined(separator: ", ")) }
        if campaigns > 0 {
            let noun = campaigns == 1 ? "1 campaign" : "\(MoneyText.count(campaigns)) campaigns"
            lines.append(
                "\(noun), \(MoneyText.count(campaignMessages)) messages: several senders sent nearly the same text")
        }
        if rejected > 0 {
            let hidden = hiddenRejects > 0 ? " (\(MoneyText.count(hiddenRejects)) of them not shown)" : ""
            lines.append("rejected: \(MoneyText.count(rejected))\(hidden)")
        }
        if withProblems > 0 { lines.append("with a problem, see \"problems\": \(MoneyText.count(withProblems))") }
        // If even one record says whose it is, the owner is known.
        if messages > 0, own == 0, ownerUnknown == messages, !isOwnerNamed {
            lines.append("your own messages are unknown; name your handle or name with --me")
        }
        if !offers.isEmpty {
            lines.append("best offers:")
            for offer in offers {
                let head =
                    "  \(TerminalText.paddedBefore(String(offer.score), columns: 3)) "
                    + TerminalText.padded(offer.tier ?? "", columns: 5)
                let tail = [offer.who, offer.budget].filter { !$0.isEmpty }.joined(separator: ", ")
                lines.append(head + "  " + TerminalText.line(tail, columns: max(10, columns - 12)))
            }
        }
        return lines
    }

    private var firstLine: String {
        guard read > 0 else { return "no messages" }
        var parts = Category.allCases.map { "\(MoneyText.count(categories[Int($0.rawValue)])) \($0.name)" }
        parts.append("\(MoneyText.count(urgent)) urgent")
        let noun = read == 1 ? "record" : "records"
        return "\(MoneyText.count(read)) \(noun) read: " + parts.joined(separator: ", ")
    }
}

/// The text of the progress line.
package enum ProgressText {
    /// `12,400 messages, 8,200/s, 31 fan, 12 business, 4 spam, 1 urgent, 2 min left`, cut to `columns`.
    ///
    /// - Parameters:
    ///   - counts: counts so far.
    ///   - seconds: time since the start.
    ///   - bytesDone: bytes of input read.
    ///   - bytesTotal: size of the input; nil if unknown, as for a pipe: the time left is then omitted.
    package static func line(
        _ counts: RunCounts, seconds: Double, bytesDone: Int = 0, bytesTotal: Int? = nil, columns: Int = 80
    ) -> String {
        var parts = ["\(MoneyText.count(counts.read)) records"]
        if seconds > 0.2 { parts.append("\(MoneyText.count(Int(Double(counts.read) / seconds)))/s") }
        for (name, count) in zip(["fan", "business", "spam"], counts.categories) where count > 0 {
            parts.append("\(MoneyText.count(count)) \(name)")
        }
        if counts.urgent > 0 { parts.append("\(MoneyText.count(counts.urgent)) urgent") }
        if let total = bytesTotal, bytesDone > 0, bytesDone < total, seconds > 1 {
            parts.append(left(seconds * Double(total - bytesDone) / Double(bytesDone)))
        }
        return TerminalText.line(parts.joined(separator: ", "), columns: columns)
    }

    /// The time left, rounded up so as not to promise too much.
    private static func left(_ seconds: Double) -> String {
        if seconds < 60 { return "\(Int(seconds.rounded(.up))) s left" }
        if seconds < 5400 { return "\(Int((seconds / 60).rounded(.up))) min left" }
        return seconds < 3.6e8 ? "\(Int((seconds / 3600).rounded(.up))) h left" : "a long time left"
    }
}
