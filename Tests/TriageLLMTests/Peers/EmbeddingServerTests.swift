import Testing
import TriageCore

@testable import TriageLLM

/// Real vectors of a small model of sentences.
@Suite(.enabled(if: RealPeers.areUsed, "the servers of .ci/peers are not installed"))
struct `Vectors of a real model` {
    let transport = CurlTransport()
    let provider: EmbeddingsProvider

    init() async throws {
        let peer = try await RealPeers.embeddings()
        let endpoint = Endpoint(kind: .openai, baseURL: peer.url("/v1"), model: "minilm")
        provider = try #require(EmbeddingsProvider(endpoint))
    }

    @Test
    func `each has length 1 and the model's dimension, and comes in the order of the texts`() async throws {
        let texts = ["Which camera do you use?", "", "Do you ship to Canada?", "😀 ¿Qué cámara usas?"]
        let reply = try await vectors(texts)
        #expect(reply.vectors.count == 4)
        #expect(reply.dimension == 384)
        for vector in reply.vectors { #expect(abs(Self.cosine(vector, vector) - 1) < 1e-4) }
        #expect(reply.usage.input > 0 && !reply.usage.isEstimated)
        for (index, text) in texts.enumerated() {
            let alone = try await vectors([text]).vectors[0]
            #expect(Self.cosine(alone, reply.vectors[index]) > 0.999)
        }
    }

    @Test(arguments: [
        ("which mic is that??", 0), ("can I get this delivered to Toronto", 1), ("how old is your dog", 2),
    ])
    func `a question is nearest to the one that means the same`(text: String, expected: Int) async throws {
        let library = ["What microphone do you use?", "Do you ship to Canada?", "What age is your puppy?"]
        let reply = try await vectors(library + [text])
        let near = library.indices.max {
            Self.cosine(reply.vectors[$0], reply.vectors[3]) < Self.cosine(reply.vectors[$1], reply.vectors[3])
        }
        #expect(near == expected)
    }

    @Test
    func `a text beyond the model's window is too long, and the server goes on`() async throws {
        let long = String(repeating: "camera ", count: 700)
        let response = try await transport.send(provider.request([long]))
        #expect(provider.read(response, to: [long]) == .failure(.tooLong))
        #expect(try await vectors(["camera"]).vectors.count == 1)
    }

    @Test
    func `vectors of another dimension than those kept are refused`() async throws {
        let response = try await transport.send(provider.request(["camera"]))
        #expect(provider.read(response, to: ["camera"], dimension: 768) == .failure(.badOutput(.wrongSchema)))
    }

    private func vectors(_ texts: [String]) async throws -> EmbeddingsReply {
        try provider.read(try await transport.send(provider.request(texts)), to: texts).get()
    }

    private static func cosine(_ left: [Float], _ right: [Float]) -> Float {
        zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
