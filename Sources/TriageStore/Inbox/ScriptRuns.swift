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
