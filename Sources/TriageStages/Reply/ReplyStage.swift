public import TriageCore

/// Drafts a reply from the library's answer or from a template; a person reads, fills in and sends it.
///
/// Reads what the other stages found and writes `draft`. Leaves it nil for spam, empty texts, messages without a
/// category, senders that take no replies, and languages that the creator does not write. Who is in danger gets sober
/// words whatever the category, in their own language where there are any, else in one of the creator's. A draft never holds words of the message, its links, the
/// creator's rates or another answer of the library; what only the creator knows stands in braces and is named in
/// ``DraftAnswer/fill``. Dangers come before answers: self-harm, threats and legal matters get sober words whatever else
/// was found. The wording is picked by the text, so the same message always gets the same.
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
    /// The same for who may be in danger: sober words in the sender's own language, whatever the creator writes.
    private let placesInDanger: [Int8]
    private let sender = ReplySender()
    private let questions = QuestionOpening()
    private let kinds: [ReplySituation]

    /// - Parameters:
    ///   - library: its answers are given as they are written.
    ///   - profile: languages, voice and name; the rates are not looked at.
    ///   - rules: their table of kinds says which words answer a business matter.
    ///   - settings: not needed by templates.
    public init(
        library: FAQLibrary, profile: CreatorProfile, rules: RuleSet = RuleSet(), settings: Settings = Settings()
    ) {
        kinds = ReplySituation.byKind(rules)
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
        placesInDanger = zip(LanguageTable.tags.indices, places).map { tag, place in
            supported.firstIndex(of: UInt8(tag)).map { Int8($0) } ?? (place >= 0 ? place : Int8(max(0, first)))
        }
        let firstName = profile.name.split(separator: " ").first.map(String.init) ?? ""
        book = ReplyBook(
            library: library, firstLanguage: spoken.first ?? supported[0],
            signature: firstName.isEmpty ? "" : "\n\n\(firstName)",
            praiseTail: Self.allowsEmoji(profile.voice) ? " 🙏" : "")
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
        var desk = ReplyDesk(book, batch)
        batch.withAnswerView { view in
            book.bytes.withUnsafeBufferPointer { words in
                view.forEachAsked { record in
                    record.pointee.draft = draft(record, view, words, &desk)
                }
            }
        }
        desk.generated.finish(into: &batch.generated)
        desk.spans.finish(into: &batch.generatedSpans)
    }

    @inline(__always)
    private func draft(
        _ record: UnsafePointer<Record>, _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>,
        _ desk: inout ReplyDesk
    ) -> DraftAnswer? {
        let language = Int(record.pointee.language?.language ?? LanguageTable.undetermined)
        let isSteered = record.pointee.injection?.isSuspected ?? false
        let overriding = ReplySituation.overriding(record)
        // Nothing that is said of the message or of its sender keeps the words for danger back.
        if let overriding, overriding == .selfHarm || record.pointee.urgency?.isDanger == true {
            let place = language < placesInDanger.count ? Int(placesInDanger[language]) : 0
            return template(overriding, place, record, !isSteered, view, words, &desk)
        }
        guard let category = record.pointee.category?.label, category != .spam else { return nil }
        let place = language < places.count ? Int(places[language]) : -1
        guard !sender.takesNoReplies(record, in: view.arena) else { return nil }
        if overriding == nil, !isSteered, let faq = record.pointee.faq, book.answers.indices.contains(faq.entry) {
            return answer(faq, place, record, view, words, &desk)
        }
        guard place >= 0 else { return nil }
        let situation = overriding ?? ReplySituation(record, category, asks: questions.asks(record, view), kinds: kinds)
        return template(situation, place, record, !isSteered, view, words, &desk)
    }

    private func template(
        _ situation: ReplySituation, _ place: Int, _ record: UnsafePointer<Record>, _ usesName: Bool,
        _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>, _ desk: inout ReplyDesk
    ) -> DraftAnswer? {
        let page = book.pages[situation.rawValue]
        guard let wording = book.wording(page, place, Self.choice(record, view)) else { return nil }
        let basedOn = desk.page(situation.rawValue, page.basedOn, words)
        let start = desk.generated.end
        greet(place, usesName ? sender.firstName(record, in: view.arena) : nil, words, &desk)
        let body = desk.generated.end
        desk.write(wording.text, of: words)
        if situation == .praise { desk.write(book.praiseTail, of: words) }
        let firstFill = desk.spans.end
        for k in wording.fill {
            let fill = book.fills[k]
            desk.spans.append(Span32(start: body + Int(fill.start), count: Int(fill.count)))
        }
        if ReplySender.isEmail(record, in: view.arena) { desk.write(book.signature, of: words) }
        return DraftAnswer(
            text: Span32(start: start, count: desk.generated.end - start), language: book.tags[place],
            basedOn: basedOn, fill: firstFill..<desk.spans.end, by: .replyTemplate)
    }

    private func answer(
        _ faq: FAQAnswer, _ place: Int, _ record: UnsafePointer<Record>, _ view: AnswerView,
        _ words: UnsafeBufferPointer<UInt8>, _ desk: inout ReplyDesk
    ) -> DraftAnswer {
        let entry = book.answers[faq.entry]
        let basedOn = desk.answer(faq.entry, entry.basedOn, words)
        let start = desk.generated.end
        if place >= 0 {
            greet(place, sender.firstName(record, in: view.arena), words, &desk)
            let leads = faq.isHigh ? book.answerLeads : book.possibleLeads
            if let lead = book.wording(leads, place, Self.choice(record, view)) {
                desk.write(lead.text, of: words)
            }
            desk.generated.append(0x0A)
        }
        desk.write(entry.text, of: words)
        if place >= 0, !faq.isHigh, let tail = book.wording(book.possibleTails, place, 0) {
            desk.generated.append(0x0A)
            desk.write(tail.text, of: words)
        }
        if ReplySender.isEmail(record, in: view.arena) { desk.write(book.signature, of: words) }
        let none = desk.spans.end
        return DraftAnswer(
            text: Span32(start: start, count: desk.generated.end - start), language: entry.language,
            basedOn: basedOn, fill: none..<none, by: .replyTemplate)
    }

    @inline(__always)
    private func greet(
        _ place: Int, _ name: UnsafeBufferPointer<UInt8>?, _ words: UnsafeBufferPointer<UInt8>, _ desk: inout ReplyDesk
    ) {
        let greeting = book.greetings[place]
        if let name {
            desk.write(greeting.before, of: words)
            desk.generated.append(contentsOf: name)
            desk.write(greeting.behind, of: words)
        } else {
            desk.write(greeting.bare, of: words)
        }
    }

    /// A number that is the same for the same text, to pick a wording by.
    @inline(__always)
    private static func choice(_ record: UnsafePointer<Record>, _ view: AnswerView) -> UInt64 {
        let range = record.pointee.folded.tokens
        let base = Int(record.pointee.folded.span.start)
        func hash(_ token: Token) -> UInt64 {
            let start = base + Int(token.start)
            return GrowingHash.of(view.folded[start..<start + Int(token.count)])
        }
        var choice = UInt64(record.pointee.folded.span.count)
        if !range.isEmpty {
            choice ^= hash(view.tokens[range.lowerBound]) ^ hash(view.tokens[range.upperBound - 1]) &* 31
        }
        return choice ^ choice >> 32
    }
}
