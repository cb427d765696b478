/// The shape of an answer with a draft: `{"d": "text"}`, or null where none should be.
public enum DraftFormat {
    public static let shape = "{\"d\":\"text or null\"}"

    /// - Parameter bounded: whether the length is in the schema: for servers that enforce it.
    public static func schema(bounded: Bool = false) -> AnswerSchema {
        let text = JSONValue.object(
            [.init("type", .string("string"))]
                + (bounded ? [.init("maxLength", .number("\(DraftGuard.limit)"))] : []))
        return AnswerSchema(name: "draft", root: AnswerFormat.object([("d", AnswerFormat.optional(text))]))
    }

    /// The draft, unchecked: a ``DraftGuard`` comes before anybody sees it; nil: the model says that none should be.
    public static func read(_ root: JSONValue) -> Result<String?, CallFailure.BadOutput> {
        switch root["d"] {
        case .null?: .success(nil)
        case .string(let text)?: .success(Text.trimmed(text).isEmpty ? nil : text)
        default: .failure(.wrongSchema)
        }
    }
}
