/// How the creator writes, learned from replies that they wrote themselves.
package struct Voice: Sendable, Equatable {
    package var habits = VoiceHabits()
    /// Sorted by the time they were sent, where known.
    package var pairs: [VoicePair] = []
    /// Ids of all pairs ever learned.
    ///
    /// An id without a pair was removed by a person and is not learned again.
    package var learned: [String] = []
    /// First 12 hex digits of the SHA-256 of its file, for `provenance`; empty for a voice that was not read from a
    /// file.
    package var digest = ""

    package init() {}
}

/// A message that came in, and the creator's answer to it.
package struct VoicePair: Sendable, Equatable {
    /// Stable: the same pair always gets the same id.
    package var id = ""
    /// The sender's id, handle or name; `triage voice forget` removes pairs by it.
    package var sender = ""
    /// The sender's display name; empty: unknown.
    package var name = ""
    /// Day of the reply, in days since 1970; nil when unknown.
    package var day: Int?
    package var platform = ""
    /// Tag of the language of the reply; empty: unclear.
    package var language = ""
    /// How the program classified the message: `fan.praise`, `faq:camera`, or `needs-a-fact` where it had no draft.
    package var intent = ""
    package var asked = ""
    package var answered = ""
    /// The part of the reply that can be said to somebody else, with `{name}` for the sender's name; empty: none.
    package var reuse = ""
    /// The ``fingerprint`` of the pair when it was learned; empty: a person wrote the pair.
    package var learned = ""

    package init() {}

    /// 8 hex digits over everything but the id; differs from ``learned`` once a person changed anything.
    package var fingerprint: String {
        let parts = [
            sender, name, day.map { "\($0)" } ?? "", platform, language, intent, asked, answered, reuse,
        ]
        return String(SHA256.hex(Array(parts.joined(separator: "\u{1F}").utf8)).prefix(8))
    }

    /// Whether a person changed or wrote the pair.
    package var isChanged: Bool { learned != fingerprint }
}

/// The words with which the creator's replies of a kind begin and end, by language tag.
package struct VoiceManner: Sendable, Equatable {
    /// The commonest greeting, as it is written, with `{name}` for the reader's first name: `¡Buenas, {name}!`.
    package var greetings: [String: String] = [:]
    /// The commonest greeting without a name.
    package var bare: [String: String] = [:]
    /// The last words of at least half of the replies: `H x`.
    package var closings: [String: String] = [:]

    package init() {}
}

/// Habits counted in the creator's replies.
///
/// Shares range from 0 to 1.
package struct VoiceHabits: Sendable, Equatable {
    /// Number of replies counted.
    package var replies = 0
    /// Number of replies by language tag.
    package var languages: [String: Int] = [:]
    /// Median number of words in a reply.
    package var words = 0
    /// Share of e-mails, and of other replies, that begin with a greeting; nil: there are none to count.
    package var mailGreeting, chatGreeting: Double?
    /// Share of e-mails, and of other replies, that end with the creator's name.
    package var mailSignature, chatSignature: Double?
    /// The creator's commonest greeting in e-mails by language tag, as it is written: `hi {name},`.
    package var greetings: [String: String] = [:]
    /// How replies outside e-mails begin and end: those to the audience, and those to business partners.
    package var audience = VoiceManner(), partners = VoiceManner()
    /// Share of replies with an emoji, and the emoji used, commonest first.
    package var emoji = 0.0
    package var emojis: [String] = []
    /// Share of replies that begin in lower case, among those whose first letter could be a capital.
    ///
    /// The lower of two shares: that of e-mails and that of other replies.
    package var lowerCase = 0.0
    /// Share of replies with an exclamation mark.
    package var exclamation = 0.0
    /// Share of replies that address the reader formally (Sie, vous, usted) among those that address them at all, by
    /// language tag.
    package var formal: [String: Double] = [:]
    /// Things that hardly any reply contains, in words.
    package var never: [String] = []

    package init() {}
}

/// The creator's own wordings for drafts, read from `replies.yaml`; they replace the program's.
package struct OwnWordings: Sendable, Equatable {
    /// One or more wordings by language tag and situation, such as `en` and `fan.praise`; each message gets one of
    /// them.
    package var texts: [String: [String: [String]]]

    package init(texts: [String: [String: [String]]] = [:]) { self.texts = texts }

    package var isEmpty: Bool { texts.isEmpty }
    /// Number of wordings over all languages and situations.
    package var count: Int { texts.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
}
