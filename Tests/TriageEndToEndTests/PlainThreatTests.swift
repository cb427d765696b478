import Foundation
import Testing

/// A threat in plain words is seen at once; craft, advice, games and figures of speech in the same words are not.
@Suite struct `A plain threat` {
    struct Line: Decodable {
        var lang: String
        var half: String
        var text: String
    }

    static let threats = [
        "I will burn your house down", "I'm gonna break your legs", "we're going to wreck your studio",
        "Somebody ought to poison your dog", "I swear I'll cut your face",
        "$$$ FREE giveaway, click the link in bio. I will burn your house down",
        "I will not come to the fair. I will break your legs",
    ]

    static let harmless = [
        "What do you burn your pots in? a kiln or a pit", "Did you break your arm?", "smash your goals",
        "when do you beat your eggs", "break your neck on that ladder, careful", "I'll smash your personal best",
        "you will burn your tongue", "I'm gonna steal your recipe",
        "I will break your heart if I say I liked the other one",
        "I'd kill for your kiln", "I'm going to beat you at chess", "this album will break your legs lol",
        "Do you burn your studio scraps? I will ask around", "I will never break your legs, promise",
        "I'm going to smash your face in the rematch",
    ]

    private static func lines(_ name: String, _ halves: Set<String>) throws -> [Line] {
        try DangerTexts.lines(name, as: Line.self).filter { halves.contains($0.half) }
    }

    private static func isSeen(_ answer: DangerAnswer) -> Bool {
        answer.isUrgent && answer.priority >= 90 && answer.basedOn == "template:urgent.threat"
    }

    @Test func `is urgent, and advice, craft, games and figures of speech are not`() throws {
        let answers = try DangerAnswer.all(to: Self.threats + Self.harmless)
        for (text, answer) in zip(Self.threats, answers) { #expect(Self.isSeen(answer), "\(text)") }
        for (text, answer) in zip(Self.harmless, answers.dropFirst(Self.threats.count)) {
            #expect(!answer.isUrgent, "\(text)")
        }
    }

    /// Of those of `unseen`, which were left aside, 60 of 64 were found at first sight.
    @Test(arguments: [[], ["--model", "none"]])
    func `is urgent and gets sober words, in sixteen languages`(arguments: [String]) throws {
        for (halves, least) in [(Set(["seen"]), 0.97), (["unseen"], 0.85), (["later", "last"], 0.9)] {
            let lines = try Self.lines("threats", halves)
            #expect(lines.count >= 60)
            let answers = try DangerAnswer.all(to: lines.map(\.text), arguments)
            let missed = zip(lines, answers).filter { !Self.isSeen($0.1) }.map(\.0.text)
            #expect(Double(missed.count) <= (1 - least) * Double(lines.count), "\(halves): \(missed)")
        }
    }

    @Test func `is not seen where only the words are like it`() throws {
        for halves in [Set(["unseen"]), ["seen", "later", "last", "read"]] {
            let lines = try Self.lines("harmless-threats", halves)
            #expect(lines.count >= 150)
            let answers = try DangerAnswer.all(to: lines.map(\.text))
            let alarms = zip(lines, answers).filter { $0.1.isUrgent }.map(\.0.text)
            #expect(alarms.count * 100 <= lines.count, "\(halves): \(alarms)")
        }
    }
}
