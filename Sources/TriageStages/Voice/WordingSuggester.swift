internal import ShippedLanguages
internal import TriageCore

/// Finds changes that a person makes to drafts repeatedly, and applies them to the wordings that the drafts came from.
///
/// Drafts are compared sentence by sentence, without greeting: a sentence that occurs in only one of the two is a
/// change. A sentence with a slot, such as the fee, counts as the same whatever the slot contains.
package struct WordingSuggester {
    /// A draft, and what a person made of it.
    package struct Edit: Sendable {
        /// Identifies the message.
        package var number: Int64 = 0
        /// As in ``DraftAnswer/basedOn``.
        package var basis = ""
        /// Language tag of the draft.
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
        /// The text that was in the drafts, and its replacement, with `{name}` for the reader's name; either may be
        /// empty.
        package var before: String
        package var after: String
        /// The section of the language files that has the template, such as `wordings`; empty if the words are not from
        /// a template.
        package var section = ""
        /// All wordings of the template after the change, without those that would become empty.
        package var wordings: [String] = []
        /// Messages whose drafts were changed in this way.
        package var messages: [Int64]
    }

    /// Minimum number of drafts that must have been changed in the same way.
    package static let least = 3
    /// Maximum number of bytes and of sentences of a draft and of its edited text, and of changes per draft; anything
    /// larger counts as rewritten.
    private static let textLimit = 4_000
    private static let sentenceLimit = 40
    private static let changeLimit = 8
    /// Minimum number of letters outside the slots, so that a wording cannot be confused with another.
    private static let leastLetters = 8

    /// One wording of a template.
    private struct Wording {
        /// `wordings`, or `wordings_near` and `wordings_polite` if the language has both.
        var section: String
        /// The situation, such as `fan.praise`.
        var name: String
        var sentences: [String]
    }

    /// A sentence of a draft.
    private struct Part {
        /// The text, with `{name}` for the reader's name.
        var text: String
        /// Equal for sentences that count as the same.
        var key: String
        /// The wording and the sentence in it that this comes from; nil: not from a template.
        var source: (wording: Int, sentence: Int)?
    }

    private struct Change {
        var basis: String
        var language: String
        var before: String
        var after: String
        /// For each draft: the wording, and the sentences in it that are removed or after which something is added (−1:
        /// at the start).
        var places: [(wording: Int, sentences: ClosedRange<Int>, isAdded: Bool)] = []
        var messages: [Int64] = []
    }

    private let greetings = VoiceWords().greetings
    /// By language, in the order of the files.
    private let wordings: [String: [Wording]]

    /// Indexes the sentences in ``wordings``.
    private struct Known {
        var whole: [String: (wording: Int, sentence: Int)] = [:]
        /// Sentences with slots: the fixed texts between the slots.
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

    /// Returns changes made in the same way in at least ``least`` drafts, the most frequent first.
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

    /// Returns the wording that a sentence comes from.
    private func source(of sentence: String, _ language: String) -> (wording: Int, sentence: Int)? {
        guard let known = known[language] else { return nil }
        let small = Self.small(sentence)
        if let place = known.whole[small] { return place }
        return known.slotted.first { Self.fits(small, $0.fixed) }?.place
    }

    /// Whether a sentence matches a wording with its slots filled.
    private static func fits(_ sentence: String, _ fixed: [String]) -> Bool {
        guard let first = fixed.first, let last = fixed.last, sentence.hasPrefix(first) else { return false }
        var rest = sentence.dropFirst(first.count)
        for part in fixed.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// Returns the text with a lower-case first letter, because the case depends on whether a greeting precedes it.
    private static func small(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

    /// Returns the sentences of a text without greeting, with `{name}` for a first name, and without trailing emoji.
    ///
    /// Emoji are a habit, not part of the wording.
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

    /// Whether a character is an emoji, part of one, or a blank.
    private static func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " "
            || !scalar.isASCII
                && (VoiceText.isEmoji(scalar) || scalar.properties.isVariationSelector || scalar == "\u{200D}")
    }

    /// Returns the shortest list of differences between two lists.
    private static func hunks(_ old: [String], _ new: [String]) -> [(old: Range<Int>, new: Range<Int>)] {
        // Length of the longest common subsequence of the remainders.
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
