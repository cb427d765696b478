internal import TriageCore

/// Writes what is known about an offer in short sentences that can be shown to the creator.
///
/// The only parts taken from the message or its sender are host names, so no text of a stranger reaches a terminal.
struct InsightWriter: Sendable {
    private let works: [[UInt8]]
    /// Indexed by ``Facts/kind``: the kind's id, and what must be known.
    private let kinds: [(id: [UInt8], asks: [Ask])]

    private struct Ask: Sendable {
        var name: [UInt8]
        var term: AskedTerm
    }

    /// Maximum number of bytes of a name in a sentence.
    private static let nameLimit = 80

    init(rules: RuleSet, profile: CreatorProfile) {
        kinds = rules.kinds.map { kind in
            (
                Self.harmless(Array(kind.id.utf8)),
                kind.asks.map { Ask(name: Self.harmless(Array($0.utf8)), term: AskedTerm($0)) }
            )
        }
        works = profile.works.map { Self.harmless(Array($0.utf8)) }
    }

    /// Adds the sentences and returns their range in ``Batch/generatedSpans``.
    func write(
        _ record: UnsafePointer<Record>, _ hits: OpportunityHits, _ view: AnswerView, into out: inout InsightSentences
    ) -> Range<Int> {
        let first = out.end
        sayMoney(record, &out)
        sayReach(record, &out)
        sayDeadline(record, &out)
        let tags = record.pointee.facts.tags
        let work = Int(record.pointee.facts.work)
        if work >= 0, work < works.count {
            out.add("Mentions your work: ")
            works[work].withUnsafeBufferPointer { out.add($0) }
            out.endSentence()
        }
        if record.pointee.facts.hasCompanyAddress { sayDomain(record, hits, view, &out) }
        if record.pointee.facts.points.brandFit == 0 { out.say("A topic you exclude") }
        if tags & Self.contract != 0 { out.say("Contract or brief mentioned") }
        if tags & Self.fee != 0 { out.say("You would have to pay") }
        if tags & Self.credentials != 0 { out.say("Asks for access, codes or documents") }
        if tags & Self.pressure != 0 { out.say("Puts pressure on you or asks for secrecy") }
        if record.pointee.injection?.isSuspected == true { out.say("Contains instructions aimed at AI tools") }
        sayWhatIsMissing(record, &out)
        return first..<out.end
    }

    /// Writes the id of the kind and returns its index in ``Batch/generatedSpans``; −1 when there is none.
    func writeKind(_ record: UnsafePointer<Record>, into out: inout InsightSentences) -> Int {
        let kind = Int(record.pointee.facts.kind)
        guard kind >= 0, kind < kinds.count else { return -1 }
        kinds[kind].id.withUnsafeBufferPointer { out.add($0) }
        out.endSentence()
        return out.end - 1
    }

    /// Adds what a reply must ask for, by kind: "Still to ask: quantity, delivery".
    private func sayWhatIsMissing(_ record: UnsafePointer<Record>, _ out: inout InsightSentences) {
        let kind = Int(record.pointee.facts.kind)
        guard kind >= 0, kind < kinds.count else { return }
        var isFirst = true
        for ask in kinds[kind].asks where !ask.term.isKnown(record) {
            out.add(isFirst ? "Still to ask: " : ", ")
            ask.name.withUnsafeBufferPointer { out.add($0) }
            isFirst = false
        }
        if !isFirst { out.endSentence() }
    }

    private static let contract = OpportunityKinds.tags(.contract, .brief)
    private static let fee = OpportunityKinds.tags(.creatorPays, .fee)
    private static let credentials = OpportunityKinds.tags(.credentials)
    private static let pressure = OpportunityKinds.tags(.pressure, .secrecy)

    private func sayMoney(_ record: UnsafePointer<Record>, _ out: inout InsightSentences) {
        if let budget = record.pointee.facts.budget {
            out.add("Budget mentioned: ")
            out.add(budget)
            out.endSentence()
        } else if let budget = record.pointee.thread.budget {
            out.add("Budget mentioned earlier: ")
            out.add(budget)
            out.endSentence()
        } else if record.pointee.facts.points.monetary == 8 {
            if record.pointee.facts.has(.commission) {
                out.say("Pays a commission or share, no fee")
            } else if record.pointee.facts.has(.represent) {
                out.say("Offers to represent you")
            } else {
                out.say("Offers a product or exposure, no fee")
            }
        } else if record.pointee.facts.has(.unpaid) {
            out.say("Unpaid")
        }
    }

    private func sayReach(_ record: UnsafePointer<Record>, _ out: inout InsightSentences) {
        let followers = Int(record.pointee.fields.followers ?? 0)
        if record.pointee.fields.isVerified == true {
            out.add("Verified sender")
            if followers > 0 {
                out.add(" (")
                out.add(short: followers)
                out.add(" followers)")
            }
            out.endSentence()
        } else if followers >= 10_000 {
            out.add("Sender has ")
            out.add(short: followers)
            out.add(" followers")
            out.endSentence()
        }
    }

    private func sayDeadline(_ record: UnsafePointer<Record>, _ out: inout InsightSentences) {
        let isReply = record.pointee.facts.deadlineIsReply
        if let day = record.pointee.facts.deadlineDay {
            if isReply { out.add("Needs a reply by ") } else { out.add("Date mentioned: ") }
            out.add(CivilDate(daysSince1970: Int(day)))
            out.endSentence()
        } else if isReply, let hours = record.pointee.facts.deadlineHours {
            out.add("Needs a reply within ")
            out.add(max(1, Int(hours)))
            out.add(" hours")
            out.endSentence()
        }
    }

    /// Adds the domain of a company address if it is a plain host name: the sender's, or else the first in the text.
    private func sayDomain(
        _ record: UnsafePointer<Record>, _ hits: OpportunityHits, _ view: AnswerView, _ out: inout InsightSentences
    ) {
        let sender = UnsafeBufferPointer(rebasing: view.arena[record.pointee.fields.senderHandle.range])
        guard let host = Self.host(sender) ?? hits.text(of: OpportunityKinds.companyMail).flatMap(Self.host) else {
            return
        }
        out.add("Company address: @")
        for byte in host { out.add(byte: byte &- 0x41 < 26 ? byte | 0x20 : byte) }
        out.endSentence()
    }

    private static func host(_ address: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var start = address.count
        var hasDot = false
        while start > 0, address[start - 1] != 0x40 {
            let byte = address[start - 1]
            let isPlain = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2D || byte == 0x2E
            guard isPlain else { return nil }
            hasDot = hasDot || byte == 0x2E
            start -= 1
        }
        // Something must precede the at sign.
        guard start > 1, hasDot, address.count - start >= 4, address.count - start <= nameLimit else { return nil }
        return UnsafeBufferPointer(rebasing: address[start...])
    }

    /// Removes control characters and cuts to ``nameLimit`` bytes at a character boundary.
    private static func harmless(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: continue
            default: break
            }
            let encoded = Array(String(scalar).utf8)
            guard out.count + encoded.count <= nameLimit else { break }
            out += encoded
        }
        return out
    }
}

/// Sentences built from pieces, in separate memory until all messages of a batch are processed.
struct InsightSentences: ~Copyable {
    private var bytes: BatchAdditions<UInt8>
    private var spans: BatchAdditions<Span32>
    /// Where the current sentence begins.
    private var start: Int

    /// Creates an empty list of sentences.
    ///
    /// - Parameters:
    ///   - bytes: current length of ``Batch/generated``.
    ///   - spans: current length of ``Batch/generatedSpans``.
    init(after bytes: Int, spans: Int) {
        self.bytes = BatchAdditions(after: bytes)
        self.spans = BatchAdditions(after: spans)
        start = bytes
    }

    /// Index of the next sentence in ``Batch/generatedSpans``.
    var end: Int { spans.end }

    /// Ends the current sentence.
    mutating func endSentence() {
        spans.append(Span32(start: start, count: bytes.end - start))
        start = bytes.end
    }

    mutating func say(_ sentence: StaticString) {
        add(sentence)
        endSentence()
    }

    mutating func add(_ literal: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }

    @inline(__always)
    mutating func add(byte: UInt8) { bytes.append(byte) }

    /// Adds a non-negative number, optionally with a comma between groups of three digits.
    mutating func add(_ number: Int, isGrouped: Bool = false) {
        var power = 1
        var digits = 1
        while digits < 19, number / power >= 10 {
            power *= 10
            digits += 1
        }
        while digits > 0 {
            bytes.append(UInt8(truncatingIfNeeded: 0x30 + number / power % 10))
            power /= 10
            digits -= 1
            if isGrouped, digits > 0, digits % 3 == 0 { bytes.append(0x2C) }
        }
    }

    private mutating func add(twoDigits number: Int) {
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10))
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }

    /// Adds `YYYY-MM-DD`.
    mutating func add(_ date: CivilDate) {
        add(twoDigits: date.year / 100)
        add(twoDigits: date.year % 100)
        add(byte: 0x2D)
        add(twoDigits: date.month)
        add(byte: 0x2D)
        add(twoDigits: date.day)
    }

    /// Adds `$5,000`, `€800`, `95,000 SEK`, `1,250.50 CHF`.
    mutating func add(_ money: MoneyAmount) {
        let value = max(0, min(money.amount, 1e15))
        let cents = Int((value * 100).rounded())
        let currency = money.currency
        switch currency {
        case Currency("USD"): add(byte: 0x24)
        case Currency("EUR"): add("€")
        case Currency("GBP"): add("£")
        default: break
        }
        add(cents / 100, isGrouped: true)
        if cents % 100 != 0 {
            add(byte: 0x2E)
            add(twoDigits: cents % 100)
        }
        guard let currency, currency != Currency("USD"), currency != Currency("EUR"), currency != Currency("GBP") else {
            return
        }
        add(byte: 0x20)
        for shift: UInt32 in [16, 8, 0] { add(byte: UInt8(truncatingIfNeeded: currency.packed >> shift)) }
    }

    /// Adds an abbreviated count: 512000 → 512K.
    mutating func add(short count: Int) {
        if count >= 1_000_000 {
            add(count / 1_000_000)
            if count / 100_000 % 10 != 0 {
                add(byte: 0x2E)
                add(count / 100_000 % 10)
            }
            add(byte: 0x4D)
        } else if count >= 1000 {
            add(count / 1000)
            add(byte: 0x4B)
        } else {
            add(count)
        }
    }

    /// Appends the sentences to the batch.
    mutating func finish(into batch: inout Batch) {
        bytes.finish(into: &batch.generated)
        spans.finish(into: &batch.generatedSpans)
    }
}
