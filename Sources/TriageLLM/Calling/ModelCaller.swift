/// Sends one query until it succeeds, fails for good, or runs out of time, attempts or money.
public protocol ModelCaller: Sendable {
    /// - Returns: the reply, or why there is none. Never throws: `CallFailure.cancelled` stands for a cancelled task.
    func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure>

    /// Tells whether a reply that ``call(_:)`` returned was of use; failures that it returned are not told.
    ///
    /// A caller may end the asking when reply after reply is not.
    func note(badOutput: Bool)
}

extension ModelCaller {
    public func note(badOutput: Bool) {}
}
