internal import TriageCore

/// What a reply to a business message says back and asks, besides its first words.
///
/// Only what was read for certain is said back: one sum that they pay for all of it, and the day of an event. Nothing is
/// asked but the fee, and that only of a deal which speaks of no money. The words come from the
/// language's file; of the message itself nothing is repeated but a sum of money as it is written there.
struct OfferReply {
    /// Places in ``ReplyTemplates/askNames``.
    private(set) var asks: [Int] = []
    /// A sum that stands in the text so, with its currency.
    private(set) var fee: Fee?
    /// Days since 1970.
    private(set) var day: Int32?
    /// Whether the day is the one by which an answer is wanted.
    private(set) var isAnswerDay = false

    /// A fee, and how the message writes it.
    enum Fee {
        /// As it stands in the text: a range of ``Batch/arena``.
        case written(Range<Int>)
        /// Its digits stand in the text, and its currency in another way.
        case digits(Range<Int>, Currency)
        case plain(amount: Int, currency: Currency)
    }

    /// Whether anything of the message is said back.
    var saysFacts: Bool { fee != nil || day != nil }
    var isEmpty: Bool { asks.isEmpty && !saysFacts }

    /// - Parameters:
    ///   - names: what the kind of the matter asks for, as places in ``ReplyTemplates/askNames``.
    ///   - situation: what is answered.
    ///   - marks: what the words of the message say.
    init(
        _ record: UnsafePointer<Record>, asking names: [Int], _ situation: ReplySituation, _ marks: OfferMarks,
        in view: AnswerView
    ) {
        let facts = record.pointee.facts
        // What else an offer lacks is mostly there in words that nothing reads: to ask for it is worse than not to.
        if situation == .offer, marks.contains(.deal), !marks.contains(.asksPrice), facts.amounts == 0 {
            asks = names.filter {
                ReplyTemplates.askTerms[$0] == .fee && !ReplyTemplates.askTerms[$0].isKnown(record)
            }
        }
        if let budget = facts.budget, facts.amounts == 1, Self.saysFee(situation), !marks.contains(.partSum),
            !facts.has(.commission)
        {
            fee = Self.said(budget, record, view.arena)
        }
        // An offer's dates are those of a draft, a launch or an answer: only that of an answer says what it is.
        let takesPlace = situation == .event || situation.isPress && marks.contains(.takesPlace)
        if takesPlace && !marks.contains(.closingDay) || facts.deadlineIsReply {
            day = DayNamed.only(in: record, view)
            isAnswerDay = facts.deadlineIsReply
        }
    }

    /// Whether a sum is a fee in such a matter: that of a position is its pay, that of a cause may be anybody's.
    private static func saysFee(_ situation: ReplySituation) -> Bool {
        switch situation {
        case .offer, .rates, .event, .press, .podcast, .licence: true
        default: false
        }
    }

    /// The sum, where the digits of the text are its own.
    private static func said(
        _ budget: MoneyAmount, _ record: UnsafePointer<Record>, _ arena: UnsafeBufferPointer<UInt8>
    ) -> Fee? {
        guard let currency = budget.currency, budget.amount >= 1, budget.amount < 10_000_000,
            budget.amount == budget.amount.rounded(), budget.start >= 0, budget.end > budget.start,
            budget.end <= record.pointee.fields.text.count
        else { return nil }
        let base = Int(record.pointee.fields.text.start)
        let range = base + Int(budget.start)..<base + Int(budget.end)
        var digits = 0
        for byte in arena[range] where (0x30...0x39).contains(byte) {
            guard digits < 100_000_000 else { return nil }
            digits = digits * 10 + Int(byte - 0x30)
        }
        let amount = Int(budget.amount)
        if digits == amount, isPlainSum(arena[range]) { return .written(range) }
        if digits == amount, let number = number(in: arena[range]) { return .digits(number, currency) }
        return digits == amount || digits * 1000 == amount ? .plain(amount: amount, currency: currency) : nil
    }

    /// The one number of a stretch of text, with the signs between its digits.
    private static func number(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Range<Int>? {
        guard let first = bytes.firstIndex(where: isDigit), let last = bytes.lastIndex(where: isDigit),
            bytes[first...last].allSatisfy({ isDigit($0) || $0 == 0x2C || $0 == 0x2E })
        else { return nil }
        return first..<last + 1
    }

    /// Whether a stretch of text is one number and the sign or the code of its currency, and nothing else.
    private static func isPlainSum(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard bytes.count <= longestSum else { return false }
        var (letters, signs) = (0, 0)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "0"..."9", ".", ",", " ", "\u{A0}", "\u{202F}": break
            case "A"..."Z": letters += 1
            default:
                guard scalar.properties.generalCategory == .currencySymbol else { return false }
                signs += 1
            }
        }
        return signs == 1 ? letters <= 3 : signs == 0 && letters == 3
    }

    /// Bytes of a sum as it is written: "USD 1,250,000".
    private static let longestSum = 24

    /// Writes what is said back and what is asked, in sentences of the language at `place`.
    ///
    /// - Parameters:
    ///   - address: where the creator wants such matters; then nothing is asked here.
    ///   - arena: of the message.
    func write(
        to drafts: inout DraftBuffer, _ book: ReplyBook, place: Int, choice: UInt64, form: AddressForm.Form,
        address: Span32?, of words: UnsafeBufferPointer<UInt8>, arena: UnsafeBufferPointer<UInt8>
    ) {
        let own = book.offerWords[place]
        if saysFacts, let wording = book.wording(book.noted, place, choice, form) {
            drafts.generated.append(0x20)
            drafts.write(wording, book.fills, of: words) { _, drafts in
                writeFacts(own, book, to: &drafts, of: words, arena)
            }
        }
        if let address {
            guard let wording = book.wording(book.route, place, choice, form) else { return }
            drafts.generated.append(0x20)
            drafts.write(wording, book.fills, of: words) { _, drafts in drafts.write(address, of: words) }
        } else if !asks.isEmpty, let wording = book.wording(book.missing, place, choice, form) {
            drafts.generated.append(0x20)
            drafts.write(wording, book.fills, of: words) { _, drafts in
                for (number, ask) in asks.enumerated() {
                    if number > 0 { drafts.write(number == asks.count - 1 ? own.and : own.comma, of: words) }
                    drafts.write(own.asks[ask], of: words)
                }
            }
        } else if let wording = book.wording(book.next, place, choice, form) {
            drafts.generated.append(0x20)
            drafts.write(wording.text, of: words)
        }
    }

    /// "the fee (£900) and the deadline (3 May)".
    private func writeFacts(
        _ own: ReplyBook.OfferWords, _ book: ReplyBook, to drafts: inout DraftBuffer,
        of words: UnsafeBufferPointer<UInt8>,
        _ arena: UnsafeBufferPointer<UInt8>
    ) {
        if let fee {
            drafts.write(own.fee, book.fills, of: words) { _, drafts in
                switch fee {
                case .written(let range):
                    drafts.generated.append(contentsOf: UnsafeBufferPointer(rebasing: arena[range]))
                case .digits(let range, let currency):
                    drafts.generated.append(contentsOf: UnsafeBufferPointer(rebasing: arena[range]))
                    drafts.generated.append(0x20)
                    for byte in currency.code.utf8 { drafts.generated.append(byte) }
                case .plain(let amount, let currency):
                    Self.write(amount, own.thousands, of: words, to: &drafts)
                    drafts.generated.append(0x20)
                    for byte in currency.code.utf8 { drafts.generated.append(byte) }
                }
            }
        }
        guard let day else { return }
        if fee != nil { drafts.write(own.and, of: words) }
        drafts.write(isAnswerDay ? own.answerDay : own.day, book.fills, of: words) { _, drafts in
            Self.write(day: day, own, book, of: words, to: &drafts)
        }
    }

    private static func write(
        day: Int32, _ own: ReplyBook.OfferWords, _ book: ReplyBook, of words: UnsafeBufferPointer<UInt8>,
        to drafts: inout DraftBuffer
    ) {
        let date = CivilDate(daysSince1970: Int(day))
        drafts.write(own.date, book.fills, of: words) { number, drafts in
            if number == 0 {
                for byte in String(date.day).utf8 { drafts.generated.append(byte) }
            } else {
                drafts.write(own.months[date.month - 1], of: words)
            }
        }
    }

    private static func write(
        _ amount: Int, _ thousands: Span32, of words: UnsafeBufferPointer<UInt8>, to drafts: inout DraftBuffer
    ) {
        let digits = Array(String(amount).utf8)
        for (place, digit) in digits.enumerated() {
            // Four digits stand together in most languages.
            if place > 0, digits.count > 4, (digits.count - place) % 3 == 0 { drafts.write(thousands, of: words) }
            drafts.generated.append(digit)
        }
    }
}
