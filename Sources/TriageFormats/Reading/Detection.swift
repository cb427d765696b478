/// What an input was taken for, and why.
public struct Detection: Sendable, Equatable {
    /// Name of the format.
    public var format: String
    /// What was seen that decided; never message text.
    public var reason: String
    /// What such an export usually has and this one lacks, in words that say what follows from it.
    public var missing: [String]

    public init(format: String, reason: String, missing: [String] = []) {
        self.format = format
        self.reason = reason
        self.missing = missing
    }
}
