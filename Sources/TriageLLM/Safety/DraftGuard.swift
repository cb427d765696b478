/// Accepts a draft only if nothing in it could have come from a stranger's orders.
///
/// A model's output is as untrusted as its input. A draft is dropped rather than repaired, except for blanks and
/// emphasis marks: a person who sees no draft writes one.
package struct DraftGuard: Sendable {
    /// Why a draft is dropped; safe as a label.
    package enum Objection: String, Error, Sendable, CaseIterable {
        case empty
        case tooLong = "too-long"
        /// A control character or an escape sequence.
        case control
        /// A bidirectional control or another invisible character.
        case hidden
        /// A link, image, tag or code block.
        case markup
        /// A beginning that a spreadsheet would execute as a formula.
        case formula
        case link
        /// An e-mail address, handle, phone, card or account number.
        case address
        /// A figure that occurs neither in the message nor in the answer.
        case amount
        /// The instructions, or part of them.
        case instructions
        /// Another answer of the library, or the creator's private notes.
        case privateText = "private-text"
        /// Words of a machine about itself or its orders.
        case machine
        /// Words that accept, promise, pay, set a date, vouch, ask for secrets or refuse, and are not the creator's
        /// own.
        case promise

        /// What the model is told when it is asked for another draft.
        ///
        /// Nil: it is not asked again, because the text looks like a stranger's orders.
        package var fault: String? {
            switch self {
            case .promise:
                "the reply accepts, promises, dates, prices or vouches for something, or reads as if it did: "
                    + "write it anew in plain words that settle nothing"
            case .amount: "a figure of the reply stands neither in the message nor in the answers named in q"
            case .link, .address:
                "a link, address, handle or number of the reply stands in none of the creator's answers"
            case .privateText: "the reply gives one of the creator's answers without naming it in q"
            case .tooLong: "the reply is over 90 words"
            case .empty, .control, .hidden, .markup, .formula, .instructions, .machine: nil
            }
        }
    }

    /// The maximum number of characters in a draft; a reply of 90 words has some 600.
    package static let limit = 1_200

    private let canary: Canary
    private let privateRuns: Set<[Unicode.Scalar]>
    private let privateWhole: [[Unicode.Scalar]]
    private let promises: PhraseRules
    private let judge: DraftJudge
    /// Where the creator wants business matters to go; allowed in any draft.
    private let contact: String
    /// What the creator says about their voice, which may name who answers offers.
    private let voice: String
    /// Links and addresses in the creator's public words, which any draft may contain.
    private let publicLinks: Set<String>
    private let publicAddresses: Set<String>

    /// - Parameters:
    ///   - canary: the canary of the instructions that drafts are requested with.
    ///   - privateTexts: texts that no draft may quote: all answers of the library and the creator's note on rates.
    ///     ``checked(_:answer:message:)`` allows the one answer that a draft may use.
    ///   - promises: what only the creator's own words may say; the creator's files define the words, not this code.
    ///   - judge: weighs what the rules find; if no library answer supports a draft, its words alone may get it
    ///     refused.
    ///   - contact: where the creator wants business matters to go; empty: nowhere in particular.
    ///   - library: all answers of the library. Someone who asks about a parcel may be sent to the shop's address,
    ///     although
    ///     the entry that names it answers another question.
    ///   - voice: how the creator writes, as the model is told; what it names is not private, even if it occurs
    ///     elsewhere.
    package init(
        canary: Canary, privateTexts: [String], promises: PhraseRules = PhraseRules(), judge: DraftJudge = DraftJudge(),
        contact: String = "", library: [String] = [], voice: String = ""
    ) {
        self.canary = canary
        self.contact = contact
        self.voice = voice
        let known = (library + [contact, voice]).joined(separator: "\n")
        publicLinks = Set(LinkFinder.links(in: known))
        publicAddresses = Self.addresses(in: known)
        self.promises = promises
        self.judge = judge
        var runs: Set<[Unicode.Scalar]> = []
        var whole: [[Unicode.Scalar]] = []
        for text in privateTexts {
            let skeleton = Text.skeleton(text)
            if skeleton.count >= Canary.runLimit {
                runs.formUnion(Canary.runs(of: skeleton))
            } else if skeleton.count >= 12 {
                whole.append(skeleton)
            }
        }
        privateRuns = runs
        privateWhole = whole
    }

    /// The draft in the form in which it may be shown.
    ///
    /// - Parameters:
    ///   - draft: what the model wrote, with redacted parts restored.
    ///   - answer: the library answer that the draft gives; empty: none.
    ///   - message: what the sender wrote; figures may come from it too.
    package func checked(_ draft: String, answer: String, message: String) -> Result<String, Objection> {
        let text = Self.cleaned(draft)
        guard !text.isEmpty else { return .failure(.empty) }
        guard text.utf8.count <= 8 * Self.limit, text.count <= Self.limit else { return .failure(.tooLong) }
        if text.unicodeScalars.contains(where: { HiddenText.isControl($0.value) || $0.value == 0x09 }) {
            return .failure(.control)
        }
        if Self.hasHidden(text) { return .failure(.hidden) }
        if Self.hasMarkup(text) { return .failure(.markup) }
        if Self.isFormula(text) { return .failure(.formula) }
        if canary.leaks(in: text) { return .failure(.instructions) }
        let sources = contact.isEmpty ? answer : answer + "\n" + contact
        let links = publicLinks.union(LinkFinder.links(in: answer))
        if LinkFinder.isDisguised(text) || LinkFinder.links(in: text).contains(where: { !links.contains($0) }) {
            return .failure(.link)
        }
        let addresses = publicAddresses.union(Self.addresses(in: answer))
        if !Self.addresses(in: text).isSubset(of: addresses) { return .failure(.address) }
        if Self.hasForeignFigure(text, sources: sources + "\n" + message) { return .failure(.amount) }
        if quotesPrivate(text, allowed: [answer, message, contact, voice]) { return .failure(.privateText) }
        if Self.isMachine(text) { return .failure(.machine) }
        if isPromise(text, answer: answer, message: message) { return .failure(.promise) }
        return .success(text)
    }

    /// Whether a text contains a link, an address, a handle or a phone number.
    package static func namesPlaces(_ text: String) -> Bool {
        !LinkFinder.links(in: text).isEmpty || !addresses(in: text).isEmpty
    }

    private func isPromise(_ text: String, answer: String, message: String) -> Bool {
        // The contact is the creator's own text, not a link that a stranger wants followed.
        let known = contact.isEmpty ? text : text.replacing(contact, with: "{contact}")
        if promises.firstAlone(in: known) != nil { return true }
        let speaking = promises.speaking(in: known, sources: .init(answer: answer, message: message))
        // A draft may repeat what an answer says, and only the rules compare the two.
        return judge.refuses(known, speaking: speaking, onlyWhereRulesSpeak: !answer.isEmpty)
    }

    private static func cleaned(_ draft: String) -> String {
        var scalars: [Unicode.Scalar] = []
        let all = Array(draft.unicodeScalars)
        for (index, scalar) in all.enumerated() {
            if scalar == "\r", index + 1 < all.count, all[index + 1] == "\n" { continue }
            // Emphasis has no meaning in a direct message.
            if scalar == "*", index + 1 < all.count && all[index + 1] == "*" || index > 0 && all[index - 1] == "*" {
                continue
            }
            if scalar == "\n", scalars.suffix(2) == ["\n", "\n"] { continue }
            scalars.append(scalar)
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        var text = Text.trimmed(String(view))
        for (open, close) in [("\"", "\""), ("\u{201C}", "\u{201D}")]
        where text.count > 2 && text.hasPrefix(open) && text.hasSuffix(close) {
            let inner = String(text.dropFirst().dropLast())
            if !inner.contains(open) { text = Text.trimmed(inner) }
        }
        return text
    }

    private static func hasHidden(_ text: String) -> Bool {
        let neutral = Neutralizer(limit: 16 * limit).neutralized(text)
        return neutral.hidden > 0 || neutral.flooded > 0
    }

    private static func hasMarkup(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        for mark in ["](", "![", "]:", "```", "<!--", "</", "<|", "|>", "&#", "]["]
        where Text.contains(bytes, Array(mark.utf8)) { return true }
        for index in bytes.indices.dropLast() where bytes[index] == 0x3C {
            let next = bytes[index + 1]
            if (0x41...0x5A).contains(next & ~0x20) || next == 0x21 || next == 0x3F { return true }
        }
        return false
    }

    /// Whether a spreadsheet would execute the text, or a part of it that somebody pastes.
    private static func isFormula(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars.map(Text.narrow))
        if let first = scalars.first, first == "=" || first == "+" || first == "@" { return true }
        if scalars.count > 1, scalars[0] == "-", scalars[1] != " " { return true }
        for index in scalars.indices where scalars[index] == "=" {
            var end = index + 1
            while end < scalars.count, Text.isASCIIWord(scalars[end]) || scalars[end] == "." { end += 1 }
            if end > index + 1, end < scalars.count, scalars[end] == "(" { return true }
        }
        return false
    }

    private static func addresses(in text: String) -> Set<String> {
        let scalars = Array(text.unicodeScalars.map(Text.narrow))
        return Set(
            PersonalData.finds(in: scalars).map { find in
                var view = String.UnicodeScalarView()
                view.append(contentsOf: scalars[find.range])
                switch find.kind {
                case .email, .handle, .iban: return String(view).lowercased()
                case .phone, .card, .number: return PersonalData.digits(of: view)
                }
            })
    }

    /// Whether the text contains a figure that is in no source.
    ///
    /// Amounts always count, other numbers only with three digits or more, because "in 2 days" is harmless.
    private static func hasForeignFigure(_ text: String, sources: String) -> Bool {
        let known = Set(Money.numbers(in: sources).map(\.value))
        let foreign = Money.numbers(in: text).contains { number in
            (number.isAmount || number.value >= 100) && !known.contains(number.value)
        }
        return foreign || Money.isSpelled(in: text) && !Money.isSpelled(in: sources)
    }

    private func quotesPrivate(_ text: String, allowed: [String]) -> Bool {
        let skeleton = Text.skeleton(text)
        let free = allowed.map(Text.skeleton)
        for whole in privateWhole where Text.contains(skeleton, whole) {
            if !free.contains(where: { Text.contains($0, whole) }) { return true }
        }
        let freeRuns = free.reduce(into: Set<[Unicode.Scalar]>()) { $0.formUnion(Canary.runs(of: $1)) }
        return !Canary.runs(of: skeleton).intersection(privateRuns).subtracting(freeRuns).isEmpty
    }

    private static func isMachine(_ text: String) -> Bool {
        let words = " " + Money.words(of: text).joined(separator: " ") + " "
        return [
            " as an ai ", " language model ", " system prompt ", " my instructions ", " my prompt ",
            " ignore previous ", " previous instructions ", " json ", " como una ia ", " como uma ia ", " als ki ",
            " en tant qu ia ", " modelo de lenguaje ", " modelo de linguagem ", " sprachmodell ", " modèle de langage ",
        ].contains { Text.contains(Array(words.utf8), Array($0.utf8)) }
    }
}
