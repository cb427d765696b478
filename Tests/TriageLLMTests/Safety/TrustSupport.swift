import Foundation
import ShippedPrompts
import ShippedRules
import TriageConfig
import TriageCore
import TriageLLM

/// A repeatable stream of numbers (SplitMix64).
struct TrustSeed: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

enum Trust {
    static var secret: RunSecret {
        var seed = TrustSeed(7)
        return RunSecret(using: &seed)
    }

    static var shipped: [PromptFile] {
        var files: [PromptFile] = []
        while true {
            let file = shipped_prompt_file(files.count)
            guard let name = file.name else { return files }
            files.append(
                PromptFile(
                    path: String(cString: name), bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
                ))
        }
    }

    /// What a draft may not say of its own accord, as it is shipped.
    static let draftPromises = phrases(shipped_draft_guard)
    /// What reads like a promise, as it is shipped.
    static let draftJudge = DraftJudge(
        Array(UnsafeBufferPointer(start: shipped_draft_judge.bytes, count: shipped_draft_judge.count)))
    /// How people speak of other messages, as it is shipped.
    static let batchTalk = phrases(shipped_batch_talk)

    private static func phrases(_ shipped: shipped_file) -> PhraseRules {
        let bytes = Array(UnsafeBufferPointer(start: shipped.bytes, count: shipped.count))
        return (try? PhraseList(RuleSource(name: String(cString: shipped.name), bytes: bytes))).map { PhraseRules($0) }
            ?? PhraseRules()
    }

    /// A draft of the committed set, with what it answers.
    struct WrittenDraft: Decodable, Sendable, CustomStringConvertible {
        var lang: String
        var bad: Bool
        var kind: String
        var draft: String
        var message: String?
        var answer: String?
        var description: String { "\(lang) \(kind): \(draft)" }
    }

    static func drafts(_ name: String) throws -> [WrittenDraft] {
        try Data(contentsOf: folder.appending(path: "Drafts/\(name).jsonl")).split(separator: 0x0A).map {
            try JSONDecoder().decode(WrittenDraft.self, from: Data($0))
        }
    }

    static func session(_ question: PromptQuestion = .triage, redacts: Bool = false) throws -> PromptSession {
        let prompts = try PromptLibrary(shipped: shipped)
        return PromptSession(
            try prompts.newest(question), repair: try prompts.newest(.repair), profile: profile, library: library,
            secret: secret, redacts: redacts)
    }

    static var profile: CreatorProfile {
        var profile = CreatorProfile()
        profile.name = "Mara Lindholm"
        profile.niches = ["pottery", "glazing"]
        profile.excludedTopics = ["gambling"]
        profile.works = ["Forty mugs in one week"]
        profile.voice = "Calm, practical, a little dry."
        profile.rates = "Reels from EUR 1,800; YouTube integration from EUR 4,000."
        return profile
    }

    static let library = FAQLibrary(entries: [
        FAQEntry(
            id: "wheel", question: "Which pottery wheel do you use?",
            answer: "A small electric tabletop wheel. Both are at maramakes.example/gear, 250 euros new."),
        FAQEntry(
            id: "shipping", question: "Do you ship internationally?",
            answer: "Yes, to most of Europe, the UK, the US and Canada, and the price is in the basket."),
    ])

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    struct Attack: Decodable, Sendable, CustomStringConvertible {
        var id: String
        var `class`: String
        var carrier: String
        var lang: String
        var attack: String
        var twin: String
        var description: String { id }
    }

    static func attacks() throws -> [Attack] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Attacks").path)
        return try names.sorted().filter { $0.hasSuffix(".jsonl") }.flatMap { name in
            try Data(contentsOf: folder.appending(path: "Attacks/\(name)")).split(separator: 0x0A).map {
                try JSONDecoder().decode(Attack.self, from: Data($0))
            }
        }
    }
}
