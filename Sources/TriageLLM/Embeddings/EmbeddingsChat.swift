/// Texts to be made vectors of, in the shape of a query: so ``ReliableCaller`` retries, paces and counts them too.
///
/// The texts are a JSON array in the query's user turn; the reply's text is the vectors' bytes, one after the other.
public struct EmbeddingsChat: ChatProvider {
    private let provider: EmbeddingsProvider

    /// - Returns: nil for kinds that have no embeddings.
    public init?(_ endpoint: Endpoint) {
        guard let provider = EmbeddingsProvider(endpoint) else { return nil }
        self.provider = provider
    }

    static func query(_ texts: [String], model: String) -> ChatQuery {
        let list = JSONValue.array(texts.map { .string($0) })
        return ChatQuery(
            model: model, system: "", user: String(decoding: list.encoded, as: UTF8.self), maxOutputTokens: 0)
    }

    /// As many vectors of one length as asked for; nil when the bytes are not those.
    static func vectors(in reply: ChatReply, count: Int) -> [[Float]]? {
        guard count > 0, reply.text.count % count == 0 else { return nil }
        let size = reply.text.count / count
        let vectors = (0..<count).compactMap { VectorBytes.vector(in: Array(reply.text[$0 * size..<($0 + 1) * size])) }
        return vectors.count == count ? vectors : nil
    }

    public func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest {
        provider.request(Self.texts(of: query))
    }

    public func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure> {
        provider.read(response, to: Self.texts(of: query)).map { reply in
            ChatReply(text: reply.vectors.flatMap(VectorBytes.bytes), usage: reply.usage, model: reply.model)
        }
    }

    public func usage(in response: HTTPResponse) -> TokenUsage? { nil }

    private static func texts(of query: ChatQuery) -> [String] {
        ((try? StrictJSON.parse(Array(query.user.utf8)))?.array ?? []).compactMap(\.string)
    }
}
