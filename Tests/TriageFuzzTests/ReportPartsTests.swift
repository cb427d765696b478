import Testing
import TriageStore

@testable import TriageReports

/// The parts that a report is made of, one by one and with anything put in.
struct ReportPartsTests {
    // MARK: Text

    @Test func `no text at all is markup or hides anything`() {
        var random = SeededGenerator(seed: 7)
        let odd: [ClosedRange<UInt32>] = [
            0...0x7F, 0x80...0x2FF, 0x300...0x36F, 0x600...0x6FF, 0x2000...0x20FF, 0xE000...0xFFFF, 0xE0000...0xE01FF,
            0x1F300...0x1FAFF,
        ]
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<random.below(40) {
                let value = UInt32.random(in: random.pick(odd), using: &random)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            // By scalars, as browsers read: to Swift a `>` with an accent is another character.
            let marked = Array(PageText.html(text).unicodeScalars)
            let opening = Array("<span class=\"mark\">".unicodeScalars)
            let unmarked = marked.split(separator: opening).joined().split(separator: Array("</span>".unicodeScalars))
            for shown in [Array(PageText.plain(text).unicodeScalars), Array(unmarked.joined())] {
                #expect(!shown.contains { "<>\"'".unicodeScalars.contains($0) })
                let isSeen = shown.allSatisfy { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .privateUse, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator: false
                    case .format: scalar.value == 0x200C || scalar.value == 0x200D
                    default: true
                    }
                }
                #expect(isSeen, "\(text.unicodeScalars.map { $0.value })")
            }
        }
    }

    @Test(arguments: [
        ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;"), ("a\u{202E}b", "a[U+202E]b"), ("\u{0}", "[U+0000]"),
        ("\u{200B}\u{200B}\u{200B}", "[U+200B ×3]"), ("a\nb\tc", "a b c"),
        ("\u{1F469}\u{200D}\u{1F467}", "\u{1F469}\u{200D}\u{1F467}"), ("a\u{200D}b", "a[U+200D]b"),
        ("\u{0645}\u{200C}\u{062E}", "\u{0645}\u{200C}\u{062E}"), ("\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}"),
        ("a\u{FE0F}", "a[U+FE0F]"), ("日本語 مرحبا é", "日本語 مرحبا é"),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}\u{301}[U+0301 ×2]"),
    ])
    func `what is shown is known`(text: String, shown: String) {
        #expect(Array(PageText.plain(text).unicodeScalars) == Array(shown.unicodeScalars))
    }

    // MARK: Steps of time

    @Test func `very many days make the page that they would make one by one, in little memory`() {
        var volume = InboxStatistics.Volume()
        volume.messages = 1
        var days = DayVolumes()
        var single: [(day: Int, volume: InboxStatistics.Volume)] = []
        // The years 1 to 9999, not in their order, and half of them a second time.
        let (from, step) = (-719_162, 17)
        for place in 0..<200_000 {
            let day = from + place * 7919 % 200_000 * step
            days.add(volume, on: day)
            if place % 2 == 0 { days.add(volume, on: day) }
        }
        for place in 0..<200_000 {
            volume.messages = 0
            single.append((from + place * step, volume))
        }
        for place in 0..<200_000 { single[place * 7919 % 200_000].volume.messages = place % 2 == 0 ? 2 : 1 }
        #expect(days.count == 200_000)
        let sorted = days.sorted
        #expect(sorted.count < 10_000 && sorted.first?.day == from && sorted.last?.day == from + 199_999 * step)
        #expect(VolumeBins(sorted) == VolumeBins(single))
    }

    @Test func `as many days as a life has are told apart`() {
        var volume = InboxStatistics.Volume()
        volume.messages = 1
        var days = DayVolumes()
        for day in (0..<DayVolumes.most).reversed() { days.add(volume, on: day - 500) }
        #expect(days.sorted.map(\.day) == (0..<DayVolumes.most).map { $0 - 500 } && days.count == DayVolumes.most)
        #expect(DayVolumes().sorted.isEmpty)
    }

    @Test(arguments: [1, 2, 64, 65, 400, 441, 442, 1900, 2000, 20_000, 100_000, 3_600_000])
    func `steps of time hold every message, and are few`(span: Int) {
        var volume = InboxStatistics.Volume()
        volume.messages = 1
        for first in [-800, 0, 20_000, -700_000] {
            let days = Set([0, span / 3, span / 2, span - 1]).sorted().map { (day: first + $0, volume: volume) }
            let bins = VolumeBins(days)
            #expect(bins.bins.count <= VolumeBins.most && !bins.bins.isEmpty)
            #expect(bins.bins.reduce(0) { $0 + $1.volume.messages } == days.count)
            #expect(Set(bins.bins.map(\.name)).count == bins.bins.count)
            #expect(bins.bins.first.map { $0.volume.messages > 0 } == true)
        }
    }

    @Test func `weeks begin on Mondays, and a day is in its own month`() {
        var volume = InboxStatistics.Volume()
        volume.messages = 1
        // 2026-11-22 is a Sunday.
        let weeks = VolumeBins([(20_779 - 100, volume), (20_779, volume)])
        #expect(weeks.step == .week && weeks.bins.last?.name == "2026-11-16")
        let months = VolumeBins([(20_779 - 700, volume), (20_779, volume)])
        #expect(months.step == .month && months.bins.last?.name == "2026-11")
        #expect(months.bins.first?.name == "2024-12")
    }

    @Test(arguments: [(0, 1), (1, 1), (3, 5), (10, 10), (11, 20), (51, 100), (999, 1000), (Int.max, 0)])
    func `the top of a plot is round and not below what is shown`(most: Int, ceiling: Int) {
        #expect(VolumePlot.ceiling(most) == ceiling || most == .max && VolumePlot.ceiling(most) > 0)
    }

    // MARK: The best ones

    @Test func `the best are those that sorting would give, equals in the order they came`() {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<200 {
            let ranks = (0..<random.below(61)).map { _ in random.below(10) }
            var list = RankedList<Int>(most: 10)
            for (place, rank) in ranks.enumerated() { list.add(rank) { place } }
            let sorted = ranks.indices.sorted { (-ranks[$0], $0) < (-ranks[$1], $1) }
            #expect(list.elements == Array(sorted.prefix(10)))
            #expect(list.leftOut == max(0, ranks.count - 10))
        }
    }

    // MARK: Money

    @Test(arguments: [
        (InboxSpend(), "cost $0"),
        (InboxSpend(requests: 3, inputTokens: 1200, outputTokens: 30, cost: 0.25), "Money: $0.25."),
        (InboxSpend(requests: 3, inputTokens: 1, outputTokens: 1, unpriced: 3), "Money: unknown"),
        (
            InboxSpend(requests: 3, cost: 0.5, unpriced: 1),
            "$0.5 for 2 requests; of the other 1 the price is unknown."
        ),
    ])
    func `money that is not known is never said to be none`(spend: InboxSpend, words: String) {
        var contents = ReportContents(origin: .store)
        contents.counts.spend = spend
        let page = ReportPage(contents: contents, title: "t", hasTexts: true).html
        #expect(page.contains(words))
        #expect((page.contains("$0.") || page.contains("$0<")) == (spend.cost > 0 || spend.requests == 0))
    }
}
