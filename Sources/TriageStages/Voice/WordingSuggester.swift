internal import ShippedLanguages
internal import TriageCore

/// Finds what a person changes in drafts again and again, and what the wording that they came from would be with it.
///
/// Drafts are compared by sentences, without greeting: what stands in one and not in the other is a change. A sentence with a
/// slot, such as the fee, is the same sentence whatever stands in the slot.
package struct WordingSuggester {
    /// A draft, and what a person made of it.
    package struct Edit: Sendable {
        /// Tells the message.
        package var number: Int64 = 0
        /// As ``DraftAnswer/basedOn`` says it.
        package var basis = ""
        /// Tag of the language of the draft.
        package var language = ""
        package var senderName = ""
        package var draft = ""
        package var edited = ""

        package init() {}
    }

    /// A change that was made to several drafts.
    package struct Suggestion: Sendable, Equatable {
        /// Where the words come from: `template:fan.praise`, `faq:camera` or `own-reply:` and an id.
        package var basis: String
        package var language: String
        /// What stood in the drafts, and what was written in its place, with `{name}` for the reader's; either may be empty.
        package var before: String
        package var after: String
        /// Where the language files have the template: `wordings`; empty for what is no template's.
        package var section = ""
        /// All wordings of the template as they would be, without those that would be empty.
        package var wordings: [String] = []
        /// Messages whose drafts were changed so.
        package var messages: [Int64]
    }

    /// Drafts that must have been changed in the same way.
    package static let least = 3
    /// Bytes and sentences of a draft and of what became of it, and changes of one draft: what has more was written anew.
    private static let textLimit = 4_000
    private static let sentenceLimit = 40
    private static let changeLimit = 8
    /// Letters that a wording must have beside its slots, so that it is no other's.
    private static let leastLetters = 8

    /// One wording of a template.
    private struct Wording {
        /// `wordings`, or `wordings_near` and `wordings_polite` where the language has both.
        var section: String
        /// `fan.praise`.
        var name: String
        var sentences: [String]
    }

    /// A sentence of a draft.
    private struct Part {
        /// With `{name}` for the reader's.
        var text: String
        /// Equal for equal sentences.
        var key: String
        /// Where it comes from: a wording, and the sentence of it; nil: no template.
        var source: (wording: Int, sentence: Int)?
    }

    private struct Change {
        var basis: String
        var language: String
        var before: String
        var after: String
        /// The wording of each draft, and the sentences of it that go or behind which something comes (−1: before all).
        var places: [(wording: Int, sentences: ClosedRange<Int>, isAdded: Bool)] = []
        var messages: [Int64] = []
    }

    private let greetings = VoiceWords().greetings
    /// By language, in the order of the files.
    private let wordings: [String: [Wording]]

    /// Where sentences stand in ``wordings``.
    private struct Known {
        var whole: [String: (wording: Int, sentence: Int)] = [:]
        /// Those with slots: what stands between the slots.
        var slotted: [(fixed: [String], place: (wording: Int, sentence: Int))] = []
    }

    private let known: [String: Known]

    package init() {
        var all: [String: [Wording]] = [:]
        for entry in ShippedLanguages.entries(of: "replies") {
            for section in ["wordings", "wordings_near", "wordings_polite"] where entry.key.hasPrefix("\(section).") {
                for value in entry.values {
                    let sentences = Self.sentences(value, greetings: [], names: [])
                    let name = String(entry.key.dropFirst(section.count + 1))
                    all[entry.language, default: []].append(
                        Wording(section: section, name: name, sentences: sentences))
                }
            }
        }
        wordings = all
        known = all.mapValues { words in
            var known = Known()
            for (number, wording) in words.enumerated() {
                for (place, sentence) in wording.sentences.enumerated() {
                    let fixed = Self.small(sentence).split(separator: /\{[a-z_]*\}/, omittingEmptySubsequences: false)
                    if fixed.count == 1 {
                        if known.whole[String(fixed[0])] == nil { known.whole[String(fixed[0])] = (number, place) }
                    } else if fixed.reduce(0, { $0 + $1.count }) >= Self.leastLetters {
                        known.slotted.append((fixed.map(String.init), (number, place)))
                    }
                }
            }
            return known
        }
    }

    /// What was changed in the same way in at least ``least`` drafts, the commonest first.
    package func suggestions(_ edits: [Edit]) -> [Suggestion] {
        var changes: [String: Change] = [:]
        for edit in edits {
            var seen: Set<String> = []
            for (key, change) in self.changes(of: edit) where seen.insert(key).inserted {
                if changes[key] == nil { changes[key] = change } else { changes[key]?.places += change.places }
                changes[key]?.messages.append(edit.number)
            }
        }
        return changes.filter { Set($0.value.messages).count >= Self.least }
            .sorted { ($1.value.messages.count, $0.key) < ($0.value.messages.count, $1.key) }
            .map { suggestion($0.value) }
    }

    private func changes(of edit: Edit) -> [(key: String, change: Change)] {
        guard edit.draft.utf8.count <= Self.textLimit, edit.edited.utf8.count <= Self.textLimit else { return [] }
        let names = VoiceText.words(of: Array(edit.senderName.unicodeScalars.prefix(120))).map(\.folded)
        let (old, new) = (parts(edit.draft, names, edit.language), parts(edit.edited, names, edit.language))
        guard (1...Self.sentenceLimit).contains(old.count), new.count <= Self.sentenceLimit else { return [] }
        var found: [(key: String, change: Change)] = []
        for hunk in Self.hunks(old.map(\.key), new.map(\.key)) {
            let (removed, added) = (old[hunk.old], new[hunk.new].map(\.text))
            let anchor = hunk.old.lowerBound > 0 ? old[hunk.old.lowerBound - 1] : nil
            found.append(change(removed, added, anchor, edit))
        }
        return found.count <= Self.changeLimit ? found : []
    }

    private func change(
        _ removed: ArraySlice<Part>, _ added: [String], _ anchor: Part?, _ edit: Edit
    ) -> (key: String, change: Change) {
        let words = wordings[edit.language] ?? []
        var change = Change(
            basis: edit.basis, language: edit.language, before: removed.map(\.text).joined(separator: " "),
            after: added.joined(separator: " "))
        var what = removed.map(\.key)
        let places = removed.compactMap(\.source)
        if let first = places.first, let last = places.last, places.count == removed.count,
            places.allSatisfy({ $0.wording == first.wording }), first.sentence <= last.sentence
        {
            change.places = [(first.wording, first.sentence...last.sentence, false)]
            change.basis = "template:\(words[first.wording].name)"
            what = removed.compactMap { part in part.source.map { words[$0.wording].sentences[$0.sentence] } }
            change.before = what.joined(separator: " ")
        } else if removed.isEmpty, let place = anchor?.source {
            change.places = [(place.wording, place.sentence...place.sentence, true)]
            change.basis = "template:\(words[place.wording].name)"
        }
        let section = change.places.first.map { words[$0.wording].section } ?? ""
        let parts = [section, change.basis, change.language, what.joined(separator: "\u{1E}"), change.after]
        return (parts.joined(separator: "\u{1F}"), change)
    }

    private func suggestion(_ change: Change) -> Suggestion {
        let words = wordings[change.language] ?? []
        var suggestion = Suggestion(
            basis: change.basis, language: change.language, before: change.before, after: change.after,
            messages: change.messages.sorted())
        guard let first = change.places.first else { return suggestion }
        suggestion.section = words[first.wording].section
        for wording in words.indices
        where words[wording].name == words[first.wording].name && words[wording].section == suggestion.section {
            var sentences = words[wording].sentences
            if let place = change.places.first(where: { $0.wording == wording }) {
                let added = change.after.isEmpty ? [] : [change.after]
                if place.isAdded {
                    sentences.insert(contentsOf: added, at: place.sentences.upperBound + 1)
                } else {
                    sentences.replaceSubrange(place.sentences, with: added)
                }
            }
            let text = sentences.joined(separator: " ")
            if !text.isEmpty { suggestion.wordings.append(text) }
        }
        return suggestion
    }

    private func parts(_ text: String, _ names: [String], _ language: String) -> [Part] {
        Self.sentences(text, greetings: greetings, names: names).prefix(Self.sentenceLimit + 1).map { sentence in
            let source = source(of: sentence, language)
            return Part(text: sentence, key: Self.small(sentence), source: source)
        }
    }

    /// The wording that a sentence comes from.
    private func source(of sentence: String, _ language: String) -> (wording: Int, sentence: Int)? {
        guard let known = known[language] else { return nil }
        let small = Self.small(sentence)
        if let place = known.whole[small] { return place }
        return known.slotted.first { Self.fits(small, $0.fixed) }?.place
    }

    /// Whether a sentence is a wording's with something in its slots.
    private static func fits(_ sentence: String, _ fixed: [String]) -> Bool {
        guard let first = fixed.first, let last = fixed.last, sentence.hasPrefix(first) else { return false }
        var rest = sentence.dropFirst(first.count)
        for part in fixed.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// With a small first letter: it is one behind a greeting, and none without.
    private static func small(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

    /// The sentences of a text without its greeting, with `{name}` for a first name, and without emoji at their ends: those are
    /// a habit, and no wording.
    private static func sentences(_ text: String, greetings: Set<String>, names: [String]) -> [String] {
        VoiceText(text, greetings: greetings, sender: Set(names), names: []).sentences.map { sentence in
            var scalars = sentence.scalars[...]
            if let name = names.first, let place = sentence.words.first(where: { $0.folded == name }) {
                scalars =
                    sentence.scalars[..<place.range.lowerBound] + Array("{name}".unicodeScalars)
                    + sentence.scalars[place.range.upperBound...]
            }
            while let first = scalars.first, isOrnament(first) { scalars.removeFirst() }
            while let last = scalars.last, isOrnament(last) { scalars.removeLast() }
            return VoiceText.string(scalars)
        }
    }

    /// Emoji, what joins them, and blanks.
    private static func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " "
            || !scalar.isASCII
                && (VoiceText.isEmoji(scalar) || scalar.properties.isVariationSelector || scalar == "\u{200D}")
    }

    /// What of two lists is not the same, as short as can be.
    private static func hunks(_ old: [String], _ new: [String]) -> [(old: Range<Int>, new: Range<Int>)] {
        // Length of the longest common list of what is left, from the ends.
        var common = Array(repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
        for a in old.indices.reversed() {
            for b in new.indices.reversed() {
                common[a][b] =
                    old[a] == new[b] ? common[a + 1][b + 1] + 1 : max(common[a + 1][b], common[a][b + 1])
            }
        }
        var hunks: [(old: Range<Int>, new: Range<Int>)] = []
        var (a, b) = (0, 0)
        var (startA, startB) = (0, 0)
        func close() { if startA < a || startB < b { hunks.append((startA..<a, startB..<b)) } }
        while a < old.count || b < new.count {
            if a < old.count, b < new.count, old[a] == new[b] {
                close()
                (a, b) = (a + 1, b + 1)
                (startA, startB) = (a, b)
            } else if b == new.count || a < old.count && common[a + 1][b] >= common[a][b + 1] {
                a += 1
            } else {
                b += 1
            }
        }
        close()
        return hunks
    }
}
