/// What a person searches for, made harmless: nothing in it is an operator of the search.
///
/// Words are looked up in the index of words; `"…"` keeps words together, and `*` behind a word finds its beginnings.
/// What the index cannot find, since its words are not set apart by blanks or are no words, is looked for in the texts.
struct SearchTerms {
    /// For FTS5: every term a quoted string; nil when there is none for it.
    private(set) var match: String?
    /// Patterns for `LIKE … ESCAPE '\'`.
    private(set) var patterns: [String] = []
    /// For FTS5 and the index of runs: whatever fits the patterns is among what this finds; nil: nothing is known of it.
    private(set) var runs: String?

    /// Bytes of a query.
    static let longest = 4096
    /// Terms of a query.
    static let most = 32

    /// nil when there is nothing to search for, or too much.
    ///
    /// - Parameter isPlain: whether all of it is looked for in the texts.
    init?(_ query: String, isPlain: Bool = false) {
        guard query.utf8.count <= Self.longest else { return nil }
        var (quoted, runs): ([String], [String]) = ([], [])
        let terms = Self.terms(query)
        guard !terms.isEmpty, terms.count <= Self.most else { return nil }
        for term in terms {
            if isPlain || Self.isBeyondWords(term.text) {
                patterns.append("%" + Self.escaped(term.text) + "%")
                if let match = ScriptRuns.match(term.text) { runs.append(match) }
            } else {
                quoted.append("\"\(term.text)\"" + (term.isBeginning ? "*" : ""))
            }
        }
        if !quoted.isEmpty { match = quoted.joined(separator: " AND ") }
        if !runs.isEmpty { self.runs = runs.joined(separator: " AND ") }
    }

    /// The terms without their quotation marks.
    private static func terms(_ query: String) -> [(text: String, isBeginning: Bool)] {
        var found: [(String, Bool)] = []
        var current = ""
        var isQuoted = false
        func end() {
            var text = current
            current = ""
            let isBeginning = !isQuoted && text.hasSuffix("*")
            if isBeginning { while text.hasSuffix("*") { text.removeLast() } }
            if !text.allSatisfy({ $0 == " " }) { found.append((text, isBeginning)) }
        }
        for scalar in query.unicodeScalars {
            switch scalar {
            case "\"":
                end()
                isQuoted.toggle()
            case _ where scalar.value == 0 || scalar.properties.isWhitespace:
                if isQuoted { current += " " } else { end() }
            default: current.unicodeScalars.append(scalar)
            }
        }
        end()
        return found
    }

    /// Whether the index of words has no word for it: scripts without blanks, and what holds no letter or digit.
    private static func isBeyondWords(_ text: String) -> Bool {
        var hasWord = false
        for scalar in text.unicodeScalars {
            if ScriptRuns.holds(scalar) { return true }
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil { hasWord = true }
        }
        return !hasWord
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { out += "\\" }
            out.unicodeScalars.append(scalar)
        }
        return out
    }
}
