internal import TriageCore

/// How a draft is written once it is decided what it says: greeting, words, blanks and signature.
extension ReplyStage {
    func template(
        _ situation: ReplySituation, _ place: Int, _ record: UnsafePointer<Record>, _ usesName: Bool,
        _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer, offer: OfferReply? = nil,
        address: Span32? = nil
    ) -> DraftAnswer? {
        if situation == .praise, book.works.indices.contains(Int(record.pointee.facts.work)),
            let thanks = filled(
                book.praiseOfWork, with: book.works[Int(record.pointee.facts.work)], place, record, usesName, view,
                words, &drafts)
        {
            return thanks
        }
        if situation == .orderTrouble, let orders = book.orders,
            let reply = filled(book.orderRoute, with: orders.address, place, record, usesName, view, words, &drafts)
        {
            return reply
        }
        let page = book.pages[situation.rawValue]
        let choice = Self.choice(record, view)
        guard let wording = book.wording(page, place, choice, form(place, record, view)) else {
            // Not every language has words for each thing that people like.
            return situation.isThanks && situation != .praise
                ? template(.praise, place, record, usesName, view, words, &drafts) : nil
        }
        let basedOn = drafts.page(situation.rawValue, page.basedOn, words)
        let start = drafts.generated.end
        let reader = Self.reader(record, in: view.arena)
        let name = usesName ? sender.firstName(record, in: view.arena) : nil
        let isBegun = greet(place, reader, name, isPlain: situation.isDanger, words, &drafts)
        let body = drafts.generated.end
        drafts.write(wording.text, of: words, capital: isBegun)
        if situation.isThanks { praiseTail(reader, place, words, &drafts) }
        offer?.write(
            to: &drafts, book, place: place, choice: choice, form: form(place, record, view), address: address,
            of: words, arena: view.arena)
        let firstFill = drafts.spans.end
        mark(wording, at: body, &drafts)
        sign(reader, place, isGrave: situation.isGrave, words, &drafts)
        return DraftAnswer(
            text: Span32(start: start, count: drafts.generated.end - start), language: book.tags[place],
            basedOn: basedOn, fill: firstFill..<drafts.spans.end, by: .replyTemplate)
    }

    /// How the reader is addressed: as the creator does, and where that differs or is not known, as the message does.
    ///
    /// Habits are counted from replies to the audience, so partners are addressed as they write.
    private func form(_ place: Int, _ record: UnsafePointer<Record>, _ view: AnswerView) -> AddressForm.Form {
        let isBusiness = record.pointee.category?.label == .business
        if !isBusiness, book.address[place] != nil { return .habit }
        if record.pointee.language?.language == book.tags[place],
            let shown = addressForm.form(
                of: UnsafeBufferPointer(rebasing: view.arena[record.pointee.fields.text.range]), place: place)
        {
            return shown
        }
        // An e-mail that shows nothing is a formal one.
        let isFormal = isBusiness && ReplySender.isEmail(record, in: view.arena) && book.address[place] == false
        return isFormal ? .polite : .habit
    }

    /// Notes the placeholders of a wording that was written at a place.
    private func mark(_ wording: ReplyBook.Wording, at body: Int, _ drafts: inout DraftBuffer) {
        for index in wording.fill {
            let fill = book.fills[index]
            drafts.spans.append(Span32(start: body + Int(fill.start), count: Int(fill.count)))
        }
    }

    /// A wording with something of the profile or the library in it, such as thanks that name the work they are for; nil
    /// where the language has none.
    private func filled(
        _ page: ReplyBook.Page, with part: Span32, _ place: Int, _ record: UnsafePointer<Record>, _ usesName: Bool,
        _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer
    ) -> DraftAnswer? {
        guard
            let wording = book.wording(page, place, Self.choice(record, view), form(place, record, view))
        else { return nil }
        let basedOn = drafts.place(page.basedOn, words)
        let start = drafts.generated.end
        let reader = Self.reader(record, in: view.arena)
        let isBegun = greet(place, reader, usesName ? sender.firstName(record, in: view.arena) : nil, words, &drafts)
        drafts.write(wording, book.fills, of: words, capital: isBegun) { _, drafts in drafts.write(part, of: words) }
        if page.firstChoice == book.praiseOfWork.firstChoice { praiseTail(reader, place, words, &drafts) }
        sign(reader, place, words, &drafts)
        let none = drafts.spans.end
        return DraftAnswer(
            text: Span32(start: start, count: drafts.generated.end - start), language: book.tags[place],
            basedOn: basedOn, fill: none..<none, by: .replyTemplate)
    }

    /// What the library says to everybody with such a matter, behind thanks where both are in one language.
    func answer(
        _ entry: Int, _ place: Int, _ opening: ReplyBook.Page, _ record: UnsafePointer<Record>, _ usesName: Bool,
        _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer
    ) -> DraftAnswer {
        let thanks = book.wording(opening, place, Self.choice(record, view), form(place, record, view))
        return written(
            entry, below: book.answers[entry].place == place ? thanks : nil, record, usesName, view, words, &drafts)
    }

    /// An answer of the library, with a greeting in the language that it is written in.
    func answer(
        _ faq: FAQAnswer, _ record: UnsafePointer<Record>, _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>,
        _ drafts: inout DraftBuffer
    ) -> DraftAnswer { written(faq.entry, below: nil, record, true, view, words, &drafts) }

    /// An answer of the library between a greeting and a name.
    ///
    /// - Parameter thanks: stand between the greeting and the answer. An answer that follows the greeting begins with a
    ///   capital, and a line of its own: its first word may be a name.
    private func written(
        _ entry: Int, below thanks: ReplyBook.Wording?, _ record: UnsafePointer<Record>, _ usesName: Bool,
        _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer
    ) -> DraftAnswer {
        let said = book.answers[entry]
        let basedOn = drafts.answer(entry, said.basedOn, words)
        let start = drafts.generated.end
        let reader = Self.reader(record, in: view.arena)
        if let own = said.place {
            let name = usesName ? sender.firstName(record, in: view.arena) : nil
            let isBegun = greet(own, reader, name, breaksLine: thanks == nil, words, &drafts)
            if let thanks {
                drafts.write(thanks.text, of: words, capital: isBegun)
                drafts.generated.append(0x20)
            }
        }
        let body = drafts.generated.end
        drafts.write(said.text.text, of: words)
        let firstFill = drafts.spans.end
        mark(said.text, at: body, &drafts)
        sign(reader, said.place, words, &drafts)
        return DraftAnswer(
            text: Span32(start: start, count: drafts.generated.end - start), language: said.language, basedOn: basedOn,
            fill: firstFill..<drafts.spans.end, by: .replyTemplate)
    }

    /// Writes the greeting, if the creator writes one there.
    ///
    /// - Parameters:
    ///   - breaksLine: whether what follows a greeting that is no sentence begins a line.
    ///   - isPlain: whether the creator's manner would be out of place.
    /// - Returns: whether what follows begins with a capital.
    @inline(__always)
    private func greet(
        _ place: Int, _ reader: Reader, _ name: UnsafeBufferPointer<UInt8>?, breaksLine: Bool = false,
        isPlain: Bool = false, _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer
    ) -> Bool {
        let isSmall = book.manner?.isSmall ?? false
        if isPlain, reader != .mail {
            write(book.plainGreetings[place], name, words, &drafts)
            return false
        }
        if let manner = book.manner, !manner.greets(isMail: reader == .mail) { return !isSmall }
        if reader == .mail {
            write(book.mailGreetings[place], name, words, &drafts)
            return !isSmall && !ReplyTemplates.beginsSmall[place]
        }
        let greeting = reader == .partner ? book.partnerGreetings[place] : book.greetings[place]
        let isSentence = name != nil && greeting.hasName ? greeting.isSentence : greeting.isBareSentence
        write(greeting, name, breaksLine: breaksLine && !isSentence, words, &drafts)
        return isSentence && !isSmall
    }

    /// - Parameter breaksLine: whether a line break takes the place of the blank behind the greeting.
    @inline(__always)
    private func write(
        _ greeting: ReplyBook.Greeting, _ name: UnsafeBufferPointer<UInt8>?, breaksLine: Bool = false,
        _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer
    ) {
        var end = greeting.bare
        if let name, greeting.hasName {
            drafts.write(greeting.before, of: words)
            drafts.write(name: name, isSmall: book.manner?.isSmall ?? false)
            end = greeting.behind
        }
        guard breaksLine, end.count > 0 else { return drafts.write(end, of: words) }
        drafts.write(Span32(start: Int(end.start), count: Int(end.count) - 1), of: words)
        drafts.generated.append(0x0A)
    }

    /// Writes what follows praise, except before closing words.
    private func praiseTail(
        _ reader: Reader, _ place: Int, _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer
    ) {
        guard reader != .mail || book.manner == nil, !book.closings[place].isPresent else { return }
        drafts.write(book.praiseTail, of: words)
    }

    /// Who reads a draft, and where: readers of e-mails are greeted in a line of its own.
    private enum Reader { case mail, audience, partner }

    private static func reader(_ record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>) -> Reader {
        if ReplySender.isEmail(record, in: arena) { return .mail }
        return record.pointee.category?.label == .business ? .partner : .audience
    }

    /// Writes the creator's closing words, or their name below, if they do.
    ///
    /// - Parameter isGrave: whether closing words would be out of place, as behind sorrow.
    @inline(__always)
    private func sign(
        _ reader: Reader, _ place: Int?, isGrave: Bool = false, _ words: UnsafeBufferPointer<UInt8>,
        _ drafts: inout DraftBuffer
    ) {
        if reader != .mail, let place {
            let closing = reader == .partner ? book.partnerClosings[place] : book.closings[place]
            if closing.isPresent {
                if !isGrave { drafts.write(closing, of: words) }
                return
            }
        }
        if book.manner?.signs(isMail: reader == .mail) ?? (reader == .mail) { drafts.write(book.signature, of: words) }
    }

    /// What the creator says to many, to one more.
    func own(
        _ reply: OwnReplies.Reply, _ place: Int, _ record: UnsafePointer<Record>, _ usesName: Bool,
        _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer
    ) -> DraftAnswer {
        let basedOn = drafts.place(reply.basedOn, words)
        let start = drafts.generated.end
        let reader = Self.reader(record, in: view.arena)
        let name = usesName ? sender.firstName(record, in: view.arena) : nil
        let before = drafts.generated.end
        _ = greet(place, reader, name, words, &drafts)
        // Whoever was greeted by name is not named again.
        if let name, reply.behind.isPresent, drafts.generated.end == before {
            drafts.write(reply.before, of: words)
            drafts.generated.append(contentsOf: name)
            drafts.write(reply.behind, of: words)
        } else {
            drafts.write(reply.bare, of: words)
        }
        sign(reader, place, words, &drafts)
        let none = drafts.spans.end
        return DraftAnswer(
            text: Span32(start: start, count: drafts.generated.end - start), language: book.tags[place],
            basedOn: basedOn, fill: none..<none, by: .replyTemplate)
    }

    /// An own reply to a message of a kind; nil: the creator did not say the same to several of them.
    func own(
        _ kind: OwnReplies.Kind, _ message: ReplyChoice, _ place: Int, _ record: UnsafePointer<Record>,
        _ usesName: Bool, _ view: AnswerView, _ words: UnsafeBufferPointer<UInt8>, _ drafts: inout DraftBuffer
    ) -> DraftAnswer? {
        guard let group = book.own.group(kind, place) else { return nil }
        let tokens = view.tokens[record.pointee.folded.tokens.prefix(OwnReplies.wordLimit)]
        let act = book.own.act(group, tokens.lazy.map(\.hash))
        let hasName = usesName && sender.firstName(record, in: view.arena) != nil
        // "Thank you." answers a word or two, and nothing that somebody has told.
        let isShort = if case .write(.shortPraise) = message { true } else { false }
        let fitting = group.acts[act].filter { number in
            let reply = book.own.replies[number]
            return reply.standsBare || hasName && (isShort || kind != .thanks)
        }
        guard !fitting.isEmpty else { return nil }
        let reply = book.own.replies[fitting[Int(Self.choice(record, view) % UInt64(fitting.count))]]
        return own(reply, place, record, usesName, view, words, &drafts)
    }

    /// Words that a wording is picked by.
    private static let wordsOfChoice = 32

    /// A number that is the same for the same text, to pick a wording by.
    @inline(__always)
    static func choice(_ record: UnsafePointer<Record>, _ view: AnswerView) -> UInt64 {
        let base = Int(record.pointee.folded.span.start)
        var choice = UInt64(record.pointee.folded.span.count)
        for token in view.tokens[record.pointee.folded.tokens.prefix(wordsOfChoice)] {
            let start = base + Int(token.start)
            choice = choice &* 31 ^ GrowingHash.of(view.folded[start..<start + Int(token.count)])
        }
        choice ^= choice >> 29
        return choice ^ choice >> 32
    }
}
