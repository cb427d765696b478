import Testing
import TriageCore

@testable import TriageLLM

@Suite struct `The schema of an answer` {
    @Test
    func `names the ids of its request and how many entries there are, where ranges are enforced`() throws {
        let schema = AnswerFormat(fields: .all, bounded: true).schema(for: ["mbcd", "mfgh"])
        let list = try #require(schema.root["properties"]?["a"])
        #expect(list["minItems"]?.integer == 2)
        #expect(list["maxItems"]?.integer == 2)
        let id = list["items"]?["properties"]?["id"]
        #expect(id?["enum"] == .array([.string("mbcd"), .string("mfgh")]))
    }

    @Test
    func `is the same for every request elsewhere, so that servers compile it once`() {
        let format = AnswerFormat(fields: .all)
        #expect(format.schema(for: ["mbcd"]) == format.schema)
        #expect(format.schema(for: ["mfgh", "mjkm"]) == format.schema)
    }

    @Test(arguments: [
        (ProviderKind.openai, "http://127.0.0.1:8080/v1", true), (.openai, "https://api.openai.com/v1", false),
        (.openai, "https://openrouter.ai/api/v1", false), (.ollama, "http://127.0.0.1:11434", true),
        (.anthropic, "https://api.anthropic.com", false), (.anthropic, "http://127.0.0.1:8080", false),
    ])
    func `has ranges for servers that enforce them`(kind: ProviderKind, address: String, isEnforced: Bool) {
        #expect(Endpoint(kind: kind, baseURL: address, model: "m").enforcesRanges == isEnforced)
    }
}
