import Foundation
import Testing
import TriageCore

@testable import TriageLLM

/// What a model of random weights says under our schema: everything that the schema leaves open comes up.
@Suite(.enabled(if: RealPeers.areUsed, "the servers of .ci/peers are not installed"))
struct `A random model under the schema` {
    let transport = CurlTransport()
    let peer: PeerProcess

    init() async throws { peer = try await RealPeers.llama() }

    /// What came of an answer.
    private enum Reading: Hashable {
        /// Verdicts on so many of the messages.
        case verdicts(Int)
        case failure(CallFailure.BadOutput)
        case other(String)
    }

    // Measured: all 100 have three entries under ids that were sent, and about half have a verdict on a message or more. What
    // fails is an id that stands twice, which no schema of the portable subset can rule out, and a field that contradicts
    // another. Under the schema without ids and count 94 of 100 answers have no entry at all.
    @Test(.timeLimit(.minutes(15)))
    func `answers about three messages are what it says, or a named failure`() async throws {
        let count = ProcessInfo.processInfo.environment["TRIAGE_TRIALS"] == "full" ? 100 : 40
        let texts = ["I love it!", "We pay 500 EUR for a video.", "WIN A PRIZE http://x.example"]
        let readings = try await readings(of: count, about: texts, room: 1_500)
        #expect(readings.count == count)
        for reading in readings {
            switch reading {
            case .verdicts(let count): #expect((0...3).contains(count))
            case .failure(let kind): #expect(kind == .truncated)
            case .other(let code): Issue.record("\(code)")
            }
        }
        #expect(readings.contains { if case .verdicts(1...3) = $0 { true } else { false } })
    }

    @Test(.timeLimit(.minutes(15)))
    func `about one message most answers are a verdict`() async throws {
        let readings = try await readings(of: 20, about: ["I love it!"], room: 600)
        #expect(readings.count { $0 == .verdicts(1) } >= 10)
    }

    /// The probe of `triage models check`: instructions and schema contradict each other.
    @Test
    func `the server enforces a schema on chat completions and ignores it on Anthropic's interface`() async throws {
        let schema = AnswerSchema(
            name: "probe", root: AnswerFormat.object([("word", AnswerFormat.choice(["quartz", "basalt"]))]))
        for (kind, isEnforced) in [(ProviderKind.openai, true), (.anthropic, false)] {
            var query = asking(kind, seed: 0).query("Which color has the sky?", room: 64)
            query.schema = schema
            for seed in 0..<8 {
                guard case .success(let reply) = try await asking(kind, seed: seed).once(query) else { continue }
                let word = (try? StrictJSON.parse(reply.text))?["word"]?.string
                #expect(["quartz", "basalt"].contains(word) == isEnforced)
            }
        }
    }

    private func asking(_ kind: ProviderKind = .openai, seed: Int) -> PeerAsking {
        var asking = PeerAsking(kind, peer.url(kind == .openai ? "/v1" : ""), transport: transport)
        asking.endpoint.settings.seed = seed
        // In place of 0, at which every seed says the same.
        asking.endpoint.settings.extra = [
            JSONMember("temperature", .integer(1)), JSONMember("seed", .integer(seed)),
        ]
        return asking
    }

    private func readings(of seeds: Int, about texts: [String], room: Int) async throws -> [Reading] {
        let asked = PeerPrompts.asked(texts)
        var exchange = try PeerPrompts.script(for: asking(seed: 0).endpoint).exchange(
            about: asked, maxOutputTokens: room)
        // A model of random weights reads nothing, and thousands of tokens are what its time would go into.
        exchange.query.system = "Label the messages."
        let (shortened, ids) = (exchange, asked.map(\.id))
        return try await withThrowingTaskGroup(of: Reading.self) { group in
            var readings: [Reading] = []
            for seed in 0..<seeds {
                // As many at a time as the server has slots.
                if seed >= 2, let reading = try await group.next() { readings.append(reading) }
                group.addTask {
                    try await Self.reading(of: asking(seed: seed).caller.call(shortened.query), shortened, ids)
                }
            }
            for try await reading in group { readings.append(reading) }
            return readings
        }
    }

    private static func reading(
        of result: Result<ChatReply, CallFailure>, _ exchange: LLMExchange<MessageVerdict>, _ ids: [String]
    ) throws -> Reading {
        switch result {
        case .failure(.badOutput(let kind)): return .failure(kind)
        case .failure(let failure): return .other(failure.code)
        case .success(let reply):
            let reading = exchange.read(reply)
            if reply.isTruncated { return .failure(.truncated) }
            let root = try StrictJSON.parse(reply.text)
            let entries = try #require(root["a"]?.array)
            #expect(entries.count == ids.count)
            for entry in entries {
                #expect(entry["id"]?.string.map(ids.contains) == true)
                #expect(Category.allCases.map(\.name).contains(entry["c"]?.string ?? ""))
                #expect((0...10).contains(entry["i"]?.integer ?? -1))
            }
            for id in ids where reading.answers[id] == nil {
                guard case .badOutput = (reading.faults[id] ?? reading.whole).failure else {
                    return .other("no reading of \(id)")
                }
            }
            return .verdicts(ids.count { reading.answers[$0] != nil })
        }
    }
}
