import ArgumentParser
import TriageConfig
import TriageCore
import TriageFormats
import TriageLearning
import TriageRun
import TriageStages

/// Looks after how the creator answers.
struct VoiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice",
        abstract: "Learns how you answer from your own replies, shows it, and forgets people.",
        discussion: """
            EXAMPLES
              triage voice learn export.zip --creator creator.yaml --faq faq.yaml
              triage voice show
              triage voice forget ann.smith
              triage run export.zip --voice voice.jsonl

            What is learned is a file of lines that you can read and prune: your habits, then each message
            with your reply. Drafts take from it how you begin and end, and what you say to many.
            """,
        subcommands: [VoiceLearnCommand.self, VoiceShowCommand.self, VoiceForgetCommand.self])
}

/// Which voice a command works on.
struct VoiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The voice, as `triage voice learn` writes it.", valueName: "file"))
    var voice: String?

    @Option(help: ArgumentHelp("Settings; default: triage.yaml of this folder, if there.", valueName: "file"))
    var config: String?

    /// - Throws: ``TriageError`` `voice.none` (exit 64) when nothing names one.
    func path() throws -> String {
        let faults = FaultCollector()
        let path = LoadedConfiguration.locate(.voice, .ofProcess(config: config, voice: voice), faults: faults)
        try faults.throwIfAny()
        guard let path = path ?? (ConfigurationFile.exists("voice.jsonl") ? "voice.jsonl" : nil) else {
            throw TriageError(
                "voice.none", "no voice is named, and this folder has no voice.jsonl",
                remedy: "name one with --voice FILE, or make one with `triage voice learn EXPORT`", exit: .usage)
        }
        return path
    }

    /// - Throws: ``TriageErrors`` with every fault of the file.
    func load() throws -> (path: String, voice: Voice) {
        let path = try path()
        let bytes = try ConfigurationFile.read(path, limit: VoiceFile.byteLimit)
        let faults = FaultCollector()
        let voice = VoiceFile.read(name: path, bytes: bytes, faults: faults)
        try faults.throwIfAny()
        return (path, voice)
    }
}

struct VoiceLearnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Learns how you answer from exports that hold your own replies.",
        discussion: """
            EXAMPLES
              triage voice learn export.zip --creator creator.yaml --faq faq.yaml
              triage voice learn mail.mbox --me maya@example.com -o voice.jsonl

            Your messages are those with "is_self": true, or of --me. Each is paired with the message it
            answers. A sentence can be said again if at least two people got it and it holds no name, number,
            address, day or promise; answers to questions of the library, if they say what the entry says.
            "reuse" in a line shows what that is: change it, or remove the line, and it is never said.

            The file holds what people wrote to you. Only you can read it; nothing is sent anywhere. A file that
            is there is replaced, with what you changed in it.

            EXIT CODES
              0 done · 64 usage · 66 input not readable · 73 the voice cannot be written · 78 bad configuration
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Where the voice is written.", valueName: "file"))
    var output: String = "voice.jsonl"

    func run() async throws {
        try OutputPlaces.check(output, isNoneOf: input.paths + configuration.files.filter { $0 != output })
        let reading = try MessageReading(configuration, me: input.me, readsVoice: false)
        let found = VoiceReading()
        try found.read(input, with: reading)
        var exchanges = found.exchanges
        let surplus = exchanges.count - VoiceFile.pairLimit
        if surplus > 0 { exchanges.removeFirst(surplus) }
        let voice = VoiceLearner(library: reading.loaded.faq, profile: reading.loaded.creator).voice(of: exchanges)
        try VoiceFile.save(voice, to: output)
        let reusable = voice.pairs.count { !$0.reuse.isEmpty }
        var words = "\(voice.pairs.count.of("reply", "replies")) of your own with the messages they answer, "
        words += "\(reusable) of which can be said again: \(output)\n"
        if found.alone > 0 {
            words += "\(found.alone.of("reply", "replies")) left out: no message that they answer was read\n"
        }
        if surplus > 0 { words += "\(surplus.of("reply", "replies")) left out: a voice holds \(VoiceFile.pairLimit)\n" }
        if voice.pairs.isEmpty {
            words += "none of the messages is your own: name yourself with --me\n"
        }
        try CheckedWriter.standardError.write(Terminal.harmless(words))
    }
}

struct VoiceShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows your habits, how many replies there are, and what can be said again.",
        discussion: """
            EXAMPLES
              triage voice show
              triage voice show --voice voice.jsonl
            """)

    @OptionGroup var options: VoiceOptions

    func run() throws {
        let (_, voice) = try options.load()
        let width = Terminal.isTerminal(1) ? Terminal.width(1) : nil
        try CheckedWriter.standardOutput.write(Terminal.harmless(VoicePage.text(voice, width: width)))
    }
}

struct VoiceForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Removes the pairs of a sender, or those before a day, from a voice.",
        discussion: """
            EXAMPLES
              triage voice forget ann.smith
              triage voice forget --before 2025-01-01 --voice voice.jsonl

            Habits stay: they are counts. Learning again from an export that has the messages brings them back.

            EXIT CODES
              0 done · 1 nothing to remove · 64 usage · 73 the voice cannot be written · 78 bad voice
            """)

    @Argument(help: ArgumentHelp("Handle, id or name, as \"from\" has it.", valueName: "sender"))
    var sender: String?

    @Option(help: ArgumentHelp("Every pair whose reply was sent before this day (YYYY-MM-DD).", valueName: "date"))
    var before: String?

    @OptionGroup var options: VoiceOptions

    mutating func validate() throws {
        if (sender == nil) == (before == nil) { throw ValidationError("Name a sender, or a day with --before.") }
        if sender?.isEmpty == true { throw ValidationError("The sender has no name.") }
        _ = try DayOption.seconds(before, "--before")
    }

    func run() throws {
        var (path, voice) = try options.load()
        let count = voice.pairs.count
        if let sender {
            let name = sender.hasPrefix("@") ? String(sender.dropFirst()) : sender
            voice.pairs.removeAll { $0.sender == sender || $0.sender == name || $0.sender == "@\(name)" }
        } else if let seconds = try DayOption.seconds(before, "--before") {
            let day = UTCTime.day(seconds)
            voice.pairs.removeAll { $0.day.map { $0 < day } ?? false }
        }
        let removed = count - voice.pairs.count
        if removed > 0 { try VoiceFile.save(voice, to: path) }
        try CheckedWriter.standardError.write(Terminal.harmless("removed \(removed.of("pair")) from \(path)\n"))
        guard removed > 0 else { throw RunEnded(status: .finding) }
    }
}
