/// Classifies error responses, in the same way for all providers.
///
/// The code in the body decides first, then its words if the status is known to be unreliable, then the status.
struct ErrorClassifier {
    var status: Int
    var headers: RateHeaders

    init(_ response: HTTPResponse) {
        status = response.status
        headers = RateHeaders(response)
    }

    /// The failure in a response with an error status, or with a body that is not JSON.
    static func failure(_ response: HTTPResponse) -> CallFailure {
        let classifier = ErrorClassifier(response)
        if let body = try? StrictJSON.parse(response.body, surrogates: .replace) {
            return classifier.failure(ServerError(body) ?? ServerError(text: []))
        }
        return classifier.failure(ServerError(text: response.body))
    }

    func failure(_ error: ServerError) -> CallFailure {
        let status = error.status ?? status
        return byLabel(error, status) ?? byWords(error, status) ?? byStatus(error, status)
    }

    // MARK: Codes

    private static let quota: Set<String> = [
        "insufficient_quota", "credit_balance_exhausted", "enforced_spend_limit_reached",
        "contract_spend_limit_reached", "billing_error", "billing_hard_limit_reached", "billing_not_active",
        "payment_required", "insufficient_credits",
    ]
    private static let tooLong: Set<String> = [
        "context_length_exceeded", "exceed_context_size_error", "request_too_large", "string_above_max_length",
        "model_context_window_exceeded", "context_window_exceeded", "contextwindowexceedederror",
    ]
    private static let refused: Set<String> = [
        "content_filter", "content_policy_violation", "contentpolicyviolationerror", "responsibleaipolicyviolation",
        "invalid_prompt", "moderation_blocked",
    ]
    private static let rateLimited: Set<String> = [
        "rate_limit_exceeded", "rate_limit_error", "slow_down", "ramp_limit_exceeded", "too_many_requests",
        "ratelimiterror", "resource_exhausted", "throttling_error",
    ]
    private static let overloaded: Set<String> = [
        "overloaded_error", "server_is_overloaded", "engine_overloaded", "engine_overloaded_error",
        "service_unavailable", "service_unavailable_error", "unavailable_error", "unavailable",
    ]
    private static let authentication: Set<String> = [
        "authentication_error", "authenticationerror", "invalid_api_key", "permission_error", "permission_denied",
        "account_deactivated", "unauthenticated", "unauthorized", "invalid_authentication", "forbidden",
    ]
    private static let configuration: Set<String> = [
        "model_not_found", "not_found_error", "notfounderror", "not_found", "not_supported_error", "invalid_model",
        "unknown_model", "method_not_allowed",
    ]
    /// General error names, and the status that each stands for when none is sent.
    private static let general: [String: Int] = [
        "invalid_request_error": 400, "badrequesterror": 400, "timeout_error": 504, "api_error": 500,
        "server_error": 500, "internal_server_error": 500, "internal_error": 500, "conflict_error": 409,
    ]

    private func byLabel(_ error: ServerError, _ status: Int) -> CallFailure? {
        // Quota comes first: its type and its code may disagree, and treating it as anything else never helps.
        if error.labels.contains(where: Self.quota.contains) { return .quota }
        for label in error.labels {
            if Self.tooLong.contains(label) { return .tooLong }
            if Self.refused.contains(label) { return .refused }
            if Self.rateLimited.contains(label) {
                // A request above the limit for a whole minute never fits.
                return error.message.contains("request too large") ? .tooLong : .rateLimited(after: headers.retryAfter)
            }
            if Self.overloaded.contains(label) { return .overloaded(after: headers.retryAfter) }
            if Self.authentication.contains(label) { return error.isModerated ? .refused : .authentication }
            if Self.configuration.contains(label) {
                return .configuration(status: status < 400 ? 404 : status)
            }
        }
        return nil
    }

    // MARK: Words

    /// Statuses with which servers report faults of the request, sometimes only in words.
    private static let wordy: Set<Int> = [400, 403, 404, 422, 500, 501]

    private func byWords(_ error: ServerError, _ status: Int) -> CallFailure? {
        let known = status >= 400 ? status : error.labels.lazy.compactMap { Self.general[$0] }.first ?? 0
        guard known == 0 || Self.wordy.contains(known) else { return nil }
        let text = error.message
        func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }

        // Checked first, because llama.cpp appends what the model wrote.
        if says("does not match the expected") { return .badOutput(.notJSON) }
        if says(
            "context length", "context size", "context window", "context_length", "maximum context", "too many tokens",
            "prompt is too long", "input is too long", "input is too large", "too large to process",
            "reduce the length", "exceeds the context", "exceed context", "maximum prompt length", "prompt too long",
            "maximum input length", "maximum number of tokens", "max_model_len", "input tokens exceed",
            "input token count",
            "exceeded model token limit", "message is too long", "request too large", "payload too large")
        {
            return .tooLong
        }
        if let feature = refusedFeature(error) { return .unsupported(feature) }
        if error.isModerated
            || says(
                "content management policy", "content_filter", "content filter", "content policy", "flagged",
                "moderation",
                "safety system", "safety policy", "safety guard", "usage polic", "guardrail", "policy violation",
                "inappropriate content", "violates our", "data_inspection_failed", "risk control", "prompt was blocked")
        {
            return .refused
        }
        guard known != 500 else {
            // A missing or wrong field would be just as wrong at the next attempt.
            return says(" is required", "missing required", "parse_error", " must be ")
                ? .configuration(status: known) : nil
        }
        if says("credit balance is too low") { return .quota }
        if says("api key not valid", "invalid api key", "incorrect api key", "no connected db") {
            return .authentication
        }
        if text.contains("model"), says("not found", "does not exist", "not a valid model") {
            return .configuration(status: known == 0 ? 404 : known)
        }
        return nil
    }

    private func refusedFeature(_ error: ServerError) -> ServerFeatures? {
        let text = error.message
        let parameter = error.parameter
        if parameter.hasPrefix("max_tokens") || parameter.hasPrefix("max_completion_tokens")
            || text.contains("max_completion_tokens") || text.contains("max_tokens")
        {
            let isName =
                text.contains("unsupported") || text.contains("not supported") || text.contains("not permitted")
                || text.contains("unrecognized") || text.contains("unknown") || text.contains("instead")
                || text.contains("not allowed") || text.contains("unexpected") || text.contains("extra_forbidden")
                || error.labels.contains("unsupported_parameter")
            if isName { return .completionTokens }
            if parameter.hasPrefix("max_") { return nil }
        }
        let refuses = [
            "not support", "unsupported", "not permitted", "unknown", "unrecognized", "deprecated", "removed",
            "not allowed", "unexpected", "extra_forbidden", "not enabled", "not available", "not implemented",
            "no longer", "cannot be used", "invalid", "must alternate", "only user and assistant", "does not accept",
            "doesn't accept", "doesn't support",
        ]
        let isRefusal = refuses.contains(where: text.contains) || error.labels.contains("unsupported_parameter")
        let efforts = ["reasoning_effort", "reasoning.effort", "thinking", "output_config.effort", "think"]
        if efforts.contains(parameter) { return .reasoning }
        if parameter.hasPrefix("messages"), parameter.hasSuffix("role"), text.contains("system") {
            return .foldedSystem
        }
        if parameter == "system" { return .foldedSystem }
        if isRefusal,
            text.contains("reasoning_effort") || text.contains("reasoning effort")
                || text.contains("thinking") && !text.contains("schema") || text.contains("output_config.effort")
        {
            return .reasoning
        }
        let turns = [
            "system role", "role 'system'", "role \"system\"", "role system", "'system' role", "\"system\" role",
            "system message", "system prompt", "system instruction", "developer instruction", "role: system",
            "roles must alternate", "only user and assistant roles", "does not support 'system'", "role not supported",
            "system is not",
        ]
        if isRefusal, turns.contains(where: text.contains) { return .foldedSystem }
        let sampling = ["temperature", "top_p", "top_k", "seed"]
        if parameter == "seed" { return .seedless }
        if sampling.contains(parameter) { return .sampling }
        if ["response_format", "format", "output_config", "text.format"].contains(where: parameter.hasPrefix) {
            return text.contains("must be 'json_schema'") ? .jsonObject : .schema
        }
        if isRefusal, !text.contains("temperature"), Self.holdsWord("seed", text) { return .seedless }
        if sampling.contains(where: text.contains), isRefusal { return .sampling }
        // From OpenRouter, when no provider behind it supports everything that was requested.
        if text.contains("no endpoints found"), text.contains("parameters") { return .schema }
        let schema = [
            "response_format", "json_schema", "json schema", "json_object", "output_config", "structured output",
            "grammar", "'format'", "schema in format", "invalid schema",
        ]
        if schema.contains(where: text.contains) {
            return text.contains("must be 'json_schema'") ? .jsonObject : .schema
        }
        return nil
    }

    /// Whether the text contains a word as a whole.
    private static func holdsWord(_ word: String, _ text: String) -> Bool {
        text.split(whereSeparator: { !$0.isLetter && $0 != "_" }).contains { $0 == word }
    }

    // MARK: Status

    private func byStatus(_ error: ServerError, _ sent: Int) -> CallFailure {
        var status = sent
        if status < 400 {
            guard let meant = error.labels.lazy.compactMap({ Self.general[$0] }).first else {
                return (200..<300).contains(status) ? .transient(.inside) : .configuration(status: status)
            }
            status = meant
        }
        switch status {
        case 401: return .authentication
        case 402:
            return error.limitSource == "openrouter_in_flight_budget"
                ? .rateLimited(after: headers.retryAfter) : .quota
        case 403: return error.isModerated ? .refused : .authentication
        case 408, 409, 425: return .transient(.status(status))
        case 413: return .tooLong
        case 429: return headers.shouldRetry == false ? .quota : .rateLimited(after: headers.retryAfter)
        case 501, 505: return .configuration(status: status)
        case 503, 529: return .overloaded(after: headers.retryAfter)
        case 500...: return .transient(.status(status))
        default:
            return headers.shouldRetry == true ? .transient(.status(status)) : .configuration(status: status)
        }
    }
}
