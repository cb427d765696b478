import Testing
import TriageCore

@testable import TriageMatching

struct RegexMachineTests {
    private static func rules(_ regexes: [String]) -> RuleSet { ScannedTexts.rules(regexes.map { (.regex, $0) }) }

    /// The hits of texts, by signal, start and end, with the folded texts.
    private static func hits(_ regexes: [String], _ texts: [String]) throws -> [(text: [UInt8], hits: [[Int]])] {
        try ScannedTexts(texts, patterns: regexes.map { (.regex, $0) }).hits
    }

    /// Regexes that are all machines.
    private static let regexes = [
        "(pay|paid|fee)( is| of)? ?[0-9]{1,3}", "[a-z]{1,4}-[a-z]{1,4}(-[a-z]{1,4})?", #"\$ ?[0-9][0-9,.]{0,3} to \$"#,
        "[a-d]{2,5} ?[,|/-] ?(abc|bcd)", #"(a|ab|dm) ["'][a-d ]{1,4}["']"#, "(^|[^a-d])(ab|cd)]? ?(:|=>) ?a?",
        "[a-d]{0,3}(abc){1,2}[0-9]?$", "(ab|b{1,2})?:[0-5]( |,|$)", #"\d{1,2}:\w"#,
        "(abc|abcd|bcd)[^:-]{0,14} ?(bca|cab|pay)( |$|[,-])", ".{0,9}(abc|pay)[^1]{0,12}( a|ab|5)",
    ]

    @Test func `a regex of bounded length with a literal becomes a machine`() {
        let table = PatternTable(Self.rules(Self.regexes))
        #expect(Set(table.machines.map { Int($0.pattern) }) == Set(Self.regexes.indices))
    }

    @Test(arguments: [
        ("(remove|delete|cut out)[^.!?]{0,40} (my|our) (face|house|address)", 1500),
        ("(face|house|address) of (mine|ours)[^.!?]{0,40}(remove|delete|cut out)", 1500),
        // Nobody knows where the first gap ends, so that each pair of places is a state.
        ("(see|seen|saw).{0,60}(my|your|our) .{0,60}(one|ones|offer)", nil),
    ])
    func `a wide gap makes some hundred states, and two of them too many`(regex: String, most: Int?) {
        let table = PatternTable(Self.rules([regex]))
        #expect(table.machines.first.map { $0.whole.flags.count <= most ?? 0 } ?? (most == nil))
        #expect(table.slowRegexes.map(\.cause) == (most == nil ? [.hasTooManyStates] : []))
    }

    @Test(arguments: [
        ("[a-d]{2,9}( x)?", [SlowRegex.Cause.isTriedOnEveryText]), (#"\babc\b"#, []), ("(abc)?d?x?[0-9]", []),
        ("(a|b)xyz.*y", []), ("(!|#|%|&|;|=)[0-9]{1,2}", []),
    ])
    func `a regex that every text may match is told`(regex: String, expected: [SlowRegex.Cause]) {
        #expect(PatternTable(Self.rules([regex])).slowRegexes.map(\.cause) == expected)
    }

    /// With more than a hundred, there is no group left for each.
    @Test(arguments: [40, 124, 125, 126, 127, 300])
    func `a regex finds the same however many others there are`(others: Int) throws {
        let texts = [
            "Ann Ugalde, director of sales, 12:30", "ugalde | manager", "call at 9:45 - head of it", "nothing here",
            "we saw many boats\nask us all about it", "number7z 12 and x number299z 3", "ask me about",
            "abc1234 or abc",
        ]
        // By literals, by signs, left to Vectorscan, and tried on every text.
        let own = [
            "[a-z]{3,20} ?[,|/-] ?(head of|director|manager)", "[0-9]{1,2}:[0-5][0-9]", "(see|saw) [a-z]{0,9} ?boats?$",
            "ask (me|us) .{0,20}about", "abc[0-9]*", "[a-d]{2,9}",
        ]
        let all = (0..<others).map { "x? ?number\($0)z [0-9]{1,2}" } + own
        #expect(PatternTable(Self.rules(all)).gates.count <= PatternTable.groupLimit)
        let (alone, among) = (try Self.hits(own, texts), try Self.hits(all, texts))
        for (alone, among) in zip(alone, among) {
            let same = among.hits.filter { $0[0] >= others }.map { [$0[0] - others] + $0.dropFirst() }
            #expect(Set(same) == Set(alone.hits) && same.count == alone.hits.count)
        }
        // The others are found, too.
        #expect(among[5].hits.map { $0[0] }.sorted() == [7, 299].filter { $0 < others })
    }

    @Test(arguments: ["abc[0-9]*", "[a-d]{2,9}", #"\babc"#, "abc(d|[0-9]{1,200}){1,200}", "(abc)?d?x", "(?i)abcd"])
    func `what has no bound, no literal or more syntax is left to Vectorscan`(regex: String) {
        #expect(PatternTable(Self.rules([regex])).machines.isEmpty)
    }

    @Test(arguments: [
        ("(pay|paid) ?[0-9]{1,3}", "we paid 20, pay5 and payment", ["paid 20", "pay5"]),
        ("[a-z]{2,20}-[a-z]{2,20}", "a well-known fact", ["well-known"]),
        ("^(pay|fee) now", "pay now pay now", ["pay now"]), ("(pay|fee) now$", "pay now, fee now", ["fee now"]),
        (#"(say|with) ["'][a-z]{1,9}["']"#, #"don't say "yes" or 'no'"#, [#"say "yes""#]),
        // More signs than a search looks for at once.
        ("(!|#|%|&|;|=)[0-9]{1,2}", "a ;7 and =8 and !9", [";7", "=8", "!9"]),
        // Vectorscan 5.4.9 loses this one when it has to find the start.
        (
            "[a-z]{3,20} ?[,|/-] ?(head of|director|manager)",
            "i will send our last audited accounts, the thing want i would to see first. rowena pugh, director",
            ["pugh, director"]
        ),
    ])
    func `matches are found with their starts`(regex: String, text: String, expected: [String]) throws {
        let found = try Self.hits([regex], [text])[0]
        #expect(found.hits.map { String(decoding: found.text[$0[1]..<$0[2]], as: UTF8.self) } == expected)
    }

    @Test func `a machine finds what trying everything finds`() throws {
        var random = SplitMix(state: 7)
        try Self.compare(Self.regexes, with: Self.texts(400, &random))
    }

    @Test func `machines of any regexes find what trying everything finds`() throws {
        var random = SplitMix(state: 19)
        let parts = [
            "abc", "bcd", "d", "[ab]", "[^c]{1,4}", ".{0,5}", "[a-d]{0,9}", "(a|bc)?", "(ab|abc|d){1,2}", " ?", "(:|-)",
            "[0-9]{1,2}",
        ]
        // Vectorscan knows anchors at the ends alone.
        let (fronts, ends) = (["", "", "(^|b)", "^"], ["", "", "(c|$)", "$"])
        for _ in 0..<40 {
            let regexes = Set(
                (0..<6).map { _ in
                    var chosen = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        parts.randomElement(using: &random) ?? ""
                    }
                    chosen.insert(
                        ["abc", "(bcd|dab)", "pay"].randomElement(using: &random) ?? "",
                        at: Int.random(in: 0...chosen.count, using: &random))
                    let front = fronts.randomElement(using: &random) ?? ""
                    return front + chosen.joined() + (ends.randomElement(using: &random) ?? "")
                }
            ).sorted()
            #expect(PatternTable(Self.rules(regexes)).machines.count == regexes.count, "\(regexes)")
            try Self.compare(regexes, with: Self.texts(25, &random))
        }
    }

    private static func texts(_ count: Int, _ random: inout SplitMix) -> [String] {
        let pieces = ["a", "b", "c", "d", "1", "5", " ", ":", "-", ",", "$", "\"", "'", "abc", "pay", "dm", "=>", "]"]
        return (0..<count).map { _ in
            (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined()
        }
    }

    private static func compare(_ regexes: [String], with texts: [String]) throws {
        let trees = try regexes.map { try #require(RegexTree($0)) }
        for (text, hits) in try hits(regexes, texts) {
            var expected: Set<[Int]> = []
            for (signal, tree) in trees.enumerated() {
                // Of one end the longest match, then of one start.
                var starts: [Int: Int] = [:]
                for start in 0..<max(1, text.count) {
                    for end in Self.ends(tree, text, start) where starts[end] == nil { starts[end] = start }
                }
                var longest: [Int: Int] = [:]
                for (end, start) in starts { longest[start] = max(longest[start] ?? 0, end) }
                for (start, end) in longest { expected.insert([signal, start, end]) }
            }
            #expect(Set(hits) == expected, "\(regexes) in \(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test func `a machine survives the cache, and a broken one does not`() throws {
        let words = PatternTable(Self.rules(Self.regexes)).machines[0].words()
        var whole = words[...]
        #expect(try #require(RegexMachine(words: &whole)).words() == words)
        #expect(whole.isEmpty)
        for count in [0, 7, words.count - 1] {
            var cut = words[..<count]
            #expect(RegexMachine(words: &cut) == nil)
        }
        var wild = words
        wild[wild.count - 1] = 60_000
        var slice = wild[...]
        #expect(RegexMachine(words: &slice) == nil)
    }

    /// The ends of all matches from one start, by trying everything.
    private static func ends(_ tree: RegexTree, _ text: [UInt8], _ start: Int) -> Set<Int> {
        switch tree {
        case .byte(let set): return start < text.count && set.contains(text[start]) ? [start + 1] : []
        case .lineStart: return start == 0 ? [start] : []
        case .lineEnd: return start == text.count ? [start] : []
        case .boundary: return []
        case .sequence(let parts):
            return parts.reduce([start]) { reached, part in Set(reached.flatMap { ends(part, text, $0) }) }
        case .choice(let parts): return Set(parts.flatMap { ends($0, text, start) })
        case .repeated(let part, let least, let most):
            var all: Set<Int> = least == 0 ? [start] : []
            var reached: Set<Int> = [start]
            for round in 1...max(1, most ?? 0) {
                reached = Set(reached.flatMap { ends(part, text, $0) })
                if round >= least { all.formUnion(reached) }
            }
            return all
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
