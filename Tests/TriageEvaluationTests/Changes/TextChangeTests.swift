import Testing

@testable import TriageEvaluation

/// Which records a change applies to, and what it puts in.
struct TextChangeTests {
    private static let same: [EvaluatedQuestion: TextChange.Wanted] = [
        .category: .same, .sentiment: .same, .urgent: .same,
    ]

    private static func gold(_ category: UInt8 = 0, sentiment: UInt8 = 2, urgent: UInt8 = 0) -> Gold {
        var gold = Gold()
        (gold.category, gold.sentiment, gold.urgent) = (category, sentiment, urgent)
        return gold
    }

    private static func subject(
        _ text: String = "hello there", id: String = "r1", language: String = "", handle: String? = nil,
        name: String? = nil, gold: Gold = gold()
    ) -> ChangeSubject {
        ChangeSubject(
            id: id, text: text, language: language, sender: ChangeSender(handle: handle, name: name), gold: gold)
    }

    private static func insertion(
        _ texts: [String: [String]], heldOut: [String: [String]] = [:], place: TextChange.Place = .after,
        join: String = " ", condition: TextChange.Condition = TextChange.Condition()
    ) -> TextChange {
        TextChange(
            id: "c", work: .insertion(place: place, join: join, texts: texts, heldOut: heldOut), expected: same,
            condition: condition)
    }

    @Test(
        arguments: [
            (.after, " ", "X", "hello there X"), (.before, "\n", "X", "X\nhello there"),
            (.wrap, " ", "<{text}>", "<hello there>"), (.after, "", "X", "hello thereX"),
        ] as [(TextChange.Place, String, String, String)])
    func `a text goes to its place`(place: TextChange.Place, join: String, text: String, changed: String) {
        let change = Self.insertion(["any": [text]], place: place, join: join)
        #expect(change.changed(Self.subject(), for: .measuring) == changed)
    }

    @Test func `a message that looks like a placeholder stays what it is`() {
        let change = Self.insertion(["any": ["\"{text}\""]], place: .wrap)
        #expect(change.changed(Self.subject("a {text} {handle}"), for: .training) == "\"a {text} {handle}\"")
    }

    @Test(arguments: [
        ("en", ["english", "all"]), ("pt-BR", ["brazil", "all"]), ("pt", ["portuguese", "all"]),
        ("pt-PT", ["portuguese", "all"]), ("PT_br", ["brazil", "all"]), ("xx", ["all"]), ("", ["all"]),
        ("hi", ["all"]), ("hi-Latn", ["latin", "all"]),
    ])
    func `the words are of the language of the record`(language: String, texts: [String]) {
        let lists = [
            "en": ["english"], "pt": ["portuguese"], "pt-BR": ["brazil"], "hi-Latn": ["latin"], "any": ["all"],
        ]
        #expect(ChangeText.candidates(lists, language: language) == texts)
    }

    @Test func `without words for its language a record is not changed`() {
        let change = Self.insertion(["de": ["Hallo"]])
        #expect(change.changed(Self.subject(language: "en"), for: .measuring) == nil)
        #expect(change.changed(Self.subject(language: "de-AT"), for: .measuring) == "hello there Hallo")
    }

    @Test(
        arguments: [
            ("@TechBrand.io", nil, "TechBrand.io", "techbrand", nil),
            ("müller_foto", "Jörg M", nil, "mullerfoto", "Jörg"),
            (nil, "Ana María Ruiz", nil, "anamariaruiz", "Ana"), ("a", "B2", nil, nil, nil),
            ("has blank", "X-Ray 5", nil, "hasblank", nil), ("evil\"\n{text}", nil, nil, "eviltext", nil),
            (nil, nil, nil, nil, nil),
        ] as [(String?, String?, String?, String?, String?)])
    func `a sender's words are used in a form that can stand in a text`(
        handle: String?, name: String?, plain: String?, company: String?, first: String?
    ) {
        let sender = ChangeSender(handle: handle, name: name)
        #expect(sender.handle == plain)
        #expect(sender.company == company)
        #expect(sender.first == first)
    }

    @Test func `a text that names what the record lacks is passed over`() {
        let change = Self.insertion(["any": ["www.{company}.com by {first}", "plain"]])
        let all = (0..<50).map { change.changed(Self.subject(id: "\($0)"), for: .measuring) }
        #expect(Set(all) == ["hello there plain"])
        let named = Set(
            (0..<50).map {
                change.changed(Self.subject(id: "\($0)", handle: "acme.co", name: "Kim Lee"), for: .measuring)
            })
        #expect(named == ["hello there plain", "hello there www.acme.com by Kim"])
        #expect(Self.insertion(["any": ["{handle}"]]).changed(Self.subject(), for: .measuring) == nil)
    }

    @Test func `held-out texts are measured with and never trained with`() {
        let change = Self.insertion(["any": ["a", "b"]], heldOut: ["any": ["c", "d"]])
        func texts(_ purpose: ChangePurpose) -> Set<String?> {
            Set((0..<60).map { change.changed(Self.subject(id: "\($0)"), for: purpose) })
        }
        #expect(texts(.training) == ["hello there a", "hello there b"])
        #expect(texts(.measuring) == ["hello there c", "hello there d"])
        #expect(Self.insertion(["any": ["a"]]).changed(Self.subject(), for: .measuring) == "hello there a")
    }

    private static func only(
        _ categories: [UInt8] = [], sentiments: [UInt8] = [], urgent: [UInt8] = [], languages: [String] = [],
        least: Int = 1
    ) -> TextChange.Condition {
        var condition = TextChange.Condition()
        condition.categories = categories
        condition.sentiments = sentiments
        condition.urgent = urgent
        condition.languages = languages
        condition.leastCharacters = least
        return condition
    }

    /// Conditions, and whether a neutral, calm message of a fan, of 11 characters in `pt-BR`, meets them.
    @Test(
        arguments: [
            (only([0]), true), (only([1, 2]), false), (only(sentiments: [2]), true), (only(sentiments: [0]), false),
            (only(urgent: [1]), false), (only(languages: ["pt"]), true), (only(languages: ["pt-PT", "en"]), false),
            (only(least: 11), true), (only(least: 12), false),
        ] as [(TextChange.Condition, Bool)])
    func `conditions leave records out`(condition: TextChange.Condition, applies: Bool) {
        let change = Self.insertion(["any": ["x"]], condition: condition)
        #expect((change.changed(Self.subject(language: "pt-BR"), for: .measuring) != nil) == applies)
    }

    @Test func `an unlabelled record meets no condition on labels, and a spam flag is a category`() {
        var gold = Gold()
        let change = Self.insertion(["any": ["x"]], condition: Self.only([2]))
        #expect(!change.applies(to: Self.subject(gold: gold)))
        gold.spam = 1
        #expect(change.applies(to: Self.subject(gold: gold)))
        gold.spam = 0
        #expect(!change.applies(to: Self.subject(gold: gold)))
        #expect(Self.insertion(["any": ["x"]]).applies(to: Self.subject(gold: Gold())))
    }

    @Test(arguments: ["", "  \n"])
    func `an empty message is not changed`(text: String) {
        #expect(Self.insertion(["any": ["x"]]).changed(Self.subject(text), for: .training) == nil)
    }

    @Test func `an operation that leaves the text as it is does not apply`() {
        let change = TextChange(id: "l", work: .operation(.lowercase), expected: Self.same)
        #expect(change.changed(Self.subject("lower"), for: .measuring) == nil)
        #expect(change.changed(Self.subject("Lower"), for: .measuring) == "lower")
    }

    // MARK: Copies

    private static let list = ChangeList(
        changes: ["a", "b", "c", "d"].map { id in
            TextChange(
                id: id, work: .insertion(place: .after, join: " ", texts: ["any": [id]], heldOut: ["any": ["H"]]),
                expected: same)
        } + [TextChange(id: "way", work: .operation(.quote), expected: [.urgent: .label(1)])])

    @Test func `copies begin with different changes, one in three has two, and directions are left out`() {
        var pairs = 0
        for number in 0..<300 {
            let copies = ChangedCopies.of(Self.subject(id: "r\(number)"), by: Self.list, count: 2)
            #expect(copies.count == 2 && copies[0].changes[0] != copies[1].changes[0])
            for copy in copies {
                #expect(copy.id == "r\(number)+" + copy.changes.joined(separator: "+"))
                #expect(copy.text == "hello there " + copy.changes.joined(separator: " "))
                #expect(Set(copy.changes).count == copy.changes.count && !copy.changes.contains("way"))
                if copy.changes.count == 2 { pairs += 1 }
            }
        }
        #expect((140...260).contains(pairs), "\(pairs) of 600")
        #expect(ChangedCopies.of(Self.subject(), by: Self.list, count: 9).count == 4)
    }

    @Test func `a record has the same copies whatever else is asked`() {
        let two = ChangedCopies.of(Self.subject(), by: Self.list, count: 2)
        #expect(Array(ChangedCopies.of(Self.subject(), by: Self.list, count: 4).prefix(2)) == two)
        #expect(
            ChangedCopies.of(Self.subject(), by: ChangeList(changes: Self.list.changes.reversed()), count: 2) == two)
    }

    @Test(arguments: [
        ("r1+a", ["a"], "r1"), ("x+y+a+b", ["a", "b"], "x+y"), ("odd", ["a"], "odd"), ("r1+edited", ["a"], "r1"),
        ("+a", ["a"], ""),
    ])
    func `a copy names its original`(id: String, changes: [String], original: String) {
        #expect(CopyName.original(of: id, changes) == original)
    }
}
