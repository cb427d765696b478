internal import TriageCore

/// Writes the reasons of the four parts: rules where a rule says it, built-in names where code does.
struct OpportunityReasons: Sendable {
    private let limit: Int
    private let facts: [UInt64]
    /// Signals of detectors that stand for a reason here.
    private let companyMail: Set<UInt16>
    private let freeMail: Set<UInt16>
    private let shortLink: Set<UInt16>
    private let niche: Set<UInt16>
    private let excluded: Set<UInt16>
    private let work: Set<UInt16>
    private let index: [String: UInt16]

    init(rules: RuleSet, limit: Int) {
        self.limit = max(0, limit)
        facts = rules.signals.map(\.feeds.facts)
        func signals(_ detector: DetectorName) -> Set<UInt16> {
            Set(
                rules.signals.indices.filter { rules.signals[$0].trigger == .detector(detector.rawValue) }.map {
                    UInt16($0)
                })
        }
        companyMail = signals(.emailCompany)
        freeMail = signals(.emailFree)
        shortLink = signals(.linkShort)
        niche = signals(.creatorNiche)
        excluded = signals(.creatorExcluded)
        work = signals(.creatorNamesWork)
        let names = SignalNames(rules: rules)
        index = Dictionary(
            uniqueKeysWithValues: [
                "money.offer", "money.none", "money.kind", "fit.niche", "fit.work", "fit.excluded", "fit.generic",
                "legitimacy.base", "legitimacy.company", "legitimacy.address", "legitimacy.role", "legitimacy.reach",
                "legitimacy.deliverables", "legitimacy.contract", "legitimacy.free-mail", "legitimacy.short-link",
                "legitimacy.pressure", "legitimacy.credentials", "legitimacy.injection", "urgency.deadline",
                "urgency.soon",
                "thread.inherited",
            ].map { ($0, names.builtIn($0)) })
    }

    struct Ranges {
        var monetary: EvidenceRange
        var brandFit: EvidenceRange
        var legitimacy: EvidenceRange
        var urgency: EvidenceRange
    }

    func write(_ points: PointMerge, _ record: Record, into batch: inout Batch) -> Ranges {
        let monetary = self.monetary(points, record, batch)
        let fit = brandFit(points, record, batch)
        let legitimacy = self.legitimacy(points, record, batch)
        let urgency = self.urgency(points, record)
        return Ranges(
            monetary: append(monetary, to: &batch), brandFit: append(fit, to: &batch),
            legitimacy: append(legitimacy, to: &batch), urgency: append(urgency, to: &batch))
    }

    private func append(_ reasons: [Evidence], to batch: inout Batch) -> EvidenceRange {
        let first = batch.evidence.count
        batch.evidence += reasons.sorted { abs($0.weight) > abs($1.weight) }.prefix(limit)
        return first..<batch.evidence.count
    }

    private func builtIn(_ name: String, _ weight: Int8, _ range: Range<Int>? = nil) -> Evidence {
        var evidence = Evidence(signal: index[name] ?? 0, weight: Float(weight))
        if let range {
            evidence.start = Int32(clamping: range.lowerBound)
            evidence.end = Int32(clamping: range.upperBound)
        }
        return evidence
    }

    /// Where in the decoded text the first hit of some signals stands.
    private func place(_ record: Record, _ batch: Batch, where wanted: (UInt16) -> Bool) -> Range<Int>? {
        for h in record.hits where batch.hits[h].hasPlace && wanted(batch.hits[h].signal) {
            return batch.decodedRange(batch.hits[h].start, batch.hits[h].end, of: record)
        }
        return nil
    }

    private func place(_ record: Record, _ batch: Batch, tags: [FactTag]) -> Range<Int>? {
        let mask = tags.reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawValue) }
        return place(record, batch) { Int($0) < facts.count && facts[Int($0)] & mask != 0 }
    }

    private func monetary(_ points: PointMerge, _ record: Record, _ batch: Batch) -> [Evidence] {
        let value = points.merged.monetary
        if points.inheritsMoney { return [builtIn("thread.inherited", value)] }
        if let budget = record.facts.budget, value > 0 {
            return [builtIn("money.offer", value, Int(budget.start)..<Int(budget.end))]
        }
        if value == 0 { return [] }
        let tags: [FactTag] =
            value == 16 ? [.paid, .rateAsk, .licence, .moneyOwed] : [.productGift, .commission, .represent]
        return [builtIn("money.kind", value, place(record, batch, tags: tags))]
    }

    private func brandFit(_ points: PointMerge, _ record: Record, _ batch: Batch) -> [Evidence] {
        let value = points.merged.brandFit
        if points.inheritsFit { return [builtIn("thread.inherited", value)] }
        switch value {
        case 0: return [builtIn("fit.excluded", 0, place(record, batch) { excluded.contains($0) })]
        case 30: return [builtIn("fit.work", value, place(record, batch) { work.contains($0) })]
        case 8: return [builtIn("fit.generic", value)]
        default: return [builtIn("fit.niche", value, place(record, batch) { niche.contains($0) })]
        }
    }

    private func legitimacy(_ points: PointMerge, _ record: Record, _ batch: Batch) -> [Evidence] {
        if points.inheritsLegitimacy {
            var reasons = [builtIn("thread.inherited", record.thread.points?.legitimacy ?? 0)]
            if points.isSteered { reasons.append(builtIn("legitimacy.injection", -6)) }
            return reasons
        }
        let facts = record.facts
        var reasons = [builtIn("legitimacy.base", 10)]
        if facts.hasCompanyAddress {
            reasons.append(builtIn("legitimacy.address", 2, place(record, batch) { companyMail.contains($0) }))
        }
        if facts.isCompany { reasons.append(builtIn("legitimacy.company", 2, place(record, batch, tags: [.company]))) }
        if facts.has(.role) { reasons.append(builtIn("legitimacy.role", 2, place(record, batch, tags: [.role]))) }
        if record.fields.isVerified == true || (record.fields.followers ?? 0) >= 10_000 {
            reasons.append(builtIn("legitimacy.reach", 2))
        }
        if facts.namesDeliverables {
            reasons.append(builtIn("legitimacy.deliverables", 2, place(record, batch, tags: [.deliverable])))
        }
        if facts.has(.contract) || facts.has(.brief) {
            reasons.append(builtIn("legitimacy.contract", 2, place(record, batch, tags: [.contract, .brief])))
        }
        if facts.hasFreeMailAddress, !facts.hasCompanyAddress {
            reasons.append(builtIn("legitimacy.free-mail", -2, place(record, batch) { freeMail.contains($0) }))
        }
        if facts.hasShortLink {
            reasons.append(builtIn("legitimacy.short-link", -3, place(record, batch) { shortLink.contains($0) }))
        }
        if facts.has(.pressure) || facts.has(.secrecy) {
            reasons.append(builtIn("legitimacy.pressure", -3, place(record, batch, tags: [.pressure, .secrecy])))
        }
        if facts.has(.credentials) || facts.has(.fee) {
            reasons.append(builtIn("legitimacy.credentials", -6, place(record, batch, tags: [.credentials, .fee])))
        }
        if points.isSteered { reasons.append(builtIn("legitimacy.injection", -6)) }
        return reasons
    }

    private func urgency(_ points: PointMerge, _ record: Record) -> [Evidence] {
        let value = points.merged.urgency
        guard value > 0 else { return [] }
        let facts = record.facts
        if facts.deadlineDay != nil || facts.deadlineHours != nil {
            return [builtIn("urgency.deadline", value, Int(facts.deadlineStart)..<Int(facts.deadlineEnd))]
        }
        return [builtIn("urgency.soon", value)]
    }
}
