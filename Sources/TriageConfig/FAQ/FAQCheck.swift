package import TriageCore

/// Finds entries that contradict or hide each other, which no matcher can tell apart.
package enum FAQCheck {
    /// Two questions are near each other when they share at least this part of all their content words.
    static let nearShare = 0.75
    /// Words in more questions than this distinguish nothing and would make the comparison quadratic.
    static let commonLimit = 400

    /// Everything that is wrong with a library file: first what prevents reading it, then what makes answers uncertain.
    ///
    /// - Parameter alike: finds pairs of entries that ask the same in other words.
    package static func findings(
        name: String, bytes: [UInt8], alike: (FAQLibrary) -> [(Int, Int)] = { _ in [] }
    ) -> [TriageError] {
        let faults = FaultCollector()
        let document = ConfigDocument(name: name, bytes: bytes, faults: faults)
        let (library, nodes) = FAQFile.library(of: document, faults: faults)
        let places = nodes.map { "\(name):\($0.line)" }
        return faults.faults + findings(in: library, places: places, alike: alike(library))
    }

    /// One wording of one entry.
    private struct Wording {
        var entry: Int
        var isMain: Bool
        var text: String
        var words: [[UInt8]]
        var content: Set<[UInt8]>
    }

    private static func findings(
        in library: FAQLibrary, places: [String], alike: [(Int, Int)]
    ) -> [TriageError] {
        var findings: [TriageError] = []
        func find(_ code: String, _ what: String, _ entry: Int, _ remedy: String) {
            findings.append(
                TriageError(
                    code, what, at: entry < places.count ? places[entry] : nil, remedy: remedy, exit: .finding))
        }
        let wordings = wordings(of: library)
        checkAnswers(library, find)
        var pairs: Set<Int> = []
        func isNew(_ a: Int, _ b: Int) -> Bool {
            pairs.insert(min(a, b) * library.entries.count + max(a, b)).inserted
        }

        // The same words, regardless of punctuation and accents.
        var same: [[[UInt8]]: Int] = [:]
        for (index, wording) in wordings.enumerated() where !wording.words.isEmpty {
            guard let first = same[wording.words].map({ wordings[$0] }) else {
                same[wording.words] = index
                continue
            }
            let (a, b) = (library.entries[first.entry], library.entries[wording.entry])
            if first.entry == wording.entry {
                find(
                    "faq.said-twice", "'\(a.id)' has the same wording twice", wording.entry, "remove one of them")
            } else if isNew(first.entry, wording.entry) {
                if words(a.answer) == words(b.answer) {
                    find(
                        "faq.duplicate", "'\(a.id)' and '\(b.id)' have the same question and answer", wording.entry,
                        "remove one of them")
                } else {
                    let facts = differences(a, b)
                    find(
                        "faq.contradiction",
                        "'\(a.id)' and '\(b.id)' answer the same question differently"
                            + (facts.isEmpty ? "" : ": \(facts)"),
                        wording.entry, "keep the right answer, or make the questions different")
                }
            }
        }
        func findNear(_ first: Int, _ second: Int) {
            let (a, b) = (library.entries[first], library.entries[second])
            let facts = differences(a, b)
            if facts.isEmpty {
                find(
                    "faq.near-duplicate", "'\(a.id)' and '\(b.id)' ask nearly the same question", second,
                    "merge them with also_asked, or word them differently")
            } else {
                find(
                    "faq.contradiction",
                    "'\(a.id)' and '\(b.id)' ask nearly the same question but answer differently: \(facts)",
                    second, "keep the right answer, or word the questions differently")
            }
        }
        for (a, b, shared) in neighbours(wordings) {
            let (first, second) = (wordings[a], wordings[b])
            let (small, large) =
                first.content.count <= second.content.count ? (first, second) : (second, first)
            let union = small.content.count + large.content.count - shared
            if Double(shared) >= nearShare * Double(union), isNew(first.entry, second.entry) {
                findNear(first.entry, second.entry)
            } else if shared == small.content.count, small.isMain, large.isMain, shared > 1 || large.content.count < 4,
                isNew(first.entry, second.entry)
            {
                let (narrow, wide) = (library.entries[large.entry].id, library.entries[small.entry].id)
                find(
                    "faq.subset", "every significant word of '\(wide)' is also in '\(narrow)'", small.entry,
                    "make the question of '\(wide)' more specific")
            }
        }
        for (a, b) in alike where a != b && isNew(a, b) { findNear(min(a, b), max(a, b)) }
        return findings
    }

    /// Where the answers of two entries contradict each other.
    private static func differences(_ a: FAQEntry, _ b: FAQEntry) -> String {
        AnswerFacts(a.answer).differences(from: AnswerFacts(b.answer)).joined(separator: "; ")
    }

    private static func wordings(of library: FAQLibrary) -> [Wording] {
        library.entries.enumerated().flatMap { index, entry in
            ([entry.question] + entry.alsoAsked).enumerated().map { number, text in
                Wording(
                    entry: index, isMain: number == 0, text: text, words: FAQWords.all(text),
                    content: Set(FAQWords.content(text)))
            }
        }
    }

    private static func checkAnswers(_ library: FAQLibrary, _ find: (String, String, Int, String) -> Void) {
        var answers: [[[UInt8]]: Int] = [:]
        for (index, entry) in library.entries.enumerated() {
            let answer = words(entry.answer)
            if answer.contains(where: { unfinished.contains($0) }) {
                find(
                    "faq.unfinished", "the answer of '\(entry.id)' contains a marker such as TODO", index,
                    "finish the answer")
            }
            guard !answer.isEmpty else { continue }
            if let first = answers[answer] {
                let other = library.entries[first]
                if words(other.question) != words(entry.question) {
                    find(
                        "faq.same-answer", "'\(other.id)' and '\(entry.id)' have the same answer", index,
                        "merge them: put one question under also_asked of the other")
                }
            } else {
                answers[answer] = index
            }
        }
    }

    private static let unfinished: Set<[UInt8]> = Set(["todo", "tbd", "fixme", "xxx"].map { Array($0.utf8) })

    private static func words(_ text: String) -> [[UInt8]] { FAQWords.all(text) }

    /// Pairs of wordings of different entries, with the number of content words they share.
    private static func neighbours(_ wordings: [Wording]) -> [(Int, Int, Int)] {
        var places: [[UInt8]: [Int]] = [:]
        for (index, wording) in wordings.enumerated() {
            for word in wording.content { places[word, default: []].append(index) }
        }
        var pairs: [(Int, Int, Int)] = []
        for (index, wording) in wordings.enumerated() {
            var shared: [Int: Int] = [:]
            for word in wording.content {
                guard let others = places[word], others.count <= commonLimit else { continue }
                for other in others where other > index && wordings[other].entry != wording.entry {
                    shared[other, default: 0] += 1
                }
            }
            pairs += shared.sorted { $0.key < $1.key }.map { (index, $0.key, $0.value) }
        }
        return pairs
    }
}

/// The content words of a question: those that distinguish it from other questions.
enum FAQWords {
    private static let folder = TextFolder()

    /// Words that are common in questions on any subject; folded, in the supported languages.
    private static let common: Set<[UInt8]> = Set(
        """
        a an the do does did is are was were be been can could will would should have has i you he she it we they your
        my me our their this that these those of to in on at for from with by and or if so what which who how when
        where why any some there please tell know want get got im ive youre just really
        el la los las un una de del que en y o por para con como cual cuales donde cuando cuanto es son tu tus usted su
        se me mi puedo puedes hay al lo
        o os as um uma do da dos das em no na e ou qual quais onde quando quanto voce seu sua voces eu posso pode tem
        le les une des du au aux et ou est sont tu vous ton ta tes votre vos je mon ma quel quelle quels quelles comment
        quand combien puis peux peut avez as ce cette
        der die das ein eine einen und oder ist sind du dein deine deinen ich mein meine wie was wo wann welche welcher
        welches warum kann kannst hast hat es im am zu mit fur von
        """.split { $0 == " " || $0 == "\n" }.map { Array($0.utf8) })

    /// The words of a text, folded.
    static func all(_ text: String) -> [[UInt8]] { folder.words(text) }

    /// The content words of a text, folded, each once and in order; all its words if it has no content word.
    static func content(_ text: String) -> [[UInt8]] {
        let words = all(text)
        var seen: Set<[UInt8]> = []
        let telling = words.filter { !common.contains($0) && seen.insert($0).inserted }
        return telling.isEmpty ? words : telling
    }
}

/// The facts in which two answers to one question must agree: numbers, days, links, yes or no.
struct AnswerFacts {
    private var numbers: Set<String> = []
    private var days: Set<String> = []
    private var links: Set<String> = []
    private var isYes: Bool?

    init(_ answer: String) {
        let words = answer.split(whereSeparator: { $0.isWhitespace || $0.isNewline })
        for (place, raw) in words.enumerated() {
            let word = raw.lowercased().trimmed()
            guard !word.isEmpty else { continue }
            if place == 0 || isYes == nil && place < 2 {
                if Self.yes.contains(word) { isYes = true }
                if Self.no.contains(word) { isYes = false }
            }
            if Self.isLink(word) {
                links.insert(Self.bare(word))
            } else if Self.dayNames.contains(word) {
                days.insert(word)
            } else if word.utf8.contains(where: { $0 &- 0x30 < 10 }) {
                add(number: word)
            }
        }
    }

    /// Where the answers contradict each other, in words; empty if no contradiction is found.
    ///
    /// An answer that only says more than the other does not contradict it.
    func differences(from other: AnswerFacts) -> [String] {
        var found: [String] = []
        if let a = isYes, let b = other.isYes, a != b { found.append(a ? "yes / no" : "no / yes") }
        for (kind, a, b) in [
            ("numbers", numbers, other.numbers), ("days", days, other.days), ("links", links, other.links),
        ] where !a.isEmpty && !b.isEmpty && !a.isSubset(of: b) && !b.isSubset(of: a) {
            found.append("\(kind) \(Self.list(a.subtracting(b))) / \(Self.list(b.subtracting(a)))")
        }
        return found
    }

    private static let yes: Set<String> = [
        "yes", "yep", "yeah", "sure", "sí", "si", "sim", "oui", "ja", "evet", "да", "نعم", "はい",
    ]
    private static let no: Set<String> = ["no", "nope", "não", "nao", "non", "nein", "hayır", "нет", "لا", "いいえ"]
    private static let dayNames: Set<String> = Set(
        """
        monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
        sundays january february march april june july august september october november december
        lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre
        octubre noviembre diciembre segunda terça quarta quinta sexta montag dienstag mittwoch donnerstag freitag samstag
        sonntag januar februar märz juni juli oktober dezember lundi mardi mercredi jeudi vendredi samedi dimanche
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    private static func isLink(_ word: String) -> Bool {
        if word.contains("://") || word.hasPrefix("www.") { return true }
        guard !word.contains("@"), let dot = word.firstIndex(of: ".") else { return false }
        let behind = word[word.index(after: dot)...].prefix { $0.isLetter }
        return behind.count >= 2 && word[..<dot].allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            && word[..<dot].contains { $0.isLetter }
    }

    private static func bare(_ link: String) -> String {
        var rest = Substring(link)
        for start in ["https://", "http://", "www."] where rest.hasPrefix(start) { rest = rest.dropFirst(start.count) }
        while rest.last == "/" { rest = rest.dropLast() }
        return String(rest)
    }

    /// `$1,200` and `1200` are the same number, as are `9.90` and `9,9`; times and ranges stay as they are.
    private mutating func add(number word: String) {
        for piece in word.split(whereSeparator: { $0 == "-" || $0 == "–" || $0 == "/" || $0 == "x" }) {
            var digits = piece.filter { ($0.isASCII && $0.isNumber) || $0 == "." || $0 == "," || $0 == ":" }
            while let last = digits.last, !last.isNumber { digits.removeLast() }
            guard !digits.isEmpty else { continue }
            if !digits.contains(":") {
                let parts = digits.split(whereSeparator: { $0 == "." || $0 == "," })
                if parts.count > 1, let last = parts.last, last.count < 3 {
                    var fraction = String(last)
                    while fraction.last == "0" { fraction.removeLast() }
                    digits = parts.dropLast().joined() + (fraction.isEmpty ? "" : ".\(fraction)")
                } else {
                    digits = parts.joined()
                }
            }
            numbers.insert(digits)
        }
    }

    private static func list(_ values: Set<String>) -> String {
        let shown = values.sorted().prefix(3).map { String($0.prefix(60)) }
        return shown.joined(separator: ", ") + (values.count > shown.count ? ", …" : "")
    }
}

extension String {
    /// Without punctuation at both ends.
    fileprivate func trimmed() -> String {
        let edge: (Character) -> Bool = { $0.isPunctuation && $0 != "%" }
        var rest = Substring(self)
        while let first = rest.first, edge(first) { rest = rest.dropFirst() }
        while let last = rest.last, edge(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
