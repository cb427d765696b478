import Testing
import TriageConfig
import TriageCore

struct VoiceFileTests {
    private static let habits = #"{"voice":1,"replies":2}"#

    private func read(_ text: String) -> (voice: Voice, faults: [String]) {
        let collector = FaultCollector()
        let voice = VoiceFile.read(name: "v.jsonl", bytes: Array(text.utf8), faults: collector)
        return (voice, collector.faults.map { "\($0.code) \($0.at ?? "-")" })
    }

    private static var full: Voice {
        var voice = Voice()
        voice.habits.replies = 3
        voice.habits.languages = ["en": 2, "pt": 1]
        voice.habits.words = 12
        (voice.habits.mailGreeting, voice.habits.chatGreeting) = (0.98, 0.1)
        (voice.habits.mailSignature, voice.habits.chatSignature) = (1, 0)
        voice.habits.greetings = ["en": "Hi {name},"]
        voice.habits.audience.greetings = ["en": "Hiya {name},", "es": "¡Buenas, {name}!"]
        voice.habits.audience.closings = ["en": "M x"]
        voice.habits.partners.bare = ["en": "Hello:"]
        (voice.habits.emoji, voice.habits.emojis) = (0.25, ["💛"])
        (voice.habits.lowerCase, voice.habits.exclamation) = (0.01, 0.02)
        voice.habits.formal = ["de": 0.9]
        voice.habits.never = ["exclamation marks"]
        var pair = VoicePair()
        (pair.id, pair.sender, pair.day) = ("0a1b", "@ann", 20_000)
        (pair.platform, pair.language, pair.intent) = ("youtube", "en", "fan.praise")
        (pair.asked, pair.answered, pair.reuse) = ("so \"good\"\nreally", "Thank you, Ann 💛", "Thank you, {name} 💛")
        pair.name = "Ann Wexford"
        pair.learned = pair.fingerprint
        voice.pairs = [pair]
        voice.learned = ["0a1b", "9f9f"]
        return voice
    }

    @Test func `what is written is read again`() {
        let text = String(decoding: VoiceFile.text(Self.full), as: UTF8.self)
        #expect(read(text).voice == Self.full)
        #expect(read(text).faults.isEmpty)
        #expect(text.split(separator: "\n").count == 3)
        #expect(text.hasSuffix(#"{"ids":["0a1b","9f9f"]}"# + "\n"))
        #expect(read(text).voice.pairs[0].isChanged == false)
    }

    @Test(arguments: [
        (#""name":"Ann Wexford""#, #""name":"Bo""#), ("fan.praise", "fan.unsure"), ("2024", "2025"),
        (#""reuse":"Thank you, {name} 💛""#, #""reuse":"Thanks!""#), (#""reuse":"Thank you, {name} 💛","#, ""),
        (#""learned":""#, #""learned":"0"#),
    ])
    func `a line that a person changed is told from one as it was learned`(what: String, change: String) {
        let text = String(decoding: VoiceFile.text(Self.full), as: UTF8.self)
        #expect(text.contains(what))
        let changed = read(text.replacing(what, with: change))
        #expect(changed.faults.isEmpty)
        #expect(changed.voice.pairs.map(\.isChanged) == [true])
    }

    @Test func `ids of many pairs stand on several lines, and the latest are kept`() {
        var voice = Self.full
        voice.learned = (0..<100_700).map { "id\($0)" }
        let again = read(String(decoding: VoiceFile.text(voice), as: UTF8.self))
        #expect(again.faults.isEmpty)
        #expect(again.voice.learned.count == 100_000 && again.voice.learned.last == "id100699")
    }

    @Test(arguments: [
        ("", ["voice.empty v.jsonl"]), ("\n\n", ["voice.empty v.jsonl"]),
        (#"{"replies":2}"#, ["voice.no-habits v.jsonl:1:1"]),
        (#"{"voice":2}"#, ["config.unknown-version v.jsonl:1:10"]),
        (#"{"voice":1,"emoji":3}"#, ["config.out-of-range v.jsonl:1:20"]),
        (#"{"voice":1,"greetings":{"en":"Hi\u0007"}}"#, ["voice.bad-greeting v.jsonl:1:30"]),
        (habits + "\n{", ["config.syntax v.jsonl:2:2"]),
        (habits + "\n" + #"{"answered":"x"}"#, ["voice.bad-id v.jsonl:2:1"]),
        (habits + "\n" + #"{"id":"a b"}"#, ["voice.bad-id v.jsonl:2:1"]),
        (habits + "\n" + #"{"id":"a"}"# + "\n\n" + #"{"id":"a"}"#, ["voice.duplicate-id v.jsonl:4"]),
        (habits + "\n" + #"{"ids":["a","b c"]}"#, ["voice.bad-id v.jsonl:2:13"]),
        (habits + "\n" + #"{"ids":{"a":1}}"#, ["config.wrong-type v.jsonl:2:8"]),
        (habits + "\n" + #"{"id":"a","answer":"x"}"#, ["config.unknown-key v.jsonl:2:11"]),
        (habits + "\n" + #"{"id":"a","day":"2026-13-01"}"#, ["config.bad-date v.jsonl:2:17"]),
        (habits + "\n" + #"{"id":"a","reuse":"Hi {friend}"}"#, ["voice.bad-reuse v.jsonl:2:19"]),
        (habits + "\n" + #"{"id":"a","reuse":"{name} and {name}"}"#, ["voice.bad-reuse v.jsonl:2:19"]),
        (habits + "\n" + #"{"id":"a","reuse":"\u001b[2J"}"#, ["voice.bad-reuse v.jsonl:2:19"]),
        (habits + "\n" + #"{"id":"a","id":"b"}"#, ["config.duplicate-key v.jsonl:2:11"]),
        (
            habits + "\n" + #"{"id":""}"# + "\n" + #"{"id":"b","day":1}"#,
            ["voice.bad-id v.jsonl:2:1", "config.bad-date v.jsonl:3:17"]
        ),
    ])
    func `every fault is told at once, with its line`(text: String, expected: [String]) {
        #expect(read(text).faults == expected)
    }

    @Test func `bytes that are no text are told, and the other lines are read`() {
        let collector = FaultCollector()
        let bytes = Array("\(Self.habits)\n".utf8) + [0xFF, 0x0A] + Array(#"{"id":"a"}"#.utf8)
        let voice = VoiceFile.read(name: "v.jsonl", bytes: bytes, faults: collector)
        #expect(collector.faults.map(\.code) == ["config.encoding"])
        #expect(voice.pairs.map(\.id) == ["a"])
    }

    @Test func `no fault repeats what somebody wrote`() {
        let collector = FaultCollector()
        let line = #"{"id":"a","reuse":"secret {x}","asked":["secret"],"day":"secret"}"#
        _ = VoiceFile.read(name: "v", bytes: Array("\(Self.habits)\n\(line)".utf8), faults: collector)
        #expect(collector.faults.count == 3)
        for fault in collector.faults { #expect(!"\(fault)".contains("secret")) }
    }

    @Test func `only its owner may read what is saved`() throws {
        let folder = try TemporaryFolder()
        try VoiceFile.save(Self.full, to: folder.place("voice.jsonl"))
        #expect(folder.mode("voice.jsonl") == 0o600)
    }

    @Test func `a voice beside triage.yaml is found, and one that is named counts more`() throws {
        let folder = try TemporaryFolder()
        try folder.write("triage.yaml", "version: 1\n")
        #expect(try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path)).voice == nil)
        try folder.write("voice.jsonl", Self.habits + "\n")
        #expect(try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path)).voice?.habits.replies == 2)
        try folder.write("other.jsonl", #"{"voice":1,"replies":5}"# + "\n")
        try folder.write("triage.yaml", "voice: other.jsonl\n")
        #expect(try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path)).voice?.habits.replies == 5)
        var request = ConfigurationRequest(folder: folder.path)
        request.voice = folder.place("voice.jsonl")
        #expect(try LoadedConfiguration.load(request).voice?.habits.replies == 2)
    }

    @Test func `none in place of a voice switches it off, wherever it is said`() throws {
        let folder = try TemporaryFolder()
        try folder.write("voice.jsonl", Self.habits + "\n")
        try folder.write("triage.yaml", "voice: none\n")
        let said = try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path))
        #expect(said.voice == nil && said.isVoiceOff && said.files.map(\.role) == [.config])
        #expect(
            LoadedConfiguration.locate(.voice, ConfigurationRequest(folder: folder.path), faults: FaultCollector())
                == nil)

        try folder.write("triage.yaml", "version: 1\n")
        #expect(try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path)).isVoiceOff == false)
        var request = ConfigurationRequest(folder: folder.path)
        request.voice = "none"
        #expect(try LoadedConfiguration.load(request).isVoiceOff)
        request = ConfigurationRequest(environment: ["TRIAGE_VOICE": "none"], folder: folder.path)
        let asked = try LoadedConfiguration.load(request)
        #expect(asked.voice == nil && asked.isVoiceOff)
    }
}
