internal import TriageCore

/// Counts the creator's writing habits.
struct VoiceHabitCounter {
    /// Minimum number of replies for a share to be reported.
    private static let least = 5
    private static let emojiLimit = 3

    private let words: VoiceWords

    init(_ words: VoiceWords) { self.words = words }

    func habits(of replies: [VoiceLearner.Reply]) -> VoiceHabits {
        var habits = VoiceHabits()
        habits.replies = replies.count
        guard !replies.isEmpty else { return habits }
        var lengths: [Int] = []
        var emojis: [String: Int] = [:]
        var greetings: [String: [String: Int]] = [:]
        var (mails, others) = (Count(), Count())
        var (mailNames, otherNames) = (Count(), Count())
        var (loud, pictured) = (Count(), Count())
        var (smallMails, smallOthers) = (Count(), Count())
        var formal: [String: Count] = [:]
        var (audience, partners) = (Beginnings(), Beginnings())
        for reply in replies {
            let exchange = reply.exchange
            if !exchange.language.isEmpty { habits.languages[exchange.language, default: 0] += 1 }
            let greets = reply.text.greeting != nil
            if reply.isMail { mails.add(greets) } else { others.add(greets) }
            if reply.isMail { mailNames.add(reply.text.isSigned) } else { otherNames.add(reply.text.isSigned) }
            if reply.isMail {
                if let greeting = pattern(reply) {
                    greetings[exchange.language, default: [:]][greeting, default: 0] += 1
                }
            } else if reply.isToPartner {
                partners.add(reply, pattern(reply), closing(reply))
            } else {
                audience.add(reply, pattern(reply), closing(reply))
            }
            let all = reply.text.sentences.flatMap(\.words)
            lengths.append(all.count)
            if let first = exchange.answered.unicodeScalars.first(where: { $0.properties.isAlphabetic }),
                first.properties.isUppercase || first.properties.isLowercase
            {
                let isSmall = first.properties.isLowercase
                if reply.isMail { smallMails.add(isSmall) } else { smallOthers.add(isSmall) }
            }
            loud.add(exchange.answered.utf8.contains(UInt8(ascii: "!")))
            let found = Set(exchange.answered.filter { $0.unicodeScalars.contains(where: VoiceText.isEmoji) })
            pictured.add(!found.isEmpty)
            for emoji in found { emojis[String(emoji), default: 0] += 1 }
            // Business partners are addressed in a different way.
            if !reply.isToPartner { count(all, exchange.language, &formal) }
        }
        lengths.sort()
        habits.words = lengths[lengths.count / 2]
        (habits.mailGreeting, habits.chatGreeting) = (mails.share, others.share)
        (habits.mailSignature, habits.chatSignature) = (mailNames.share, otherNames.share)
        habits.greetings = greetings.compactMapValues { Self.commonest($0, least: 2) }
        (habits.audience, habits.partners) = (audience.manner(words), partners.manner(words))
        habits.emoji = pictured.share ?? 0
        habits.emojis = emojis.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.emojiLimit).map(\.key)
        // Somebody who writes lower case in chats may not do so in e-mails.
        habits.lowerCase = [smallMails.share, smallOthers.share].compactMap(\.self).min() ?? 0
        habits.exclamation = loud.share ?? 0
        habits.formal = formal.filter { $0.value.of >= Self.least }.compactMapValues(\.share)
        if replies.count >= 30 {
            if pictured.yes * 50 <= pictured.of { habits.never.append("emoji") }
            if loud.yes * 50 <= loud.of { habits.never.append("exclamation marks") }
            if others.of >= 30, others.yes * 50 <= others.of { habits.never.append("greetings outside e-mail") }
        }
        return habits
    }

    /// Returns a greeting with `{name}` in it; nil if it names nobody, or more than the first name.
    private func pattern(_ reply: VoiceLearner.Reply) -> String? {
        guard let greeting = reply.text.greeting else { return nil }
        let scalars = Array(greeting.unicodeScalars)
        let found = VoiceText.words(of: scalars)
        guard found.count == 2, !greeting.contains("{") else { return nil }
        // Who is known by a handle alone has a first name in it: "charo.benav".
        let isNamed = reply.firstName.map { $0 == found[1].folded } ?? reply.names.contains(found[1].folded)
        guard isNamed else { return nil }
        return VoiceText.string(
            scalars[..<found[1].range.lowerBound] + Array("{name}".unicodeScalars)
                + scalars[found[1].range.upperBound...])
    }

    /// Returns "Hey," for "Hey {name},"; nil for "Dear {name},", which greets nobody without the name.
    private static func bare(_ pattern: String, _ words: VoiceWords) -> String? {
        let scalars = Array(pattern.unicodeScalars)
        let found = VoiceText.words(of: scalars)
        guard found.count == 2, !words.namedOnly.contains(found[0].folded) else { return nil }
        return VoiceText.string(
            scalars[..<found[0].range.upperBound] + scalars[found[1].range.upperBound...].drop { $0 == "}" })
    }

    private func count(_ all: [VoiceText.Word], _ language: String, _ formal: inout [String: Count]) {
        guard let polite = words.formal[language], let near = words.informal[language] else { return }
        let isPolite = all.contains { !$0.isFirst && polite.contains($0.text) }
        let isNear = all.contains { near.contains($0.text.lowercased()) }
        if isPolite != isNear { formal[language, default: Count()].add(isPolite) }
    }

    /// The last words of a reply, if they promise nothing, name no day and nobody else, and are no thanks.
    private func closing(_ reply: VoiceLearner.Reply) -> String? {
        let barred = [words.barred, words.days, words.persons, words.answers, words.thanks, reply.names]
        let isSaid = reply.text.sentences.last?.words.contains { word in barred.contains { $0.contains(word.folded) } }
        return isSaid == true ? nil : reply.text.closing
    }

    /// The commonest of some texts, the first by its letters among equals; nil if it is rarer than `least`.
    private static func commonest(_ counts: [String: Int], least: Int) -> String? {
        let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return best.flatMap { $0.value >= least ? $0.key : nil }
    }

    /// How replies of a kind begin and end, by language tag.
    private struct Beginnings {
        private var named: [String: [String: Int]] = [:]
        private var bare: [String: [String: Int]] = [:]
        private var closings: [String: [String: Int]] = [:]
        private var replies: [String: Int] = [:]
        /// Replies with the same closing, at least; half of all replies have to have it, too.
        private static let least = 3

        mutating func add(_ reply: VoiceLearner.Reply, _ pattern: String?, _ closing: String?) {
            let language = reply.exchange.language
            guard !language.isEmpty else { return }
            replies[language, default: 0] += 1
            if let pattern {
                named[language, default: [:]][pattern, default: 0] += 1
            } else if let greeting = reply.text.greeting, !greeting.contains("{"), !greeting.contains(" ") {
                bare[language, default: [:]][greeting, default: 0] += 1
            }
            if let closing { closings[language, default: [:]][closing, default: 0] += 1 }
        }

        /// What stands without a name is what the creator wrote so, or the greeting with the name left out.
        func manner(_ words: VoiceWords) -> VoiceManner {
            var manner = VoiceManner()
            manner.greetings = named.compactMapValues { commonest($0, least: 2) }
            manner.bare = manner.greetings.compactMapValues { VoiceHabitCounter.bare($0, words) }
                .merging(bare.compactMapValues { commonest($0, least: 2) }) { $1 }
            for (language, counts) in closings {
                let least = max(Self.least, (replies[language, default: 0] + 1) / 2)
                if let closing = commonest(counts, least: least) { manner.closings[language] = closing }
            }
            return manner
        }
    }

    private struct Count {
        var yes = 0
        var of = 0
        mutating func add(_ isYes: Bool) {
            yes += isYes ? 1 : 0
            of += 1
        }
        var share: Double? { of > 0 ? Double(yes) / Double(of) : nil }
    }
}
