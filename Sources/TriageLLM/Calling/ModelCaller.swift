/// Sends one query until it succeeds, fails for good, or runs out of time, attempts or money.
public protocol ModelCaller: Sendable {
    /// - Returns: the reply, or why there is none. Never throws: `CallFailure.cancelled` stands for a cancelled task.
    func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure>
}
