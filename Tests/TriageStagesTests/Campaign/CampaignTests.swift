import Synchronization
import Testing
import TriageCore

@testable import TriageStages

/// Texts that several senders sent nearly alike are found, in order and in bounded memory.
struct CampaignTests {
    /// A message: who sent it, and what it says.
    struct Sent {
        var sender: String
        var text: String
    }

    /// Calls everything spam that it is asked about again.
    private struct Judge: CategoryWeigher {
        let method = Decider.categoryRules

        func weights(of signal: UInt16) -> SIMD4<Float> { SIMD4(0, 0, 1, 0) }

        func level(_ confidence: Float) -> Level { .high }

        func decide(
            _ index: Int, in batch: inout Batch, _ collector: inout EvidenceCollector, extra: [SignalHit]
        ) {
            batch.records[index].category = CategoryAnswer(
                label: .spam, scores: .zero, level: .high, by: .categoryRules, because: 0..<0)
        }
    }

    private static let rules: RuleSet = {
        var lure = Feeds()
        lure.facts = 1 << UInt64(FactTag.lure.rawValue)
        func signal(_ name: String, _ trigger: Signal.Trigger, _ feeds: Feeds = Feeds()) -> Signal {
            Signal(name: name, why: "", trigger: trigger, feeds: feeds, place: "test:1")
        }
        return RuleSet(signals: [
            signal("link.any", .detector("link.any"), lure), signal("shape.mention", .detector("shape.mention"), lure),
            signal("campaign.many-senders", .detector("campaign.many-senders")),
        ])
    }()

    /// A run: stages of its own, and whatever is remembered.
    private struct Run {
        private let detection = SignalDetectionStage(
            rules: rules, profile: CreatorProfile(), settings: Settings())
        private let sketching = SketchStage(rules: rules)
        private let stage: CampaignStage

        init(capacity: Int = CampaignTable.capacity, memory: (any CampaignMemory)? = nil) {
            stage = CampaignStage(rules, 8, decider: Judge(), memory: memory, capacity: capacity)
        }

        static func records(_ messages: some Collection<Sent>, sequence: Int) -> Batch {
            var batch = Batch()
            batch.input.sequence = sequence
            for message in messages {
                func put(_ value: String) -> Span32 {
                    let start = batch.arena.count
                    batch.arena += Array(value.utf8)
                    return Span32(start: start, count: value.utf8.count)
                }
                var record = Record()
                record.fields.text = put(message.text)
                if !message.sender.isEmpty { record.fields.senderID = put(message.sender) }
                batch.records.append(record)
            }
            return batch
        }

        func batch(_ messages: some Collection<Sent>, sequence: Int = 0) -> Batch {
            var batch = Self.records(messages, sequence: sequence)
            FoldStage().annotate(&batch)
            detection.annotate(&batch)
            sketching.annotate(&batch)
            stage.annotate(&batch)
            return batch
        }

        func answers(_ messages: [Sent], batchSize: Int = 512) -> [CampaignAnswer?] {
            stride(from: 0, to: messages.count, by: batchSize).flatMap { start in
                batch(messages[start..<min(start + batchSize, messages.count)], sequence: start).records
                    .map(\.campaign)
            }
        }
    }

    /// What a store does: keeps the sketches of a run, and how many senders their campaigns have.
    private final class Shelf: CampaignMemory {
        private let texts = Mutex<[TextSketch]>([])

        func keep(_ batch: Batch) { texts.withLock { $0 += batch.sketches } }

        func recallTexts(limit: Int) -> [RememberedText] {
            texts.withLock { texts in
                texts.suffix(limit).map { sketch in
                    let senders = Set(texts.filter { $0.campaign == sketch.campaign }.map(\.sender)).count
                    let kept = TextSketch(kept: sketch.kept)
                    #expect(kept?.places == sketch.places && kept?.keys == sketch.keys)
                    return RememberedText(sketch: sketch, senders: senders)
                }
            }
        }

        func isRepeated(_ index: Int, of sequence: Int) -> Bool { sequence == 99 }
    }

    /// Copies that differ in a name, a number, a link and emoji alone; of a template also in words and in order.
    private func copies(_ count: Int, seed: UInt64 = 1, template: Int? = nil) -> [Sent] {
        let plain =
            "Hey {n}! our agency helps pages like yours to reach {d}k real followers, message us today on {u} and see"
        var spun = SpunTexts(seed: seed)
        return (0..<count).map {
            Sent(sender: "bot\($0)", text: spun.copy(of: template.map { SpunTexts.templates[$0] } ?? plain))
        }
    }

    @Test(arguments: SpunTexts.templates.indices)
    func `copies with other words, names, links, numbers and order are one campaign, from the third sender on`(
        template: Int
    ) {
        let answers = Run().answers(copies(40, template: template))
        let found = answers.compactMap(\.self)
        // One or two may lie too far from all before them.
        #expect(found.count >= 34, "\(found.count)")
        let ids = Dictionary(grouping: found, by: \.id)
        #expect(ids.count == 1)
        #expect(found.map(\.senders) == found.map(\.senders).sorted())
        #expect(found.first?.senders == 3 && found.first?.isFirst == true && found.first?.added == 3)
        #expect(found.dropFirst().allSatisfy { !$0.isFirst && $0.added == 1 })
    }

    @Test func `of pairs of texts nearly all of the same template are one campaign, and none of others`() {
        var spun = SpunTexts(seed: 7)
        var messages: [(template: Int, sent: Sent)] = []
        for number in 0..<30 {
            for template in SpunTexts.templates.indices {
                messages.append(
                    (
                        template,
                        Sent(sender: "b\(number).\(template)", text: spun.copy(of: SpunTexts.templates[template]))
                    ))
            }
            for (other, text) in SpunTexts.others.enumerated() where number == 0 {
                messages.append((100 + other, Sent(sender: "fan\(other)", text: text)))
            }
        }
        let batch = Run().batch(messages.map(\.sent))
        let groups = batch.records.map { $0.sketch < 0 ? nil : batch.sketches[Int($0.sketch)].campaign }
        var (both, found, alike) = (0, 0, 0)
        for a in messages.indices {
            for b in messages.indices where b > a {
                let isSame = messages[a].template == messages[b].template
                let isFound = groups[a] != nil && groups[a] == groups[b]
                if isSame { alike += 1 }
                if isFound { found += 1 }
                if isSame, isFound { both += 1 }
                if isFound, !isSame { Issue.record("\(messages[a].sent.text) | \(messages[b].sent.text)") }
            }
        }
        let (precision, recall) = (Double(both) / Double(found), Double(both) / Double(alike))
        print("campaigns: precision \(precision), recall \(recall) over \(alike) pairs")
        #expect(precision == 1)
        #expect(recall >= 0.9)
    }

    @Test(arguments: [
        "love this!", "first", "🔥🔥", "thank you so much", "i love your videos", "happy birthday to you", "hi", "",
        "@mara 😂", "@mara look", "12 34 56", "ありがとう", "www.example.com/a", "love it love it",
    ])
    func `what many people write in the same few words is no campaign`(text: String) {
        #expect(Run().answers((0..<9).map { Sent(sender: "fan\($0)", text: text) }).allSatisfy { $0 == nil })
    }

    @Test func `whoever sends it again counts once, and who names no sender is nobody twice`() {
        let text = "please buy my great new album today, it is on every platform now"
        let again = Run().answers(["a", "a", "b", "a", "b", "c", "a"].map { Sent(sender: $0, text: text) })
        #expect(again.map { $0?.senders } == [nil, nil, nil, nil, nil, 3, 3])
        #expect(again.compactMap(\.self).map(\.added).reduce(0, +) == 6)
        #expect(Run().answers((0..<9).map { _ in Sent(sender: "", text: text) }).allSatisfy { $0 == nil })
    }

    @Test(arguments: [1, 2, 7, 512])
    func `batches change nothing`(size: Int) {
        var messages: [Sent] = []
        for template in SpunTexts.templates.indices {
            messages += copies(20, seed: UInt64(template), template: template)
        }
        messages += SpunTexts.others.map { Sent(sender: "x", text: $0) }
        #expect(Run().answers(messages, batchSize: size) == Run().answers(messages, batchSize: 64))
    }

    @Test func `a run goes on where the last one ended, and what is answered again is not counted again`() throws {
        let messages = copies(12)
        let shelf = Shelf()
        var senders: [UInt32?] = []
        for start in stride(from: 0, to: 12, by: 2) {
            let batch = Run(memory: shelf).batch(messages[start..<start + 2])
            shelf.keep(batch)
            senders += batch.records.map { $0.campaign?.senders }
        }
        #expect(senders == Run().answers(messages).map { $0?.senders })
        let again = Run(memory: shelf).batch(messages[5..<6], sequence: 99)
        let answer = try #require(again.records[0].campaign)
        #expect(answer.senders == 12 && answer.added == 0)
        #expect(Run(memory: shelf).answers([Sent(sender: "new", text: messages[0].text)])[0]?.senders == 13)
    }

    @Test func `the oldest text makes room, and a campaign goes with its last one`() {
        let run = Run(capacity: 8)
        let first = copies(6)
        #expect(run.answers(first).last??.senders == 6)
        var numbers = SeededNumbers(seed: 5)
        for number in 0..<200 {
            let words = (0..<12).map { _ in
                String((0..<7).map { _ in "abcdefghijklmnopqrst".randomElement(using: &numbers) ?? "a" })
            }
            _ = run.answers([Sent(sender: "s\(number)", text: words.joined(separator: " "))])
        }
        #expect(run.answers([first[0]]) == [nil])
        // More campaigns than there is room for.
        for round in 0..<5 {
            for template in SpunTexts.templates.indices {
                _ = run.answers(copies(9, seed: UInt64(round), template: template))
            }
        }
        #expect(run.answers(copies(7)).last??.senders ?? 0 >= 3)
    }

    @Test(arguments: [5, 7, 16, 40])
    func `each sender counts once in each campaign, however many have made room`(capacity: Int) {
        let run = Run(capacity: capacity)
        var numbers = SeededNumbers(seed: 11)
        for round in 0..<200 {
            let words = (0..<12).map { _ in
                String((0..<7).map { _ in "abcdefghijklmnopqrst".randomElement(using: &numbers) ?? "a" })
            }
            let text = words.joined(separator: " ")
            let senders = [0, 1, 1, 2, 0, 3, 2, 4, 4, 0].map { Sent(sender: "s\($0)", text: text) }
            let found = run.answers(senders).map { $0?.senders }
            #expect(found == [nil, nil, nil, 3, 3, 4, 4, 5, 5, 5], "round \(round)")
        }
    }

    @Test func `texts are compared place by place`() {
        var numbers = SeededNumbers(seed: 2)
        for round in 0..<500 {
            var (a, b) = ([UInt8](repeating: 0, count: 64), [UInt8](repeating: 0, count: 64))
            for place in 0..<64 {
                let kind = Int.random(in: 0..<5, using: &numbers)
                if kind > 0 { a[place] = UInt8.random(in: 0...255, using: &numbers) | 1 }
                b[place] = kind < 3 ? a[place] : kind == 3 ? 0 : UInt8.random(in: 0...255, using: &numbers) | 1
            }
            func sketch(_ places: [UInt8]) -> TextSketch? {
                TextSketch(kept: [0] + places + [UInt8](repeating: 0, count: 32))
            }
            let likeness = sketch(a).flatMap { a in
                sketch(b).map { TextSketch.likeness(a.places, $0.places) }
            }
            let pairs = zip(a, b)
            #expect(likeness?.same == pairs.count { $0 == $1 && $0 != 0 }, "round \(round)")
            #expect(likeness?.any == pairs.count { $0 != 0 || $1 != 0 }, "round \(round)")
        }
    }

    /// How a text is judged before many sent it: spam that is sure, that is not, and what is not spam.
    @Test(arguments: [[3, 0.2], [0.4, 0], [0.3, 0.25], [-2, 0.5], [-0.8, 0]] as [[Float]])
    func `a copy is judged as if it were read again`(weights: [Float]) throws {
        func signal(_ name: String, _ fan: Float, _ spam: Float, _ isLure: Bool = false) -> Signal {
            var feeds = Feeds()
            feeds.category = SIMD4(fan, 0, spam, 0)
            feeds.feedsCategory = true
            feeds.facts = isLure ? 1 << UInt64(FactTag.lure.rawValue) : 0
            return Signal(name: name, why: "", trigger: .detector(name), feeds: feeds, place: "test:1")
        }
        let rules = RuleSet(signals: [
            signal("link.any", 0, weights[0], true), signal("shape.mention", weights[1], 0),
            signal("campaign.many-senders", 0, 1.5),
        ])
        for limit in [1, 2, 8] {
            var settings = Settings()
            settings.evidenceLimit = limit
            let category = CategoryStage(rules: rules, settings: settings)
            let text = "see @mara what we have for you all here today https://a.example/b please"
            let detection = SignalDetectionStage(rules: rules, profile: CreatorProfile(), settings: settings)
            var batch = Run.records((0..<3).map { Sent(sender: "b\($0)", text: text) }, sequence: 0)
            for stage in [FoldStage(), detection, category, SketchStage(rules: rules)] as [any LocalStage] {
                stage.annotate(&batch)
            }
            CampaignStage(rules: rules, settings: settings, category: category).annotate(&batch)
            let quick = try #require(batch.records[2].category)
            let reasons = Array(batch.evidence[quick.because])
            var collector = EvidenceCollector(limit: limit)
            category.decide(2, in: &batch, &collector, extra: [])
            let read = try #require(batch.records[2].category)
            #expect(quick.label == read.label && quick.level == read.level && quick.by == read.by)
            for lane in 0..<3 { #expect(abs(quick.scores[lane] - read.scores[lane]) < 1e-5) }
            #expect(reasons == Array(batch.evidence[read.because]))
            #expect(reasons.contains { $0.signal == 2 } || limit < 3 || read.label != .spam)
        }
    }

    @Test func `only a text with something of spam is judged again`() {
        let question = "what kind of camera do you use for your videos and where did you buy it"
        let asked = Run().batch((0..<5).map { Sent(sender: "fan\($0)", text: question) })
        #expect(asked.records.last?.campaign?.senders == 5)
        #expect(asked.records.allSatisfy { $0.category == nil })
        let baited = Run().batch(copies(5))
        #expect(baited.records.map { $0.category?.label } == [nil, nil, .spam, .spam, .spam])
        let signal = baited.hits[baited.records[4].hits].last?.signal
        #expect(signal == 2)
    }

    @Test func `no text, however strange, stops it`() {
        var numbers = SeededNumbers(seed: 3)
        let run = Run(capacity: 16)
        for _ in 0..<300 {
            let scalars = (0..<Int.random(in: 0..<400, using: &numbers)).compactMap { _ in
                UnicodeScalar(UInt32.random(in: 0..<0x3_0000, using: &numbers))
            }
            _ = run.answers([Sent(sender: "s", text: String(String.UnicodeScalarView(scalars)))])
        }
        _ = run.answers([Sent(sender: "s", text: String(repeating: "a b.c/ @d ", count: 40_000))])
        _ = run.answers([Sent(sender: "s", text: String(repeating: "涨粉", count: 40_000))])
    }
}
