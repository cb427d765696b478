import Foundation
import Testing
import TriageConfig
import TriageCore
import TriageRun

/// No text, however mangled, brings a stage down, and whatever is said about it points into it.
///
/// `TRIAGE_FUZZ_TEXTS` and `TRIAGE_FUZZ_SEED` make it longer and different, by hand.
struct StagePlanFuzzTests {
    static let texts = number("TRIAGE_FUZZ_TEXTS") ?? 10_000
    static let seed = UInt64(number("TRIAGE_FUZZ_SEED") ?? 1)

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Data/creators")

    @Test(arguments: ["alex", "maya", "theo"])
    func `mangled texts are annotated, and every place lies within its text`(creator: String) throws {
        let plan = try Self.wholePlan(creator, settings: Self.words)
        let salt = creator.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
        var mutator = TextMutator(texts: try Self.sourceTexts(), seed: Self.seed &+ salt)
        var random = SeededGenerator(seed: Self.seed ^ salt)
        var left = Self.texts / 3
        while left > 0 {
            let messages = (0..<min(left, 500)).map { Self.message($0, text: mutator.next(), &random) }
            left -= messages.count
            var batch = try plan.annotate(messages)
            try #require(batch.records.count == messages.count)
            for (index, message) in messages.enumerated() where !check(batch, index) {
                Issue.record("seed \(Self.seed), \(creator): \(message.text.debugDescription.prefix(2000))")
            }
            let lines = plan.encode(&batch).split(separator: 0x0A)
            #expect(lines.count == messages.count)
            for line in lines where !(String(validating: line, as: UTF8.self) != nil) {
                Issue.record("a record is no valid UTF-8: seed \(Self.seed), \(creator)")
            }
        }
    }

    /// Where each piece leads back to the beginning, a second becomes hours.
    @Test(
        // Generous, because other work may share the machine.
        .timeLimit(.minutes(10)),
        arguments: [
            "$1 ", "a@b.", "a.b/", "a.b:1", "1.1+1aa", "1/1/1 ", "free ", "(((", "....", "by ", "5k ", "10.000,", "😀",
            "http://",
            "2026-10-", "for 2 reels ", "love but ", "tomorrow ", "\u{301}", "\u{200B}", "漢", "\n",
        ])
    func `a text of nothing but one piece is annotated in linear time`(piece: String) throws {
        let text = String(repeating: piece, count: (1 << 18) / piece.utf8.count)
        var message = Message()
        message.text = text
        message.sentAt = "2026-08-01T06:48:53Z"
        let batch = try Self.shared.get().annotate([message])
        #expect(check(batch, 0))
    }

    private static let shared = Result { try StagePlanFuzzTests.wholePlan("maya", settings: words) }

    /// Without the sentence encoder, which takes 50 ms for a message; ``StageContractTests`` have it.
    private static let words: Settings = {
        var settings = Settings()
        (settings.encoder.faq, settings.encoder.sentiment, settings.encoder.urgency) = (false, false, false)
        return settings
    }()

    @Test func `every scalar folds to no more bytes than it has`() throws {
        let folder = TextFolder()
        var grown: [UInt32] = []
        for value in UInt32(1)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if folder.fold(String(scalar)).count > UTF8.width(scalar) { grown.append(value) }
        }
        #expect(grown.isEmpty)
    }

    static func message(_ number: Int, text: String, _ random: inout SeededGenerator) -> Message {
        var message = Message()
        message.text = text
        message.id = "f\(number)"
        if random.chance(800) {
            message.sentAt = random.pick([
                "2026-08-01T06:48:53Z", "2026-12-31T23:59:59Z", "2024-02-28T23:00:00-11:00", "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59Z", "2026-02-30T00:00:00Z", "2026-03-29T01:30:00+01:00",
            ])
        }
        if random.chance(700) { message.conversationID = "c\(random.below(40))" }
        if random.chance(300) { message.platform = random.pick(["email", "instagram", "x"]) }
        if random.chance(300) { message.lang = random.pick(["en", "pt-BR", "", "xx", "hi-Latn", "zh-Hant-TW"]) }
        if random.chance(700) {
            message.sender.handle =
                random.chance(200) ? String(text.prefix(40)) : random.pick(["zoe.k", "brand.hq", "a@b.co"])
            message.sender.name = random.chance(200) ? String(text.prefix(60)) : random.pick(["Zoë", "ACME GmbH", ""])
            message.sender.followers = random.pick([0, 9999, 10_000, .max])
            message.sender.isVerified = random.chance(300)
        }
        return message
    }

    /// Whether every span that the answers hold lies in its buffer and in whole scalars.
    private func check(_ batch: Batch, _ index: Int) -> Bool {
        let record = batch.records[index]
        let text = Array(batch.arena[record.fields.text.range])
        func isBoundary(_ offset: Int) -> Bool {
            offset == text.count || (text.indices.contains(offset) && text[offset] & 0xC0 != 0x80)
        }
        func holds(_ range: Range<Int>) -> Bool {
            guard range.lowerBound >= 0, range.upperBound <= batch.evidence.count else { return false }
            return batch.evidence[range].allSatisfy { reason in
                (reason.start < 0 && reason.end < 0)
                    || (reason.start <= reason.end && isBoundary(Int(reason.start)) && isBoundary(Int(reason.end)))
            }
        }
        func isMade(_ span: Span32) -> Bool {
            span.range.upperBound <= batch.generated.count
                && String(validating: batch.generated[span.range], as: UTF8.self) != nil
        }
        func areMade(_ range: Range<Int>) -> Bool {
            range.upperBound <= batch.generatedSpans.count && batch.generatedSpans[range].allSatisfy(isMade)
        }
        if let answer = record.category {
            let sum = answer.scores[0] + answer.scores[1] + answer.scores[2]
            guard holds(answer.because), abs(sum - 1) < 0.001 else { return false }
        }
        if let answer = record.sentiment, !holds(answer.because) || !(0...1).contains(answer.intensity) { return false }
        if let answer = record.urgency, !holds(answer.because) || !(0...1).contains(answer.score) { return false }
        if let answer = record.injection, !holds(answer.because) { return false }
        if let answer = record.opportunity {
            let parts = [answer.monetary, answer.brandFit, answer.legitimacy, answer.urgency]
            guard areMade(answer.insights), (0...100).contains(answer.score),
                parts.allSatisfy({ holds($0.because) && (0...$0.maximum).contains($0.points) })
            else { return false }
        }
        if let answer = record.draft {
            guard isMade(answer.text), isMade(answer.basedOn), areMade(answer.fill), record.category?.label != .spam
            else { return false }
        }
        return record.priority.map { (0...100).contains($0) } ?? true
    }

    static func wholePlan(
        _ creator: String, settings: Settings = Settings(),
        asking: ((RuleSet, FAQLibrary) throws -> LLMStages)? = nil
    ) throws -> WholePlan {
        let faults = FaultCollector()
        let all = try JSONSerialization.jsonObject(
            with: Data(contentsOf: Self.data.appendingPathComponent("creators.json")))
        let one = try #require((all as? [[String: Any]])?.first { $0["id"] as? String == creator })
        let profile = CreatorFile.read(
            name: "creator.json", bytes: Array(try JSONSerialization.data(withJSONObject: one)), faults: faults)
        let library = FAQFile.read(
            name: "faq.json",
            bytes: Array(try Data(contentsOf: Self.data.appendingPathComponent("faq-\(creator).json"))),
            faults: faults)
        try faults.throwIfAny()
        return try WholePlan(profile: profile, library: library, settings: settings, asking: asking)
    }

    static func sourceTexts() throws -> [String] {
        try Data(contentsOf: data.appendingPathComponent("messages.jsonl")).split(separator: 0x0A).compactMap {
            (try JSONSerialization.jsonObject(with: $0) as? [String: Any])?["text"] as? String
        }
    }
}
