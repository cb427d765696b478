internal import Synchronization

/// Code that all providers share for reading responses.
enum ReplyReading {
    /// The JSON of a successful response, or its failure.
    static func envelope(_ response: HTTPResponse) -> Result<JSONValue, CallFailure> {
        guard (200..<300).contains(response.status) else { return .failure(ErrorClassifier.failure(response)) }
        let body: JSONValue
        do throws(JSONFault) {
            body = try StrictJSON.parse(response.body, surrogates: .replace)
        } catch {
            return .failure(unreadable(response, error))
        }
        if let error = failure(in: body, of: response) { return .failure(error) }
        return .success(body)
    }

    /// The error in the body of a response with a success status.
    static func failure(in body: JSONValue, of response: HTTPResponse) -> CallFailure? {
        guard
            body["error"] != nil || body["choices"] == nil && body["content"] == nil && body["message"]?.members == nil,
            let error = ServerError(body)
        else { return nil }
        return ErrorClassifier(response).failure(error)
    }

    private static func unreadable(_ response: HTTPResponse, _ fault: JSONFault) -> CallFailure {
        let first = response.body.first { !StrictJSON.isSpace($0) }
        let isPage = first == UInt8(ascii: "<") || isKind("text/html", response)
        let isStream =
            isKind("text/event-stream", response) || response.body.starts(with: "data:".utf8)
            || response.body.starts(with: "event:".utf8)
        // An HTML page comes from a portal or a wrong address; an event stream means that the server only streams.
        if isPage || isStream { return .configuration(status: response.status) }
        return fault.kind == .invalidUTF8 ? .badOutput(.notJSON) : .transient(.inside)
    }

    private static func isKind(_ kind: String, _ response: HTTPResponse) -> Bool {
        response.header("content-type")?.lowercased().hasPrefix(kind) ?? false
    }

    /// What a provider found in a response.
    struct Found {
        var content = ""
        var reasoning = ""
        var isTruncated = false
        var count = UsageCount()
        var model: String?
        var requestID: String?
    }

    /// The reply, or why there is none.
    static func reply(_ found: Found, to query: ChatQuery) -> Result<ChatReply, CallFailure> {
        let isTruncated = found.isTruncated || (found.count.output ?? 0) >= max(1, query.maxOutputTokens)
        let content = Array(found.content.utf8)
        var text = answer(content, wantsObject: query.schema != nil)
        if isTruncated, !content.isEmpty {
            let spaces = content.count { StrictJSON.isSpace($0) }
            if spaces * 10 > content.count * 9 { return .failure(.badOutput(.whitespace)) }
        }
        if text.isEmpty, query.schema != nil {
            // Some servers put the whole answer into the reasoning, so that is searched last.
            let reasoning = Array(found.reasoning.utf8)
            if let range = try? StrictJSON.firstObject(in: reasoning) { text = Array(reasoning[range]) }
        }
        // Thoughts come as a separate field, as a count, or at the start of the answer.
        let isReasoned =
            (found.count.reasoning ?? 0) > 0 || !found.reasoning.isEmpty
            || content.drop(while: StrictJSON.isSpace).starts(with: "<think>".utf8)
        if text.isEmpty {
            // If the allowance is used up, everything that was not shown was thinking.
            let isThought = isReasoned || !content.isEmpty || (found.count.output ?? 0) > 0
            return .failure(.badOutput(!isTruncated ? .empty : isThought ? .thoughtOnly : .truncated))
        }
        return .success(
            ChatReply(
                text: text,
                usage: found.count.settled(for: query, answerBytes: content.count + found.reasoning.utf8.count),
                model: found.model.flatMap(label), requestID: found.requestID.flatMap(label),
                isTruncated: isTruncated, isReasoned: isReasoned))
    }

    /// The answer without a leading thought; if an object was requested and there is exactly one, only that object.
    static func answer(_ content: [UInt8], wantsObject: Bool) -> [UInt8] {
        if wantsObject, let range = try? StrictJSON.firstObject(in: content) { return Array(content[range]) }
        var text = content[StrictJSON.answerStart(in: content)...]
        while let last = text.last, StrictJSON.isSpace(last) { text.removeLast() }
        let fence = Array("```".utf8)
        if text.count >= 6, text.starts(with: fence), text.suffix(3).elementsEqual(fence),
            let line = text.firstIndex(of: 0x0A), line < text.endIndex - 3
        {
            text = text[(line + 1)..<(text.endIndex - 3)]
            while let last = text.last, StrictJSON.isSpace(last) { text.removeLast() }
        }
        return Array(text)
    }

    /// A name from a server if it is printable: at most 200 bytes, no control characters.
    static func label(_ text: String) -> String? {
        let isPlain = text.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            default: true
            }
        }
        return isPlain && !text.isEmpty && text.utf8.count <= 200 ? text : nil
    }
}

/// Token counts from a server; any of them may be missing.
struct UsageCount {
    var input: Int?
    var cached: Int?
    var output: Int?
    /// The part of ``output`` that was spent on thinking.
    var reasoning: Int?

    /// A count of at most a billion; anything else is implausible and counts as missing.
    static func count(_ value: JSONValue?) -> Int? {
        value?.integer.flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
    }

    /// The server's counts, with estimates for those that are missing or wrongly zero.
    func settled(for query: ChatQuery, answerBytes: Int) -> TokenUsage {
        let input = input.flatMap { $0 > 0 ? $0 : nil }
        let output = output.flatMap { $0 > 0 || answerBytes == 0 ? $0 : nil }
        let all = input ?? TokenEstimate.input(of: query)
        return TokenUsage(
            input: all, cachedInput: min(cached ?? 0, all),
            output: output ?? TokenEstimate.tokens(bytes: answerBytes), isEstimated: input == nil || output == nil)
    }

    /// The server's counts; nil when it counted nothing.
    var stated: TokenUsage? {
        guard (input ?? 0) > 0 || (output ?? 0) > 0 else { return nil }
        return TokenUsage(
            input: input ?? 0, cachedInput: min(cached ?? 0, input ?? 0), output: output ?? 0,
            isEstimated: input == nil || output == nil)
    }
}

/// The instructions of a run as JSON, encoded once and not for every request.
final class WrittenText: Sendable {
    private let last = Mutex<(text: String, form: JSONValue)?>(nil)

    /// The text as a JSON string.
    func form(of text: String) -> JSONValue {
        last.withLock { last in
            // Usually the same storage, so the comparison costs nothing.
            if let last, last.text == text { return last.form }
            let form = JSONValue.written(JSONValue.string(text).encoded)
            last = (text, form)
            return form
        }
    }

    /// Instructions and data as two turns, or as one for a server without a turn for instructions.
    func turns(of query: ChatQuery, folded: Bool = false) -> JSONValue {
        func turn(_ role: String, _ content: JSONValue) -> JSONValue {
            .object([JSONMember("role", .string(role)), JSONMember("content", content)])
        }
        if folded, !query.system.isEmpty {
            return .array([turn("user", .string(query.system + "\n\n" + query.user))])
        }
        let user = turn("user", .string(query.user))
        return .array(query.system.isEmpty ? [user] : [turn("system", form(of: query.system)), user])
    }
}
