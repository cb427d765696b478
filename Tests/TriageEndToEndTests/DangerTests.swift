import Foundation
import Testing

/// A person in danger is seen, whoever answers, and gets sober words.
struct DangerTests {
    @Test(
        arguments: [
            "i want to kill myself", "I don't want to live anymore", "I'm going to end my life tonight",
            "I want to end my life, please help me", "I will hurt myself tonight \u{202E}", "quiero morirme",
            "ich will nicht mehr leben", "je veux mourir", "I took all my pills",
        ], [[], ["--model", "none"]])
    func `who speaks of ending their life is urgent, with a draft that says where help is`(
        text: String, arguments: [String]
    ) throws {
        let answer = try #require(try answers(text, arguments))
        let urgency = answer["urgency"] as? [String: Any]
        #expect(urgency?["urgent"] as? Bool == true)
        #expect((urgency?["because"] as? [Any])?.isEmpty == false)
        #expect((answer["priority"] as? Int ?? 0) >= 80)
        #expect((answer["draft"] as? [String: Any])?["based_on"] as? String == "template:urgent.self-harm")
    }

    @Test(arguments: ["I know where you live, I'm coming for you", "wir wissen wo du wohnst, wir bringen dich um"])
    func `a threat is urgent`(text: String) throws {
        let answer = try #require(try answers(text, []))
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == true)
        #expect((answer["draft"] as? [String: Any])?["based_on"] as? String == "template:urgent.threat")
    }

    @Test(arguments: ["love your videos", "when is the next stream?", "this workout nearly finished me, loved it"])
    func `what is harmless is not urgent`(text: String) throws {
        #expect((try answers(text, [])?["urgency"] as? [String: Any])?["urgent"] as? Bool == false)
    }

    /// Somebody is glad, and holds the key down.
    @Test(arguments: ["😂", "❤️", "🔥", "haha ", "jajaja ", "lol ", "very ", "love you ", "😍👏", "!"], [3, 10, 20, 80])
    func `what is said again and again stays what it is`(piece: String, times: Int) throws {
        let answer = try #require(try answers(String(repeating: piece, count: times), []))
        #expect((answer["category"] as? [String: Any])?["label"] as? String == "fan")
        #expect((answer["injection"] as? [String: Any])?["suspected"] as? Bool == false)
        #expect((answer["urgency"] as? [String: Any])?["urgent"] as? Bool == false)
        #expect((answer["sentiment"] as? [String: Any])?["label"] as? String != "negative")
    }

    private func answers(_ text: String, _ arguments: [String]) throws -> [String: Any]? {
        let line = try JSONSerialization.data(withJSONObject: ["id": "a", "text": text])
        let outcome = try Program.run(["run", "--quiet"] + arguments, input: Array(line) + [0x0A])
        let record = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
        return record?["triage"] as? [String: Any]
    }
}
