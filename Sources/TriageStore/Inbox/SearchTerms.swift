internal import GRDB

/// What a person searches for, made harmless: nothing in it is an operator of the search.
///
/// A word finds every word that begins with it, so that something is found while it is being typed, and the plural finds
/// the singular; `"…"` finds whole words, side by side. What the index cannot find, since its words are not set apart by blanks or are no words, is looked for in the texts.
struct SearchTerms {
    /// A term of its own: what finds it in the words of a message, and in the handle of its sender.
    struct Part {
        /// For FTS5; nil: it is among ``patterns``.
        var match: String?
        /// For `LIKE … ESCAPE '\'`, where ``match`` is nil.
        var pattern: String?
        /// The beginning of a handle, or of a part of one: small letters without anything that `GLOB` would understand; nil:
        /// no handle is like that.
        var handle: String?
    }

    private(set) var parts: [Part] = []
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
        for (place, term) in terms.enumerated() {
            var part = Part(handle: isPlain ? nil : Self.handle(term.text))
            if isPlain || Self.isBeyondWords(term.text) {
                let pattern = "%" + Self.escaped(term.text) + "%"
                part.pattern = pattern
                patterns.append(pattern)
                if let match = ScriptRuns.match(term.text) { runs.append(match) }
            } else {
                // One letter begins half of all words: as a word it stands for itself, unless it is being typed.
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

    /// The same word in the other number, as far as its last letters tell: what is no word finds nothing, and does no harm.
    private static func numbers(of term: String) -> [String] {
        // Signs around a word are none of it.
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

    /// How a term would begin a handle.
    private static func handle(_ text: String) -> String? {
        let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2E || byte == 0x2D
                || byte == 0x5F
        }
        return isName && (2...64).contains(name.utf8.count) ? name.lowercased() : nil
    }

    /// The terms without their quotation marks.
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

/// Text in scripts that set no blanks between words, and pictures, as pairs of neighbors that an index can hold.
///
/// A run of `日本語` is kept as `日本 本語 語`: the pairs of something that is looked for stand side by side exactly where it
/// stands in a text. A pair is a word of the index, so a search takes as long as its commonest pair is common, and not as
/// long as the store is large.
enum ScriptRuns {
    /// Whether a scalar belongs to such a run.
    static func holds(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Thai, Lao, Myanmar, Khmer; kana and Han with their extensions; Hangul, whose words carry their endings.
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFD:
            true
        // Signs and pictures: no word has them, and many a message has nothing else.
        case 0x2190...0x2BFF, 0x1F000...0x1FAFF: true
        default: false
        }
    }

    /// What the index keeps of a message, the sender's name last; nil: nothing.
    ///
    /// Only of what stands before U+0000, where a column ends: what is taken out again is made of the column.
    static func indexed(_ text: String, _ sender: String?) -> String? {
        var out = ""
        add(text, to: &out)
        if let sender { add(sender, to: &out) }
        return out.isEmpty ? nil : out
    }

    /// What finds the runs of a term, for FTS5; nil when it has none.
    ///
    /// More may be found than has the whole term, never less.
    static func match(_ term: String) -> String? {
        var parts: [String] = []
        forEachRun(term) { run in
            // The last of a run begins a pair, where it is not the last there.
            parts.append(run.count == 1 ? "\"\(run[0])\"*" : "\"" + pairs(run).joined(separator: " ") + "\"")
        }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    private static func add(_ text: String, to out: inout String) {
        // Few texts have any, and bytes tell: all of them begin with one of these.
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

/// The words of messages; kept in step with them by whoever changes them, in the same transaction.
enum SearchIndex {
    static func add(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO search (rowid, text, sender) VALUES (?, ?, ?)")
            .execute(arguments: [number, text, sender])
        try addRuns(number, text, sender, database)
    }

    /// - Parameters:
    ///   - text: what was added, to the letter; with another the index would be damaged.
    ///   - sender: the same.
    static func remove(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO search (search, rowid, text, sender) VALUES ('delete', ?, ?, ?)")
            .execute(arguments: [number, text, sender])
        guard let runs = ScriptRuns.indexed(text, sender) else { return }
        try database.cachedStatement(
            sql: "INSERT INTO search_runs (search_runs, rowid, runs) VALUES ('delete', ?, ?)"
        ).execute(arguments: [number, runs])
    }

    /// What is written without blanks.
    static func addRuns(_ number: Int64, _ text: String, _ sender: String?, _ database: Database) throws {
        // Most messages have none, and no row.
        guard let runs = ScriptRuns.indexed(text, sender) else { return }
        try database.cachedStatement(sql: "INSERT INTO search_runs (rowid, runs) VALUES (?, ?)")
            .execute(arguments: [number, runs])
    }

    /// Puts the parts of both indexes together: what was removed is only marked so until then.
    static func tidy(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO search (search) VALUES ('optimize')")
        try database.execute(sql: "INSERT INTO search_runs (search_runs) VALUES ('optimize')")
    }
}
