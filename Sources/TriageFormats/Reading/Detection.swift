/// What an input was taken for, and why.
public struct Detection: Sendable, Equatable {
    /// Name of the format.
    public var format: String
    /// What was seen that decided; never message text.
    public var reason: String
    /// What such an export usually has and this one lacks, in words that say what follows from it.
    public var missing: [String]
    /// Whether there are messages in it; without, it is a file that belongs to an export (a profile, settings, a list of
    /// members), is passed over and needs no word.
    public var hasMessages: Bool

    public init(format: String, reason: String, missing: [String] = [], hasMessages: Bool = true) {
        self.hasMessages = hasMessages
        self.format = format
        self.reason = reason
        self.missing = missing
    }
}
