package import TriageCore

/// The format of an answer: the schema that requests it and, in ``read(_:candidates:)``, what counts as valid.
///
/// Keys are short, because each output token costs money and time; the prompt explains them. Decisive fields come first
/// and free text last, so that a cut loses the least. Only the portable subset of JSON Schema is used: every property
/// required, no others allowed, enumerations, null through `anyOf`. The reader checks ranges, whatever a server does.
package struct AnswerFormat: Sendable, Equatable {
    package let fields: AnswerFields
    /// The library entries offered under the aliases `q1`…; without any, the question is not asked.
    package let aliases: FAQAliases
    /// Whether the schema contains ranges and lengths.
    ///
    /// That is for servers that enforce them (llama.cpp, vLLM), where they stop runaway answers; others refuse them.
    package let bounded: Bool

    /// The maximum number of characters in an id or alias.
    static let idLimit = 24
    /// The most aliases that a schema enumerates; with more, the schema allows any string and the reader checks it.
    static let enumLimit = 100

    package init(fields: AnswerFields, aliases: FAQAliases = FAQAliases(), bounded: Bool = false) {
        self.fields = aliases.ids.isEmpty ? fields.subtracting(.faq) : fields
        self.aliases = aliases
        self.bounded = bounded
        properties = makeProperties().map { JSONMember($0.0, $0.1) }
        schema = Self.schema(of: item(id: string(limit: Self.idLimit)))
        single = bounded ? Self.schema(of: item(id: Self.choice([Self.singleID])), count: 1) : schema
    }

    /// The schema of an answer about any number of messages; the same for a whole run, so that servers compile it once.
    package private(set) var schema = AnswerSchema(name: "triage", root: .null)
    /// The schema of an answer about one message with ``singleID``; encoded once, like ``schema``.
    private var single = AnswerSchema(name: "triage", root: .null)
    /// The id of a message that is alone in its request, where no neighbor could answer for it.
    static let singleID = "m1"
    /// The properties of an entry except its id; built once, because each request may have a schema of its own.
    private var properties: [JSONMember] = []

    /// The schema of an answer about these messages, with exactly as many entries, each under one of these ids.
    ///
    /// Only if ranges are ``bounded``; otherwise it is ``schema``, because hosted servers compile a schema when they
    /// first see it. The first thing that a weak model gets wrong is the number of entries: with random weights, 94 of
    /// 100 answers have no entry under ``schema``, and under this schema all have as many as there are messages.
    package func schema(for ids: [String]) -> AnswerSchema {
        guard bounded, !ids.isEmpty else { return schema }
        if ids == [Self.singleID] { return single }
        return Self.schema(of: item(id: Self.choice(ids)), count: ids.count)
    }

    /// - Parameter count: the number of entries; nil: any.
    private static func schema(of item: JSONValue, count: Int? = nil) -> AnswerSchema {
        var list: [JSONMember] = [.init("type", .string("array")), .init("items", item)]
        if let count {
            list += [.init("minItems", .number("\(count)")), .init("maxItems", .number("\(count)"))]
        }
        return AnswerSchema(name: "triage", root: object([("a", .object(list))]))
    }

    /// A one-line example of the format, for prompts; servers without schemas follow it.
    package var shape: String {
        var parts = ["\"id\":\"ID\""]
        if fields.contains(.category) { parts.append("\"c\":\"fan\"") }
        if fields.contains(.sentiment) { parts += ["\"s\":\"neutral\"", "\"i\":0"] }
        if fields.contains(.urgency) { parts.append("\"u\":\"no\"") }
        if fields.contains(.injection) { parts.append("\"inj\":false") }
        if fields.contains(.faq) { parts.append("\"faq\":null") }
        var shape = "{\"a\":[{" + parts.joined(separator: ",")
        if fields.contains(.offer) { shape += ",\"o\":null" }
        shape += "}]}"
        if fields.contains(.offer) {
            shape +=
                ", where o is null or {\"pay\":\"money\",\"amt\":null,\"cur\":null,\"fit\":\"core\",\"due\":null,"
                + "\"rep\":false,\"signs\":[]}"
        }
        return shape
    }

    private func item(id: JSONValue) -> JSONValue { Self.object([("id", id)] + properties.map { ($0.key, $0.value) }) }

    private func makeProperties() -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        if fields.contains(.category) { members.append(("c", Self.choice(["fan", "business", "spam"]))) }
        if fields.contains(.sentiment) {
            members.append(("s", Self.choice(["positive", "negative", "neutral"])))
            members.append(("i", integer(0, 10)))
        }
        if fields.contains(.urgency) { members.append(("u", Self.choice(AnswerWords.urgency.map(\.word)))) }
        if fields.contains(.injection) { members.append(("inj", Self.type("boolean"))) }
        if fields.contains(.faq) {
            let alias =
                aliases.ids.count <= Self.enumLimit
                ? Self.choice(aliases.ids.indices.map { "q\($0 + 1)" }) : string(limit: Self.idLimit)
            members.append(("faq", Self.optional(alias)))
        }
        if fields.contains(.offer) { members.append(("o", Self.optional(offer))) }
        return members
    }

    private var offer: JSONValue {
        Self.object([
            ("pay", Self.choice(OfferVerdict.Pay.allCases.map(\.rawValue))),
            ("amt", Self.optional(Self.type("number"))),
            ("cur", Self.optional(string(limit: 3))),
            ("fit", Self.choice(OfferVerdict.Fit.allCases.map(\.rawValue))),
            ("due", Self.optional(string(limit: 10))),
            ("rep", Self.type("boolean")),
            (
                "signs",
                .object(
                    [
                        .init("type", .string("array")), .init("items", Self.choice(AnswerWords.signs.map(\.word))),
                    ] + (bounded ? [.init("maxItems", .number("\(AnswerWords.signs.count)"))] : []))
            ),
        ])
    }

    // MARK: Parts of a schema

    static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object([
            .init("type", .string("object")),
            .init("properties", .object(members.map { JSONMember($0.0, $0.1) })),
            .init("required", .array(members.map { .string($0.0) })),
            .init("additionalProperties", .bool(false)),
        ])
    }

    static func type(_ name: String) -> JSONValue { .object([.init("type", .string(name))]) }

    static func choice(_ words: [String]) -> JSONValue {
        .object([.init("type", .string("string")), .init("enum", .array(words.map { .string($0) }))])
    }

    static func optional(_ value: JSONValue) -> JSONValue {
        .object([.init("anyOf", .array([value, type("null")]))])
    }

    private func string(limit: Int) -> JSONValue {
        .object(
            [.init("type", .string("string"))] + (bounded ? [.init("maxLength", .number("\(limit)"))] : []))
    }

    private func integer(_ low: Int, _ high: Int) -> JSONValue {
        .object(
            [.init("type", .string("integer"))]
                + (bounded ? [.init("minimum", .number("\(low)")), .init("maximum", .number("\(high)"))] : []))
    }
}

/// The closed vocabularies of an answer, as used in prompts and schemas.
enum AnswerWords {
    static let urgency: [(word: String, kind: UrgencyAnswer.Kind)] = [
        ("no", .none), ("self_harm", .selfHarm), ("threat", .threat), ("account", .account),
        ("impersonation", .impersonation), ("legal", .legal), ("deadline", .deadline), ("other", .other),
    ]

    static let signs: [(word: String, sign: OfferVerdict.Signs)] = [
        ("company", .company), ("role", .role), ("contract", .contract), ("brief", .brief),
        ("deliverables", .deliverables), ("fee", .asksFee), ("credentials", .asksCredentials), ("pressure", .pressure),
        ("secrecy", .secrecy),
    ]
}

/// Aliases of the library's entries in requests: `q1`, `q2` and so on, in the library's order.
///
/// The creator's own ids are not sent. They may say what no provider needs to know, and a sender who could guess a name
/// could ask for it.
package struct FAQAliases: Sendable, Equatable {
    /// The entries' own ids.
    package let ids: [String]
    private let places: [String: Int]

    package init(_ library: FAQLibrary = FAQLibrary()) {
        ids = library.entries.map(\.id)
        places = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The alias of an entry; nil: no such entry.
    package func alias(of id: String) -> String? { places[id].map { "q\($0 + 1)" } }

    /// The entry's id; nil unless `alias` is spelled exactly as by ``alias(of:)``.
    package func id(of alias: String) -> String? {
        guard alias.hasPrefix("q"), let number = Int(alias.dropFirst()), number >= 1, number <= ids.count,
            alias == "q\(number)"
        else { return nil }
        return ids[number - 1]
    }
}

/// The format of an answer with a draft: `{"q": ["q3"], "d": "text", "no": null}`.
///
/// The library answers that the reply uses come first, so that it is written from them; `d` is null if there should be
/// no reply, and `no` says why.
package struct DraftFormat: Sendable, Equatable {
    private let aliases: FAQAliases
    /// Whether the model names the answers that it used and says why there is no reply; version 1 prompts ask only for
    /// `d`.
    package let asksWhy: Bool

    /// The maximum number of library answers in one reply.
    package static let entryLimit = 3

    package init(aliases: FAQAliases = FAQAliases(), asksWhy: Bool = false) {
        self.aliases = aliases
        self.asksWhy = asksWhy
    }

    /// A one-line example of the format, for prompts.
    package var shape: String { asksWhy ? "{\"q\":[],\"d\":\"text or null\",\"no\":null}" : "{\"d\":\"text or null\"}" }

    /// - Parameter bounded: whether the schema contains lengths, for servers that enforce them.
    package func schema(bounded: Bool = false) -> AnswerSchema {
        let text = JSONValue.object(
            [.init("type", .string("string"))]
                + (bounded ? [.init("maxLength", .number("\(DraftGuard.limit)"))] : []))
        let draft = ("d", AnswerFormat.optional(text))
        guard asksWhy else { return AnswerSchema(name: "draft", root: AnswerFormat.object([draft])) }
        let count = aliases.ids.count
        let alias =
            (1...AnswerFormat.enumLimit).contains(count)
            ? AnswerFormat.choice((1...count).map { "q\($0)" }) : AnswerFormat.type("string")
        let list = JSONValue.object(
            [.init("type", .string("array")), .init("items", alias)]
                + (bounded ? [.init("maxItems", .number("\(count == 0 ? 0 : Self.entryLimit)"))] : []))
        let why = AnswerFormat.optional(AnswerFormat.choice(NoDraft.allCases.map(\.name)))
        return AnswerSchema(name: "draft", root: AnswerFormat.object([("q", list), draft, ("no", why)]))
    }

    /// What a model wrote, unchecked: a ``DraftGuard`` checks the text before anybody sees it.
    package struct Written: Sendable, Equatable {
        /// nil: the model says that there should be no reply.
        package var text: String?
        /// The ids of the library entries, each once.
        package var entries: [String] = []
        package var none: NoDraft?
    }

    package func read(_ root: JSONValue) -> Result<Written, CallFailure.BadOutput> {
        var written = Written()
        switch root["d"] {
        case .null?: break
        case .string(let text)?: written.text = Text.trimmed(text).isEmpty ? nil : text
        default: return .failure(.wrongSchema)
        }
        guard asksWhy else { return .success(written) }
        // Servers without schemas leave out empty members.
        switch root["q"] {
        case nil, .null?: break
        case .array(let names)?:
            // An unknown alias supports nothing, so a draft that relies on it is refused later.
            let ids = names.compactMap { $0.string.flatMap(aliases.id(of:)) }
            for id in ids.prefix(Self.entryLimit) where !written.entries.contains(id) { written.entries.append(id) }
        default: return .failure(.wrongSchema)
        }
        if let name = root["no"]?.string, written.text == nil {
            written.none = NoDraft.allCases.first { $0.name == name }
        }
        return .success(written)
    }
}
