internal import TriageCore

/// Writes what is known of an offer in short sentences that can be shown to the creator.
///
/// Parts taken from the message or its sender are host names only, so that no text of a stranger reaches a terminal.
struct InsightWriter: Sendable {
    private let works: [[UInt8]]
    /// By ``Facts/kind``: its id, and what has to be known of it.
    private let kinds: [(id: [UInt8], asks: [Ask])]

    private struct Ask: Sendable {
        var name: [UInt8]
        var term: AskedTerm
    }

    /// Bytes of a name in a sentence.
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

    /// Adds the sentences and returns their range of ``Batch/generatedSpans``.
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
            out.add("Names your work: ")
            works[work].withUnsafeBufferPointer { out.add($0) }
            out.endSentence()
        }
        if record.pointee.facts.hasCompanyAddress { sayDomain(record, hits, view, &out) }
        if record.pointee.facts.points.brandFit == 0 { out.say("A topic you exclude") }
        if tags & Self.contract != 0 { out.say("Contract or brief mentioned") }
        if tags & Self.fee != 0 { out.say("You would have to pay") }
        if tags & Self.credentials != 0 { out.say("Asks for access, codes or documents") }
        if tags & Self.pressure != 0 { out.say("Presses, or wants it kept secret") }
        if record.pointee.injection?.isSuspected == true { out.say("Tries to steer automated readers") }
        sayWhatIsMissing(record, &out)
        return first..<out.end
    }

    /// Writes the id of the matter's kind and returns its index in ``Batch/generatedSpans``; −1 when it has none.
    func writeKind(_ record: UnsafePointer<Record>, into out: inout InsightSentences) -> Int {
        let kind = Int(record.pointee.facts.kind)
        guard kind >= 0, kind < kinds.count else { return -1 }
        kinds[kind].id.withUnsafeBufferPointer { out.add($0) }
        out.endSentence()
        return out.end - 1
    }

    /// What an answer has to ask for, by the kind of the matter: "Still to ask: quantity, delivery".
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
            out.add("Budget named earlier: ")
            out.add(budget)
            out.endSentence()
        } else if record.pointee.facts.points.monetary == 8 {
            if record.pointee.facts.has(.commission) {
                out.say("Commission or share, no fee")
            } else if record.pointee.facts.has(.represent) {
                out.say("Offers to represent you")
            } else {
                out.say("Product or exposure, no fee")
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
            if isReply { out.add("Reply wanted by ") } else { out.add("Date mentioned: ") }
            out.add(CivilDate(daysSince1970: Int(day)))
            out.endSentence()
        } else if isReply, let hours = record.pointee.facts.deadlineHours {
            out.add("Reply wanted within ")
            out.add(max(1, Int(hours)))
            out.add(" hours")
            out.endSentence()
        }
    }

    /// Names the domain of a company address: the sender's, else the first in the text, if it is a plain host name.
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
        // Something stands before the sign.
        guard start > 1, hasDot, address.count - start >= 4, address.count - start <= nameLimit else { return nil }
        return UnsafeBufferPointer(rebasing: address[start...])
    }

    /// Without control characters and cut to ``nameLimit`` bytes at a whole character.
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
