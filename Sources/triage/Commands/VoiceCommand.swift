import ArgumentParser
import TriageConfig
import TriageCore
import TriageFormats
import TriageInbox
import TriageLearning
import TriageRun
import TriageStages
import TriageStore

/// Manages the voice: how the creator answers.
struct VoiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice",
        abstract: "Learns how you answer from your own replies, shows it, and forgets people.",
        discussion: """
            EXAMPLES
              triage voice learn export.zip --creator creator.yaml --faq faq.yaml
              triage voice show
              triage voice forget ann.smith
              triage voice suggest --store inbox.db
              triage run export.zip --voice voice.jsonl

            The voice is a text file that you can read and edit: your habits, then each
            message with your reply. Drafts copy your greetings and sign-offs, and reuse
            what you say to many people.
            """,
        subcommands: [
            VoiceLearnCommand.self, VoiceShowCommand.self, VoiceForgetCommand.self, VoiceSuggestCommand.self,
        ])
}

/// Selects the voice that a command works on.
struct VoiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The voice, as `triage voice learn` writes it.", valueName: "file"))
    var voice: String?

    @Option(help: ArgumentHelp("Settings; default: triage.yaml in the current folder.", valueName: "file"))
    var config: String?

    /// - Throws: ``TriageError`` `voice.none` (exit 64) when nothing names one.
    func path() throws -> String {
        let faults = FaultCollector()
        let path = LoadedConfiguration.locate(.voice, .ofProcess(config: config, voice: voice), faults: faults)
        try faults.throwIfAny()
        guard let path = path ?? (ConfigurationFile.exists("voice.jsonl") ? "voice.jsonl" : nil) else {
            throw TriageError(
                "voice.none", "no voice is named, and the current folder has no voice.jsonl",
                remedy: "name one with --voice FILE, or create one with `triage voice learn EXPORT`", exit: .usage)
        }
        return path
    }

    /// - Throws: ``TriageErrors`` with every fault of the file.
    func load() throws -> (path: String, voice: Voice) {
        let path = try path()
        return (path, try Self.voice(path, try ConfigurationFile.read(path, limit: VoiceFile.byteLimit)))
    }

    /// - Throws: ``TriageErrors`` with every fault of the file.
    static func voice(_ path: String, _ bytes: [UInt8]) throws -> Voice {
        let faults = FaultCollector()
        let voice = VoiceFile.read(name: path, bytes: bytes, faults: faults)
        try faults.throwIfAny()
        return voice
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
              triage voice learn --store inbox.db -o voice.jsonl

            Your messages are those with "is_self": true, or from --me. Each is paired
            with the message it answers. A sentence can be reused if at least two people
            received it and it contains no name, number, address, day or promise. An
            answer to an FAQ question can be reused if it agrees with the entry. The
            reusable text is under "reuse" in each line: edit it, or remove the line to
            stop its use.

            The file holds what people wrote to you. Only you can read it; nothing is sent
            anywhere. An existing file is extended: new pairs are appended, and habits are
            counted again. Lines you removed stay removed; lines you edited stay as they
            are. To start over, delete the file.

            --store learns from what `triage sync` read, and from drafts that you accepted
            or edited.

            EXIT CODES
              0 done · 64 usage · 66 input not readable, or no such store
              73 the voice cannot be written
              78 bad configuration, or the existing file is not a voice
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Where the voice is written.", valueName: "file"))
    var output: String = "voice.jsonl"

    @Option(help: ArgumentHelp("A store of `triage sync` to learn from instead.", valueName: "file"))
    var store: String?

    mutating func validate() throws {
        if store != nil, !input.paths.isEmpty { throw ValidationError("--store cannot be combined with exports.") }
    }

    func run() async throws {
        try OutputPlaces.check(output, isNoneOf: [store].compactMap(\.self))
        try OutputPlaces.check(output, isNoneOf: input.paths + configuration.files.filter { $0 != output })
        // Read before anything else: a fault in the file must not destroy what a person edited there.
        let old = try earlier()
        let (exchanges, alone, learner) = try store == nil ? read() : readStore()
        let lesson = learner.learn(exchanges, keeping: old ?? Voice(), limit: VoiceFile.pairLimit)
        let voice = lesson.voice
        try VoiceFile.save(voice, to: output)
        let reusable = voice.pairs.count { !$0.reuse.isEmpty }
        var words = "\(output): \(voice.pairs.count) of your replies with the messages they answer; "
        words += "\(reusable) can be reused\n"
        if old != nil {
            var parts = ["\(lesson.added) new"]
            if lesson.changed > 0 { parts.append("\(lesson.changed) edited by you and kept") }
            if lesson.removed > 0 { parts.append("\(lesson.removed) removed by you and left out") }
            words += parts.joined(separator: ", ") + "\n"
        }
        if alone > 0 {
            words += "\(alone.of("reply", "replies")) left out: "
            words += alone == 1 ? "the message it answers was" : "the messages they answer were"
            words += " not in the input\n"
        }
        if lesson.surplus > 0 {
            words += "\(lesson.surplus.of("reply", "replies")) left out: a voice holds at most \(VoiceFile.pairLimit)\n"
        }
        if voice.pairs.isEmpty {
            words += "none of the messages are yours; use --me to say who you are\n"
        }
        try CheckedWriter.standardError.write(Terminal.harmless(words))
    }
}

extension VoiceLearnCommand {
    private typealias Found = (exchanges: [VoiceLearner.Exchange], alone: Int, learner: VoiceLearner)

    private func read() throws -> Found {
        let reading = try MessageReading(configuration, me: input.me, readsVoice: false)
        let found = VoiceReading()
        try found.read(input, with: reading)
        let learner = VoiceLearner(library: reading.loaded.faq, profile: reading.loaded.creator)
        return (found.exchanges, found.alone, learner)
    }

    private func readStore() throws -> Found {
        var request = ConfigurationRequest.ofProcess(
            config: configuration.config, creator: configuration.creator, faq: configuration.faq)
        request.readsVoice = false
        let loaded = try LoadedConfiguration.load(request)
        var options = StoreOptions()
        (options.store, options.config) = (store, configuration.config)
        let inbox = try options.open()
        defer { inbox.close() }
        let exchanges = try StoredVoice(inbox).exchanges(limit: VoiceFile.pairLimit)
        return (exchanges, 0, VoiceLearner(library: loaded.faq, profile: loaded.creator))
    }

    /// The existing voice; nil: there is none, or the file is empty.
    private func earlier() throws -> Voice? {
        guard ConfigurationFile.exists(output) else { return nil }
        let bytes = try ConfigurationFile.read(output, limit: VoiceFile.byteLimit)
        return bytes.allSatisfy { $0 <= 0x20 } ? nil : try VoiceOptions.voice(output, bytes)
    }
}

struct VoiceShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows your habits, the number of replies, and the reusable sentences.",
        discussion: """
            EXAMPLES
              triage voice show
              triage voice show --voice voice.jsonl
              triage voice show --store inbox.db

            --store shows the voice that `triage sync` learned and uses for its next
            drafts.
            """)

    @OptionGroup var options: VoiceOptions

    @Option(help: ArgumentHelp("A store of `triage sync`, to show its voice instead.", valueName: "file"))
    var store: String?

    mutating func validate() throws {
        if store != nil, options.voice != nil { throw ValidationError("Name a voice or a store, not both.") }
    }

    private func ofStore() throws -> Voice {
        var place = StoreOptions()
        (place.store, place.config) = (store, options.config)
        let inbox = try place.open()
        defer { inbox.close() }
        guard let voice = try StoredVoice(inbox).voice() else {
            throw TriageError(
                "voice.none", "the store has not learned a voice", at: inbox.path,
                remedy: "run `triage sync` with exports that hold your own replies", exit: .usage)
        }
        return voice
    }

    func run() throws {
        let voice = try store == nil ? options.load().voice : ofStore()
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

            Habits are only counts; they stay until the voice is learned again. The ids of
            the removed pairs stay too, so a later export with the same messages does not
            restore them.

            EXIT CODES
              0 done · 1 nothing to remove · 64 usage · 73 the voice cannot be written
              78 bad voice
            """)

    @Argument(help: ArgumentHelp("Handle, id or name, as written under \"from\".", valueName: "sender"))
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
        let all = voice.pairs.map(\.id)
        if let sender {
            let name = sender.hasPrefix("@") ? String(sender.dropFirst()) : sender
            voice.pairs.removeAll { $0.sender == sender || $0.sender == name || $0.sender == "@\(name)" }
        } else if let seconds = try DayOption.seconds(before, "--before") {
            let day = UTCTime.day(seconds)
            voice.pairs.removeAll { $0.day.map { $0 < day } ?? false }
        }
        let removed = all.count - voice.pairs.count
        // Files of earlier versions have no ids.
        let known = Set(voice.learned)
        voice.learned += all.filter { !known.contains($0) }
        if removed > 0 { try VoiceFile.save(voice, to: path) }
        try CheckedWriter.standardError.write(Terminal.harmless("removed \(removed.of("pair")) from \(path)\n"))
        guard removed > 0 else { throw RunEnded(status: .finding) }
    }
}
