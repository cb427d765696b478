/// What two answers to one question must agree in: numbers, days, links, yes or no.
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

    /// In what the answers contradict each other, in words; empty when in nothing that can be told.
    ///
    /// One that says more than the other contradicts it in nothing.
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

    /// `$1,200` and `1200` are one number, and so are `9.90` and `9,9`; a time or a range stays as it is.
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
