import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looking at prompts, models and costs before anything is asked.
@Suite struct `Commands for LLMs` {
    private func folder(_ configuration: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write("triage.yaml", configuration)
        let text = "Which kiln is that in video number"
        let lines = (0..<40).map { #"{"id":"m\#($0)","text":"\#(text) \#($0 % 20)"}"# + "\n" }
        try folder.write("in.jsonl", lines.joined())
        return folder
    }

    @Test func `an estimate counts what a run would ask, and asks nothing`() throws {
        let model = try ScriptedModel(["--plain"])
        let folder = try folder(model.configuration(pack: 8))
        let arguments = [
            "estimate", folder.place("in.jsonl"), "--config", folder.place("triage.yaml"), "--cache",
            folder.place("answers.db"),
        ]
        let outcome = try Program.run(arguments + ["--json"], environment: Program.warm)
        #expect(outcome.status == 0)
        let saidObject = Annotated.object(outcome.output[...])
        let said = try #require(saidObject)
        #expect(said["asked"] as? Int == 40)
        #expect(said["repeated"] as? Int == 20)
        #expect(said["requests"] as? Int == 3)
        let cost = said["cost"] as? Double ?? 0
        #expect(cost > 0)
        #expect(try model.counts().requests == 0)

        let run = try Program.run(
            [
                "run", folder.place("in.jsonl"), "--config", folder.place("triage.yaml"), "--cache",
                folder.place("answers.db"),
            ], environment: Program.warm)
        #expect(run.status == 0)
        #expect(try model.counts().requests == 3)
        // What is kept is paid for no more, and the estimate knows it.
        let later = try Program.run(arguments + ["--json"], environment: Program.warm)
        let leftObject = Annotated.object(later.output[...])
        let left = try #require(leftObject)
        #expect(left["requests"] as? Int == 0)
        #expect(left["from_cache"] as? Int == 20)
    }

    @Test func `the work of a method that asks is timed on whichever thread it is done`() throws {
        let model = try ScriptedModel()
        let folder = try folder(model.configuration(pack: 8))
        let gold = (0..<40).map {
            #"{"id":"m\#($0)","text":"could we maybe talk about thing \#($0)","gold":{"category":"fan"}}"# + "\n"
        }
        let outcome = try Program.run(
            [
                "evaluate", try folder.write("gold.jsonl", gold.joined()), "--config", folder.place("triage.yaml"),
                "--compare", "llm,rules", "--to", "json", "--bootstrap", "0",
            ], environment: Program.warm)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try model.counts().requests > 0)
        let report = Annotated.object(outcome.output[...])
        let methods = try #require(report?["methods"] as? [[String: Any]])
        let seconds = methods.map { ($0["per_1000_messages"] as? [String: Any])?["seconds"] as? Double ?? 0 }
        // Beside asking, it does all that the rules do.
        #expect(seconds[0] > seconds[1] / 2, "\(seconds)")
    }

    @Test func `without an LLM there is nothing to estimate, and the error says so`() throws {
        let folder = try folder("")
        let outcome = try Program.run(
            ["estimate", folder.place("in.jsonl"), "--config", folder.place("triage.yaml")], environment: Program.warm)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("[llm.none]"))
    }

    @Test func `a limit of dollars needs a price`() throws {
        let folder = try folder("llm: {base_url: \"http://127.0.0.1:9/v1\", model: m}\n")
        let outcome = try Program.run(
            ["run", folder.place("in.jsonl"), "--config", folder.place("triage.yaml"), "--max-cost", "1"],
            environment: Program.warm)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("[llm.no-price]"))
    }

    @Test func `a check says what the server does, and ends with its own code where there is none`() throws {
        let model = try ScriptedModel()
        let folder = try folder(model.configuration())
        let well = try Program.run(
            ["models", "check", "--config", folder.place("triage.yaml")], environment: Program.warm)
        #expect(well.status == 0)
        #expect(String(decoding: well.output, as: UTF8.self).contains("schema"))
        let list = try Program.run(
            ["models", "list", "--config", folder.place("triage.yaml")], environment: Program.warm)
        #expect(String(decoding: list.output, as: UTF8.self) == "scripted\n")

        let none = try self.folder("llm: {base_url: \"http://127.0.0.1:9/v1\", model: m}\n")
        let away = try Program.run(
            ["models", "check", "--config", none.place("triage.yaml")], environment: Program.warm)
        #expect(away.status == 75)
        #expect(away.errors.contains("[llm.connection]"))
    }

    @Test(arguments: [
        ("api_key_env: TRIAGE_TEST_NO_SUCH_KEY", "llm.no-key"), ("api_key_file: no-such-file", "llm.no-key"),
        ("api_key_file: open.key", "llm.open-key"), ("api_key_file: empty.key", "llm.bad-key"),
    ])
    func `a key that cannot be read is told of without being shown`(line: String, code: String) throws {
        let folder = try folder("llm: {base_url: \"http://127.0.0.1:9/v1\", model: m, \(line)}\n")
        try folder.write("open.key", "sk-very-secret\n")
        try folder.write("empty.key", " \n")
        chmod(folder.place("open.key"), 0o644)
        chmod(folder.place("empty.key"), 0o600)
        let outcome = try Program.run(
            ["run", folder.place("in.jsonl"), "--config", folder.place("triage.yaml")], environment: Program.warm)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("[\(code)]"))
        #expect(!outcome.errors.contains("secret"))
    }

    @Test func `prompts are listed, shown as their files have them, and a folder of one's own is checked`() throws {
        let list = try Program.run(["prompts", "list"], environment: Program.warm)
        let text = String(decoding: list.output, as: UTF8.self)
        for name in ["triage/v1", "category/v1", "draft/v1", "draft/v2", "draft/v3", "repair/v1"] {
            #expect(text.contains(name))
        }
        let shown = try Program.run(["prompts", "show", "category/v1"], environment: Program.warm)
        #expect(String(decoding: shown.output, as: UTF8.self).contains("## System"))

        let folder = try folder("")
        try FileManager.default.createDirectory(
            atPath: folder.place("mine/category"), withIntermediateDirectories: true)
        try folder.write("mine/category/category-v2.md", "## System\n{{nonsense}}\n")
        let check = try Program.run(["prompts", "check", folder.place("mine")], environment: Program.warm)
        #expect(check.status == 1)
        #expect(String(decoding: check.output, as: UTF8.self).contains("category-v2.md:2"))
    }

    @Test func `what would be sent can be read, without hidden characters and chat tokens of the message`() throws {
        let outcome = try Program.run(
            ["prompts", "render", "--text", "hi\u{200B} <|im_end|> me@example.com", "--redact"],
            environment: Program.warm)
        let text = String(decoding: outcome.output, as: UTF8.self)
        #expect(outcome.status == 0)
        #expect(text.contains("[email 1]"))
        for part in ["<|im_end|>", "\u{200B}", "me@example.com"] { #expect(!text.contains(part)) }
    }
}
