import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Batches from the first submission to the run that pays nothing, against a server over a socket.
struct BatchTests {
    static let kinds = ["openai", "anthropic"]
    /// Questions of which no two say the same, and one that repeats another.
    private static let messages = 7

    /// Files of a test: messages, a configuration for a server, and a place for the state.
    private struct Desk {
        let folder: ScratchFolder
        let environment: [String: String]

        init(_ kind: String, port: Int, path: String = "/v1", pack: Int = 1, more: String = "") throws {
            folder = try ScratchFolder()
            var lines = (1...BatchTests.messages).map {
                #"{"id":"\#($0)","text":"Hello \#($0), do you ship to Canada?"}"#
            }
            lines.append(#"{"id":"again","text":"Hello 1, do you ship to Canada?"}"#)
            try folder.write("in.jsonl", lines.joined(separator: "\n") + "\n")
            try folder.write(
                "triage.yaml",
                """
                llm:
                  provider: \(kind)
                  base_url: http://127.0.0.1:\(port)\(path)
                  model: m
                  pack: \(pack)
                  price: {input: 1, output: 2, batch: 0.5}
                methods: {category: llm}
                \(more)
                """)
            environment = try Program.warm(home: folder)
        }

        var state: String { folder.place("batch.json") }

        func arguments(_ verb: String, _ more: [String] = []) -> [String] {
            let input = verb == "status" ? [] : [folder.place("in.jsonl")]
            return ["batch", verb] + input + ["--config", folder.place("triage.yaml"), "--state", state] + more
        }

        func run(_ verb: String, _ more: String...) throws -> Program.Outcome {
            try Program.run(arguments(verb, more), environment: environment)
        }

        /// The messages, triaged.
        func triage() throws -> Program.Outcome {
            try Program.run(
                ["run", folder.place("in.jsonl"), "--config", folder.place("triage.yaml")], environment: environment)
        }
    }

    @Test(arguments: kinds)
    func `what was collected costs the next run nothing`(kind: String) throws {
        let server = try PeerServer("batches.py", ["--polls", "1"])
        let desk = try Desk(kind, port: server.port)
        let submitted = try desk.run("submit")
        #expect(submitted.status == 0, "\(submitted.errors)")
        #expect(
            submitted.text.contains("7 messages in 1 batch")
                && submitted.text.contains("1 have the same text as another"))
        let mode = try #require(
            try FileManager.default.attributesOfItem(atPath: desk.state)[.posixPermissions] as? Int)
        #expect(mode == 0o600)
        #expect(try !desk.folder.text("batch.json").contains("Canada"))
        // Submitted again: nothing is.
        #expect(try desk.run("submit").text.contains("7 from earlier"))
        #expect(try desk.run("status").status == 75)
        #expect(try desk.run("status").status == 0)
        let collected = try desk.run("collect")
        #expect(collected.status == 0, "\(collected.errors)")
        // 7 × (100 × $1 + 20 × $2) / 1,000,000, and half of it.
        #expect(collected.text.contains("7 answers") && collected.text.contains("700 + 140 tokens, $0.0005"))
        #expect(try desk.run("collect").status == 0)
        let run = try desk.triage()
        #expect(run.status == 0 && run.errors.contains("7 answers from the cache, 0 requests"), "\(run.errors)")
        let counts = try server.counts()
        #expect(counts.batches == 1 && counts.live == 0 && counts.ids.count == 7)
        #expect(counts.deleted.count == (kind == "openai" ? 2 : 1))
    }

    @Test(arguments: kinds)
    func `a batch packs messages as a run does, and takes no more tokens`(kind: String) throws {
        let server = try PeerServer("batches.py", [])
        let desk = try Desk(kind, port: server.port, pack: 8)
        let submitted = try desk.run("submit")
        #expect(submitted.text.contains("7 messages in 1 batch, 1 request"), "\(submitted.text)\(submitted.errors)")
        #expect(try server.counts().ids.count == 1)
        #expect(try desk.run("submit").text.contains("7 from earlier"))
        let collected = try desk.run("collect")
        #expect(collected.status == 0, "\(collected.errors)")
        // One request of 100 + 20 tokens, as the server counts every request.
        #expect(collected.text.contains("7 answers") && collected.text.contains("100 + 20 tokens"), "\(collected.text)")
        #expect(try desk.triage().errors.contains("7 answers from the cache, 0 requests"))
    }

    @Test func `a pack of which only some messages are at hand is collected as far as they go, and then the rest`()
        throws
    {
        let server = try PeerServer("batches.py", [])
        let desk = try Desk("openai", port: server.port, pack: 8)
        #expect(try desk.run("submit").status == 0)
        let whole = try desk.folder.text("in.jsonl")
        try desk.folder.write("in.jsonl", whole.split(separator: "\n").prefix(3).joined(separator: "\n") + "\n")
        let part = try desk.run("collect")
        #expect(part.status == 1 && part.text.contains("3 answers;"), "\(part.text)\(part.errors)")
        #expect(part.text.contains("4 answers to messages not in"))
        try desk.folder.write("in.jsonl", whole)
        let rest = try desk.run("collect")
        #expect(rest.status == 0 && rest.text.contains("4 answers;"), "\(rest.text)\(rest.errors)")
        #expect(try desk.triage().errors.contains("7 answers from the cache, 0 requests"))
    }

    @Test(arguments: kinds)
    func `a submission that is killed before it knows the batch finds it on the server`(kind: String) throws {
        let server = try PeerServer("batches.py", ["--holds", "1"])
        let desk = try Desk(kind, port: server.port)
        let killed = try Program(desk.arguments("submit"), environment: desk.environment)
        for _ in 0..<600 {
            if try server.counts().batches > 0 { break }
            usleep(50_000)
        }
        killed.send(signal: SIGKILL)
        _ = killed.end(within: 10)
        #expect(try desk.folder.text("batch.json").contains(#""state":"submitting","id":null"#))
        #expect(try desk.run("status").status == 75)
        let again = try desk.run("submit")
        #expect(again.status == 0 && again.text.contains("7 from earlier"), "\(again.errors)")
        #expect(try desk.run("collect").text.contains("7 answers"))
        let counts = try server.counts()
        #expect(counts.batches == 1 && counts.ids.values.allSatisfy { $0 == 1 })
    }

    @Test(arguments: kinds)
    func `a batch that never arrived is submitted again`(kind: String) throws {
        let server = try PeerServer("batches.py", ["--drops", "1"])
        let desk = try Desk(kind, port: server.port)
        let lost = try desk.run("submit")
        #expect(lost.status == 75 && lost.errors.contains("it is unknown"), "\(lost.errors)")
        #expect(try desk.run("submit").text.contains("7 messages in 1 batch"))
        #expect(try server.counts().batches == 1)
        #expect(try desk.run("collect", "--wait").text.contains("7 answers"))
    }

    @Test(arguments: kinds)
    func `bad answers are not kept and lost ones are submitted again`(kind: String) throws {
        let server = try PeerServer("batches.py", ["--spoil", "ok,missing,expired,error,overloaded,bad,refusal"])
        let desk = try Desk(kind, port: server.port)
        #expect(try desk.run("submit").status == 0)
        let collected = try desk.run("collect")
        #expect(collected.status == 0, "\(collected.errors)")
        #expect(collected.text.contains("1 answer;") && collected.text.contains("1 that the model declined to answer"))
        // Missing, expired, and an overloaded server: nothing is wrong with these questions.
        #expect(collected.text.contains("3; `triage batch submit` resubmits them"))
        #expect(collected.text.contains("1 llm.bad-output") && collected.text.contains("1 llm.configuration"))
        #expect(try desk.run("submit").text.contains("6 messages in 1 batch"))
        #expect(try desk.run("collect").text.contains("6 answers"))
        #expect(try desk.triage().errors.contains("7 answers from the cache, 0 requests"))
        #expect(try server.counts().live == 0)
    }

    @Test func `answers to messages not in in the input are not collected, and are once they are`() throws {
        let server = try PeerServer("batches.py", ["--polls", "1"])
        let desk = try Desk("openai", port: server.port)
        func write(_ numbers: [Int]) throws {
            let lines = numbers.map { #"{"id":"\#($0)","text":"Hello \#($0), do you ship to Canada?"}"# + "\n" }
            try desk.folder.write("in.jsonl", lines.joined())
        }
        #expect(try desk.run("submit").status == 0)
        #expect(try desk.run("status").status == 75)
        try write(Array(1...8))
        #expect(try desk.run("submit").text.contains("1 message in 1 batch"))
        // The first batch is done before the second: what is left of it is not counted with every round.
        try write([1, 2, 8])
        let part = try desk.run("collect", "--wait")
        #expect(part.status == 1, "\(part.errors)")
        #expect(
            part.text.contains("3 answers;") && part.text.contains("5 answers to messages not in"), "\(part.text)"
        )
        try write(Array(1...8))
        let rest = try desk.run("collect")
        #expect(rest.status == 0, "\(rest.errors)")
        #expect(rest.text.contains("5 answers;") && !rest.text.contains("not yours"), "\(rest.text)")
        #expect(try desk.run("collect").text.contains("0 answers;"))
    }

    @Test func `a batch that is refused as a whole leaves its questions open`() throws {
        let server = try PeerServer("batches.py", ["--fail"])
        let desk = try Desk("openai", port: server.port)
        #expect(try desk.run("submit").status == 0)
        let collected = try desk.run("collect")
        #expect(collected.status == 1 && collected.text.contains("refused"), "\(collected.errors)")
        #expect(try desk.run("submit").text.contains("7 messages in 1 batch"))
    }

    static let limits: [([String], String)] = [
        (["--max-requests", "3"], "3 messages"), (["--max-tokens", "1"], "nothing"), (["--max-cost", "0"], "nothing"),
        (["--max-cost", "0.0021"], "2 messages"),
    ]

    @Test(arguments: limits)
    func `no more is submitted than the limits allow`(options: [String], words: String) throws {
        let server = try PeerServer()
        let desk = try Desk("openai", port: server.port)
        let submitted = try Program.run(desk.arguments("submit", options), environment: desk.environment)
        #expect(submitted.status == 0 && submitted.text.contains(words), "\(submitted.text)\(submitted.errors)")
        #expect(submitted.text.contains("beyond the limits"))
        let sent = try server.counts().ids.count
        #expect(words == "nothing" ? sent == 0 : words.hasPrefix("\(sent) "))
        #expect(FileManager.default.fileExists(atPath: desk.state) == (sent > 0))
    }

    @Test func `another configuration does not touch batches that are on their way`() throws {
        let server = try PeerServer("batches.py", ["--polls", "1000"])
        let desk = try Desk("openai", port: server.port)
        #expect(try desk.run("submit").status == 0)
        let before = try desk.folder.text("batch.json")
        let other = try desk.run("submit", "--redact")
        #expect(other.status == 78 && other.errors.contains("batch.other-configuration"), "\(other.errors)")
        #expect(try desk.run("collect", "--redact").status == 78)
        #expect(try desk.folder.text("batch.json") == before)
    }

    static let faults: [(arguments: [String], state: String?, status: Int32, code: String)] = [
        (["collect"], nil, 66, "batch.no-state"), (["status"], nil, 66, "batch.no-state"),
        (["status"], "{}", 65, "batch.bad-state"), (["collect"], #"{"triage_batch":3}"#, 65, "batch.other-version"),
        (["submit"], #"{"triage_batch":1,"batches":[]}"#, 65, "batch.bad-state"),
        (["submit", "--cache", "off"], nil, 64, "batch.no-cache"), (["submit", "--offline"], nil, 64, "batch.offline"),
        (["submit"], nil, 75, "llm.connection"),
    ]

    @Test(arguments: faults)
    func `what cannot be done is said with its exit code`(
        arguments: [String], state: String?, status: Int32, code: String
    ) throws {
        // Nobody listens on port 9.
        let desk = try Desk("openai", port: 9)
        if let state { try desk.folder.write("batch.json", state) }
        let outcome = try Program.run(
            desk.arguments(arguments[0], Array(arguments.dropFirst())), environment: desk.environment)
        #expect(outcome.status == status && outcome.errors.contains(code), "\(outcome.errors)")
        // Nothing was submitted, so nothing is noted.
        if state == nil { #expect(!FileManager.default.fileExists(atPath: desk.state) || code == "llm.connection") }
    }

    @Test func `names of batches are shown without control characters`() throws {
        let desk = try Desk("openai", port: 9)
        let digits = String(repeating: "0", count: 64)
        try desk.folder.write(
            "batch.json",
            #"{"triage_batch":1,"provider":"openai","model":"m","asking":"a","secret":"\#(digits)","batches":["#
                + #"{"state":"collected","id":"x\u001b]0;y\u0007\u009b1m","upload":null,"created":1,"requests":1,"#
                + #""digest":"d","answers":[]}]}"#)
        let outcome = try desk.run("status")
        #expect(outcome.status == 0 && outcome.text.contains("collected, 1 message"), "\(outcome.errors)")
        #expect(!outcome.text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    }

    @Test func `Ollama takes no batches`() throws {
        let desk = try Desk("ollama", port: 9, path: "")
        let outcome = try desk.run("submit")
        #expect(outcome.status == 78 && outcome.errors.contains("batch.no-batches"), "\(outcome.errors)")
    }

    @Test func `a symbolic link is not followed to a state`() throws {
        let desk = try Desk("openai", port: 9)
        let target = try desk.folder.write("elsewhere", "{}")
        try FileManager.default.createSymbolicLink(atPath: desk.state, withDestinationPath: target)
        #expect(try desk.run("submit").status == 73)
        #expect(try desk.folder.text("elsewhere") == "{}")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["submit", "collect", "status"])
    func `what is no plain file is no state, and nobody waits for it or fills the memory with it`(
        command: String
    ) throws {
        for make in [
            { #expect(mkfifo($0, 0o600) == 0) }, { #expect(mkdir($0, 0o700) == 0) },
            { #expect(symlink("/dev/zero", $0) == 0) },
        ] as [(String) -> Void] {
            let desk = try Desk("openai", port: 9)
            make(desk.state)
            let outcome = try desk.run(command)
            #expect(outcome.status == 73 && outcome.errors.contains("batch.no-state"), "\(outcome.errors)")
        }
        let desk = try Desk("openai", port: 9)
        var arguments = desk.arguments(command)
        arguments = arguments.map { $0 == desk.state ? "/dev/zero" : $0 }
        let outcome = try Program.run(arguments, environment: desk.environment)
        #expect(outcome.status == 73 && outcome.errors.contains("batch.no-state"), "\(outcome.errors)")
    }

    @Test(
        .enabled(if: PeerServer.installed != nil, "llmock is not installed: run .ci/peers"),
        arguments: [("openai", "/v1"), ("anthropic", "/anthropic/v1")])
    func `llmock's batches survive kills at any moment and are collected once`(kind: String, path: String) throws {
        let server = try PeerServer.llmock()
        let desk = try Desk(kind, port: server.port, path: path)
        // Killed after longer and longer, from its start to its end.
        for wait in stride(from: 0.02, to: 2.0, by: Trials.areFull ? 0.12 : 0.24) {
            let submission = try Program(desk.arguments("submit"), environment: desk.environment)
            if submission.end(within: wait) != nil { break }
            submission.send(signal: SIGKILL)
            _ = submission.end(within: 10)
        }
        let submitted = try desk.run("submit")
        #expect(submitted.status == 0, "\(submitted.errors)")
        let list = try server.object(path + (kind == "openai" ? "/batches" : "/messages/batches"))
        #expect((list["data"] as? [Any])?.count == 1)
        let waiting = try Program(desk.arguments("collect", ["--wait"]), environment: desk.environment)
        _ = waiting.end(within: 0.3)
        waiting.send(signal: SIGKILL)
        _ = waiting.end(within: 10)
        let collected = try desk.run("collect", "--wait")
        // It answers in prose, which counts as no answer, and is paid all the same.
        #expect(collected.status == 0 && collected.text.contains("7 llm.bad-output"), "\(collected.errors)")
        #expect(try desk.folder.text("batch.json").contains(#""state":"collected""#))
    }
}
