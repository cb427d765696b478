/// Why an attempt failed; every attempt ends in success or exactly one of these.
package enum CallFailure: Error, Sendable, Equatable {
    /// There is an answer, but it is unusable.
    case badOutput(BadOutput)
    /// The model or a filter will not answer this text: final for the message.
    case refused
    /// Text and prompt do not fit into the model's context window.
    case tooLong
    /// The server does not support a requested feature.
    case unsupported(ServerFeatures)
    /// Too many requests; nothing is sent for `after`.
    case rateLimited(after: Duration?)
    /// The server is reachable but cannot answer now.
    case overloaded(after: Duration?)
    /// Lost on the way, or a server error that may be temporary.
    case transient(TransientFault)
    /// The key is wrong or lacks permission: final for the run.
    case authentication
    /// The account is out of credit or a hard limit is reached: final for the run.
    case quota
    /// The request can never succeed as configured (unknown model, wrong address, an HTML page): final for the run.
    case configuration(status: Int)
    case cancelled
    /// The deadline for a useful answer has passed.
    case deadline
    /// The message waited for its turn as long as it was allowed to; nothing was sent.
    case queueTimeout
    /// `--max-cost`, `--max-requests` or `--max-tokens` would be exceeded.
    case budget
    /// The breaker is open: the server has just failed too often.
    case unavailable
    /// Too many consecutive answers were useless: the prompt or the model is wrong; final for the run.
    case useless
    /// The model spends its whole output allowance on thinking, even the larger one; final for the run.
    case overthinking

    package enum BadOutput: String, Error, Sendable, CaseIterable {
        case empty, truncated, notJSON, wrongSchema, outOfRange, contradictory, wrongIDs, whitespace, leak
        /// The whole output allowance was spent on thinking.
        case thoughtOnly
    }

    package enum TransientFault: Sendable, Equatable {
        case transport(TransportFault)
        case status(Int)
        /// Status 200 with an error in the body that may be temporary.
        case inside
    }

    /// The stable code for `problems`, such as `llm.rate-limited`.
    package var code: String {
        switch self {
        case .badOutput: "llm.bad-output"
        case .refused: "llm.refused"
        case .tooLong: "llm.too-long"
        case .unsupported: "llm.unsupported"
        case .rateLimited: "llm.rate-limited"
        case .overloaded: "llm.overloaded"
        case .transient(.transport(let fault)):
            switch fault.kind {
            case .connectTimeout, .firstByteTimeout, .stallTimeout, .totalTimeout: "llm.timeout"
            default: "llm.connection"
            }
        case .transient: "llm.server-error"
        case .authentication: "llm.authentication"
        case .quota: "llm.quota"
        case .configuration: "llm.configuration"
        case .cancelled: "llm.cancelled"
        case .deadline: "llm.deadline"
        case .queueTimeout: "llm.queue-timeout"
        case .budget: "llm.budget"
        case .unavailable: "llm.unavailable"
        case .useless: "llm.useless"
        case .overthinking: "llm.overthinking"
        }
    }

    /// What happened and how to fix it, for `problems`; never contains anybody's text.
    package var explanation: String {
        switch self {
        case .badOutput(.thoughtOnly):
            "the model used all its output tokens for thinking; set llm.reasoning_effort or llm.max_output_tokens"
        case .badOutput: "the model's answer was unusable twice; the offline answer is kept"
        case .refused: "the model would not answer this message; the offline answer is kept"
        case .tooLong: "the message does not fit into the model's context window; the offline answer is kept"
        case .unsupported: "the server cannot do what was asked of it; see `triage models check`"
        case .rateLimited: "the server's rate limit is reached; run again later, nothing is paid for twice"
        case .overloaded: "the server is overloaded; run again later, nothing is paid for twice"
        case .transient(.transport(let fault)) where fault.isTimeout:
            "the server did not answer in time; raise llm.request_timeout if it is slow, or lower llm.pack"
        case .transient: "the server could not be reached or failed; run again later, nothing is paid for twice"
        case .authentication: "the server refused the key; check api_key_env or api_key_file"
        case .quota: "the account is out of credit or has reached its limit; check your provider's dashboard"
        case .configuration: "the server does not know this address or model; check base_url and model"
        case .cancelled: "the run ended before the model answered"
        case .deadline: "the model took too long; the offline answer is kept"
        case .queueTimeout: "the message waited too long for its turn; raise or remove llm.queue_timeout"
        case .budget: "the limits of the run are used up; raise --max-cost, --max-requests or --max-tokens"
        case .unavailable: "the server failed too often, so no more requests were sent; run again later"
        case .useless: "too many answers in a row were unusable; choose another model, see `triage models check`"
        case .overthinking:
            "the model uses all its output tokens for thinking; set llm.reasoning_effort: low (or none),"
                + " or llm.max_output_tokens to a higher number"
        }
    }

    /// Whether all later requests of the run would fail too.
    package var isFinalForRun: Bool {
        switch self {
        case .authentication, .quota, .configuration, .useless, .overthinking: true
        default: false
        }
    }
}

/// Optional features of a server beyond plain text; fewer are requested after a refusal.
package struct ServerFeatures: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A JSON Schema that the answer must follow.
    package static let schema = ServerFeatures(rawValue: 1)
    /// A JSON object of any shape.
    package static let jsonObject = ServerFeatures(rawValue: 2)
    /// Sampling parameters such as temperature and seed.
    package static let sampling = ServerFeatures(rawValue: 4)
    /// `max_completion_tokens` instead of `max_tokens`.
    package static let completionTokens = ServerFeatures(rawValue: 8)
    /// The reasoning effort, if ``Endpoint/Settings/reasoningEffort`` sets one.
    package static let reasoning = ServerFeatures(rawValue: 16)
    /// Instructions at the start of the user's turn, instead of in a turn of their own.
    package static let foldedSystem = ServerFeatures(rawValue: 32)
    /// No seed among the ``sampling`` parameters.
    package static let seedless = ServerFeatures(rawValue: 64)
}

/// Token counts from the server or, if it gave none, our estimates.
package struct TokenUsage: Sendable, Equatable {
    /// All input, cached or not.
    package var input: Int
    /// The part of ``input`` that the server had cached.
    package var cachedInput: Int
    package var output: Int
    package var isEstimated: Bool

    package init(input: Int = 0, cachedInput: Int = 0, output: Int = 0, isEstimated: Bool = false) {
        self.input = input
        self.cachedInput = cachedInput
        self.output = output
        self.isEstimated = isEstimated
    }
}

extension ServerFeatures {
    /// The features to request after a refusal; nil when the refusal names nothing that was requested.
    ///
    /// In that case, asking again would loop. Servers name the field and not the mode, so a refused schema is replaced
    /// by a plain JSON object if that is still available, then by nothing. ``completionTokens`` stands for a field with
    /// two names: refusing it means to use the other one. ``foldedSystem`` and ``seedless`` replace a turn and a field
    /// that were refused.
    package func after(refusal: ServerFeatures) -> ServerFeatures? {
        var less = self
        if refusal.contains(.completionTokens) { less.formSymmetricDifference(.completionTokens) }
        if refusal.contains(.sampling) { less.remove(.sampling) }
        if refusal.contains(.reasoning) { less.remove(.reasoning) }
        if refusal.contains(.foldedSystem) { less.insert(.foldedSystem) }
        if refusal.contains(.seedless), contains(.sampling) { less.insert(.seedless) }
        if !refusal.isDisjoint(with: [.schema, .jsonObject]) {
            if refusal.contains(.jsonObject), contains(.jsonObject) {
                less.remove(.jsonObject)
            } else if contains(.schema) {
                less.remove(.schema)
            } else {
                less.remove(.jsonObject)
            }
        }
        return less == self ? nil : less
    }
}

extension ServerFeatures {
    /// What was refused, in the words of the provider's reference.
    package var refusedNames: [String] {
        var names: [String] = []
        if !isDisjoint(with: [.schema, .jsonObject]) { names.append("JSON schema output") }
        if contains(.completionTokens) { names.append("the name of the output limit") }
        if contains(.sampling) { names.append("temperature") }
        if contains(.seedless) { names.append("seed") }
        if contains(.reasoning) { names.append("reasoning effort") }
        if contains(.foldedSystem) { names.append("a system message") }
        return names
    }
}
