/// How the creator answers, learned from replies that they wrote themselves.
package struct Voice: Sendable, Equatable {
    package var habits = VoiceHabits()
    /// In the order in which they were sent, as far as that is known.
    package var pairs: [VoicePair] = []
    /// Ids of all pairs that were ever learned; one without a pair was removed by a person, and is not learned again.
    package var learned: [String] = []
    /// First 12 hex digits of the SHA-256 of its file, for `provenance`; empty before it was a file.
    package var digest = ""

    package init() {}
}

/// A message that came in, and what the creator answered.
package struct VoicePair: Sendable, Equatable {
    /// The same for the same pair, whenever it is learned.
    package var id = ""
    /// The sender's id, handle or name: whom `triage voice forget` removes.
    package var sender = ""
    /// The sender's name, as it was shown; empty: unknown.
    package var name = ""
    /// Days since 1970 of the reply; nil when unknown.
    package var day: Int?
    package var platform = ""
    /// Tag of the language that the reply is written in; empty: unclear.
    package var language = ""
    /// What the message was to the program: `fan.praise`, `faq:camera`, or `needs-a-fact` where it had no draft.
    package var intent = ""
    package var asked = ""
    package var answered = ""
    /// What of the reply can be said to somebody else, `{name}` where the sender is named; empty: nothing.
    package var reuse = ""
    /// ``fingerprint`` of the pair as it was learned; empty: a person wrote it.
    package var learned = ""

    package init() {}

    /// 8 hex digits of everything but the id: another one than ``learned`` once a person changed anything.
    package var fingerprint: String {
        let parts = [
            sender, name, day.map { "\($0)" } ?? "", platform, language, intent, asked, answered, reuse,
        ]
        return String(SHA256.hex(Array(parts.joined(separator: "\u{1F}").utf8)).prefix(8))
    }

    /// Whether a person changed or wrote it.
    package var isChanged: Bool { learned != fingerprint }
}

/// Habits counted from the creator's replies.
///
/// Shares are from 0 to 1.
package struct VoiceHabits: Sendable, Equatable {
    /// Replies that were counted.
    package var replies = 0
    /// How many were written in each language, by tag.
    package var languages: [String: Int] = [:]
    /// Words of the middle reply.
    package var words = 0
    /// Share of e-mails, and of other replies, that begin with a greeting; nil: there are none to count.
    package var mailGreeting, chatGreeting: Double?
    /// Share of e-mails, and of other replies, that end with the creator's name.
    package var mailSignature, chatSignature: Double?
    /// The greeting they use most in e-mails, by tag of the language, as it is written: `hi {name},`.
    package var greetings: [String: String] = [:]
    /// Share of replies with an emoji, and the ones they use, commonest first.
    package var emoji = 0.0
    package var emojis: [String] = []
    /// Share of replies that begin with a small letter, of those that begin with a letter that could be a capital: of e-mails
    /// or of other replies, whichever is lower.
    package var lowerCase = 0.0
    /// Share of replies with an exclamation mark.
    package var exclamation = 0.0
    /// Share of replies that address the reader formally (Sie, vous, usted), of those that show it, by tag.
    package var formal: [String: Double] = [:]
    /// What hardly any reply has, in words.
    package var never: [String] = []

    package init() {}
}
