import TriageCore

/// Something that people do to a message which must leave an answer as it is, or move it in a known way.
package struct TextChange: Sendable {
    /// Where an inserted text goes.
    package enum Place: String, Sendable, CaseIterable {
        case before, after
        /// Around the message: ``ChangeText/message`` stands in the text.
        case wrap
    }

    /// What an answer must be once the message is changed.
    package enum Wanted: Sendable, Equatable {
        /// What it was before.
        case same
        /// The class of this index, by ``EvaluatedQuestion/classes``.
        case label(UInt8)
    }

    /// What is done to the text.
    package enum Work: Sendable {
        /// One of the texts is put in; ``ChangeText/any`` is the key of those for every language.
        case insertion(place: Place, join: String, texts: [String: [String]], heldOut: [String: [String]])
        case operation(TextOperation)
    }

    /// Which records it applies to, by their labels and languages; an empty list leaves all.
    package struct Condition: Sendable, Equatable {
        /// Classes by index; a record without the label is left out where there are any.
        package var categories: [UInt8] = []
        package var sentiments: [UInt8] = []
        package var urgent: [UInt8] = []
        /// BCP 47; `pt` means `pt-BR` too.
        package var languages: [String] = []
        /// Characters that the text must have.
        package var leastCharacters = 1

        package init() {}
    }

    package var id: String
    /// Why nothing changes, in words.
    package var why: String
    package var work: Work
    /// By question; one that is not named is not measured.
    package var expected: [EvaluatedQuestion: Wanted]
    package var condition: Condition
    /// The highest share of answers that may move; above it the bound is broken.
    package var bounds: [ChangeMeasure: Double]

    package init(
        id: String, why: String = "", work: Work, expected: [EvaluatedQuestion: Wanted],
        condition: Condition = Condition(), bounds: [ChangeMeasure: Double] = ChangeMeasure.standardBounds
    ) {
        self.id = id
        self.why = why
        self.work = work
        self.expected = expected
        self.condition = condition
        self.bounds = bounds
    }

    /// The questions that a change may say something of.
    package static let questions: [EvaluatedQuestion] = [.category, .sentiment, .urgent]

    /// Whether a changed copy has every label of its original, so that it may be trained with.
    package var keepsLabels: Bool { Self.questions.allSatisfy { expected[$0] == .same } }

    /// The changed text of a record; nil where the change does not apply, or leaves the text as it is.
    ///
    /// The same for the same record and change, whatever else is changed and in whatever order.
    ///
    /// - Parameter purpose: which of its texts are used.
    package func changed(_ subject: ChangeSubject, for purpose: ChangePurpose) -> String? {
        guard applies(to: subject), let text = applied(to: subject.text, of: subject, for: purpose) else { return nil }
        return text.utf8.elementsEqual(subject.text.utf8) ? nil : text
    }

    /// Whether the record is one of those that it is for.
    package func applies(to subject: ChangeSubject) -> Bool {
        func holds(_ wanted: [UInt8], _ label: UInt8) -> Bool { wanted.isEmpty || wanted.contains(label) }
        let gold = subject.gold
        let category = gold.category == Gold.absent && gold.spam == 1 ? Category.spam.rawValue : gold.category
        return holds(condition.categories, category) && holds(condition.sentiments, gold.sentiment)
            && holds(condition.urgent, gold.urgent)
            && (condition.languages.isEmpty
                || condition.languages.contains { ChangeText.isLanguage(subject.language, within: $0) })
            && subject.text.contains { !$0.isWhitespace } && subject.text.count >= condition.leastCharacters
    }

    /// The text once the work is done on it; nil where no text of it can be filled for this record.
    func applied(to text: String, of subject: ChangeSubject, for purpose: ChangePurpose) -> String? {
        switch work {
        case .operation(let operation): return operation.applied(to: text, seed: subject.hash(with: id))
        case .insertion(let place, let join, let texts, let heldOut):
            let lists = purpose == .measuring && !heldOut.isEmpty ? heldOut : texts
            let candidates = ChangeText.candidates(lists, language: subject.language)
                .compactMap { ChangeText.filled($0, for: subject.sender) }
            guard !candidates.isEmpty else { return nil }
            let inserted = candidates[Int(subject.hash(with: id) % UInt64(candidates.count))]
            switch place {
            case .before: return inserted + join + text
            case .after: return text + join + inserted
            case .wrap: return ChangeText.wrapped(text, in: inserted)
            }
        }
    }
}

/// What changed texts are made for, which decides whether held-out texts are used.
package enum ChangePurpose: Sendable {
    case training
    /// With texts that no training has seen.
    case measuring
}

/// The list of a changes file.
package struct ChangeList: Sendable {
    /// In the order of the file; ids are unique.
    package var changes: [TextChange]

    package init(changes: [TextChange]) { self.changes = changes }
}

/// How the texts of a change are chosen and filled.
package enum ChangeText {
    /// The key of the texts for every language.
    package static let any = "any"
    /// Stands for the message in a text that is put around it.
    package static let message = "{text}"
    /// What may stand in braces in a text, beside ``message``.
    package static let placeholders = ["handle", "company", "first"]

    /// The texts that fit a language: its own first, then those for every language.
    ///
    /// - Parameter language: of the record; its most exact list counts, `pt-BR` before `pt`.
    static func candidates(_ texts: [String: [String]], language: String) -> [String] {
        let own = texts.keys.filter { $0 != any && isLanguage(language, within: $0) }
            .max { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        return (own.flatMap { texts[$0] } ?? []) + (texts[any] ?? [])
    }

    /// Whether a tag is a language or one of its kinds: `pt-BR` is within `pt`, and `hi` is not within `hi-Latn`.
    static func isLanguage(_ tag: String, within language: String) -> Bool {
        func parts(_ tag: String) -> [Substring] { tag.lowercased().split { $0 == "-" || $0 == "_" } }
        let wanted = parts(language)
        return !wanted.isEmpty && parts(tag).starts(with: wanted)
    }

    /// A text with the sender's words in it; nil where the record lacks one of them.
    static func filled(_ text: String, for sender: ChangeSender) -> String? {
        var text = text
        for (name, value) in zip(placeholders, [sender.handle, sender.company, sender.first]) {
            let mark = "{\(name)}"
            guard text.contains(mark) else { continue }
            guard let value else { return nil }
            text = text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: value)
        }
        return text
    }

    /// - Parameter frame: holds ``message`` once.
    static func wrapped(_ text: String, in frame: String) -> String? {
        guard let place = frame.firstRange(of: message) else { return nil }
        return frame[..<place.lowerBound] + text + frame[place.upperBound...]
    }
}
