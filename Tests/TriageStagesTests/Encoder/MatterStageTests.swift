import ShippedEncoder
import ShippedLanguages
import Testing
import TriageCore

@testable import TriageStages

struct MatterStageTests {
    /// What the stage says of a business message of which the rules found nothing.
    private static func matter(
        _ text: String, excluded: [String] = [], category: TriageCore.Category = .business,
        change: (inout Record) -> Void = { _ in }
    ) -> MatterAnswer? {
        var batch = TextBatch.make([text])
        batch.records[0].category = CategoryAnswer(
            label: category, scores: [0.04, 0.94, 0.02, 0], level: .high, by: .categoryModel, because: 0..<0)
        batch.records[0].sentiment = SentimentAnswer(
            label: .neutral, confidence: 0.8, level: .high, intensity: 0.2, by: .sentimentModel, because: 0..<0)
        batch.records[0].urgency = UrgencyAnswer(
            isUrgent: false, score: 0.1, kind: .none, by: .urgencyModel, because: 0..<0)
        batch.records[0].facts.points.brandFit = 24
        batch.records[0].facts.points.legitimacy = 10
        change(&batch.records[0])
        var profile = CreatorProfile()
        (profile.excludedTopics, profile.niches) = (excluded, ["pottery"])
        SentenceStage().annotate(&batch)
        MatterStage(rules: RuleSet(), profile: profile).annotate(&batch)
        return batch.records[0].matter
    }

    @Test(arguments: [
        (
            "We would like to pay you 2,000 EUR for a sponsored video about our new kettle. Rates and dates to be agreed.",
            Matter.deal
        ),
        (
            "Join our affiliate programme: you earn 12 % on every sale with your own code, there is no fixed fee.",
            .commission
        ),
        ("We'd send you our new tent for free if you post a story and a reel about it.", .gift),
        ("How much do you charge for a reel and three stories?", .rates),
        ("Ich bin Redakteurin beim Radio und würde gern ein Interview mit Ihnen führen.", .press),
        ("Nos gustaría invitarte a dar una charla en nuestro festival en mayo.", .event),
        (
            "Hi, I'm a manager at Northfold Talent. We represent twelve creators in your field and would like to represent you for brand work, exclusively, for 20 % commission. Can we talk this week?",
            .represent
        ),
        ("Sua nota fiscal de março ainda não foi paga porque faltam os dados bancários.", .invoice),
        (
            "Could we print your photograph in our magazine, with your name under it? What would a licence cost?",
            .licence
        ),
    ])
    func `what a business message is about is read in any words`(text: String, kind: Matter) throws {
        let matter = try #require(Self.matter(text))
        #expect(matter.kind.answered == kind.answered, "\(matter)")
        #expect(matter.probability > 0.3 && matter.probability <= 1)
        #expect(matter.excluded < 0.15)
    }

    @Test(arguments: [
        (
            "gambling and betting",
            "LuckyRun is a sportsbook with slots and live odds. We pay 4,000 EUR for two stories with our bonus code."
        ),
        (
            "crypto and trading",
            "Hola, somos una plataforma para invertir en bitcoin y otras monedas. Te pagamos 1.500 EUR por un reel y dos historias en las que abras una cuenta con tu enlace."
        ),
    ])
    func `an excluded topic is found in other words and languages, and only by whom it excludes`(
        topic: String, text: String
    ) throws {
        #expect(try #require(Self.matter(text, excluded: ["fur", topic])).excluded >= 0.3)
        #expect(try #require(Self.matter(text, excluded: ["fur"])).excluded < 0.15)
        #expect(try #require(Self.matter(text)).excluded < 0.15)
    }

    /// What they sell, an offer that does not say it, and a harmless one with the same words.
    private static let disguised: [(String, String, String)] = [
        (
            "gambling",
            "Hey! Call the scorers for Saturday's matches with TipStreet, build your slip and take the win home the same evening. We'd pay 2,500 EUR for one reel plus 30 EUR for each follower who tops up the first time.",
            "Hey! TipStreet prints tip sheets for referees of youth football. We'd pay 2,500 EUR for one reel about our whistle and card set on Saturday's matches."
        ),
        (
            "Alkohol",
            "Moin, wir füllen im Hunsrück eine trockene Quitte mit 38 Umdrehungen in kleine Flaschen ab, für den Abend am Kamin. Für ein Reel mit unserem Probierset vor Weihnachten zahlen wir 900 €.",
            "Moin, wir kochen im Hunsrück Quitte und Mirabelle zu Fruchtaufstrich ein, in kleinen Kesseln. Für ein Reel mit unserem Probierset vor Weihnachten zahlen wir 900 €."
        ),
        (
            "vapes and tobacco",
            "We make pocket-size clouds in mango and mint for grown-ups, 600 puffs, no charger needed. 1,200 GBP for a story set where you take one out on your break.",
            "We make pocket-size desk fans in mango and mint green that run for six hours on a charge. 1,200 GBP for a story set from your studio."
        ),
    ]

    @Test(arguments: disguised)
    func `an excluded topic is found where its word is avoided, and not in harmless offers`(
        topic: String, text: String, harmless: String
    ) throws {
        #expect(try #require(Self.matter(text, excluded: ["fur", topic])).excluded >= 0.3)
        #expect(try #require(Self.matter(text, excluded: ["fur"])).excluded < 0.15)
        #expect(try #require(Self.matter(harmless, excluded: ["fur", topic])).excluded < 0.3)
    }

    @Test(arguments: TopicHeads.topics)
    func `every topic that the encoder knows is one of the language files`(topic: String) {
        var profile = CreatorProfile()
        let named = ShippedLanguages.entries(of: "topics").first { $0.key == "\(topic).named" }
        profile.excludedTopics = named?.values.first.map { [$0] } ?? []
        #expect(CreatorWords.excludedTopics(of: profile).contains(topic))
    }

    @Test func `nothing is said of what is no business, and of what nobody answered`() {
        #expect(Self.matter("How much is a reel?", category: .fan) == nil)
        #expect(Self.matter("How much is a reel?", category: .spam) == nil)
        #expect(Self.matter("How much is a reel?") { $0.sentiment = nil } == nil)
        #expect(Self.matter("12345") == nil)
    }

    @Test func `a file that is no table of weights is refused`() {
        let file = shipped_matter_heads
        let bytes = Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count))
        #expect(MatterHeads(bytes) != nil)
        #expect(MatterHeads([]) == nil)
        #expect(MatterHeads(Array(bytes.dropLast())) == nil)
        #expect(MatterHeads(bytes + [0]) == nil)
        #expect(MatterHeads([0] + bytes.dropFirst()) == nil)
    }
}
