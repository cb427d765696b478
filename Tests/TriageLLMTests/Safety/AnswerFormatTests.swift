import Testing
import TriageCore
import TriageLLM

@Suite struct `Answers` {
    let format = AnswerFormat(fields: .all, aliases: FAQAliases(Trust.library))

    static func item(_ changes: [JSONMember] = [], without key: String? = nil) -> JSONValue {
        let base: [JSONMember] = [
            .init("id", .string("m1")), .init("c", .string("business")), .init("s", .string("neutral")),
            .init("i", .number("3")), .init("u", .string("no")), .init("inj", .bool(false)), .init("faq", .null),
            .init("o", .null),
        ]
        let changed = Set(changes.map(\.key))
        return .object(base.filter { !changed.contains($0.key) && $0.key != key } + changes)
    }

    static func offer(_ changes: [JSONMember] = []) -> JSONMember {
        let base: [JSONMember] = [
            .init("pay", .string("money")), .init("amt", .number("400")), .init("cur", .string("eur")),
            .init("fit", .string("core")), .init("due", .string("2026-02-28")), .init("rep", .bool(true)),
            .init("signs", .array([.string("company"), .string("fee")])),
        ]
        let changed = Set(changes.map(\.key))
        return .init("o", .object(base.filter { !changed.contains($0.key) } + changes))
    }

    func read(_ items: [JSONValue], offered: [String] = ["wheel"]) -> AnswerReading {
        format.read(.object([.init("a", .array(items))]), candidates: ["m1": offered])
    }

    @Test func `a sound answer is read whole`() throws {
        let reading = read([Self.item([.init("c", .string(" Business\n")), .init("faq", .string("Q1")), Self.offer()])])
        let verdict = try #require(reading.verdicts["m1"]).get()
        #expect(verdict.category == .business && verdict.faq == "wheel" && abs(verdict.intensity - 0.3) < 1e-6)
        let offer = try #require(verdict.offer)
        #expect(offer.amount == 400 && offer.currency?.code == "EUR" && offer.deadlineIsReply)
        #expect(offer.deadlineDay == 20_512 && offer.signs == [.company, .asksFee])
        #expect(reading.faults.isEmpty && reading.unknownIDs == 0 && reading.extraKeys == 0)
    }

    static let bad: [(String, JSONValue, CallFailure.BadOutput)] = [
        ("label", item([.init("c", .string("business (urgent)"))]), .outOfRange),
        ("no label", item(without: "c"), .wrongSchema),
        ("number for label", item([.init("c", .number("1"))]), .wrongSchema),
        ("intensity", item([.init("i", .number("12"))]), .outOfRange),
        ("not whole", item([.init("i", .number("5.5"))]), .wrongSchema),
        ("infinite", item([.init("i", .number("1e999"))]), .wrongSchema),
        ("nan", item([.init("i", .string("nan"))]), .wrongSchema),
        ("urgency", item([.init("u", .bool(true))]), .wrongSchema),
        ("truth", item([.init("inj", .number("0"))]), .wrongSchema),
        ("not offered", item([.init("faq", .string("q2"))]), .outOfRange),
        ("own id", item([.init("faq", .string("wheel"))]), .outOfRange),
        ("beyond", item([.init("faq", .string("q99999999999999999999"))]), .outOfRange),
        ("fan with offer", item([.init("c", .string("fan")), offer()]), .contradictory),
        ("amount", item([offer([.init("amt", .number("1e13"))])]), .outOfRange),
        ("negative", item([offer([.init("amt", .number("-5"))])]), .outOfRange),
        ("currency", item([offer([.init("cur", .string("euros"))])]), .outOfRange),
        ("day", item([offer([.init("due", .string("2026-02-30"))])]), .outOfRange),
        ("score", item([.init("o", .number("100"))]), .wrongSchema),
        ("signs", item([offer([.init("signs", .array([.string("verified")]))])]), .outOfRange),
        (
            "double key",
            .object([.init("id", .string("m1")), .init("c", .string("fan")), .init("c", .string("spam"))]), .wrongSchema
        ),
    ]

    @Test(arguments: bad.indices)
    func `what is not as asked is a failure with its reason`(index: Int) {
        let (name, item, expected) = Self.bad[index]
        let reading = read([item])
        #expect(reading.verdicts["m1"] == .failure(expected), "\(name)")
        #expect(reading.faults["m1"]?.isEmpty == false, "\(name)")
    }

    @Test(arguments: [("-1", 0), ("11", 1), ("5.0", 0.5), ("1e1", 1)] as [(String, Float)])
    func `an integer one beyond its range is taken for the bound`(written: String, read expected: Float) throws {
        #expect(try read([Self.item([.init("i", .number(written))])]).results["m1"]?.get().intensity == expected)
    }

    @Test func `a worth that is not pay is no amount`() throws {
        let item = Self.item([Self.offer([.init("pay", .string("product"))])])
        #expect(try read([item]).verdicts["m1"]?.get().offer?.amount == nil)
    }

    @Test func `missing, doubled and unknown ids spoil only themselves`() {
        let twice = Self.item([.init("id", .string("m2"))])
        let reading = format.read(
            .object([.init("a", .array([Self.item(), twice, twice, Self.item([.init("id", .string("m9"))])]))]),
            candidates: ["m1": [], "m2": [], "m3": []])
        #expect((try? reading.verdicts["m1"]?.get()) != nil)
        #expect(reading.verdicts["m2"] == .failure(.wrongIDs) && reading.verdicts["m3"] == .failure(.wrongIDs))
        #expect(reading.unknownIDs == 1 && reading.results.count == 3)
    }

    @Test func `alone, an answer may leave the array out`() {
        #expect((try? format.read(Self.item(), candidates: ["m1": []]).verdicts["m1"]?.get()) != nil)
        let two = format.read(Self.item(), candidates: ["m1": [], "m2": []])
        #expect(two.verdicts["m1"] == .failure(.wrongIDs))
    }

    @Test func `any value gives verdicts in range or failures`() {
        var seed = TrustSeed(20_261_121)
        for _ in 0..<20_000 {
            let reading = format.read(Self.anything(&seed, depth: 0), candidates: ["m1": ["wheel"], "m2": []])
            #expect(Set(reading.results.keys) == ["m1", "m2"])
            for (id, result) in reading.verdicts {
                guard case .success(let verdict) = result else { continue }
                #expect((0...1).contains(verdict.intensity))
                #expect(verdict.isUrgent == (verdict.urgencyKind != .none))
                #expect(verdict.faq == nil || id == "m1" && verdict.faq == "wheel")
                #expect(verdict.offer == nil || verdict.category == .business)
                if let amount = verdict.offer?.amount { #expect(amount > 0 && amount <= 1e12) }
                if let day = verdict.offer?.deadlineDay { #expect((10_957...47_846).contains(day)) }
            }
        }
    }

    /// Mostly near an answer, so that many are sound; else anything.
    private static func anything(_ seed: inout TrustSeed, depth: Int) -> JSONValue {
        if depth == 0 {
            let items = (0..<Int.random(in: 0...3, using: &seed)).map { _ in anything(&seed, depth: 1) }
            return Int.random(in: 0...9, using: &seed) == 0
                ? anything(&seed, depth: 3) : .object([.init("a", .array(items))])
        }
        if depth == 1 {
            guard case .object(var members) = item([.init("id", .string(Bool.random(using: &seed) ? "m1" : "m2"))])
            else {
                return .null
            }
            if Bool.random(using: &seed) { members.removeAll { $0.key == "o" }; members.append(offer()) }
            for _ in 0..<Int.random(in: 0...2, using: &seed) {
                let place = Int.random(in: members.indices, using: &seed)
                members[place].value = anything(&seed, depth: 3)
            }
            return .object(members)
        }
        switch Int.random(in: 0...7, using: &seed) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &seed))
        case 2:
            return .number(
                ["0", "7", "-1", "11", "1e308", "1e999", "-0", "9223372036854775808", "0.1"].randomElement(using: &seed)
                    ?? "0")
        case 3, 4:
            return .string(
                ["fan", "spam", "q1", "q2", "no", "legal", "", "\u{0}", "m1", "2026-01-01", "USD", "nan"].randomElement(
                    using: &seed) ?? "")
        case 5 where depth < 6: return .array([anything(&seed, depth: depth + 1)])
        case 6 where depth < 6: return .object([.init("id", anything(&seed, depth: depth + 1))])
        default: return offer().value
        }
    }

    @Test(arguments: [true, false])
    func `the schema keeps to what every provider takes, and asks in the order of the shape`(bounded: Bool) {
        let format = AnswerFormat(fields: .all, aliases: FAQAliases(Trust.library), bounded: bounded)
        func walk(_ value: JSONValue) {
            guard case .object(let members) = value else { return }
            let allowed: Set<String> = [
                "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf",
            ]
            let extra: Set<String> = bounded ? ["minimum", "maximum", "maxLength", "maxItems"] : []
            #expect(members.allSatisfy { allowed.union(extra).contains($0.key) })
            if value["type"] == .string("object") {
                #expect(value["additionalProperties"] == .bool(false))
                guard case .object(let properties)? = value["properties"] else { return }
                #expect(value["required"] == .array(properties.map { .string($0.key) }))
                properties.forEach { walk($0.value) }
            }
            if let items = value["items"] { walk(items) }
            if case .array(let options)? = value["anyOf"] { options.forEach(walk) }
        }
        walk(format.schema.root)
        guard case .object(let item)? = format.schema.root["properties"]?["a"]?["items"]?["properties"] else {
            Issue.record("no items")
            return
        }
        #expect(item.map(\.key) == ["id", "c", "s", "i", "u", "inj", "faq", "o"])
    }

    @Test func `without a library nothing is asked about it`() {
        let format = AnswerFormat(fields: .all)
        #expect(!format.shape.contains("faq") && !format.fields.contains(.faq))
    }

    @Test(arguments: [(JSONValue.null, true), (.string("  "), true), (.string("Hi"), true), (.number("1"), false)])
    func `a draft is text or null`(value: JSONValue, isSound: Bool) {
        for asksWhy in [false, true] {
            let result = DraftFormat(asksWhy: asksWhy).read(.object([.init("d", value)]))
            if case .success = result { #expect(isSound) } else { #expect(!isSound) }
        }
    }

    @Test(
        arguments: [
            (#"{"q":["q2","q1","q2"],"d":"Hi","no":null}"#, ["kit", "wheel"], nil),
            (#"{"q":["q3","Q1",7],"d":"Hi","no":"joke"}"#, [], nil), (#"{"q":null,"d":null,"no":"abuse"}"#, [], .abuse),
            (#"{"d":null,"no":"nonsense"}"#, [], nil),
        ] as [(String, [String], NoDraft?)])
    func `a draft names entries that exist, each once, and says why there is none only where there is none`(
        json: String, entries: [String], none: NoDraft?
    ) throws {
        let library = FAQLibrary(
            entries: ["wheel", "kit"].map { FAQEntry(id: $0, question: "Which \($0)?", answer: "a") })
        let format = DraftFormat(aliases: FAQAliases(library), asksWhy: true)
        let written = try format.read(StrictJSON.parse(Array(json.utf8))).get()
        #expect(written.entries == entries && written.none == none)
    }

    @Test(arguments: [0, 1, 2, 150], [false, true])
    func `the schema of a draft lists no empty choice`(count: Int, bounded: Bool) {
        let library = FAQLibrary(
            entries: (0..<count).map { FAQEntry(id: "e\($0)", question: "Which?", answer: "a") })
        let schema = DraftFormat(aliases: FAQAliases(library), asksWhy: true).schema(bounded: bounded)
        let text = String(decoding: schema.root.encoded, as: UTF8.self)
        #expect(!text.contains("\"enum\":[]") && text.contains("nothing-to-answer"))
    }
}
