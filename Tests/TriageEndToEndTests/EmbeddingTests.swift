import Foundation
import Testing

/// The FAQ by embeddings in a whole run.
struct EmbeddingTests {
    private static let faq = """
        - {id: refund, question: "How do I return something or get a refund from the shop?", answer: "Within 30 days."}
        - {id: music, question: "What music do you use in your videos?", answer: "Library music."}
        """
    /// Words have nothing in common with the library, and meaning has.
    private static let input = #"{"id":"1","text":"how can i send the hoodie back and have my money again?"}"# + "\n"

    private func run(_ port: Int, _ more: [String] = [], language: String = "en") throws -> Annotated {
        let folder = try ScratchFolder()
        let faq = try folder.write("faq.yaml", Self.faq)
        let config = try folder.write(
            "triage.yaml",
            "embeddings: {base_url: \"http://127.0.0.1:\(port)\", model: minilm, threshold: 0.3, languages: [\(language)]}\n"
        )
        let environment = try Program.warm(home: folder)
        let outcome = try Program.run(
            ["run", "--config", config, "--faq", faq] + more, input: Self.input, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(outcome.records.first.flatMap { $0 })
    }

    @Test(.enabled(if: PeerServer.installed != nil, "llama.cpp is not installed: run .ci/peers"))
    func `meaning finds what words do not, as possible`() throws {
        let server = try PeerServer.miniLM()
        let record = try run(server.port)
        #expect(record["faq", "id"] as? String == "refund" && record["faq", "by"] as? String == "faq.embeddings")
        #expect(record["faq", "match"] as? String == "possible" && record.problems.isEmpty)
        #expect(isNull(try run(server.port, ["--offline"])["faq"]))
        #expect(isNull(try run(server.port, language: "de")["faq"]))
    }

    @Test func `a server that is not there costs the answer by words nothing`() throws {
        let record = try run(9)
        #expect(isNull(record["faq"]) && record.problems == ["llm.connection"])
    }

    @Test(arguments: [["--offline"], ["--only", "category"]])
    func `off means that nothing is asked`(options: [String]) throws {
        #expect(try run(9, options).problems.isEmpty)
    }
}
