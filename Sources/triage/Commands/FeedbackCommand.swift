import ArgumentParser
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Stores what a person says about answers, beside the answers.
struct FeedbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedback",
        abstract: "Records corrections and the outcome of drafts and offers; answers stay unchanged.",
        discussion: """
            EXAMPLES
              triage feedback 12 --category spam --store inbox.db
              triage feedback 12 --sentiment negative --urgent true
              triage feedback 30 --faq wrong --faq-entry shipping
              triage feedback 30 --draft edited --text "Thanks! It ships on Monday."
              triage feedback 30 --draft-rating bad --note "does not sound like me"
              triage feedback 12 --undo
              triage feedback list
              triage feedback export > gold.jsonl
              triage evaluate gold.jsonl

            Each decision is a row that never changes. The newest one not undone counts,
            in `triage list` and in the gold labels that `export` writes for `triage
            train`, `evaluate` and `faq learn`.
            """,
        subcommands: [FeedbackGiveCommand.self, FeedbackListCommand.self, FeedbackExportCommand.self],
        defaultSubcommand: FeedbackGiveCommand.self)
}

struct FeedbackGiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "give",
        abstract: "Records a decision about one message (the default).",
        discussion: """
            EXAMPLES
              triage feedback give 12 --category spam
              triage feedback give 12 --opportunity dismissed
              triage feedback give 12 --undo --field category

            EXIT CODES
              0 saved · 64 usage, or several messages with that name
              66 no such message, or no such store · 74 the store is damaged, or I/O error
              75 it is busy, or too many open files: try again
              78 not a store, or from a newer version
            """)

    @OptionGroup var message: MessageOptions

    @Option(help: ArgumentHelp("The category: fan, business or spam.", valueName: "label"))
    var category: Category?

    @Option(help: ArgumentHelp("The sentiment: positive, negative or neutral.", valueName: "label"))
    var sentiment: Sentiment?

    @Option(help: ArgumentHelp("Whether it is urgent: true or false.", valueName: "flag"))
    var urgent: Truth?

    @Option(help: ArgumentHelp("The FAQ entry: right or wrong; if none was found, right means that none fits."))
    var faq: FAQVerdict?

    @Option(help: ArgumentHelp("Id of the right entry, or none.", valueName: "id"))
    var faqEntry: String?

    @Option(help: ArgumentHelp("What you did with the draft: accepted, edited or dismissed.", valueName: "fate"))
    var draft: Decision.Fate?

    @Option(help: ArgumentHelp("What you think of the draft: good or bad.", valueName: "rating"))
    var draftRating: DraftRating?

    @Option(help: ArgumentHelp("What you did with the offer: dismissed.", valueName: "fate"))
    var opportunity: OfferFate?

    @Option(help: ArgumentHelp("A reason in your words, stored with the decision.", valueName: "words"))
    var note: String?

    @Option(help: ArgumentHelp("With --draft edited: the reply as you wrote it, to learn from.", valueName: "words"))
    var text: String?

    @Flag(help: "Undo the last decision.")
    var undo = false

    @Option(help: ArgumentHelp("With --undo: only decisions about this field.", valueName: "field"))
    var field: InboxFeedback.Field?

    @OptionGroup(title: "Store") var store: StoreOptions

    /// Named in the message about another value, unlike those of `Bool`.
    enum Truth: String, ExpressibleByArgument, CaseIterable {
        case `true`, `false`, yes, no
        var isTrue: Bool { self == .true || self == .yes }
    }
    enum FAQVerdict: String, ExpressibleByArgument, CaseIterable { case right, wrong }
    enum DraftRating: String, ExpressibleByArgument, CaseIterable { case good, bad }
    enum OfferFate: String, ExpressibleByArgument, CaseIterable { case dismissed }

    private var isSaid: Bool {
        category != nil || sentiment != nil || urgent != nil || faq != nil || faqEntry != nil || draft != nil
            || draftRating != nil || opportunity != nil
    }

    mutating func validate() throws {
        if undo, isSaid { throw ValidationError("--undo can only be combined with --field.") }
        if !undo, !isSaid { throw ValidationError("Give a correction, such as --category spam, or --undo.") }
        if field != nil, !undo { throw ValidationError("--field needs --undo.") }
        if faq == .right, faqEntry != nil { throw ValidationError("--faq right cannot be combined with --faq-entry.") }
        if undo, note != nil { throw ValidationError("--note needs a decision.") }
        if text != nil, draft != .edited { throw ValidationError("--text needs --draft edited.") }
        if note?.utf8.count ?? 0 > Decision.noteLimit || text?.utf8.count ?? 0 > Decision.textLimit {
            throw ValidationError(
                "--note can have up to \(Decision.noteLimit) bytes, --text up to \(Decision.textLimit).")
        }
        if faqEntry?.isEmpty == true { throw ValidationError("--faq-entry must be the id of an entry, or none.") }
    }

    func run() throws {
        let inbox = try store.open(.existing)
        defer { inbox.close() }
        let entry = try message.entry(in: inbox)
        guard entry.message.kind == .message else {
            throw TriageError(
                "feedback.no-answers", "this message is context: it has no answers to correct", at: inbox.path,
                remedy: "name a message from someone else", exit: .usage)
        }
        if undo {
            guard let undone = try inbox.undo(entry.message.key, field, at: UTCTime.now, source: "command") else {
                throw TriageError(
                    "feedback.nothing-to-undo", "this message has no decision to undo", at: inbox.path,
                    remedy: "see its decisions with: triage show no:\(entry.number)", exit: .usage)
            }
            try say("No \(entry.number): \(undone.field.rawValue) \(undone.value) undone")
            return
        }
        let rows = try decisions.map { try $0.row(on: entry, source: "command", note: note, text: text) }
        try inbox.keep(rows)
        for row in rows {
            try say("No \(entry.number): \(row.field.rawValue) \(row.before ?? "none") → \(row.value)")
        }
    }

    private func say(_ words: String) throws {
        try CheckedWriter.standardError.write("triage: \(Terminal.harmless(words))\n")
    }

    /// The decisions given as options.
    private var decisions: [Decision] {
        var said: [Decision] = []
        if let category { said.append(.category(category)) }
        if let sentiment { said.append(.sentiment(sentiment)) }
        if let urgent { said.append(.urgent(urgent.isTrue)) }
        if let faqEntry {
            said.append(.faqEntry(faqEntry == "none" ? nil : faqEntry))
        } else if let faq {
            said.append(.faqIsRight(faq == .right))
        }
        if let draft { said.append(.draft(draft)) }
        if let draftRating { said.append(.draftIsGood(draftRating == .good)) }
        if opportunity != nil { said.append(.dismissedOffer) }
        return said
    }
}

struct FeedbackListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists decisions, newest first.",
        discussion: """
            EXAMPLES
              triage feedback list --store inbox.db
              triage feedback list --to jsonl \\
                | jq -r 'select(.field == "category") | .value'
            """)

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("Maximum number to show.", valueName: "n"))
    var limit = 50

    @Option(name: [.customLong("to")], help: ArgumentHelp("text or jsonl.", valueName: "format"))
    var to: ShowCommand.Format = .text

    mutating func validate() throws {
        if !(1...1_000_000).contains(limit) { throw ValidationError("--limit must be from 1 to 1000000.") }
    }

    func run() throws {
        let inbox = try store.open()
        defer { inbox.close() }
        let rows = try inbox.feedback(limit: limit)
        var block = TextBlock(width: min(Terminal.width(1), 120))
        var lines = ""
        for (feedback, number) in rows {
            if to == .jsonl {
                lines += FeedbackText.json(feedback, number: number) + "\n"
            } else {
                block.line("No \(number.map { "\($0)" } ?? "-")  " + FeedbackText.words(feedback), indent: 0)
            }
        }
        try CheckedWriter.standardOutput.write(to == .jsonl ? lines : block.text)
        try CheckedWriter.standardError.write(rows.count.of("decision") + "\n")
    }
}

struct FeedbackExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes corrected messages with gold labels, for evaluate, train and faq learn.",
        discussion: """
            EXAMPLES
              triage feedback export --store inbox.db > gold.jsonl
              triage evaluate gold.jsonl
              triage train gold.jsonl -o own.model
              triage faq learn gold.jsonl --dry-run

            Writes one record per line, unchanged but without its answers and with a
            member "gold" of your decisions: category, sentiment, urgent, faq_id (null if
            none fits). Questions without a decision have no label. A FAQ match marked
            wrong, without the right entry, teaches nothing and is left out.
            """)

    @OptionGroup(title: "Store") var store: StoreOptions

    func run() throws {
        let inbox = try store.open()
        defer { inbox.close() }
        var pending: [UInt8] = []
        var (written, strange) = (0, 0)
        try inbox.forEachCorrected { entry in
            guard let labels = GoldLabels.members(of: entry) else { return }
            let gold = GoldLabels.json(labels)
            guard let line = StoredRecord(entry.message.record).withoutAnswers(adding: [gold]) else {
                strange += 1
                return
            }
            pending += line + [0x0A]
            written += 1
            if pending.count > 1 << 20 {
                try CheckedWriter.standardOutput.write(pending)
                pending.removeAll(keepingCapacity: true)
            }
        }
        try CheckedWriter.standardOutput.write(pending)
        var words = written.of("record") + " with labels\n"
        if strange > 0 {
            words += strange.of("record") + " left out: not parsable, for example because of duplicate keys\n"
        }
        try CheckedWriter.standardError.write(words)
    }
}

extension Category: ExpressibleByArgument {
    public init?(argument: String) {
        guard let category = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = category
    }

    public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension Sentiment: ExpressibleByArgument {
    public init?(argument: String) {
        guard let sentiment = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = sentiment
    }

    public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension InboxFeedback.Field: ExpressibleByArgument {}
extension Decision.Fate: ExpressibleByArgument {}
