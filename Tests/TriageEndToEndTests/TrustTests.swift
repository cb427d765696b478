import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder's settings are a stranger's until its user says otherwise.
@Suite struct `Settings that are merely found` {
    let home: ScratchFolder
    let inbox: ScratchFolder
    private static let message = #"{"id":"a","text":"could we maybe talk about a thing"}"# + "\n"

    init() throws {
        (home, inbox) = (try ScratchFolder(), try ScratchFolder())
        try inbox.write("in.jsonl", Self.message)
        try inbox.write("gold.jsonl", #"{"id":"m","text":"could we talk","gold":{"category":"fan"}}"# + "\n")
        try inbox.write("faq.yaml", "- {id: ship, question: Do you ship to Canada?, answer: Yes.}\n")
    }

    private var environment: [String: String] {
        Program.warm.merging(["HOME": home.path, "OPENAI_API_KEY": "sk-of-the-victim"]) { $1 }
    }

    private func triage(_ arguments: [String], _ more: [String: String] = [:]) throws -> Program.Outcome {
        try Program.run(
            arguments, input: Self.message, environment: environment.merging(more) { $1 }, directory: inbox.path)
    }

    private static func settings(port: Int, more: String = "") -> String {
        """
        version: 1
        llm: {base_url: http://127.0.0.1:\(port)/v1, model: m, api_key_env: OPENAI_API_KEY, price: {input: 0, output: 0}}
        embeddings: {base_url: http://127.0.0.1:\(port)/v1, model: e, api_key_env: OPENAI_API_KEY}
        methods: {category: llm, draft: llm, faq: llm}
        store: inbox.db
        \(more)

        """
    }

    /// Every command that may ask something of a server.
    static let asking: [[String]] = [
        ["in.jsonl"], ["run", "in.jsonl"], ["run", "--redact", "-q"], ["stream"], ["stream", "--follow", "gone.jsonl"],
        ["sync", "in.jsonl"], ["sync", "in.jsonl", "--dry-run"], ["estimate", "in.jsonl"],
        ["explain", "in.jsonl"], ["batch", "submit", "in.jsonl", "--state", "b.json"],
        ["batch", "status", "--state", "b.json"], ["batch", "collect", "in.jsonl", "--state", "b.json"],
        ["models", "check"], ["models", "list"],
        ["evaluate", "gold.jsonl", "--compare", "llm,cascade", "--bootstrap", "0"],
        ["evaluate", "gold.jsonl", "--bootstrap", "0"], ["check"], ["prompts", "list"], ["prompts", "render"],
        ["faq", "suggest", "in.jsonl"], ["rescore"], ["list"], ["report", "in.jsonl"],
        ["train", "gold.jsonl", "-o", "m"],
    ]

    @Test func `get no byte from any command, and every run that would ask says so and how to allow it`() throws {
        let listener = try LoopbackSocket.Listener()
        try inbox.write("triage.yaml", Self.settings(port: listener.port))
        for arguments in Self.asking {
            // What follows a file that never comes is ended; it has read its settings by then.
            if arguments.contains("--follow") { continue }
            let outcome = try triage(arguments)
            #expect(!listener.wasCalled, "\(arguments)")
            #expect(!outcome.errors.contains("asking m at") && !outcome.errors.contains("sk-of-the-victim"))
            if ["in.jsonl", "run", "stream", "sync", "models"].contains(arguments[0]) {
                #expect(outcome.errors.contains("config.untrusted"), "\(arguments) \(outcome.errors)")
                #expect(outcome.errors.contains("triage trust"), "\(arguments) \(outcome.errors)")
                #expect(outcome.errors.components(separatedBy: "config.untrusted").count == 2, "\(outcome.errors)")
            }
        }
        let run = try triage(["run", "in.jsonl"])
        #expect(run.status == 0 && run.text.contains("\"category\""))
        #expect(try triage(["run", "in.jsonl", "--require-llm"]).status == 78)
        let offline = try triage(["run", "in.jsonl", "--offline"])
        #expect(!offline.errors.contains("config.untrusted"), "nothing would be asked")
    }

    @Test func `are asked with once the folder is allowed, by name, and no more once they change`() throws {
        let model = try ScriptedModel()
        try inbox.write("triage.yaml", ScriptedModel.configuration(port: model.port))
        func asked(_ arguments: [String], _ more: [String: String] = [:]) throws -> (count: Int, said: String) {
            let before = try model.counts().requests
            let outcome = try triage(["run", "in.jsonl", "--cache", "off"] + arguments, more)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return (try model.counts().requests - before, outcome.errors)
        }
        let host = "asking scripted at 127.0.0.1:\(model.port)"
        #expect(try asked([]).count == 0)
        // Named by the user: a flag, the environment.
        for (arguments, more) in [
            (["--config", "triage.yaml"], [:]), ([], ["TRIAGE_CONFIG": inbox.place("triage.yaml")]),
            (["--config", "triage.yaml", "-q"], [:]),
        ] {
            let (count, said) = try asked(arguments, more)
            #expect(count > 0 && said.contains(host), "\(said)")
        }
        let trust = try triage(["trust"])
        #expect(trust.status == 0 && trust.errors.contains("127.0.0.1:\(model.port)"), "\(trust.errors)")
        #expect(try asked([]).count > 0)
        let noted = home.place(".local/state/triage/trusted")
        for name in try FileManager.default.contentsOfDirectory(atPath: noted) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(noted)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let text = try String(contentsOfFile: "\(noted)/\(name)", encoding: .utf8)
            #expect(!text.contains("sk-of-the-victim"))
        }
        #expect(try triage(["trust", "--list"]).text.hasPrefix("allowed  "))
        // A copy elsewhere is another folder.
        let copy = try ScratchFolder()
        try copy.write("triage.yaml", ScriptedModel.configuration(port: model.port))
        let elsewhere = try Program.run(
            ["run", inbox.place("in.jsonl"), "--cache", "off"], environment: environment, directory: copy.path)
        #expect(elsewhere.errors.contains("config.untrusted"))
        // A change, be it one character, has to be looked at.
        try inbox.write("triage.yaml", ScriptedModel.configuration(port: model.port) + "# mine\n")
        let changed = try asked([])
        #expect(changed.count == 0 && changed.said.contains("it changed since you allowed it"), "\(changed.said)")
        #expect(try triage(["trust", "--list"]).text.hasPrefix("changed  "))
        #expect(try triage(["trust"]).status == 0)
        #expect(try asked([]).count > 0)
        #expect(try triage(["trust", "--remove"]).status == 0)
        #expect(try asked([]).count == 0)
        #expect(try triage(["trust", "--remove"]).status == 1)
        #expect(try triage(["trust", "--list"]).text.isEmpty)
        // The user's own folder needs no allowance, and is used where the current one has no settings.
        let own = ScriptedModel.configuration(port: model.port)
        try FileManager.default.createDirectory(atPath: home.place("conf/triage"), withIntermediateDirectories: true)
        try home.write("conf/triage/triage.yaml", own)
        let settled = ["XDG_CONFIG_HOME": home.place("conf")]
        #expect(try asked([], settled).count == 0, "that of the current folder comes first, and is not allowed")
        try FileManager.default.removeItem(atPath: inbox.place("triage.yaml"))
        #expect(try asked([], settled).count > 0)
        chmod(home.place("conf/triage/triage.yaml"), 0o666)
        #expect(try asked([], settled).count == 0, "everybody may write it")
    }

    @Test(arguments: ["prompts/triage/triage-v9.md", "ca.pem"])
    func `have to be allowed again when what they name changes that decides where messages go`(name: String) throws {
        let listener = try LoopbackSocket.Listener()
        try FileManager.default.createDirectory(
            atPath: inbox.place("prompts/triage"), withIntermediateDirectories: true)
        try inbox.write(name, "one")
        let part = name == "ca.pem" ? "ca_file: ca.pem" : "prompts: prompts"
        try inbox.write(
            "triage.yaml", "llm: {base_url: http://127.0.0.1:\(listener.port)/v1, model: m, \(part)}\n")
        #expect(try triage(["trust"]).status == 0)
        #expect(try triage(["trust", "--list"]).text.hasPrefix("allowed"))
        try inbox.write(name, "two")
        #expect(try triage(["trust", "--list"]).text.hasPrefix("changed"))
        #expect(try triage(["models", "check"]).errors.contains("config.untrusted"))
        #expect(!listener.wasCalled)
    }

    @Test(arguments: ["creator", "faq", "rules", "store"])
    func `name no file outside their folder, by path or by link`(key: String) throws {
        let secret = try home.write("secret.yaml", "- {id: secret, question: Do you ship to Canada?, answer: Never.}\n")
        for named in [secret, "../\(URL(fileURLWithPath: home.path).lastPathComponent)/secret.yaml", "link.yaml"] {
            unlink(inbox.place("link.yaml"))
            symlink(secret, inbox.place("link.yaml"))
            try inbox.write("triage.yaml", "\(key): \(named)\n")
            let outcome = try triage(["sync", "in.jsonl"])
            #expect(outcome.errors.contains("config.outside-folder"), "\(key) \(named) \(outcome.errors)")
            #expect(outcome.errors.contains("'\(key)'"))
            #expect(try home.text("secret.yaml").contains("Never."))
            #expect(!FileManager.default.fileExists(atPath: home.place("secret.yaml-wal")))
        }
        // A library that is changed is the one that is read.
        let added = try triage(["faq", "add", "--question", "Why?", "--answer", "So."])
        #expect(try !home.text("secret.yaml").contains("Why?"), "\(added.errors)")
    }

    @Test func `keep what only decides about answers, and a pipe in place of them keeps nobody waiting`() throws {
        try inbox.write("triage.yaml", "version: 1\nopportunity: {monetary: 30, brand_fit: 40}\nstore: inbox.db\n")
        let run = try triage(["run", "in.jsonl"])
        #expect(run.status == 0 && run.errors.contains("1 record read") && !run.errors.contains("config."))
        #expect(try triage(["sync", "in.jsonl"]).status == 0)
        #expect(try triage(["list", "--view", "all"]).status == 0)
        unlink(inbox.place("faq.yaml"))
        mkfifo(inbox.place("faq.yaml"), 0o600)
        #expect(try triage(["run", "in.jsonl"]).errors.contains("config.outside-folder"))
        unlink(inbox.place("triage.yaml"))
        mkfifo(inbox.place("triage.yaml"), 0o600)
        #expect(try triage(["run", "in.jsonl"]).status == 78)
    }

    @Test func `a key of one provider is shown to no other, whoever named the settings`() throws {
        let settings = "llm: {base_url: https://api.anthropic.com/v1, model: m, api_key_env: OPENAI_API_KEY}\n"
        try inbox.write("triage.yaml", settings)
        let outcome = try triage(["models", "check", "--config", "triage.yaml"])
        #expect(outcome.status == 78 && outcome.errors.contains("llm.foreign-key"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("sk-of"))
    }
}
