/// A regex that costs more than it needs to.
public struct SlowRegex: Sendable, Hashable {
    /// File and line.
    public var place: String
    public var cause: Cause

    public enum Cause: Sendable, Hashable {
        /// Nothing that stands in each of its matches rules a text out.
        case isTriedOnEveryText
        /// Choices and gaps multiply: it takes long to compile, and Vectorscan tries it on each text with its words.
        case hasTooManyStates
    }
}
