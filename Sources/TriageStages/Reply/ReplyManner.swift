internal import TriageCore

/// How the creator's replies begin and end.
struct ReplyManner: Sendable {
    /// From which share on something is a habit.
    private static let usual = 0.5
    private static let emojiShare = 0.1
    /// Up to which share the other form of address is an exception.
    private static let mixed = 0.25

    /// Whether e-mails, and other replies, begin with a greeting, and end with a name.
    let greetsMail, greetsOthers, signsMail, signsOthers: Bool
    /// Whether sentences begin with small letters.
    let isSmall: Bool
    /// What stands behind thanks.
    let praiseTail: String

    init(_ habits: VoiceHabits) {
        greetsMail = (habits.mailGreeting ?? 1) >= Self.usual
        greetsOthers = (habits.chatGreeting ?? 0) >= Self.usual
        signsMail = (habits.mailSignature ?? 1) >= Self.usual
        signsOthers = (habits.chatSignature ?? 0) >= Self.usual
        isSmall = habits.lowerCase >= Self.usual
        praiseTail = habits.emoji >= Self.emojiShare ? habits.emojis.first.map { " \($0)" } ?? "" : ""
    }

    /// Whether readers are addressed as Sie rather than du; nil: now so, now so, or nobody knows.
    static func isPolite(_ habits: VoiceHabits, in language: String) -> Bool? {
        guard let share = habits.formal[language] else { return nil }
        return share >= 1 - mixed ? true : share <= mixed ? false : nil
    }

    func greets(isMail: Bool) -> Bool { isMail ? greetsMail : greetsOthers }
    func signs(isMail: Bool) -> Bool { isMail ? signsMail : signsOthers }
}
