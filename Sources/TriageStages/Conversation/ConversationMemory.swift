/// Where conversations are remembered beyond one run.
///
/// Called by ``ConversationStage`` alone, for one batch at a time and in the order of the input.
public protocol ConversationMemory: AnyObject, Sendable {
    /// What was kept of these conversations last, be it by an earlier batch or an earlier run.
    ///
    /// - Parameter keys: of conversations that the stage does not have at hand.
    /// - Returns: states as ``keep(_:past:of:)`` was given them, for those keys of which anything is known.
    func recall(_ keys: [UInt64]) -> [UInt64: [UInt8]]

    /// Takes what a batch changed.
    ///
    /// - Parameters:
    ///   - states: the new state of each conversation that the batch added to, a few bytes each.
    ///   - past: for each of its follow-ups, by the record's index, what the conversation was before it.
    ///   - sequence: of the batch.
    func keep(_ states: [UInt64: [UInt8]], past: [Int: [UInt8]], of sequence: Int)

    /// Whether a record is answered again: its conversation has it already, and it must be answered as it was then.
    func isRepeated(_ index: Int, of sequence: Int) -> Bool

    /// What the conversation of a repeated record was before it; nil: it had none, or nothing is known of it.
    func past(_ index: Int, of sequence: Int) -> [UInt8]?
}
