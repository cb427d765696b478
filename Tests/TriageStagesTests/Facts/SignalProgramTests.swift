import Testing
import TriageCore

@testable import TriageStages

struct SignalProgramTests {
    private static func signal(
        _ name: String, _ trigger: Signal.Trigger = .patterns([]), _ change: (inout Signal) -> Void = { _ in }
    ) -> Signal {
        var signal = Signal(name: name, why: "", trigger: trigger, feeds: Feeds(), place: "test:1")
        change(&signal)
        return signal
    }

    private static func run(
        _ signals: [Signal], _ raw: [SignalHit], language: UInt8 = 0, detectors: [DetectorName] = []
    ) -> [SignalHit] {
        let program = SignalProgram(RuleSet(signals: signals))
        var scratch = SignalProgram.Scratch(program)
        var bits = DetectorBits()
        for detector in detectors { bits.insert(DetectorBits.mask(detector), if: true) }
        var output: [SignalHit] = []
        let places = UnsafeMutablePointer<DetectorPlaces.Place>.allocate(capacity: DetectorPlaces.room)
        places.initialize(repeating: (start: 1, end: 0), count: DetectorPlaces.room)
        defer { places.deallocate() }
        // Twice: a message must leave nothing behind for the next.
        for _ in 0..<2 {
            var list = HitList(capacity: 0)
            _ = raw.withUnsafeBufferPointer { raw in
                program.run(
                    raw, language: language, detectors: bits, places: DetectorPlaces(places), into: &list, &scratch)
            }
            output = Array(list.hits)
        }
        return output
    }

    private static func names(_ signals: [Signal], _ hits: [SignalHit]) -> [String] {
        hits.map { signals[Int($0.signal)].name }
    }

    private static func sentiment(_ signal: inout Signal) { signal.feeds.feedsSentiment = true }

    /// Places of signals, and which of them are covered.
    private static let overlaps: [([(Int, Int, Int)], [Bool])] = [
        // love inside "would love to"
        ([(0, 6, 10), (1, 0, 13)], [true, false]), ([(0, 0, 4), (1, 5, 9)], [false, false]),
        ([(0, 0, 4), (1, 0, 4)], [false, false]),
        ([(1, 0, 4), (0, 0, 9)], [true, false]), ([(0, 5, 9), (1, 0, 9)], [true, false]),
        ([(1, 0, 9), (0, 5, 9)], [false, true]),
        ([(0, 0, 4), (1, 2, 9)], [false, false]),
    ]

    @Test(arguments: overlaps)
    func `hides a word of feeling inside a longer one`(spans: [(Int, Int, Int)], covered: [Bool]) {
        let signals = [
            Self.signal("s.a", .patterns([]), Self.sentiment), Self.signal("s.b", .patterns([]), Self.sentiment),
        ]
        let hits = Self.run(
            signals, spans.map { SignalHit(signal: UInt16($0.0), start: UInt32($0.1), end: UInt32($0.2)) })
        #expect(hits.map(\.isCovered) == covered)
    }

    @Test func `hides nothing that feeds other questions`() {
        let signals = [
            Self.signal("c.a") { $0.feeds.feedsCategory = true }, Self.signal("c.b") { $0.feeds.feedsCategory = true },
        ]
        let hits = Self.run(signals, [SignalHit(signal: 0, start: 4, end: 8), SignalHit(signal: 1, start: 0, end: 8)])
        #expect(hits.allSatisfy { !$0.isCovered })
    }

    @Test(arguments: [(1, 1), (2, 2), (9, 3)])
    func `counts a signal as often as it may`(limit: Int, expected: Int) {
        let signals = [Self.signal("a.b") { $0.repeatLimit = limit }]
        let hits = Self.run(signals, [0, 10, 20].map { SignalHit(signal: 0, start: $0, end: $0 + 5) })
        #expect(hits.count == expected)
    }

    @Test func `takes overlapping matches of a signal as one, the longest`() {
        let signals = [Self.signal("a.b") { $0.repeatLimit = 5 }]
        let hits = Self.run(signals, [SignalHit(signal: 0, start: 3, end: 9), SignalHit(signal: 0, start: 0, end: 12)])
        #expect(hits == [SignalHit(signal: 0, start: 0, end: 12)])
    }

    @Test(arguments: [("de", true), ("en", false), ("und", true), ("pt", false)])
    func `opens a gated signal to its languages and the undetermined`(language: String, isOpen: Bool) throws {
        let signals = [Self.signal("a.b") { $0.onlyIn = ["de"] }]
        let index = try #require(LanguageTable.index(of: language))
        #expect(Self.run(signals, [SignalHit(signal: 0, start: 0, end: 3)], language: index).count == (isOpen ? 1 : 0))
    }

    @Test(arguments: [
        ([0, 1], true), ([0], false), ([1], false), ([], false), ([0, 1, 2], false), ([0, 1, 3], true),
    ])
    func `fires a composite when all are there, one of any, and none of none`(present: [Int], fires: Bool) {
        let signals = [
            Self.signal("m.a"), Self.signal("m.b"), Self.signal("m.c"), Self.signal("m.d"),
            Self.signal("x.y", .composite(all: ["m.a"], any: ["m.b", "m.d"], none: ["m.c"])),
        ]
        let hits = Self.run(signals, present.map { SignalHit(signal: UInt16($0), start: 0, end: UInt32($0 + 1)) })
        #expect(Self.names(signals, hits).contains("x.y") == fires)
    }

    @Test func `lets composites rest on composites before them, detectors and absence`() {
        let signals = [
            Self.signal("d.a", .detector("link.any")),
            Self.signal("c.one", .composite(all: ["d.a"], any: [], none: [])),
            Self.signal("c.two", .composite(all: ["c.one"], any: [], none: ["d.none"])),
            Self.signal("d.none", .detector("link.short")),
            Self.signal("c.quiet", .composite(all: [], any: [], none: ["d.none"])),
        ]
        #expect(
            Set(Self.names(signals, Self.run(signals, [], detectors: [.linkAny]))) == [
                "d.a", "c.one", "c.two", "c.quiet",
            ])
        #expect(Set(Self.names(signals, Self.run(signals, [], detectors: [.linkShort]))) == ["d.none"])
    }

    /// Two in all and one of any; the first stands at 100 to 105.
    @Test(arguments: [
        (90, 120, true), (110, 80, false), (60, 120, false), (90, 200, false), (125, 90, true), (126, 90, false),
        (85, 90, true), (84, 90, false),
    ])
    func `fires a composite only where the others stand near the first of all`(second: Int, third: Int, fires: Bool) {
        let signals = [
            Self.signal("m.a"), Self.signal("m.b"), Self.signal("m.c"),
            Self.signal("x.y", .composite(all: ["m.a", "m.b"], any: ["m.c"], none: [])) { $0.near = 15 },
        ]
        let starts: [UInt32] = [100, UInt32(second - 5), UInt32(third - 5)]
        let found = starts.indices.map { SignalHit(signal: UInt16($0), start: starts[$0], end: starts[$0] + 5) }
        let hits = Self.run(signals, found.sorted { $0.start < $1.start })
        #expect(Self.names(signals, hits).contains("x.y") == fires)
        // It stands where the first of them does.
        #expect(!fires || hits.last == SignalHit(signal: 3, start: 100, end: 105))
    }

    @Test func `tries every kept match of the first for one that has the others near it`() {
        let signals = [
            Self.signal("m.a") { $0.repeatLimit = 3 }, Self.signal("m.b"),
            Self.signal("x.y", .composite(all: ["m.a", "m.b"], any: [], none: [])) { $0.near = 15 },
        ]
        let found: [SignalHit] = [
            SignalHit(signal: 0, start: 0, end: 5), SignalHit(signal: 0, start: 200, end: 205),
            SignalHit(signal: 1, start: 210, end: 215),
        ]
        let hits = Self.run(signals, found)
        #expect(hits.last == SignalHit(signal: 2, start: 200, end: 205))
    }

    @Test func `ignores a composite over a name that is not there`() {
        let signals = [Self.signal("m.a"), Self.signal("x.y", .composite(all: ["m.a", "gone"], any: [], none: []))]
        #expect(Self.run(signals, [SignalHit(signal: 0, start: 0, end: 1)]).count == 1)
    }

    @Test func `survives hits of signals that are not there`() {
        #expect(Self.run([Self.signal("a.b")], [SignalHit(signal: 999, start: 0, end: 3)]) == [])
    }

    @Test func `has a bit for every detector`() {
        let masks = Set(DetectorName.allCases.map(DetectorBits.mask))
        #expect(masks.count == DetectorName.allCases.count)
        #expect(DetectorName.allCases.count < 64)
    }
}
