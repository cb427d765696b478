import Foundation
import Testing

/// Servers that are slow, think, refuse or know less than others: what a run gets from them, and what it sends.
@Suite struct `Servers as they are` {
    /// Messages that differ, and an `llm` block for a scripted server.
    private struct World {
        let folder: ScratchFolder
        let model: ScriptedModel

        init(_ server: [String], count: Int, pack: Int = 8, concurrency: Int = 4, more: [String] = []) throws {
            // Labels that nothing offline speaks against: an answer that does is asked for a second time.
            model = try ScriptedModel(server + ["--plain"])
            folder = try ScratchFolder()
            try write((0..<count).map { "Which kiln is that in video number \($0)?" })
            let lines = more.map { "  " + $0 }.joined(separator: "\n")
            try folder.write(
                "triage.yaml", model.configuration(concurrency: concurrency, pack: pack, more: lines))
        }

        func write(_ texts: [String]) throws {
            let lines = try texts.enumerated().map { number, text in
                let record = try JSONSerialization.data(withJSONObject: ["id": "m\(number)", "text": text])
                return String(decoding: record, as: UTF8.self) + "\n"
            }
            try folder.write("in.jsonl", lines.joined())
        }

        func run(_ more: [String] = [], environment: [String: String] = [:]) throws -> Program.Outcome {
            try Program.run(
                [
                    "run", folder.place("in.jsonl"), "--config", folder.place("triage.yaml"), "--cache",
                    folder.place("answers.db"),
                ] + more, environment: Program.warm.merging(environment) { $1 })
        }
    }

    /// Messages with an answer of the model, and problems by their codes.
    private func tally(_ outcome: Program.Outcome) -> (answered: Int, problems: [String: Int]) {
        var answered = 0
        var problems: [String: Int] = [:]
        for record in outcome.records.compactMap({ $0 }) {
            let models = record["provenance", "models"] as? [[String: Any]] ?? []
            if models.contains(where: { $0["stage"] as? String == "text.llm" }) { answered += 1 }
            for code in record.problems { problems[code, default: 0] += 1 }
        }
        return (answered, problems)
    }

    // MARK: Slow

    @Test func `a slow server with one slot answers everything, however long its queue is`() throws {
        // Fifty requests one after the other take three times as long as a request may.
        let world = try World(
            ["--slots", "1", "--latency", "60"], count: 50, pack: 1, concurrency: 8, more: ["request_timeout: 1"])
        let outcome = try world.run(["--require-llm"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(tally(outcome) == (50, [:]))
        #expect(!outcome.errors.contains("got no LLM answer"))
        #expect(try world.model.counts().requests == 50)
    }

    @Test func `what waits longer than it may is counted, and a run that needs the model says try again`() throws {
        let world = try World(
            ["--slots", "1", "--latency", "300"], count: 20, pack: 1, concurrency: 1, more: ["queue_timeout: 1"])
        let outcome = try world.run(["--require-llm"])
        let (answered, problems) = tally(outcome)
        #expect(outcome.status == 75)
        #expect(answered > 0 && answered < 20 && problems == ["llm.queue-timeout": 20 - answered])
        #expect(outcome.errors.contains("\(20 - answered) messages got no LLM answer"), "\(outcome.errors)")
        #expect(outcome.errors.contains("queue_timeout"))
    }

    // MARK: Thinking

    @Test func `a model that thinks gets more room once, and answers everything`() throws {
        let world = try World(["--think", "3000"], count: 24)
        let outcome = try world.run()
        #expect(tally(outcome) == (24, [:]), "\(outcome.errors)")
        // Three packs, and those that had too little room.
        #expect(try world.model.counts().requests <= 6)
    }

    @Test(arguments: [[], ["max_output_tokens: 900"], ["reasoning_effort: high"]])
    func `a model that thinks endlessly is no longer asked, and the error says how to fix it`(settings: [String]) throws
    {
        let world = try World(["--think", "1000000"], count: 80, more: settings)
        let outcome = try world.run(["--require-llm"])
        #expect(tally(outcome).answered == 0)
        #expect(try world.model.counts().requests <= 14)
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("llm.overthinking"), "\(outcome.errors)")
        for setting in ["reasoning_effort", "max_output_tokens"] { #expect(outcome.errors.contains(setting)) }
    }

    @Test func `one message that sets the model thinking does not end the asking for the others`() throws {
        // Longer answers than this server's cap allows come of the eight that are asked together first.
        let world = try World(["--think", "50"], count: 64, more: ["max_output_tokens: 900"])
        #expect(tally(try world.run()) == (64, [:]))
    }

    @Test func `what is set for the output, the effort, the body and the head arrives at the server`() throws {
        let world = try World(
            ["--refuse", "nothing"], count: 3,
            more: [
                "reasoning_effort: low", "max_output_tokens: 5000", "extra_body: {service_tier: flex, top_k: 3}",
                "extra_headers: {x-title: my inbox, x-test-key: {env: GATEWAY_KEY}}",
            ])
        let outcome = try world.run(environment: ["GATEWAY_KEY": "gateway-secret-1"])
        #expect(tally(outcome) == (3, [:]), "\(outcome.errors)")
        let counts = try world.model.object("/counts")
        let query = counts["last"] as? [String: Any] ?? [:]
        #expect(query["reasoning_effort"] as? String == "low" && query["max_tokens"] as? Int == 5000)
        #expect(query["service_tier"] as? String == "flex" && query["top_k"] as? Int == 3)
        let fields = counts["fields"] as? [String: String] ?? [:]
        #expect(fields["x-title"] == "my inbox" && fields["x-test-key"] == "gateway-secret-1")
        #expect(!(outcome.text + outcome.errors).contains("gateway-secret-1"))

        let unset = try world.run()
        #expect(unset.status == 78 && unset.errors.contains("GATEWAY_KEY"), "\(unset.errors)")
    }

    // MARK: Refused fields

    static let refused: [(fields: String, steps: Int, words: [String])] = [
        ("max_tokens", 1, ["output limit"]), ("temperature", 1, ["temperature"]), ("seed", 1, ["seed"]),
        ("json_schema", 1, ["schema"]), ("response_format", 2, ["schema"]), ("system", 1, ["system message"]),
        ("reasoning_effort", 1, ["reasoning effort"]),
        ("max_tokens,temperature,seed,response_format,system,reasoning_effort", 7, ["temperature", "schema"]),
    ]

    @Test(arguments: refused)
    func `a gateway that refuses fields is asked without them, step by step and for the whole run`(
        fields: String, steps: Int, words: [String]
    ) throws {
        let world = try World(["--refuse", fields], count: 40, more: ["reasoning_effort: low"])
        let outcome = try world.run()
        #expect(tally(outcome) == (40, [:]), "\(outcome.errors)")
        // Four are on their way when the first refusal comes.
        #expect(try world.model.counts().requests <= 5 + 4 * steps)
        #expect(outcome.errors.split(separator: "\n").count { $0.contains("the server refused") } == 1)
        for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
        let check = try Program.run(
            ["models", "check", "--config", world.folder.place("triage.yaml")], environment: Program.warm)
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test func `a gateway that accepts no output cap is not asked endlessly`() throws {
        let world = try World(["--refuse", "max_tokens,max_completion_tokens"], count: 80)
        let outcome = try world.run(["--require-llm"])
        #expect(outcome.status == 69 && tally(outcome).answered == 0)
        #expect(try world.model.counts().requests <= 10)
        #expect(outcome.errors.contains("HTTP 400"), "\(outcome.errors)")
    }

    // MARK: Refused texts, and windows that are too small

    @Test(arguments: [(50, 70), (10, 160), (1, 260)])
    func `texts that are refused keep their offline answers, and cost no more than asking each alone`(
        every: Int, most: Int
    ) throws {
        let world = try World(["--filter", "kumquat"], count: 0)
        let texts = (0..<200).map {
            "Video number \($0) about \($0 % every == 0 ? "kumquat" : "apple") trees, where is it?"
        }
        try world.write(texts)
        let outcome = try world.run(["--require-llm"])
        let bad = texts.count { $0.contains("kumquat") }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(tally(outcome) == (200 - bad, bad == 0 ? [:] : ["llm.refused": bad]))
        let requests = try world.model.counts().requests
        #expect(requests <= most, "\(requests)")
    }

    @Test(arguments: [1_700, 1_550, 400])
    func `a small window halves the packs once, and not in every pack anew`(window: Int) throws {
        let world = try World(["--window", "\(window)"], count: 0)
        try world.write(
            (0..<200).map { "Number \($0): " + String(repeating: "where did you find that kiln, ", count: 6) })
        let outcome = try world.run(["--require-llm"])
        let (answered, problems) = tally(outcome)
        let requests = try world.model.counts().requests
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(window < 1_000 ? problems == ["llm.too-long": 200] : answered == 200, "\(answered) \(problems)")
        // Packs of four are fifty requests; where every pack is found to be too long, they are more than seventy-five.
        #expect(requests <= (window < 1_000 ? 30 : 70), "\(requests)")
    }

    // MARK: The server's own words

    @Test func `the server's words and status are shown, without a word of a message or a key`() throws {
        let world = try World(
            ["--key", "right", "--echo"], count: 12, more: ["api_key_env: MODEL_KEY"])
        let secret = ["MODEL_KEY": "sk-wrong-but-secret-0123456789"]
        let outcome = try world.run(environment: secret)
        #expect(outcome.errors.contains("HTTP 401: Incorrect API key provided"), "\(outcome.errors)")
        let check = try Program.run(
            ["models", "check", "--config", world.folder.place("triage.yaml")],
            environment: Program.warm.merging(secret) { $1 })
        #expect(check.status == 69 && check.errors.contains("HTTP 401: Incorrect API key provided"), "\(check.errors)")
        for text in [outcome.errors, check.errors] {
            for part in ["kiln", "Loved", "sk-wrong", "0123456789"] { #expect(!text.contains(part), "\(text)") }
        }
    }

    // MARK: Looking before asking

    @Test func `a check names the key that is unset, the server that is away and the key that is refused`() throws {
        let world = try World(["--key", "right"], count: 1, more: ["api_key_env: CHECKED_KEY"])
        func check(_ environment: [String: String], _ more: [String] = []) throws -> Program.Outcome {
            try Program.run(
                ["check", "--config", world.folder.place("triage.yaml")] + more,
                environment: Program.warm.merging(environment) { $1 })
        }
        let unset = try check([:])
        #expect(unset.status == 78 && unset.text.contains("CHECKED_KEY"), "\(unset.text)")
        let well = try check(["CHECKED_KEY": "right"])
        #expect(well.status == 0 && well.text.contains("llm: the server answers"), "\(well.text)")

        let wrong = try check(["CHECKED_KEY": "sk-wrong-and-secret"])
        #expect(wrong.status == 69 && wrong.text.contains("HTTP 401"), "\(wrong.text)")
        #expect(!wrong.text.contains("secret"))

        let port = try LoopbackSocket.Listener().port
        try world.folder.write(
            "triage.yaml",
            ScriptedModel.configuration(port: port)
                + "embeddings: {base_url: \"http://127.0.0.1:\(port)/v1\", model: m}\n")
        let away = try check([:])
        #expect(away.status == 69, "\(away.text)")
        for subject in ["llm: the server is not available", "embeddings: the server is not available", "base_url"] {
            #expect(away.text.contains(subject), "\(away.text)")
        }
        #expect(try check([:], ["--offline"]).status == 0)
    }
}
