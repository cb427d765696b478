import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a run does with a language model: within its limits, to its end whatever happens, and not at all when told not to.
@Suite struct `Asking a model` {
    private static func records(_ count: Int) -> String {
        (0..<count).map { #"{"id":"m\#($0)","text":"Loved video number \#($0), where is that kiln from?"}"# + "\n" }
            .joined()
    }

    /// A folder with an input and a configuration.
    private struct World {
        let folder: ScratchFolder
        let count: Int

        init(_ count: Int, _ configuration: String) throws {
            self.count = count
            folder = try ScratchFolder()
            try folder.write("in.jsonl", records(count))
            try folder.write("triage.yaml", configuration)
        }

        func arguments(_ more: [String], cache: String? = nil) -> [String] {
            [
                "run", folder.place("in.jsonl"), "--config", folder.place("triage.yaml"), "--cache",
                cache ?? folder.place("answers.db"),
            ] + more
        }

        func run(
            _ more: [String] = [], cache: String? = nil, environment: [String: String] = [:]
        ) throws -> Program.Outcome {
            try Program.run(
                arguments(more, cache: cache), environment: Program.warm.merging(environment) { $1 })
        }
    }

    /// How many messages have an answer of the model, and how many each problem.
    private func tally(_ outcome: Program.Outcome, of count: Int) throws -> (answered: Int, problems: [String: Int]) {
        let records = outcome.records.compactMap { $0 }
        #expect(records.map { $0.whole["id"] as? String } == (0..<count).map { "m\($0)" })
        var answered = 0
        var problems: [String: Int] = [:]
        for record in records {
            let models = record["provenance", "models"] as? [[String: Any]] ?? []
            let isAnswered = models.contains { $0["stage"] as? String == "text.llm" }
            if isAnswered { answered += 1 }
            #expect(record.problems.count == (isAnswered ? 0 : 1))
            for code in record.problems { problems[code, default: 0] += 1 }
        }
        return (answered, problems)
    }

    @Test(arguments: StoppingTests.signals)
    func `a signal ends a run that waits for a model, with all that was read`(signal: Int32, status: Int32) throws {
        let model = try ScriptedModel(["--latency", "60000"])
        let world = try World(100, model.configuration())
        let program = try Program(world.arguments([]), environment: Program.warm)
        try model.sawRequest()
        program.send(signal: signal)
        let outcome = try program.wait(seconds: 20)
        #expect(outcome.status == status)
        #expect(try tally(outcome, of: 100) == (0, ["llm.cancelled": 100]))
    }

    @Test
    func `a reader that goes away ends a run that waits for a model`() throws {
        let model = try ScriptedModel(["--latency", "60000"])
        let world = try World(10, model.configuration())
        let program = try Program(world.arguments([]), output: .pipe, environment: Program.warm)
        try model.sawRequest()
        program.closeOutput()
        #expect(try program.wait(seconds: 20).status == 141)
    }

    @Test
    func `a second signal ends a run at once that cannot write its last answers`() throws {
        let model = try ScriptedModel(["--latency", "60000"])
        let world = try World(1_000, model.configuration())
        let program = try Program(world.arguments([]), output: .pipe, environment: Program.warm)
        try model.sawRequest()
        program.send(signal: SIGINT)
        #expect(program.end(within: 1) == nil)
        program.send(signal: SIGINT)
        #expect(program.end(within: 10)?.status == 130)
    }

    @Test(arguments: [1, 8])
    func `no more requests go out than a run may send`(pack: Int) throws {
        let model = try ScriptedModel()
        let world = try World(100, model.configuration(pack: pack))
        let outcome = try world.run(["--max-requests", "5"])
        #expect(outcome.status == 0)
        let counts = try model.counts()
        #expect(counts.requests == 5)
        #expect(try tally(outcome, of: 100) == (counts.messages.count, ["llm.budget": 100 - counts.messages.count]))
    }

    @Test
    func `a run costs no more than it may, and says what it cost`() throws {
        let model = try ScriptedModel()
        let world = try World(100, model.configuration())
        let outcome = try world.run(["--max-cost", "0.02"])
        let counts = try model.counts()
        let dollars = Double(counts.input + 2 * counts.output) / 1e6
        #expect(counts.requests > 3)
        #expect(dollars <= 0.02)
        #expect(dollars > 0.015)
        #expect(try tally(outcome, of: 100) == (counts.requests, ["llm.budget": 100 - counts.requests]))
        #expect(outcome.errors.contains("$\(String(format: "%.4f", (dollars * 10_000).rounded(.up) / 10_000))"))
    }

    @Test
    func `a wrong key, a server that is not there and a limit have exit codes for runs that need the model`() throws {
        let model = try ScriptedModel(["--key", "right"])
        let wrong = try World(20, model.configuration(more: "  api_key_env: MODEL_KEY"))
        let refused = try wrong.run(["--require-llm"], environment: ["MODEL_KEY": "wrong-and-secret"])
        #expect(refused.status == 69)
        #expect(try tally(refused, of: 20) == (0, ["llm.authentication": 20]))
        #expect(!(refused.errors + refused.text).contains("wrong-and-secret"))
        #expect(try model.counts().requests <= 2)
        #expect(try wrong.run(environment: ["MODEL_KEY": "wrong-and-secret"]).status == 0)
        #expect(
            try wrong.run(["--require-llm", "--max-requests", "3"], environment: ["MODEL_KEY": "right"]).status == 75)
        #expect(try wrong.run(["--require-llm"], environment: ["MODEL_KEY": "right"]).status == 0)

        // A port where nothing listens any more.
        let port = try LoopbackSocket.Listener().port
        let away = try World(20, ScriptedModel.configuration(port: port)).run(["--require-llm"])
        #expect(away.status == 75)
    }

    @Test
    func `nobody is called by a run without a model, nor by one that is told to stay offline`() throws {
        let listener = try LoopbackSocket.Listener()
        let world = try World(20, ScriptedModel.configuration(port: listener.port))
        let offline = try world.run(["--offline"])
        #expect(offline.status == 0)
        #expect(offline.records.allSatisfy { $0?.problems == [] })
        try world.folder.write("triage.yaml", "thresholds: {urgency: 0.6}\n")
        #expect(try world.run().status == 0)
        try world.folder.write(
            "triage.yaml",
            ScriptedModel.configuration(port: listener.port).replacing(
                "category: llm", with: "category: rules\n  sentiment: rules"))
        #expect(try world.run().status == 0)
        #expect(!listener.wasCalled)
    }

    @Test
    func `a cache that cannot be written costs one notice and nothing else`() throws {
        let model = try ScriptedModel()
        let world = try World(20, model.configuration())
        let outcome = try world.run(cache: "/dev/null/answers.db")
        #expect(outcome.status == 0)
        #expect(try tally(outcome, of: 20) == (20, [:]))
        #expect(outcome.errors.split(separator: "\n").count { $0.contains("answer cache") } == 1)
    }

    @Test
    func `workers and batches change no byte of what comes out`() throws {
        let model = try ScriptedModel()
        let world = try World(60, model.configuration(pack: 4))
        let first = try world.run()
        #expect(try tally(first, of: 60) == (60, [:]))
        for (number, options) in [("--jobs", "1"), ("--jobs", "4"), ("--batch-size", "7")].enumerated() {
            let again = try world.run([options.0, options.1], cache: world.folder.place("\(number).db"))
            #expect(again.output == first.output)
        }
        let requests = try model.counts().requests
        #expect(try world.run().output == first.output)
        #expect(try model.counts().requests == requests, "a warm cache asks nothing")
    }
}
