public import TriageCore

/// Drafts a reply from the library's answer or from a template; a person reads, fills in and sends it.
///
/// Reads what the other stages found and writes `draft`. Leaves it nil for spam, empty texts, messages without a
/// category, senders that take no replies, and languages that the creator does not write. A draft never holds words of
/// the message, its links, the creator's rates or another answer of the library; what only the creator knows stands in
/// braces and is named in ``DraftAnswer/fill``. Dangers come before answers: self-harm, threats and legal matters get
/// sober words whatever else was found. The wording is picked by the text, so the same message always gets the same.
public struct ReplyStage: LocalStage {
    public let name = "reply.template"
    public let reads: Set<Field> = [
        .fields, .folded, .hits, .facts, .thread, .category, .sentiment, .urgency, .opportunity, .faq, .language,
        .injection,
    ]
    public let writes: Set<Field> = [.draft]

    private let book: ReplyBook
    /// Places in ``ReplyTemplates/languages`` by language table index; −1: not written.
    private let places: [Int8]
    /// The creator's first name, as a line for the end of an e-mail.
    private let signature: [UInt8]
    private let praiseEmoji: [UInt8]

    /// - Parameters:
    ///   - library: its answers are given as they are written.
    ///   - profile: languages, voice and name; the rates are not looked at.
    ///   - rules: not needed by templates.
    ///   - settings: not needed by templates.
    public init(
        library: FAQLibrary, profile: CreatorProfile, rules: RuleSet = RuleSet(), settings: Settings = Settings()
    ) {
        let supported = ReplyTemplates.languages.map { LanguageTable.index(of: $0) ?? LanguageTable.undetermined }
        let spoken = profile.languages.compactMap { LanguageTable.index(of: $0) }
        // A profile that names no language is taken to write all of them.
        let written = spoken.isEmpty ? supported : supported.filter { spoken.contains($0) }
        let english = written.contains(supported[0]) ? 0 : -1
        let first = spoken.lazy.compactMap { supported.firstIndex(of: $0) }.first ?? (spoken.isEmpty ? 0 : -1)
        places = LanguageTable.tags.indices.map { tag in
            let language = UInt8(tag)
            if written.contains(language), let place = supported.firstIndex(of: language) { return Int8(place) }
            return Int8(language == LanguageTable.undetermined ? first : english)
        }
        book = ReplyBook(library: library, firstLanguage: spoken.first ?? supported[0])
        let firstName = profile.name.split(separator: " ").first.map(String.init) ?? ""
        signature = firstName.isEmpty ? [] : Array("\n\n\(firstName)".utf8)
        praiseEmoji = Self.allowsEmoji(profile.voice) ? Array(" 🙏".utf8) : []
    }

    /// Whether the voice speaks of emoji without ruling them out.
    private static func allowsEmoji(_ voice: String) -> Bool {
        let words = voice.lowercased().split(whereSeparator: { !$0.isLetter && $0 != "'" })
        guard let place = words.firstIndex(where: { $0.hasPrefix("emoji") }) else { return false }
        let denials: Set<Substring> = ["no", "not", "never", "without", "zero", "avoid", "avoids", "don't", "hates"]
        return !words[max(0, place - 4)..<place].contains(where: denials.contains)
            && !(place + 1 < words.count && words[place + 1] == "free")
    }

    public func annotate(_ batch: inout Batch) {
        var basedOn = BasedOnSpans(pages: book.pages.count, answers: book.answers.count)
        for number in batch.records.indices where batch.records[number].isAsked {
            // One copy of the record, instead of one for every look at it.
            let record = batch.records[number]
            batch.records[number].draft = draft(record, &batch, &basedOn)
        }
    }

    /// Where the words of ``DraftAnswer/basedOn`` already stand in this batch.
    private struct BasedOnSpans {
        var pages: [Span32]
        var answers: [Span32]

        init(pages: Int, answers: Int) {
            self.pages = [Span32](repeating: .absent, count: pages)
            self.answers = [Span32](repeating: .absent, count: answers)
        }
    }

    private func draft(_ record: Record, _ batch: inout Batch, _ basedOn: inout BasedOnSpans) -> DraftAnswer? {
        guard let category = record.category?.label, category != .spam else { return nil }
        let language = Int(record.language?.language ?? LanguageTable.undetermined)
        let place = language < places.count ? Int(places[language]) : -1
        guard !ReplySender.takesNoReplies(record.fields, in: batch.arena) else { return nil }
        let isSteered = record.injection?.isSuspected ?? false
        let choice = Self.choice(record, batch.tokens)

        if let situation = ReplySituation.overriding(record) {
            return template(situation, place, choice, record, !isSteered, &batch, &basedOn)
        }
        if let faq = record.faq, !isSteered, book.answers.indices.contains(faq.entry) {
            return answer(faq, place, choice, record, &batch, &basedOn)
        }
        let situation = ReplySituation(record, category)
        return template(situation, place, choice, record, !isSteered, &batch, &basedOn)
    }

    private func template(
        _ situation: ReplySituation, _ place: Int, _ choice: UInt64, _ record: Record, _ usesName: Bool,
        _ batch: inout Batch, _ basedOn: inout BasedOnSpans
    ) -> DraftAnswer? {
        guard place >= 0 else { return nil }
        let page = book.pages[situation.rawValue]
        if !basedOn.pages[situation.rawValue].isPresent {
            basedOn.pages[situation.rawValue] = batch.generate(page.basedOn)
        }
        let start = batch.generated.count
        greet(place, usesName ? record : nil, &batch)
        let wordings = page.wordings[place]
        let wording = wordings[Int(choice % UInt64(wordings.count))]
        let body = batch.generated.count
        batch.generated.append(contentsOf: wording.bytes)
        if situation == .praise { batch.generated.append(contentsOf: praiseEmoji) }
        let firstFill = batch.generatedSpans.count
        for range in wording.fill {
            batch.generatedSpans.append(Span32(start: body + range.lowerBound, count: range.count))
        }
        sign(record, &batch)
        return DraftAnswer(
            text: Span32(start: start, count: batch.generated.count - start), language: book.tags[place],
            basedOn: basedOn.pages[situation.rawValue], fill: firstFill..<batch.generatedSpans.count,
            by: .replyTemplate)
    }

    private func answer(
        _ faq: FAQAnswer, _ place: Int, _ choice: UInt64, _ record: Record, _ batch: inout Batch,
        _ basedOn: inout BasedOnSpans
    ) -> DraftAnswer {
        let entry = book.answers[faq.entry]
        if !basedOn.answers[faq.entry].isPresent { basedOn.answers[faq.entry] = batch.generate(entry.basedOn) }
        let start = batch.generated.count
        if place >= 0 {
            greet(place, record, &batch)
            let leads = (faq.isHigh ? book.answerLeads : book.possibleLeads).wordings[place]
            batch.generated.append(contentsOf: leads[Int(choice % UInt64(leads.count))].bytes)
            batch.generated.append(0x0A)
        }
        batch.generated.append(contentsOf: entry.bytes)
        if place >= 0, !faq.isHigh, let tail = book.possibleTails.wordings[place].first {
            batch.generated.append(0x0A)
            batch.generated.append(contentsOf: tail.bytes)
        }
        sign(record, &batch)
        let none = batch.generatedSpans.count
        return DraftAnswer(
            text: Span32(start: start, count: batch.generated.count - start), language: entry.language,
            basedOn: basedOn.answers[faq.entry], fill: none..<none, by: .replyTemplate)
    }

    private func greet(_ place: Int, _ record: Record?, _ batch: inout Batch) {
        let greeting = book.greetings[place]
        if let record, let name = ReplySender.firstName(record, in: batch.arena) {
            batch.generated.append(contentsOf: greeting.before)
            batch.generated.append(contentsOf: batch.arena[name])
            batch.generated.append(contentsOf: greeting.behind)
        } else {
            batch.generated.append(contentsOf: greeting.bare)
        }
        batch.generated.append(0x20)
    }

    private func sign(_ record: Record, _ batch: inout Batch) {
        if ReplySender.isEmail(record.fields, in: batch.arena) {
            batch.generated.append(contentsOf: signature)
        }
    }

    /// A number that is the same for the same text, to pick a wording by.
    private static func choice(_ record: borrowing Record, _ tokens: [Token]) -> UInt64 {
        let range = record.folded.tokens
        var choice = UInt64(record.folded.span.count)
        if !range.isEmpty { choice ^= tokens[range.lowerBound].hash ^ tokens[range.upperBound - 1].hash &* 31 }
        return choice ^ choice >> 32
    }
}
