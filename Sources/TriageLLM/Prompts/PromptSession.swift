package import TriageCore

/// The parts that all requests of one prompt share in a run, and how the rest of a request is built.
///
/// A pure value: the same messages give the same bytes, whenever and however often they are asked about.
package struct PromptSession: Sendable {
    /// Instructions, profile and library; the same for the whole run.
    package let system: String
    /// The system part of a second request, after a useless answer.
    ///
    /// It begins with ``system``; nil: there is no repair prompt.
    package let repairSystem: String?
    /// The answer format; nil for drafts.
    package let format: AnswerFormat?
    /// The answer format for drafts.
    package let draftFormat: DraftFormat
    package let schema: AnswerSchema
    package let canary: Canary
    /// What answers depend on apart from the messages, without the run's secret; for the key of a cache.
    package let identity: [UInt8]

    private let template: PromptTemplate
    private let repair: PromptTemplate?
    private let aliases: FAQAliases
    private let listsLibrary: Bool
    private let library: FAQLibrary
    private let delimiter: PromptDelimiter
    private let neutralizer: Neutralizer
    private let redactor: Redactor?

    /// The most library entries that the system part lists; with a larger library, each request lists those it offers.
    package static let listLimit = 60
    /// The most characters of answers that the system part lists for drafts, some 4,000 tokens.
    ///
    /// With a longer library, each request contains only the one entry that was found for it.
    package static let answerLimit = 16_000
    /// The most characters of one answer, and of a past message or reply.
    private static let entryLimit = 2_000
    private static let pastLimit = 600

    /// - Parameters:
    ///   - template: the prompt.
    ///   - repair: the prompt for a second attempt.
    ///   - bounded: whether the server enforces the ranges and lengths of a schema.
    ///   - redacts: whether people's addresses and numbers are removed first.
    package init(
        _ template: PromptTemplate, repair: PromptTemplate? = nil, profile: CreatorProfile? = nil,
        library: FAQLibrary = FAQLibrary(), secret: RunSecret, neutralizer: Neutralizer = Neutralizer(),
        bounded: Bool = false, redacts: Bool = false
    ) {
        self.template = template
        self.repair = repair
        self.library = library
        self.neutralizer = neutralizer
        delimiter = PromptDelimiter(secret: secret)
        redactor = redacts ? Redactor() : nil
        let asksFAQ = template.has(.faq) && !library.entries.isEmpty
        aliases = asksFAQ ? FAQAliases(library) : FAQAliases()
        let isDraft = template.id.question == .draft
        let answers = isDraft ? library.entries.reduce(0) { $0 + $1.answer.count } : 0
        listsLibrary = asksFAQ && library.entries.count <= Self.listLimit && answers <= Self.answerLimit
        let shape: String
        if isDraft {
            let drafts = DraftFormat(aliases: aliases, asksWhy: template.has(.faq))
            draftFormat = drafts
            format = nil
            schema = drafts.schema(bounded: bounded)
            shape = drafts.shape
        } else {
            draftFormat = DraftFormat()
            let format = AnswerFormat(fields: AnswerFields(template.id.question), aliases: aliases, bounded: bounded)
            self.format = format
            schema = format.schema
            shape = format.shape
        }
        let instructions = template.text(.system, [.shape: shape])
        var parts = [instructions]
        if let profile { parts.append(template.text(.profile, Self.values(of: profile))) }
        if asksFAQ {
            let questions =
                listsLibrary
                ? library.entries.enumerated().map {
                    Self.line("q\($0 + 1)", $1) + (isDraft ? "\n" + Self.answerLine($1) : "")
                }.joined(separator: "\n")
                : isDraft ? Self.unlisted : "The questions stand at the end of the user turn."
            parts.append(template.text(.faq, [.questions: questions]))
        }
        canary = Canary(secret: secret, instructions: instructions)
        let fixed = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
        let system = fixed + "\n\n" + canary.line
        self.system = system
        repairSystem = repair.map { system + "\n\n" + $0.text(.system, [:]) }
        var hash = SHA256()
        for part in [template.digest, fixed, redacts ? "redacted" : "", "\(neutralizer.limit)"]
            + library.entries.map(\.question) + (isDraft ? library.entries.map(\.answer) : [])
        {
            hash.update(withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian) { Array($0) })
            hash.update(Array(part.utf8))
        }
        identity = Array(template.id.description.utf8) + hash.digest()
    }

    /// What is sent about a message, and everything that its answer depends on.
    package func prepared(_ question: MessageQuestion) -> PreparedMessage {
        var neutral = neutralizer.neutralized(question.text)
        let redaction = redactor?.redacted(neutral.text)
        if let redaction { neutral.text = redaction.text }
        var head = ""
        if let language = Self.language(question.language) { head += " lang=\(language)" }
        if let day = Self.word(question.day, limit: 24) { head += " sent=\(day)" }
        let offered = question.candidates.filter { aliases.alias(of: $0) != nil }
        if !aliases.ids.isEmpty, format != nil {
            let names = offered.compactMap { aliases.alias(of: $0) }
            // Listed individually only if necessary: sixty names cost seventy tokens per message.
            let all = names.count == aliases.ids.count
            head += " faq=" + (names.isEmpty ? "none" : all ? "any" : names.joined(separator: ","))
        }
        return PreparedMessage(head: head, neutral: neutral, redaction: redaction, candidates: offered)
    }

    /// The user part about messages, each with an id that we assigned.
    package func user(_ messages: [(id: String, message: PreparedMessage)]) -> String {
        filled(template, messages, tail: questions(for: messages.map(\.message)))
    }

    /// The user part for a draft.
    /// - Parameters:
    ///   - bad: the model's earlier text, as untrusted as a message; nil: none.
    ///   - faults: what is wrong with it, in our own words.
    package func user(
        drafting question: DraftQuestion, id: String, insteadOf bad: [UInt8]? = nil, faults: [String] = []
    ) -> String {
        var message = prepared(question.message)
        if question.isMail, draftFormat.asksWhy { message.head += " via=email" }
        var tail: [PromptDelimiter.Block] = []
        if !listsLibrary {
            let found = library.entries.first { $0.id == question.entry }
            let alias = question.entry.flatMap(aliases.alias).map { " \($0)" } ?? ""
            let text = found.map { neutralizer.neutralized($0.answer).text } ?? "(none)"
            tail.append(PromptDelimiter.Block(head: "answer\(alias)", text: text))
        }
        tail += question.examples.map {
            let parts = [$0.asked, $0.answered].map { Self.plain($0, limit: Self.pastLimit) }
            return PromptDelimiter.Block(head: "past", text: "they: \(parts[0])\nyou: \(parts[1])")
        }
        guard let bad else { return filled(template, [(id, message)], tail: tail) }
        return filled(repair ?? template, [(id, message)], tail: tail + Self.second(bad, faults))
    }

    /// The answers of these entries, for checking a draft that was made from them.
    package func answers(of entries: [String]) -> String {
        entries.compactMap { id in library.entries.first { $0.id == id }?.answer }.joined(separator: "\n")
    }

    /// The answers that a draft may draw on.
    ///
    /// They are those of the entries that the model named or, with a prompt that does not ask for names (version 1),
    /// that of the one entry it was shown.
    package func sources(of entries: [String], found entry: String?) -> String {
        answers(of: draftFormat.asksWhy ? entries : entry.map { [$0] } ?? [])
    }

    /// The user part of a second attempt.
    /// - Parameters:
    ///   - bad: what the model wrote, as untrusted as a message; at most 2,048 bytes of it are shown.
    ///   - faults: what is wrong with it, in our own words.
    package func user(
        repairing bad: [UInt8], faults: [String], about messages: [(id: String, message: PreparedMessage)]
    ) -> String {
        let tail = questions(for: messages.map(\.message)) + Self.second(bad, faults)
        return filled(repair ?? template, messages, tail: tail)
    }

    /// The earlier answer and its faults.
    private static func second(_ bad: [UInt8], _ faults: [String]) -> [PromptDelimiter.Block] {
        let shown = Neutralizer(limit: 2_048).neutralized(String(decoding: bad.prefix(2_048), as: UTF8.self)).text
        return [
            PromptDelimiter.Block(head: "bad", text: shown),
            PromptDelimiter.Block(head: "faults", text: faults.prefix(20).map { "- \($0)" }.joined(separator: "\n")),
        ]
    }

    /// All blocks share one boundary, in the order of the template's placeholders: messages first.
    private func filled(
        _ template: PromptTemplate, _ messages: [(id: String, message: PreparedMessage)], tail: [PromptDelimiter.Block]
    ) -> String {
        let blocks = messages.map {
            PromptDelimiter.Block(head: $0.id + $0.message.head, text: $0.message.neutral.text)
        }
        return template.text(.user, [.messages: delimiter.fenced(blocks + tail)])
    }

    /// The FAQ entries that a request offers, if the system part does not list them.
    private func questions(for messages: [PreparedMessage]) -> [PromptDelimiter.Block] {
        guard !aliases.ids.isEmpty, !listsLibrary else { return [] }
        let offered = Set(messages.flatMap(\.candidates))
        let lines = library.entries.enumerated().filter { offered.contains($1.id) }.map { Self.line("q\($0 + 1)", $1) }
        return [PromptDelimiter.Block(head: "questions", text: lines.joined(separator: "\n"))]
    }

    private static func line(_ alias: String, _ entry: FAQEntry) -> String {
        "\(alias): " + plain(entry.question, limit: 200)
    }

    private static func answerLine(_ entry: FAQEntry) -> String { "   " + plain(entry.answer, limit: entryLimit) }

    private static let unlisted = "The library is long: the one answer that may fit stands in the user turn, if any."

    private static func values(of profile: CreatorProfile) -> [PromptTemplate.Placeholder: String] {
        let list: ([String]) -> String = { items in
            plain(items.prefix(40).joined(separator: ", "), limit: 800)
        }
        return [
            .name: plain(profile.name, limit: 80), .niches: list(profile.niches),
            .excluded: list(profile.excludedTopics), .works: list(profile.works), .languages: list(profile.languages),
            .voice: plain(profile.voice, limit: 600), .contact: plain(profile.offerAddress, limit: 200),
        ]
    }

    /// The creator's own words on one line, without tokens that a server would treat as control tokens.
    private static func plain(_ text: String, limit: Int) -> String {
        let neutral = Neutralizer(limit: limit).neutralized(text)
        let kept = neutral.isCut ? String(neutral.text.dropLast(Neutralizer.cutMark.count)) : neutral.text
        return Text.trimmed(String(kept.map { $0.isNewline ? " " : $0 }))
    }

    /// The language and script of a tag, such as `zh-Hant`.
    ///
    /// The tag comes with the message, so anybody may have written it, and a longer one could contain words.
    private static func language(_ tag: String?) -> String? {
        let parts = (tag ?? "").split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.utf8.count),
            first.unicodeScalars.allSatisfy(Text.isASCIILetter)
        else { return nil }
        let hasScript =
            parts.count > 1 && parts[1].utf8.count == 4 && parts[1].unicodeScalars.allSatisfy(Text.isASCIILetter)
        return hasScript ? "\(first)-\(parts[1])" : String(first)
    }

    /// The text if it has the form of a day.
    private static func word(_ text: String?, limit: Int) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= limit,
            text.unicodeScalars.allSatisfy({ Text.isASCIILetter($0) || Text.isASCIIDigit($0) || $0 == "-" || $0 == " " }
            )
        else { return nil }
        return text
    }
}

/// A message in the form in which it is sent.
package struct PreparedMessage: Sendable, Equatable {
    /// Language, day and offered entries, in our own words.
    package var head: String
    package var neutral: NeutralText
    /// Restores redacted text from its placeholders; nil if nothing is redacted.
    package var redaction: Redaction?
    /// The offered ids that are in the library.
    package var candidates: [String]

    /// Everything that the model is told about the message, part by part; for the key of a cache.
    package var parts: [[UInt8]] { [Array(head.utf8), Array(neutral.text.utf8)] }
}
