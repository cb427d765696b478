import Testing
import TriageCore

struct RuleSetCodingTests {
    private static var rules: RuleSet {
        var feeds = Feeds()
        feeds.category = SIMD4(-0.5, 1.25, 2, 0)
        feeds.feedsCategory = true
        feeds.urgent = 0.75
        feeds.danger = 3.5
        feeds.injection = -1
        feeds.positive = 1
        feeds.negative = 2
        feeds.feedsSentiment = true
        feeds.modifier = .intensifier
        feeds.scale = 1.4
        feeds.facts = 1 << 26
        feeds.urgencyKind = .legal
        var biases = RuleBiases()
        biases.category = SIMD4(0.5, -1, 0.25, 0)
        biases.urgent = -2.5
        biases.danger = -6.5
        return RuleSet(
            signals: [
                Signal(
                    name: "spam.prize", why: "Prizes nobody entered for.", languages: ["en", "es"], onlyIn: ["de"],
                    trigger: .patterns([
                        Pattern(kind: .word, text: "you won", file: "a.yaml", line: 4),
                        Pattern(kind: .literal, text: "🎁", file: "a.yaml", line: 5),
                        Pattern(kind: .regex, text: "[0-9]{4} usd", file: "a.yaml", line: 6),
                    ]),
                    feeds: feeds, repeatLimit: 3, examples: Signal.Examples(match: ["You WON"], noMatch: ["won't"]),
                    place: "a.yaml:3"),
                Signal(
                    name: "look.caps", why: "", trigger: .detector("shape.caps"), feeds: Feeds(), place: "b.yaml:1"),
                Signal(
                    name: "both", why: "é", trigger: .composite(all: ["spam.prize"], any: ["look.caps"], none: ["x"]),
                    near: 60, feeds: Feeds(), place: "b.yaml:9"),
            ], biases: biases,
            kinds: [
                OfferKind(
                    id: "hire", why: "Hires.", signals: ["both"], facts: 1 << 3, unless: 1 << 7, isWithoutBudget: true,
                    isOffer: false, pay: 16, takesHints: false, fit: 8, reply: "business.rates", asks: ["fee", "date"]),
                OfferKind(id: "plain"),
            ], digest: "0123456789ab")
    }

    @Test func `comes back as it went in`() {
        #expect(RuleSet(encoded: Self.rules.encoded()) == Self.rules)
        #expect(RuleSet(encoded: RuleSet().encoded()) == RuleSet())
    }

    @Test func `refuses every cut`() {
        let bytes = Self.rules.encoded()
        for count in 0..<bytes.count { #expect(RuleSet(encoded: Array(bytes[..<count])) == nil) }
    }

    @Test func `refuses every damaged byte`() {
        let bytes = Self.rules.encoded()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x41
            #expect(RuleSet(encoded: damaged) == nil)
        }
    }

    /// With the checksum made right again the reader itself must hold: nothing is trusted.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `survives damage that the checksum does not show`(seed: UInt64) {
        let bytes = Self.rules.encoded()
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
        }
        var refused = 0
        for _ in 0..<4000 {
            var body = Array(bytes.dropLast(8))
            for _ in 0...random(4) { body[random(body.count)] = UInt8(random(256)) }
            if random(3) == 0 { body.removeLast(random(body.count)) }
            let sum = TextFolder.hash(body)
            withUnsafeBytes(of: sum.littleEndian) { body.append(contentsOf: $0) }
            if RuleSet(encoded: body) == nil { refused += 1 }
        }
        #expect(refused > 1000)
    }

    @Test func `refuses another version`() {
        var body = Array(Self.rules.encoded().dropLast(8))
        body[4] &+= 1
        let sum = TextFolder.hash(body)
        withUnsafeBytes(of: sum.littleEndian) { body.append(contentsOf: $0) }
        #expect(RuleSet(encoded: body) == nil)
    }
}
