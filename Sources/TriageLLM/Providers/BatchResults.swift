/// What a batch brought.
public struct BatchResults: Sendable, Equatable {
    /// By id: answers, and failures that sending again does not heal.
    public var outcomes: [String: Result<ChatReply, CallFailure>] = [:]
    /// Ids to send again, in the order of the questions: expired, cancelled, missing, or failed in a way that may heal.
    public var again: [String] = []
    /// Lines with an id that was not asked, or that came before.
    public var strayLines = 0
    /// Lines that are not JSON, such as one that is cut.
    public var unreadableLines = 0

    public init() {}
}
