import Testing
import TriageCore

@testable import TriageLLM

private func verdict(using numbers: inout SeededNumbers) -> MessageVerdict {
    let kinds: [UrgencyAnswer.Kind] = [
        .none, .selfHarm, .threat, .account, .impersonation, .legal, .deadline, .other,
    ]
    let category = Category.allCases.randomElement(using: &numbers) ?? .fan
    var verdict = MessageVerdict(
        category: category, sentiment: Sentiment.allCases.randomElement(using: &numbers) ?? .neutral,
        intensity: Float.random(in: 0...1, using: &numbers), isUrgent: Bool.random(using: &numbers),
        urgencyKind: kinds.randomElement(using: &numbers) ?? .none, steersReader: Bool.random(using: &numbers),
        faq: ["camera", "with \"quotes\"", nil].randomElement(using: &numbers) ?? nil)
    if category == .business {
        verdict.offer = OfferVerdict(
            amount: [nil, 0.1, 1e16, 2_500].randomElement(using: &numbers) ?? nil,
            currency: [nil, Currency("EUR")].randomElement(using: &numbers) ?? nil,
            pay: OfferVerdict.Pay.allCases.randomElement(using: &numbers) ?? .none,
            fit: OfferVerdict.Fit.allCases.randomElement(using: &numbers) ?? .off,
            deadlineDay: [nil, 0, -3, 20_778].randomElement(using: &numbers) ?? nil,
            deadlineIsReply: Bool.random(using: &numbers),
            signs: OfferVerdict.Signs(rawValue: Int.random(in: 0..<512, using: &numbers)))
    }
    return verdict
}

@Suite struct `Kept verdicts` {
    @Test(arguments: 0..<200)
    func `a verdict that is kept reads back as it was`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let verdict = verdict(using: &numbers)
        #expect(MessageVerdict(kept: verdict.kept, candidates: ["camera", "with \"quotes\""]) == verdict)
    }

    @Test
    func `a verdict is kept in these words`() {
        let verdict = MessageVerdict(
            category: .business, sentiment: .neutral, intensity: 0.3, isUrgent: true, urgencyKind: .deadline,
            faq: "rates",
            offer: OfferVerdict(
                amount: 800, currency: Currency("USD"), pay: .creatorPays, fit: .core, deadlineDay: 20_778,
                deadlineIsReply: true, signs: [.company, .secrecy]))
        #expect(
            String(decoding: verdict.kept, as: UTF8.self) == """
                {"v":1,"category":"business","sentiment":"neutral","intensity":0.3,"urgent":true,"urgency":"deadline",\
                "steers":false,"faq":"rates","offer":{"amount":800.0,"currency":"USD","pay":"creator_pays",\
                "fit":"core","due":20778,"reply":true,"signs":257}}
                """)
    }

    @Test(arguments: 0..<300)
    func `an entry with any byte changed is no verdict or another sound one, and never a crash`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var bytes = verdict(using: &numbers).kept
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: place)
        default: bytes.removeLast(bytes.count - place)
        }
        guard let read = MessageVerdict(kept: bytes, candidates: ["camera", "with \"quotes\""]) else { return }
        #expect((0...1).contains(read.intensity))
        #expect(read.offer == nil || read.category == .business)
        #expect(read.kept == bytes)
    }

    @Test(arguments: [
        ("", "nothing"), ("{}", "an empty object"), ("null", "null"),
        (
            #"{"v":2,"category":"fan","sentiment":"neutral","intensity":0.0,"urgent":false,"urgency":"none","steers":false,"faq":null,"offer":null}"#,
            "another version"
        ),
        (
            #"{"v":1,"category":"vip","sentiment":"neutral","intensity":0.0,"urgent":false,"urgency":"none","steers":false,"faq":null,"offer":null}"#,
            "an unknown label"
        ),
        (
            #"{"v":1,"category":"fan","sentiment":"neutral","intensity":1.5,"urgent":false,"urgency":"none","steers":false,"faq":null,"offer":null}"#,
            "too strong"
        ),
        (
            #"{"v":1,"category":"fan","sentiment":"neutral","intensity":1e999,"urgent":false,"urgency":"none","steers":false,"faq":null,"offer":null}"#,
            "infinite"
        ),
        (
            #"{"v":1,"category":"fan","sentiment":"neutral","intensity":0.0,"urgent":false,"urgency":"none","steers":false,"faq":"other","offer":null}"#,
            "an entry that was not offered"
        ),
        (
            #"{"v":1,"category":"fan","sentiment":"neutral","intensity":0.0,"urgent":false,"urgency":"none","steers":false,"faq":null,"offer":{"amount":null,"currency":null,"pay":"none","fit":"off","due":null,"reply":false,"signs":0}}"#,
            "an offer of a fan"
        ),
        (
            #"{"v":1,"category":"business","sentiment":"neutral","intensity":0.0,"urgent":false,"urgency":"none","steers":false,"faq":null,"offer":{"amount":-1.0,"currency":null,"pay":"none","fit":"off","due":null,"reply":false,"signs":0}}"#,
            "a negative sum"
        ),
        (
            #"{"v":1,"category":"business","sentiment":"neutral","intensity":0.0,"urgent":false,"urgency":"none","steers":false,"faq":null,"offer":{"amount":null,"currency":null,"pay":"none","fit":"off","due":99999999999,"reply":false,"signs":0}}"#,
            "a day beyond all days"
        ),
        (
            #"{"v":1, "category":"fan","sentiment":"neutral","intensity":0.0,"urgent":false,"urgency":"none","steers":false,"faq":null,"offer":null}"#,
            "written by somebody else"
        ),
        (
            #"{"v":1,"category":"fan","sentiment":"neutral","intensity":0.0,"urgent":false,"urgency":"none","steers":false,"faq":3,"offer":null}"#,
            "a number for an id"
        ),
    ])
    func `an entry that is not ours is none`(entry: String, name: String) {
        #expect(MessageVerdict(kept: Array(entry.utf8), candidates: ["camera"]) == nil)
    }
}
