import Platform
internal import TriageCore

/// Merges a model's verdict with the offline answers of a record.
struct VerdictMerge: Sendable {
    private let settings: Settings
    private let escalation: Escalation
    private let urgentThreshold: Float
    private let signals: (answer: UInt16, offer: UInt16)
    private let entries: [String: Int]

    /// The share of a model's FAQ matches that are right, which is at most the share on which two readers agree.
    private static let faqConfidence: Float = 0.8
    /// The number of days ahead within which an offer's dates are accepted.
    private static let horizon = 730

    init(settings: Settings, rules: RuleSet, library: FAQLibrary, urgentThreshold: Float) {
        self.settings = settings
        escalation = settings.escalation
        self.urgentThreshold = urgentThreshold
        let names = SignalNames(rules: rules)
        signals = (names.builtIn("llm.answer"), names.builtIn("llm.offer"))
        var entries: [String: Int] = [:]
        for (index, entry) in library.entries.enumerated() where entries[entry.id] == nil { entries[entry.id] = index }
        self.entries = entries
    }

    func apply(_ verdict: MessageVerdict, to index: Int, of batch: inout Batch) {
        var record = batch.records[index]
        let before = record
        // The evidence that limits how far the model may lift the message, before any of its answers counts.
        let urgentEvidence = max(before.urgency?.score ?? 0, Self.unclamped(before))
        record.priorityCap = min(
            record.priorityCap, SecondOpinion.priorityCap(before, urgency: urgentEvidence))
        record.askedOfModel.insert(.text)
        if escalation.category != .never { category(verdict, &record, &batch) }
        if escalation.sentiment != .never { sentiment(verdict, &record, &batch) }
        if escalation.urgency != .never { urgency(verdict, urgentEvidence, &record, &batch) }
        if escalation.faq != .never { faq(verdict, &record) }
        // A model may report an injection, but it cannot clear one.
        if verdict.steersReader, record.injection?.isSuspected == false {
            record.injection?.isSuspected = true
            record.injection?.because = reason(signals.answer, 1, &batch)
        }
        batch.records[index] = record
        if escalation.opportunity != .never, let offer = verdict.offer, record.category?.label == .business {
            read(offer, of: index, in: &batch)
        }
    }

    /// The urgency according to the program's own model, before the score was lowered for spam.
    private static func unclamped(_ record: borrowing Record) -> Float {
        guard record.category?.label == .spam, record.urgency?.by == .urgencyModel else { return 0 }
        return logistic(record.urgentLogit)
    }

    private static func logistic(_ x: Float) -> Float { 1 / (1 + expf(-x)) }

    private func reason(_ signal: UInt16, _ weight: Float, _ batch: inout Batch) -> EvidenceRange {
        batch.evidence.append(Evidence(signal: signal, weight: weight))
        return batch.evidence.count - 1..<batch.evidence.count
    }

    private func category(_ verdict: MessageVerdict, _ record: inout Record, _ batch: inout Batch) {
        guard let before = record.category else { return }
        let scores = SecondOpinion.category(before.scores, says: verdict.category)
        let label = Category.allCases.max { scores[Int($0.rawValue)] < scores[Int($1.rawValue)] } ?? verdict.category
        let confidence = scores[Int(label.rawValue)]
        let thresholds = settings.thresholds
        let level: Level =
            confidence >= thresholds.categoryHigh ? .high : confidence >= thresholds.categoryMedium ? .medium : .low
        // If both agree, the offline reasons are kept; otherwise the model's answer is the reason.
        let because = label == before.label ? before.because : reason(signals.answer, Self.weight(confidence), &batch)
        record.category = CategoryAnswer(
            label: label, scores: scores, level: level, by: label == before.label ? before.by : .categoryLLM,
            because: because)
    }

    private func sentiment(_ verdict: MessageVerdict, _ record: inout Record, _ batch: inout Batch) {
        guard let before = record.sentiment else { return }
        let (label, confidence) = SecondOpinion.sentiment(
            before.label, confidence: before.confidence, says: verdict.sentiment)
        let thresholds = settings.thresholds
        let level: Level =
            confidence >= thresholds.sentimentHigh ? .high : confidence >= thresholds.sentimentMedium ? .medium : .low
        guard label != before.label else {
            record.sentiment?.confidence = confidence
            record.sentiment?.level = level
            return
        }
        record.sentiment = SentimentAnswer(
            label: label, confidence: confidence, level: level,
            intensity: label == .neutral ? min(0.3, verdict.intensity) : verdict.intensity, by: .sentimentLLM,
            because: reason(signals.answer, Self.weight(confidence), &batch))
    }

    private func urgency(
        _ verdict: MessageVerdict, _ evidence: Float, _ record: inout Record, _ batch: inout Batch
    ) {
        guard let before = record.urgency else { return }
        let isSpam = record.category?.label == .spam
        let score = SecondOpinion.urgency(max(before.score, evidence), says: verdict.isUrgent)
        // A model can neither deny words of danger nor hide them by calling the message spam.
        guard !(before.isDanger || before.isUrgent && Self.isDanger(before.kind)) else {
            record.urgency?.score = max(score, before.score)
            record.urgency?.isDanger = true
            return
        }
        // Danger that only the model reports outranks spam too, if the program itself saw signs of urgency.
        let isSeen = verdict.isUrgent && Self.isDanger(verdict.urgencyKind) && evidence >= SecondOpinion.urgentEvidence
        let isUrgent = (!isSpam || isSeen) && score >= max(urgentThreshold, 0.5)
        record.urgency?.isDanger = isUrgent && isSeen
        record.urgency?.score = isSpam && !isUrgent ? min(score, 0.1) : score
        guard isUrgent != before.isUrgent else { return }
        record.urgency?.isUrgent = isUrgent
        record.urgency?.by = .urgencyLLM
        record.urgency?.kind = isUrgent ? (verdict.urgencyKind == .none ? .other : verdict.urgencyKind) : .none
        record.urgency?.because = isUrgent ? reason(signals.answer, Self.weight(score), &batch) : 0..<0
    }

    private static func isDanger(_ kind: UrgencyAnswer.Kind) -> Bool { kind == .selfHarm || kind == .threat }

    private func faq(_ verdict: MessageVerdict, _ record: inout Record) {
        guard record.category?.label != .spam else {
            record.faq = nil
            return
        }
        let named = verdict.faq.flatMap { entries[$0] }
        switch (record.faq, named) {
        case (nil, nil): break
        case (let before?, let entry?) where before.entry == entry:
            // Both methods found the same entry.
            record.faq?.confidence = max(before.confidence, 0.95)
            record.faq?.isHigh = true
        case (_, let entry?):
            record.faq = FAQAnswer(entry: entry, isHigh: false, confidence: Self.faqConfidence, by: .faqLLM)
        case (let before?, nil):
            // A model is good at recognizing near misses.
            if before.isHigh {
                record.faq?.isHigh = false
                record.faq?.confidence = min(before.confidence, 0.6)
            } else {
                record.faq = nil
            }
        }
    }

    private func read(_ offer: OfferVerdict, of index: Int, in batch: inout Batch) {
        let record = batch.records[index]
        var reading = OfferReading(record: index, tags: Self.tags(of: offer))
        if let amount = offer.amount, record.facts.budget == nil {
            let text = batch.arena[record.fields.text.range]
            if let place = AmountCheck.place(of: amount, in: text) {
                let usd = settings.exchange.usd(amount, offer.currency)
                reading.budget = MoneyAmount(
                    amount: amount, currency: offer.currency, usd: usd,
                    start: place.isEmpty ? -1 : Int32(clamping: place.lowerBound),
                    end: place.isEmpty ? -1 : Int32(clamping: place.upperBound))
            }
        }
        if let day = offer.deadlineDay, let sentAt = record.sentAt {
            let today = Int(clamping: sentAt / 86_400)
            if (today...today + Self.horizon).contains(Int(day)) {
                reading.deadlineDay = day
                reading.deadlineIsReply = offer.deadlineIsReply
            }
        }
        reading.fit =
            switch offer.fit {
            case .core: 24
            case .related: 15
            case .neutral, .off: 8
            case .excluded: 0
            }
        batch.offerReadings.append(reading)
    }

    private static func tags(of offer: OfferVerdict) -> UInt64 {
        var tags: [FactTag] = []
        switch offer.pay {
        case .money: tags.append(.paid)
        case .commission: tags.append(.commission)
        case .product: tags.append(.productGift)
        case .none: tags.append(.unpaid)
        case .creatorPays: tags.append(.creatorPays)
        case .unclear: break
        }
        let signs: [(OfferVerdict.Signs, FactTag)] = [
            (.company, .company), (.role, .role), (.contract, .contract), (.brief, .brief),
            (.deliverables, .deliverable), (.asksFee, .fee), (.asksCredentials, .credentials), (.pressure, .pressure),
            (.secrecy, .secrecy),
        ]
        for (sign, tag) in signs where offer.signs.contains(sign) { tags.append(tag) }
        return tags.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    }

    /// The log-odds of a probability, as the weight of a reason.
    private static func weight(_ probability: Float) -> Float {
        let p = min(0.999, max(0.5, probability))
        return logf(p / (1 - p))
    }
}

/// Checks that an amount read by a model occurs in the text, because the model's word alone does not make an offer.
struct AmountCheck {
    /// The number of text bytes examined; the amount of an offer comes early.
    private static let limit = 20_000
    /// The maximum number of numbers examined.
    private static let most = 64

    /// The UTF-8 range of the amount; nil if the text does not contain it.
    ///
    /// The range is empty, at 0, when the amount is the product of two numbers in the text, such as three posts at 400
    /// each.
    static func place(of amount: Double, in text: some Collection<UInt8>) -> Range<Int>? {
        guard amount.isFinite, amount > 0, amount < 1e12 else { return nil }
        let bytes = Array(text.prefix(limit))
        var seen: [Double] = []
        var index = 0
        while index < bytes.count, seen.count < most {
            guard isDigit(bytes[index]) else {
                index += 1
                continue
            }
            let (values, end) = number(in: bytes, at: index)
            if values.contains(where: { same($0, amount) }) { return index..<end }
            seen += values
            index = end
        }
        for (i, a) in seen.enumerated() {
            for b in seen[i...] where same(a * b, amount) { return 0..<0 }
        }
        return nil
    }

    private static func same(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-4 * max(1, abs(b)) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The possible values of a number: separators may mark thousands or decimals, and `k` and similar letters
    /// multiply.
    private static func number(in bytes: [UInt8], at start: Int) -> (values: [Double], end: Int) {
        var whole: Double = 0
        var sinceSeparator: Int?
        var end = start
        var digits = 0
        while end < bytes.count, digits < 15 {
            if isDigit(bytes[end]) {
                whole = whole * 10 + Double(bytes[end] - 0x30)
                digits += 1
                sinceSeparator = sinceSeparator.map { $0 + 1 }
                end += 1
            } else if end + 1 < bytes.count, isDigit(bytes[end + 1]), [0x2C, 0x2E, 0x27, 0x20].contains(bytes[end]) {
                sinceSeparator = 0
                end += 1
            } else {
                break
            }
        }
        var values = [whole]
        if let places = sinceSeparator, places > 0, places <= 2 {
            values.append(whole / (places == 1 ? 10 : 100))
        }
        let rest = bytes[end...].prefix(8).map { $0 | 0x20 }.drop { $0 == 0x20 }
        let multipliers: [(String, Double)] = [
            ("k", 1e3), ("thousand", 1e3), ("mil", 1e3), ("tsd", 1e3), ("tausend", 1e3), ("mille", 1e3), ("m", 1e6),
            ("lakh", 1e5), ("lac", 1e5),
        ]
        for (word, factor) in multipliers where rest.starts(with: word.utf8) {
            values += values.map { $0 * factor }
            break
        }
        return (values, end)
    }
}
