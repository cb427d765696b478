import Testing
import TriageCore

@testable import TriageStages

struct SignalDetectionStageTests {
    @Test(arguments: [
        ("shape.question", "how are you?"), ("shape.question", "¿qué tal"), ("shape.short", "so good"),
        ("shape.short", "最高です"),
        ("shape.short", "🔥🔥🔥"),
        ("shape.long", String(repeating: "word ", count: 120)), ("shape.caps", "THIS IS ALL CAPS"),
        ("shape.exclamations", "wow!!!"),
        ("shape.emoji-many", "🔥🔥🔥 nice"), ("shape.emoji-only", "🔥"), ("shape.hidden", "w\u{200B}in"),
        ("shape.mixed-script", "рrize today"),
        ("shape.fancy-letters", "𝐅𝐑𝐄𝐄 stuff"), ("shape.paragraphs", "a\n\nb\n\nc"),
        ("shape.paragraphs", "one\ntwo\nthree"),
        ("shape.signature", "hello there\n\nBest regards,\nJane"), ("shape.signature", "hello\n– Bram, marketing"),
        ("shape.signature", "hi\nJürgen Lindner, Programmleitung"),
        ("shape.mention", "thanks @maya"), ("shape.long-number", "code 123456"), ("shape.lowercase-start", "hey you"),
        ("shape.first-person", "I love it"), ("shape.first-person", "mein Lieblingsvideo"),
        ("shape.first-person", "я люблю"), ("shape.first-person", "私は好き"),
        ("link.any", "see brand.example"), ("link.short", "https://bit.ly/x1"), ("email.free", "me@gmail.com"),
        ("email.company", "me@brand.example"),
        ("phone.number", "+44 20 7946 0958"), ("money.amount", "$500"), ("money.large", "win $1,000,000"),
        ("money.percent", "15 % off"),
        ("deadline.any", "reply by 2026-10-03"), ("date.any", "on 3 October"),
        ("deadline.48h", "answer within 24 hours"), ("deadline.week", "reply within 5 days"),
        ("creator.name", "hi Maya"), ("creator.names-work", "I loved First Reps"),
        ("creator.names-work", "\"first reps\" is great"),
        ("creator.names-work", "trained like a postwoman"), ("creator.niche", "my strength training"),
        ("creator.niche", "home workout ideas"),
        ("creator.niche", "your mixing"), ("creator.excluded", "our casino bonus"), ("creator.excluded", "a detox tea"),
        ("creator.excluded", "gin and tonic"), ("creator.excluded", "it answers any homework question"),
        ("creator.excluded", "our app lets people pay in 4"), ("creator.excluded", "le paiement en 4 fois"),
    ])
    func `finds what the text shows`(detector: String, text: String) {
        #expect(DetectionSample(text: text).detectors.contains(detector))
    }

    @Test(arguments: [
        ("shape.question", "fine."), ("shape.short", "four words are here"),
        ("shape.short", "お仕事の依頼です。よろしくお願いします"), ("shape.emoji-only", "最高です🔥"), ("shape.emoji-only", "สวยมาก 😍"),
        ("shape.caps", "NASA ok"),
        ("shape.emoji-only", "🔥 a"), ("shape.hidden", "👩‍👩‍👧 family"),
        ("shape.mention", "a@b.example"), ("shape.lowercase-start", "Hey you"), ("shape.lowercase-start", "Привет"),
        ("shape.first-person", "you rock"),
        ("shape.signature", "hello"),
        ("shape.signature", "see you\nwhen it rains and the sun is out of sight for all of the week and more"),
        ("creator.names-work", "the first time I did reps"), ("creator.names-work", "we sell adjustable dumbbells"),
        ("creator.niche", "my training"),
        ("creator.excluded", "who plays there"), ("creator.excluded", "nice places"),
        ("creator.excluded", "my homework is done"), ("creator.excluded", "they have good services"),
        ("creator.excluded", "pay in the shop, we are 4"), ("creator.excluded", "we are 18 and like it"),
        ("creator.name", "the mayan ruins"), ("money.large", "$500"),
        ("deadline.any", "on 3 October 2026 we met"), ("phone.number", "2026-10-03"),
    ])
    func `does not find what is not there`(detector: String, text: String) {
        #expect(!DetectionSample(text: text).detectors.contains(detector))
    }

    @Test(arguments: [
        ("sender.verified", DetectionSample(text: "x", isVerified: true)),
        ("sender.followers-10k", DetectionSample(text: "x", followers: 10_000)),
        ("sender.followers-mid", DetectionSample(text: "x", followers: 9_999)),
        ("sender.followers-low", DetectionSample(text: "x", followers: 0)),
        ("sender.email", DetectionSample(text: "x", handle: "a.b@brand.example")),
        ("email.company", DetectionSample(text: "x", handle: "A.B@Brand.example")),
        ("email.free", DetectionSample(text: "x", handle: "ab@gmail.com")),
        ("sender.handle-digits", DetectionSample(text: "x", handle: "user1234")),
        ("sender.handle-official", DetectionSample(text: "x", handle: "Meta.Support.Team")),
        ("sender.handle-brand", DetectionSample(text: "x", handle: "nord.studio")),
        ("sender.handle-brand", DetectionSample(text: "x", handle: "x", name: "Fern & Co")),
        ("sender.no-reply", DetectionSample(text: "x", handle: "no-reply@shop.example")),
        ("sender.impersonates", DetectionSample(text: "x", handle: "maya.adeyemiholt_")),
        ("sender.impersonates", DetectionSample(text: "x", handle: "mayaadeyemih0lt")),
        ("sender.impersonates", DetectionSample(text: "x", handle: "maya_adeyemi_holt.vip")),
        ("sender.impersonates", DetectionSample(text: "x", handle: "maya.adeyemihoIt")),
    ])
    func `finds what the sender shows`(detector: String, sample: DetectionSample) {
        #expect(sample.detectors.contains(detector))
    }

    @Test(arguments: [
        ("sender.impersonates", DetectionSample(text: "x", handle: "maya.adeyemiholt")),
        ("sender.impersonates", DetectionSample(text: "x", handle: "@Maya.AdeyemiHolt")),
        ("sender.impersonates", DetectionSample(text: "x", handle: "maya.jones")),
        ("sender.email", DetectionSample(text: "x", handle: "@handle")),
        ("sender.handle-brand", DetectionSample(text: "x", handle: "nicolas")),
        ("sender.followers-low", DetectionSample(text: "x")),
        ("sender.verified", DetectionSample(text: "x", isVerified: false)),
    ])
    func `does not suspect a sender without reason`(detector: String, sample: DetectionSample) {
        #expect(!sample.detectors.contains(detector))
    }

    @Test(arguments: [
        ("Budget is $5,000 for two reels", 5000.0, "$5,000"), ("Wir bieten 1.200 € Honorar", 1200, "1.200 €"),
        ("𝐁𝐮𝐝𝐠𝐞𝐭: 💰 €800 ok", 800, "€800"),
        ("Offer: £4,000 sync + £1,500 for the master", 5500, "£4,000 sync + £1,500"),
        ("we pay 300 now, budget is $2k in all", 2000, "$2k"),
    ])
    func `chooses the offer and places it in the text as it was written`(text: String, amount: Double, quote: String)
        throws
    {
        let budget = try #require(DetectionSample(text: text).facts.budget)
        #expect(budget.amount == amount)
        #expect(String(decoding: Array(text.utf8)[Int(budget.start)..<Int(budget.end)], as: UTF8.self) == quote)
    }

    @Test(arguments: [
        "you only pay $35 for shipping", "worth $400", "top girls earn $5,000", "our invoice of $640 was due",
        "15% commission",
    ])
    func `takes no price, worth or income for an offer`(text: String) {
        #expect(DetectionSample(text: text).facts.budget == nil)
    }

    @Test func `gathers tags, and places of the deadline`() {
        var feeds = Feeds()
        feeds.facts = 1 << UInt64(FactTag.contract.rawValue)
        let rule = Signal(name: "x.link", why: "", trigger: .detector("link.any"), feeds: feeds, place: "test:1")
        let sample = DetectionSample(text: "¡Ojo! reply by 2026-10-03, see brand.example", sentAt: 1_790_856_000)
        let facts = sample.batch(DetectionSample.rules([rule])).records[0].facts
        #expect(facts.has(.contract))
        #expect(facts.deadlineIsReply)
        #expect(facts.deadlineHours == 53)
        #expect(
            String(decoding: Array(sample.text.utf8)[Int(facts.deadlineStart)..<Int(facts.deadlineEnd)], as: UTF8.self)
                == "2026-10-03")
    }

    @Test(arguments: [
        "", " ", "\u{0}", "\u{200B}", "é", "🔥", "1", "$", "@", ".", "a\u{301}", "\u{202E}abc",
        String(repeating: "\u{E0041}", count: 500),
        String(repeating: "a", count: 200_000), String(repeating: "$1 @a.b 3 Oct 明日 ", count: 4000), "ﷺﷺﷺ 5",
        "مرحبا $5 غدا",
    ])
    func `gives the same facts twice for any text`(text: String) {
        let sample = DetectionSample(text: text, handle: text, name: text, followers: .max, sentAt: .max)
        let first = sample.batch()
        let second = sample.batch()
        #expect(first.hits == second.hits)
        #expect(first.records[0].facts.points == second.records[0].facts.points)
    }

    @Test func `keeps the hits of records in order and apart`() {
        var batch = DetectionSample(text: "hi $500?").batch()
        let one = batch.records[0]
        batch.records = [one, Record(), one]
        batch.records[0].hits = 0..<0
        batch.records[2].hits = 0..<0
        batch.hits = []
        SignalDetectionStage(rules: DetectionSample.rules(), profile: CreatorProfile(), settings: Settings()).annotate(
            &batch)
        #expect(batch.records[0].hits.lowerBound == 0)
        #expect(batch.records[1].hits.isEmpty)
        #expect(batch.records[2].hits.upperBound == batch.hits.count)
        #expect(batch.hits[batch.records[0].hits].map(\.signal) == batch.hits[batch.records[2].hits].map(\.signal))
    }
}
