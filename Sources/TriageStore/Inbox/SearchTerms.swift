internal import GRDB

/// A search query parsed into terms, with everything escaped that the search engine would read as an operator.
///
/// A word matches every word that begins with it, so that search works while typing, and a plural also matches the
/// singular. `"…"` matches whole words in sequence. Terms that the index cannot find, because they are in scripts
/// without spaces or contain no letters or digits, are searched for in the texts themselves.
struct SearchTerms {
    /// One term: how to match it in a message's words and in its sender's handle.
    struct Part {
        /// The FTS5 expression; nil: the term is in ``patterns``.
        var match: String?
        /// The `LIKE … ESCAPE '\'` pattern, where ``match`` is nil.
        var pattern: String?
        /// The start of a handle, or of a word within one; nil: no handle looks like this.
        ///
        /// In lower case, without characters that are special to `GLOB`.
        var handle: String?
    }

    private(set) var parts: [Part] = []
    /// The FTS5 expression of all terms, each a quoted string; nil when there are none for FTS5.
    private(set) var match: String?
    /// Patterns for `LIKE … ESCAPE '\'`.
    private(set) var patterns: [String] = []
    /// The FTS5 expression for the index of runs, which matches at least everything that fits the patterns.
    ///
    /// nil: it cannot narrow the search.
    private(set) var runs: String?

    /// The maximum length of a query in bytes.
    static let longest = 4096
    /// The maximum number of terms in a query.
    static let most = 32

    /// Parses a query; nil when it is empty or too long.
    ///
    /// - Parameter isPlain: whether to search for everything in the texts themselves.
    init?(_ query: String, isPlain: Bool = false) {
        guard query.utf8.count <= Self.longest else { return nil }
        var (quoted, runs): ([String], [String]) = ([], [])
        let terms = Self.terms(query)
        guard !terms.isEmpty, terms.count <= Self.most else { return nil }
        for (place, term) in terms.enumerated() {
            var part = Part(handle: isPlain ? nil : Self.handle(term.text))
            if isPlain || Self.isBeyondWords(term.text) {
                let pattern = "%" + Self.escaped(term.text) + "%"
                part.pattern = pattern
                patterns.append(pattern)
                if let match = ScriptRuns.match(term.text) { runs.append(match) }
            } else {
                // Half of all words begin with any given letter: a single letter matches only itself, unless it is
                // still being typed.
                let isTyped = term.isBeginning || term.text.count > 1 || place == terms.count - 1
                let match = Self.match(term.text, isBeginning: !term.isQuoted && isTyped, isPlural: !term.isQuoted)
                part.match = match
                quoted.append(match)
            }
            parts.append(part)
        }
        if !quoted.isEmpty { match = quoted.joined(separator: " AND ") }
        if !runs.isEmpty { self.runs = runs.joined(separator: " AND ") }
    }

    private static func match(_ text: String, isBeginning: Bool, isPlural: Bool) -> String {
        let word = "\"\(text)\"" + (isBeginning ? "*" : "")
        let others = isPlural ? numbers(of: text) : []
        return others.isEmpty ? word : "(" + ([word] + others.map { "\"\($0)\"" }).joined(separator: " OR ") + ")"
    }

    /// The word's singular or plural, guessed from its ending; a wrong guess matches nothing and is harmless.
    private static func numbers(of term: String) -> [String] {
        // Ignore punctuation around the word.
        guard let start = term.firstIndex(where: \.isLetter), let end = term.lastIndex(where: \.isLetter) else {
            return []
        }
        let text = term[start...end]
        guard text.count >= 4, text.allSatisfy(\.isLetter) else { return [] }
        let word = text.lowercased()
        if word.hasSuffix("ss") { return [] }
        if word.hasSuffix("ies") { return [String(text.dropLast()), String(text.dropLast(3)) + "y"] }
        if word.hasSuffix("es"), text.count >= 5 { return [String(text.dropLast()), String(text.dropLast(2))] }
        if word.hasSuffix("s") { return [String(text.dropLast())] }
        return word.hasSuffix("y") ? [String(text.dropLast()) + "ies"] : []
    }

    /// The term as the beginning of a handle; nil if no handle could look like it.
    private static func handle(_ text: String) -> String? {
        let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2E || byte == 0x2D
                || byte == 0x5F
        }
        return isName && (2...64).contains(name.utf8.count) ? name.lowercased() : nil
    }

    /// Splits the query into terms without their quotation marks.
    private static func terms(_ query: String) -> [(text: String, isBeginning: Bool, isQuoted: Bool)] {
        var found: [(String, Bool, Bool)] = []
        var current = ""
        var isQuoted = false
        func end() {
            var text = current
            current = ""
            let isBeginning = !isQuoted && text.hasSuffix("*")
            if isBeginning { while text.hasSuffix("*") { text.removeLast() } }
            if !text.allSatisfy({ $0 == " " }) { found.append((text, isBeginning, isQuoted)) }
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

    /// Whether the word index cannot hold the term: it is in a script without spaces, or has no letter or digit.
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

/// Text in scripts without spaces, and pictographs, as pairs of neighboring characters that an index can hold.
///
/// A run of `日本語` is stored as `日本 本語 語`: the pairs of a query are adjacent exactly where the query occurs in a text.
/// Each pair is a word of the index, so a search takes time proportional to how common its most common pair is, not to
/// the size of the store.
enum ScriptRuns {
    /// Whether a scalar belongs to such a run.
    static func holds(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Thai, Lao, Myanmar, Khmer; kana and Han with their extensions; Hangul, whose words carry their endings.
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFD:
            true
        // Symbols and pictographs: no word contains them, and many messages contain nothing else.
        case 0x2190...0x2BFF, 0x1F000...0x1FAFF: true
        default: false
        }
    }

    /// What the index stores for a message, with the sender's name last; nil: nothing.
    ///
    /// Only the text before U+0000 counts, where a column ends: removal recomputes the terms from the column.
    static func indexed(_ text: String, _ sender: String?) -> String? {
        var out = ""
        add(text, to: &out)
        if let sender { add(sender, to: &out) }
        return out.isEmpty ? nil : out
    }

    /// The FTS5 expression for the runs of a term; nil when it has none.
    ///
    /// It may match more than the whole term does, never less.
    static func match(_ term: String) -> String? {
        var parts: [String] = []
        forEachRun(term) { run in
            // A text indexes a character as the start of a pair, or alone at the end of its run: a prefix finds both.
            parts.append(run.count == 1 ? "\"\(run[0])\"*" : "\"" + pairs(run).joined(separator: " ") + "\"")
        }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    private static func add(_ text: String, to out: inout String) {
        // Few texts have such runs, and a quick look at the bytes rules out the rest: every such character begins with
        // 0xE0 or above.
        guard text.utf8.contains(where: { $0 >= 0xE0 }) else { return }
        let column = text.utf8.contains(0) ? String(decoding: text.utf8.prefix { $0 != 0 }, as: UTF8.self) : text
        forEachRun(column) { run in
            for pair in pairs(run) { out += pair + " " }
            out.unicodeScalars.append(run[run.count - 1])
            out += " "
        }
    }

    private static func pairs(_ run: [Unicode.Scalar]) -> [String] {
        zip(run, run.dropFirst()).map { first, second in
            var pair = String(first)
            pair.unicodeScalars.append(second)
            return pair
        }
    }

    private static func forEachRun(_ text: String, _ body: ([Unicode.Scalar]) -> Void) {
        var run: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            if holds(scalar) {
                run.append(scalar)
            } else if !run.isEmpty {
                body(run)
                run.removeAll(keepingCapacity: true)
            }
        }
        if !run.isEmpty { body(run) }
    }
}

/// The full-text index of messages; every change to messages must update it in the same transaction.
enum SearchIndex {
    static func add(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO search (rowid, text, sender) VALUES (?, ?, ?)")
            .execute(arguments: [number, text, sender])
        try addRuns(number, text, sender, database)
    }

    /// - Parameters:
    ///   - text: exactly what was added; any other text would damage the index.
    ///   - sender: likewise.
    static func remove(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO search (search, rowid, text, sender) VALUES ('delete', ?, ?, ?)")
            .execute(arguments: [number, text, sender])
        guard let runs = ScriptRuns.indexed(text, sender) else { return }
        try database.cachedStatement(
            sql: "INSERT INTO search_runs (search_runs, rowid, runs) VALUES ('delete', ?, ?)"
        ).execute(arguments: [number, runs])
    }

    /// Indexes the runs of scripts without spaces.
    static func addRuns(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        // Most messages have no runs, and so no row.
        guard let runs = ScriptRuns.indexed(text, sender) else { return }
        try database.cachedStatement(sql: "INSERT INTO search_runs (rowid, runs) VALUES (?, ?)")
            .execute(arguments: [number, runs])
    }

    /// Merges the parts of both indexes, which finally removes what was only marked as deleted.
    static func tidy(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO search (search) VALUES ('optimize')")
        try database.execute(sql: "INSERT INTO search_runs (search_runs) VALUES ('optimize')")
    }
}
