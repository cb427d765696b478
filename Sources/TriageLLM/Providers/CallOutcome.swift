/// What one attempt came to; every attempt ends in exactly one of these.
package enum CallFailure: Error, Sendable, Equatable {
    /// The answer is there but of no use.
    case badOutput(BadOutput)
    /// The model or a filter will not answer this text: final for the message.
    case refused
    /// Text and prompt do not fit into the model's window.
    case tooLong
    /// The server does not know a feature that was asked for.
    case unsupported(ServerFeatures)
    /// Too many requests; nothing goes out for `after`.
    case rateLimited(after: Duration?)
    /// The server is there and cannot now.
    case overloaded(after: Duration?)
    /// Lost on the way, or a fault of the server that may heal.
    case transient(TransientFault)
    /// The key is wrong or may not do this: final for the run.
    case authentication
    /// The wallet is empty or a hard limit is reached: final for the run.
    case quota
    /// The request can never succeed as configured (unknown model, wrong address, a page of HTML): final for the run.
    case configuration(status: Int)
    case cancelled
    /// Nobody waits any longer: the moment until which the answer was of use has passed.
    case deadline
    /// The message waited for its turn as long as it may; nothing was sent.
    case queueTimeout
    /// `--max-cost`, `--max-requests` or `--max-tokens` would be passed.
    case budget
    /// The breaker is open: the server failed too often a moment ago.
    case unavailable
    /// Answer after answer was of no use: the prompt or the model is wrong; final for the run.
    case useless
    /// The model spends all that its answers may take on thinking, also where they may take more; final for the run.
    case overthinking

    package enum BadOutput: String, Error, Sendable, CaseIterable {
        case empty, truncated, notJSON, wrongSchema, outOfRange, contradictory, wrongIDs, whitespace, leak
        /// The whole allowance of output went into thinking.
        case thoughtOnly
    }

    package enum TransientFault: Sendable, Equatable {
        case transport(TransportFault)
        case status(Int)
        /// 200 with an error inside that may heal.
        case inside
    }

    /// Stable code for `problems`, such as `llm.rate-limited`.
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

    /// What happened and how to fix it, for `problems`; never text of anybody's.
    package var explanation: String {
        switch self {
        case .badOutput(.thoughtOnly):
            "the model spent its whole allowance on thinking; set llm.reasoning_effort or llm.max_output_tokens"
        case .badOutput: "the model's answer was of no use, twice; the offline answer stands"
        case .refused: "the model would not answer this message; the offline answer stands"
        case .tooLong: "the message does not fit into the model's window; the offline answer stands"
        case .unsupported: "the server cannot do what was asked of it; see `triage models check`"
        case .rateLimited: "the server takes no more requests for now; run again later, nothing is paid for twice"
        case .overloaded: "the server is overloaded; run again later, nothing is paid for twice"
        case .transient(.transport(let fault)) where fault.isTimeout:
            "the server did not answer in time; raise llm.request_timeout if it is slow, or lower llm.pack"
        case .transient: "the server could not be reached or failed; run again later, nothing is paid for twice"
        case .authentication: "the server refused the key; check api_key_env or api_key_file"
        case .quota: "the account has no money or has reached its limit; look at your provider's page"
        case .configuration: "the server does not know this address or model; check base_url and model"
        case .cancelled: "the run ended before the model answered"
        case .deadline: "the model took too long; the offline answer stands"
        case .queueTimeout: "the message waited too long for its turn; raise llm.queue_timeout, or leave it out"
        case .budget: "the limits of the run are used up; raise --max-cost, --max-requests or --max-tokens"
        case .unavailable: "the server failed too often and was left alone; run again later"
        case .useless: "answer after answer was of no use; choose another model, see `triage models check`"
        case .overthinking:
            "the model spends its whole allowance on thinking; set llm.reasoning_effort: low (or none),"
                + " or llm.max_output_tokens to a higher number"
        }
    }

    /// Whether nothing that is sent later in the run can succeed either.
    package var isFinalForRun: Bool {
        switch self {
        case .authentication, .quota, .configuration, .useless, .overthinking: true
        default: false
        }
    }
}

/// What a server may or may not do beyond plain text; asked for less after a refusal.
package struct ServerFeatures: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A JSON Schema that the answer follows.
    package static let schema = ServerFeatures(rawValue: 1)
    /// Some JSON object, of any shape.
    package static let jsonObject = ServerFeatures(rawValue: 2)
    /// Sampling parameters such as temperature and seed.
    package static let sampling = ServerFeatures(rawValue: 4)
    /// `max_completion_tokens` in place of `max_tokens`.
    package static let completionTokens = ServerFeatures(rawValue: 8)
    /// How hard to think, where ``Endpoint/Settings/reasoningEffort`` says it.
    package static let reasoning = ServerFeatures(rawValue: 16)
    /// Instructions at the head of the user's turn, in place of a turn of their own.
    package static let foldedSystem = ServerFeatures(rawValue: 32)
    /// No seed under ``sampling``.
    package static let seedless = ServerFeatures(rawValue: 64)
}

/// Tokens that a server counted or, where it did not, that we estimated.
package struct TokenUsage: Sendable, Equatable {
    /// All input, cached or not.
    package var input: Int
    /// Part of ``input`` that the server had in its cache.
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
    /// What to ask for after the server refused; nil when the refusal names nothing that was asked, so that asking again
    /// would loop.
    ///
    /// Servers name the field and not the mode, so a refused schema gives way to a plain JSON object if that is still
    /// there, then to nothing. ``completionTokens`` names a field that has two names: refusal means the other one.
    /// ``foldedSystem`` and ``seedless`` name what stands in for a turn and a field that were refused.
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
    /// What was refused, as people know it from their provider's reference.
    package var refusedNames: [String] {
        var names: [String] = []
        if !isDisjoint(with: [.schema, .jsonObject]) { names.append("a schema for answers") }
        if contains(.completionTokens) { names.append("the name of the cap on output") }
        if contains(.sampling) { names.append("temperature") }
        if contains(.seedless) { names.append("seed") }
        if contains(.reasoning) { names.append("reasoning effort") }
        if contains(.foldedSystem) { names.append("a turn for instructions") }
        return names
    }
}
