internal import TriageCore

/// Writes the reasons of the four parts: rules where a rule says it, built-in names where code does.
struct OpportunityReasons: Sendable {
    /// What code gives as a reason.
    private enum Reason: Int {
        case offer, kind, niche, work, excluded, generic, base, company, address, role, reach, deliverables, contract
        case freeMail, shortLink, pressure, credentials, injection, deadline, soon, inherited

        /// Their names as signals, in the same order.
        static let names = [
            "money.offer", "money.kind", "fit.niche", "fit.work", "fit.excluded", "fit.generic", "legitimacy.base",
            "legitimacy.company", "legitimacy.address", "legitimacy.role", "legitimacy.reach",
            "legitimacy.deliverables", "legitimacy.contract", "legitimacy.free-mail", "legitimacy.short-link",
            "legitimacy.pressure", "legitimacy.credentials", "legitimacy.injection", "urgency.deadline", "urgency.soon",
            "thread.inherited",
        ]
    }

    /// Detectors whose signals show where a reason stands, one bit each.
    private struct Marks: OptionSet {
        let rawValue: UInt8
        static let companyMail = Marks(rawValue: 1 << 0)
        static let freeMail = Marks(rawValue: 1 << 1)
        static let shortLink = Marks(rawValue: 1 << 2)
        static let niche = Marks(rawValue: 1 << 3)
        static let excluded = Marks(rawValue: 1 << 4)
        static let work = Marks(rawValue: 1 << 5)
    }

    private let limit: Int
    /// By signal: the facts it stands for, and the detectors.
    private let facts: [UInt64]
    private let marks: [UInt8]
    /// Signals of ``Reason/names``.
    private let signals: [UInt16]

    init(rules: RuleSet, limit: Int) {
        self.limit = max(0, limit)
        facts = rules.signals.map(\.feeds.facts)
        let detectors: [(DetectorName, Marks)] = [
            (.emailCompany, .companyMail), (.emailFree, .freeMail), (.linkShort, .shortLink), (.creatorNiche, .niche),
            (.creatorExcluded, .excluded), (.creatorNamesWork, .work),
        ]
        marks = rules.signals.map { signal in
            detectors.reduce(0) { signal.trigger == .detector($1.0.rawValue) ? $0 | $1.1.rawValue : $0 }
        }
        let names = SignalNames(rules: rules)
        signals = Reason.names.map { names.builtIn($0) }
    }

    struct Ranges {
        var monetary: EvidenceRange
        var brandFit: EvidenceRange
        var legitimacy: EvidenceRange
        var urgency: EvidenceRange
    }

    func write(_ points: PointMerge, _ record: Record, into batch: inout Batch) -> Ranges {
        let start = batch.evidence.count
        monetary(points, record, &batch)
        let monetary = finish(from: start, in: &batch)
        brandFit(points, record, &batch)
        let fit = finish(from: monetary.upperBound, in: &batch)
        legitimacy(points, record, &batch)
        let legitimacy = finish(from: fit.upperBound, in: &batch)
        urgency(points, record, &batch)
        let urgency = finish(from: legitimacy.upperBound, in: &batch)
        return Ranges(monetary: monetary, brandFit: fit, legitimacy: legitimacy, urgency: urgency)
    }

    /// Puts the reasons that were added in order, the weightiest first, and drops those beyond the limit.
    private func finish(from first: Int, in batch: inout Batch) -> EvidenceRange {
        batch.evidence.withUnsafeMutableBufferPointer { evidence in
            guard first + 1 < evidence.count else { return }
            for i in (first + 1)..<evidence.count {
                let reason = evidence[i]
                var j = i
                while j > first, abs(evidence[j - 1].weight) < abs(reason.weight) {
                    evidence[j] = evidence[j - 1]
                    j -= 1
                }
                evidence[j] = reason
            }
        }
        let extra = batch.evidence.count - first - limit
        if extra > 0 { batch.evidence.removeLast(extra) }
        return first..<batch.evidence.count
    }

    private func add(_ reason: Reason, _ weight: Int8, _ range: Range<Int>? = nil, to batch: inout Batch) {
        var evidence = Evidence(signal: signals[reason.rawValue], weight: Float(weight))
        if let range {
            evidence.start = Int32(clamping: range.lowerBound)
            evidence.end = Int32(clamping: range.upperBound)
        }
        batch.evidence.append(evidence)
    }

    /// Where in the decoded text the first hit of some detectors' signals stands.
    private func place(_ record: Record, _ batch: borrowing Batch, marks wanted: Marks) -> Range<Int>? {
        for h in record.hits where batch.hits[h].hasPlace {
            let signal = Int(batch.hits[h].signal)
            guard signal < marks.count, marks[signal] & wanted.rawValue != 0 else { continue }
            return batch.decodedRange(batch.hits[h].start, batch.hits[h].end, of: record)
        }
        return nil
    }

    /// Where the first hit that stands for one of some facts is.
    private func place(_ record: Record, _ batch: borrowing Batch, _ first: FactTag, _ second: FactTag) -> Range<Int>? {
        let mask: UInt64 = 1 << UInt64(first.rawValue) | 1 << UInt64(second.rawValue)
        return place(record, batch, facts: mask)
    }

    private func place(_ record: Record, _ batch: borrowing Batch, facts mask: UInt64) -> Range<Int>? {
        for h in record.hits where batch.hits[h].hasPlace {
            let signal = Int(batch.hits[h].signal)
            guard signal < facts.count, facts[signal] & mask != 0 else { continue }
            return batch.decodedRange(batch.hits[h].start, batch.hits[h].end, of: record)
        }
        return nil
    }

    private func monetary(_ points: PointMerge, _ record: Record, _ batch: inout Batch) {
        let value = points.merged.monetary
        if points.inheritsMoney { return add(.inherited, value, to: &batch) }
        if let budget = record.facts.budget, value > 0 {
            return add(.offer, value, Int(budget.start)..<Int(budget.end), to: &batch)
        }
        if value == 0 { return }
        let tags: [FactTag] =
            value == 16 ? [.paid, .rateAsk, .licence, .moneyOwed] : [.productGift, .commission, .represent]
        let mask = tags.reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawValue) }
        add(.kind, value, place(record, batch, facts: mask), to: &batch)
    }

    private func brandFit(_ points: PointMerge, _ record: Record, _ batch: inout Batch) {
        let value = points.merged.brandFit
        if points.inheritsFit { return add(.inherited, value, to: &batch) }
        switch value {
        case 0: add(.excluded, 0, place(record, batch, marks: .excluded), to: &batch)
        case 30: add(.work, value, place(record, batch, marks: .work), to: &batch)
        case 8: add(.generic, value, to: &batch)
        default: add(.niche, value, place(record, batch, marks: .niche), to: &batch)
        }
    }

    private func legitimacy(_ points: PointMerge, _ record: Record, _ batch: inout Batch) {
        if points.inheritsLegitimacy {
            add(.inherited, record.thread.points?.legitimacy ?? 0, to: &batch)
            if points.isSteered { add(.injection, -6, to: &batch) }
            return
        }
        let facts = record.facts
        add(.base, 10, to: &batch)
        if facts.hasCompanyAddress {
            add(.address, 2, place(record, batch, marks: .companyMail), to: &batch)
        }
        if facts.isCompany { add(.company, 2, place(record, batch, .company, .company), to: &batch) }
        if facts.has(.role) { add(.role, 2, place(record, batch, .role, .role), to: &batch) }
        if record.fields.isVerified == true || (record.fields.followers ?? 0) >= 10_000 {
            add(.reach, 2, to: &batch)
        }
        if facts.namesDeliverables {
            add(.deliverables, 2, place(record, batch, .deliverable, .deliverable), to: &batch)
        }
        if facts.has(.contract) || facts.has(.brief) {
            add(.contract, 2, place(record, batch, .contract, .brief), to: &batch)
        }
        if facts.hasFreeMailAddress, !facts.hasCompanyAddress {
            add(.freeMail, -2, place(record, batch, marks: .freeMail), to: &batch)
        }
        if facts.hasShortLink { add(.shortLink, -3, place(record, batch, marks: .shortLink), to: &batch) }
        if facts.has(.pressure) || facts.has(.secrecy) {
            add(.pressure, -3, place(record, batch, .pressure, .secrecy), to: &batch)
        }
        if facts.has(.credentials) || facts.has(.fee) {
            add(.credentials, -6, place(record, batch, .credentials, .fee), to: &batch)
        }
        if points.isSteered { add(.injection, -6, to: &batch) }
    }

    private func urgency(_ points: PointMerge, _ record: Record, _ batch: inout Batch) {
        let value = points.merged.urgency
        guard value > 0 else { return }
        let facts = record.facts
        if facts.deadlineDay != nil || facts.deadlineHours != nil {
            return add(.deadline, value, Int(facts.deadlineStart)..<Int(facts.deadlineEnd), to: &batch)
        }
        add(.soon, value, to: &batch)
    }
}
