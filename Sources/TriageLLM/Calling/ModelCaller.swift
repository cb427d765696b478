/// Sends one query until it succeeds, fails for good, or runs out of time, attempts or money.
public protocol ModelCaller: Sendable {
    /// - Returns: the reply, or why there is none. Never throws: `CallFailure.cancelled` stands for a cancelled task.
    func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure>

    /// As ``call(_:)``, and the request counts as in flight until `keep` has returned.
    ///
    /// - Parameters:
    ///   - sendBefore: nothing is sent any more from that moment on: `deadline` if nothing was sent by then. What is under
    ///     way then is waited for. Nil: no limit.
    ///   - keep: puts the reply where no kill can take it; so what is paid for and not kept never exceeds the limit of
    ///     requests in flight.
    func call<Kept: Sendable>(
        _ query: ChatQuery, sendBefore: ContinuousClock.Instant?, keeping keep: @Sendable (ChatReply) async -> Kept
    ) async -> Result<Kept, CallFailure>

    /// Tells whether a reply that ``call(_:)`` returned was of use; failures that it returned are not told.
    ///
    /// A caller may end the asking when reply after reply is not.
    func note(badOutput: Bool)
}

extension ModelCaller {
    public func call<Kept: Sendable>(
        _ query: ChatQuery, sendBefore: ContinuousClock.Instant?, keeping keep: @Sendable (ChatReply) async -> Kept
    ) async -> Result<Kept, CallFailure> {
        return switch await call(query) {
        case .failure(let failure): .failure(failure)
        case .success(let reply): .success(await keep(reply))
        }
    }

    public func note(badOutput: Bool) {}
}
