internal import Synchronization

/// The instructions of a run as JSON, escaped once and not with every request.
final class WrittenText: Sendable {
    private let last = Mutex<(text: String, form: JSONValue)?>(nil)

    /// The text as a JSON string.
    func form(of text: String) -> JSONValue {
        last.withLock { last in
            // The same storage mostly, so that comparing costs nothing.
            if let last, last.text == text { return last.form }
            let form = JSONValue.written(JSONValue.string(text).encoded)
            last = (text, form)
            return form
        }
    }

    /// Instructions and data as two turns, or as one for a server that knows none for instructions.
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
