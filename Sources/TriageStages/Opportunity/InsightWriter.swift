internal import TriageCore

/// Writes what is known of an offer in short sentences that can be shown to the creator.
///
/// Parts taken from the message or its sender are host names only, so that no text of a stranger reaches a terminal.
struct InsightWriter: Sendable {
    private let works: [[UInt8]]
    /// Whether a signal is that of a company's address.
    private let isCompanyMail: [Bool]

    /// Bytes of a name in a sentence.
    private static let nameLimit = 80

    init(rules: RuleSet, profile: CreatorProfile) {
        works = profile.works.map { Self.harmless(Array($0.utf8)) }
        isCompanyMail = rules.signals.map { $0.trigger == .detector(DetectorName.emailCompany.rawValue) }
    }

    /// Adds the sentences and returns their range of ``Batch/generatedSpans``.
    func write(_ record: Record, into batch: inout Batch) -> Range<Int> {
        let first = batch.generatedSpans.count
        func say(_ sentence: [UInt8]) {
            let span = batch.generate(sentence)
            batch.generatedSpans.append(span)
        }
        func say(_ sentence: String) { say(Array(sentence.utf8)) }
        let facts = record.facts
        if let budget = facts.budget {
            say(Array("Budget mentioned: ".utf8) + Self.amount(budget))
        } else if let budget = record.thread.budget {
            say(Array("Budget named earlier: ".utf8) + Self.amount(budget))
        } else if facts.points.monetary == 8 {
            say(
                facts.has(.commission)
                    ? "Commission or share, no fee"
                    : facts.has(.represent) ? "Offers to represent you" : "Product or exposure, no fee")
        } else if facts.has(.unpaid) {
            say("Unpaid")
        }
        let followers = record.fields.followers ?? 0
        if record.fields.isVerified == true {
            say(followers > 0 ? "Verified sender (\(Self.short(followers)) followers)" : "Verified sender")
        } else if followers >= 10_000 {
            say("Sender has \(Self.short(followers)) followers")
        }
        sayDeadline(facts, say)
        if facts.work >= 0, Int(facts.work) < works.count {
            say(Array("Names your work: ".utf8) + works[Int(facts.work)])
        }
        if facts.hasCompanyAddress, let domain = domain(record, batch) {
            say(Array("Company address: @".utf8) + domain)
        }
        if facts.points.brandFit == 0 { say("A topic you exclude") }
        if facts.has(.contract) || facts.has(.brief) { say("Contract or brief mentioned") }
        if facts.has(.creatorPays) || facts.has(.fee) { say("You would have to pay") }
        if facts.has(.credentials) { say("Asks for access, codes or documents") }
        if facts.has(.pressure) || facts.has(.secrecy) { say("Presses, or wants it kept secret") }
        if record.injection?.isSuspected == true { say("Tries to steer automated readers") }
        return first..<batch.generatedSpans.count
    }

    private func sayDeadline(_ facts: Facts, _ say: ([UInt8]) -> Void) {
        if let day = facts.deadlineDay {
            var sentence = Array((facts.deadlineIsReply ? "Reply wanted by " : "Date mentioned: ").utf8)
            CivilDate(daysSince1970: Int(day)).append(to: &sentence)
            say(sentence)
        } else if facts.deadlineIsReply, let hours = facts.deadlineHours {
            say(Array("Reply wanted within \(max(1, hours)) hours".utf8))
        }
    }

    /// The domain of a company address: the sender's, else the first in the text; nil when it is no plain host name.
    private func domain(_ record: Record, _ batch: Batch) -> [UInt8]? {
        if let host = Self.host(batch.arena[record.fields.senderHandle.range]) { return host }
        for h in record.hits where batch.hits[h].hasPlace {
            let signal = Int(batch.hits[h].signal)
            guard signal < isCompanyMail.count, isCompanyMail[signal] else { continue }
            let range = batch.decodedRange(batch.hits[h].start, batch.hits[h].end, of: record)
            let base = record.fields.text.range.lowerBound
            return Self.host(batch.arena[(base + range.lowerBound)..<(base + range.upperBound)])
        }
        return nil
    }

    private static func host(_ address: ArraySlice<UInt8>) -> [UInt8]? {
        guard let at = address.lastIndex(of: 0x40), at > address.startIndex else { return nil }
        let host = address[(at + 1)...]
        guard host.count >= 4, host.count <= nameLimit, host.contains(0x2E) else { return nil }
        for byte in host {
            let isPlain = byte &- 0x30 < 10 || byte | 0x20 &- 0x61 < 26 || byte == 0x2D || byte == 0x2E
            guard isPlain, byte < 0x80 else { return nil }
        }
        return host.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
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

    /// `$5,000`, `€800`, `95,000 SEK`, `1,250.50 CHF`.
    static func amount(_ money: MoneyAmount) -> [UInt8] {
        let value = max(0, min(money.amount, 1e15))
        let cents = Int((value * 100).rounded())
        var digits = grouped(cents / 100)
        if cents % 100 != 0 {
            digits.append(0x2E)
            digits.append(UInt8(0x30 + cents % 100 / 10))
            digits.append(UInt8(0x30 + cents % 10))
        }
        guard let currency = money.currency else { return digits }
        switch currency.code {
        case "USD": return [0x24] + digits
        case "EUR": return Array("€".utf8) + digits
        case "GBP": return Array("£".utf8) + digits
        default: return digits + [0x20] + Array(currency.code.utf8)
        }
    }

    private static func grouped(_ value: Int) -> [UInt8] {
        let plain = Array(String(value).utf8)
        var out: [UInt8] = []
        for (i, byte) in plain.enumerated() {
            if i > 0, (plain.count - i) % 3 == 0 { out.append(0x2C) }
            out.append(byte)
        }
        return out
    }

    /// 512000 → 512K.
    private static func short(_ count: Int64) -> String {
        if count >= 1_000_000 {
            let tenths = count / 100_000
            return tenths % 10 == 0 ? "\(tenths / 10)M" : "\(tenths / 10).\(tenths % 10)M"
        }
        return count >= 1000 ? "\(count / 1000)K" : "\(count)"
    }
}
