import Testing

@testable import TriageEvaluation

/// Marks of judges, counted by hand or by a published example.
struct DraftJudgingTests {
    private static let items = [
        DraftItem(record: "a", message: "hi", draft: "thanks", source: "template", language: "en"),
        DraftItem(record: "b", message: "which?", draft: "this", source: "faq", language: "en"),
        DraftItem(record: "c", message: "hola", draft: "gracias", source: "template", language: "es"),
        DraftItem(record: "d", message: "k", draft: nil, source: "none", language: "en"),
        DraftItem(record: "e", message: "why?", draft: nil, source: "none", language: "en"),
    ]

    private static func marks(_ judge: String, _ marks: [String: DraftMark], specific: Set<String> = []) -> JudgeMarks {
        JudgeMarks(
            judge: judge,
            marks: marks.reduce(into: [:]) { $0[$1.key] = .init($1.value, isSpecific: specific.contains($1.key)) })
    }

    @Test func `shares are of the drafts given, and coverage is of the messages that want one`() {
        let judge = Self.marks(
            "A", ["a": .send, "b": .fill, "c": .bin, "d": .noneRight, "e": .noneMiss], specific: ["b"])
        let all = DraftJudging(Self.items, [judge]).judges[0].all
        #expect(all.canBeSent == DraftJudging.Share(count: 2, total: 3))
        #expect(all.bin == DraftJudging.Share(count: 1, total: 3))
        #expect(all.specific == DraftJudging.Share(count: 1, total: 3))
        // Three have one; "e" wanted one too.
        #expect(all.given == DraftJudging.Share(count: 3, total: 4))
    }

    @Test func `marks are counted by source and by language`() {
        let judge = DraftJudging(Self.items, [Self.marks("A", ["a": .send, "b": .send, "c": .bin])]).judges[0]
        #expect(judge.bySource.map(\.name) == ["faq", "template"])
        #expect(judge.bySource[1].counts == [.send: 1, .bin: 1])
        #expect(judge.byLanguage.map(\.name) == ["en", "es"])
        #expect(judge.byLanguage[1].canBeSent.count == 0)
    }

    /// 20 of yes/yes, 5 of yes/no, 10 of no/yes, 15 of no/no: observed .7, by chance .5.
    @Test func `kappa is agreement beyond chance`() {
        let pairs =
            Array(repeating: (DraftMark.send, DraftMark.send), count: 20)
            + Array(repeating: (.send, .bin), count: 5) + Array(repeating: (.bin, .send), count: 10)
            + Array(repeating: (.bin, .bin), count: 15)
        let agreement = Agreement(pairs)
        #expect(abs((agreement.observed ?? 0) - 0.7) < 1e-12)
        #expect(abs((agreement.kappa ?? 0) - 0.4) < 1e-12)
        #expect(Agreement([(.send, .send)]).kappa == nil)
    }

    /// Section A of Krippendorff's "Computing Krippendorff's Alpha-Reliability" (2011): two observers, ten units, .095.
    @Test func `alpha is that of Krippendorff's example`() {
        let first = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        let second = [1, 1, 1, 0, 0, 1, 0, 0, 1, 0]
        let units = zip(first, second).map { [$0 == 0 ? DraftMark.send : .bin, $1 == 0 ? .send : .bin] }
        // What one observer alone saw says nothing.
        let alpha = Agreement.alpha(units + [[.fill]])
        #expect(abs((alpha ?? 0) - 0.095) < 0.0005, "\(alpha ?? -9)")
        #expect(Agreement.alpha([[.send, .send]]) == nil)
        #expect(Agreement.alpha([[.send]]) == nil)
    }

    @Test func `judges who marked other messages are compared on those that both marked`() {
        let judging = DraftJudging(
            Self.items, [Self.marks("A", ["a": .send, "b": .bin]), Self.marks("B", ["b": .bin, "c": .send])])
        #expect(judging.pairs[0].agreement.count == 1 && judging.pairs[0].agreement.observed == 1)
    }

    @Test(arguments: [
        (#"{"id":"1","text":"hi","triage":{"category":{"label":"fan"},"draft":null}}"#, "none"),
        (
            #"{"id":"1","text":"hi","triage":{"category":{"label":"fan"},"draft":{"text":"x","based_on":"faq:a"}}}"#,
            "faq"
        ),
        (#"{"id":"1","text":"hi","triage":{"category":{"label":"spam"},"draft":null}}"#, nil),
        (
            #"{"id":"1","text":"hi","gold":{"category":"fan"},"triage":{"category":{"label":"spam"},"draft":null}}"#,
            "none"
        ),
        (#"{"id":"1","text":"hi","gold":{"category":"spam"},"triage":{"category":{"label":"fan"},"draft":null}}"#, nil),
        (#"{"id":"1","text":"hi","triage":{"category":{"label":"fan"}}}"#, nil),
        (#"{"id":"1","text":"hi"}"#, nil), (#"{"text":"hi","triage":{"id":"m1","draft":null}}"#, "none"),
    ])
    func `a line is judged if a draft was asked for and it is no spam`(line: String, source: String?) {
        var line = line
        #expect(line.withUTF8 { DraftItemReader().item($0) }?.source == source)
    }
}
