internal import TriageCore

/// Writes the reasons for the four parts: signals where a rule gives the reason, built-in names where code does.
struct OpportunityReasons: Sendable {
    /// Indices of the built-in names.
    private struct Names: Sendable {
        let offer, kind, niche, work, excluded, generic, assumed, noProfile: UInt16
        let base, company, address, role, reach, deliverables, contract: UInt16
        let freeMail, shortLink, pressure, credentials, injection: UInt16
        let deadline, soon, inherited: UInt16

        init(_ names: SignalNames) {
            offer = names.builtIn("money.offer")
            kind = names.builtIn("money.kind")
            niche = names.builtIn("fit.niche")
            work = names.builtIn("fit.work")
            excluded = names.builtIn("fit.excluded")
            generic = names.builtIn("fit.generic")
            assumed = names.builtIn("fit.assumed")
            noProfile = names.builtIn("fit.no-profile")
            base = names.builtIn("legitimacy.base")
            company = names.builtIn("legitimacy.company")
            address = names.builtIn("legitimacy.address")
            role = names.builtIn("legitimacy.role")
            reach = names.builtIn("legitimacy.reach")
            deliverables = names.builtIn("legitimacy.deliverables")
            contract = names.builtIn("legitimacy.contract")
            freeMail = names.builtIn("legitimacy.free-mail")
            shortLink = names.builtIn("legitimacy.short-link")
            pressure = names.builtIn("legitimacy.pressure")
            credentials = names.builtIn("legitimacy.credentials")
            injection = names.builtIn("legitimacy.injection")
            deadline = names.builtIn("urgency.deadline")
            soon = names.builtIn("urgency.soon")
            inherited = names.builtIn("thread.inherited")
        }
    }

    /// Tags that count as one kind of reason each.
    private enum Kinds {
        static let paid = OpportunityKinds.tags(.paid, .rateAsk, .craftOrder, .licence, .moneyOwed, .payHint)
        static let unpaid = OpportunityKinds.tags(.productGift, .commission, .represent, .giftHint)
        static let company = OpportunityKinds.tags(.company)
        static let role = OpportunityKinds.tags(.role)
        static let deliverable = OpportunityKinds.tags(.deliverable)
        static let contract = OpportunityKinds.tags(.contract, .brief)
        static let pressure = OpportunityKinds.tags(.pressure, .secrecy)
        static let credentials = OpportunityKinds.tags(.credentials, .fee)
    }

    private let limit: Int
    private let names: Names

    private let knowsCreator: Bool

    init(rules: RuleSet, limit: Int, knowsCreator: Bool) {
        self.limit = max(0, limit)
        self.knowsCreator = knowsCreator
        names = Names(SignalNames(rules: rules))
    }

    struct Ranges {
        var monetary: EvidenceRange
        var brandFit: EvidenceRange
        var legitimacy: EvidenceRange
        var urgency: EvidenceRange
    }

    func write(
        _ points: PointMerge, _ record: UnsafePointer<Record>, _ hits: OpportunityHits,
        into evidence: inout BatchAdditions<Evidence>
    ) -> Ranges {
        let first = evidence.end
        if limit > 0 { monetary(points, record, hits, &evidence) }
        let second = evidence.end
        if limit > 0 { brandFit(points, hits, &evidence) }
        let third = evidence.end
        legitimacy(points, record, hits, &evidence)
        let fourth = evidence.end
        if limit > 0 { urgency(points, record, &evidence) }
        return Ranges(
            monetary: first..<second, brandFit: second..<third, legitimacy: third..<fourth,
            urgency: fourth..<evidence.end)
    }

    @inline(__always)
    private func reason(_ name: UInt16, _ weight: Int8, _ range: Range<Int>? = nil) -> Evidence {
        guard let range else { return Evidence(signal: name, weight: Float(weight)) }
        return Evidence(
            signal: name, weight: Float(weight), start: Int32(clamping: range.lowerBound),
            end: Int32(clamping: range.upperBound))
    }

    private func monetary(
        _ points: PointMerge, _ record: UnsafePointer<Record>, _ hits: OpportunityHits,
        _ evidence: inout BatchAdditions<Evidence>
    ) {
        let value = points.merged.monetary
        if points.inheritsMoney {
            evidence.append(reason(names.inherited, value))
        } else if value > 0, let budget = record.pointee.facts.budget {
            evidence.append(
                Evidence(signal: names.offer, weight: Float(value), start: budget.start, end: budget.end))
        } else if value != 0 {
            evidence.append(reason(names.kind, value, hits.place(of: value == 16 ? Kinds.paid : Kinds.unpaid)))
        }
    }

    private func brandFit(
        _ points: PointMerge, _ hits: OpportunityHits, _ evidence: inout BatchAdditions<Evidence>
    ) {
        let value = points.merged.brandFit
        if points.inheritsFit { return evidence.append(reason(names.inherited, value)) }
        switch value {
        case 0: evidence.append(reason(names.excluded, 0, hits.place(of: OpportunityKinds.excluded)))
        case 30: evidence.append(reason(names.work, value, hits.place(of: OpportunityKinds.work)))
        case 8: evidence.append(reason(knowsCreator ? names.generic : names.noProfile, value))
        default:
            // Offers to a creator mostly fit; if no word says so, the reason is marked as assumed.
            let place = hits.place(of: OpportunityKinds.niche)
            evidence.append(reason(place == nil ? names.assumed : names.niche, value, place))
        }
    }

    /// Strongest first; the weights of all reasons are fixed, and therefore their order.
    private func legitimacy(
        _ points: PointMerge, _ record: UnsafePointer<Record>, _ hits: OpportunityHits,
        _ evidence: inout BatchAdditions<Evidence>
    ) {
        let end = evidence.end + limit
        func add(_ name: UInt16, _ weight: Int8, at kind: UInt64 = 0) {
            guard evidence.end < end else { return }
            evidence.append(reason(name, weight, hits.place(of: kind)))
        }
        if points.inheritsLegitimacy {
            let inherited = record.pointee.thread.points?.legitimacy ?? 0
            if points.isSteered, inherited < 6 { add(names.injection, -6) }
            add(names.inherited, inherited)
            if points.isSteered, inherited >= 6 { add(names.injection, -6) }
            return
        }
        let tags = record.pointee.facts.tags
        add(names.base, 10)
        if tags & Kinds.credentials != 0 { add(names.credentials, -6, at: Kinds.credentials) }
        if points.isSteered { add(names.injection, -6) }
        if record.pointee.facts.hasShortLink { add(names.shortLink, -3, at: OpportunityKinds.shortLink) }
        if tags & Kinds.pressure != 0 { add(names.pressure, -3, at: Kinds.pressure) }
        let hasCompanyAddress = record.pointee.facts.hasCompanyAddress
        if hasCompanyAddress { add(names.address, 2, at: OpportunityKinds.companyMail) }
        if record.pointee.facts.isCompany { add(names.company, 2, at: Kinds.company) }
        if tags & Kinds.role != 0 { add(names.role, 2, at: Kinds.role) }
        if record.pointee.fields.isVerified == true || (record.pointee.fields.followers ?? 0) >= 10_000 {
            add(names.reach, 2)
        }
        if record.pointee.facts.isDefinite { add(names.deliverables, 2, at: Kinds.deliverable) }
        if tags & Kinds.contract != 0 { add(names.contract, 2, at: Kinds.contract) }
        if record.pointee.facts.hasFreeMailAddress, !hasCompanyAddress {
            add(names.freeMail, -2, at: OpportunityKinds.freeMail)
        }
    }

    private func urgency(
        _ points: PointMerge, _ record: UnsafePointer<Record>, _ evidence: inout BatchAdditions<Evidence>
    ) {
        let value = points.merged.urgency
        guard value > 0 else { return }
        if record.pointee.facts.deadlineDay != nil || record.pointee.facts.deadlineHours != nil {
            evidence.append(
                Evidence(
                    signal: names.deadline, weight: Float(value), start: record.pointee.facts.deadlineStart,
                    end: record.pointee.facts.deadlineEnd))
        } else {
            evidence.append(reason(names.soon, value))
        }
    }
}
