internal import TriageCore

/// Tells by its first words that a sentence asks: in direct messages every second question has no question mark.
///
/// Only openings that hardly begin anything else count: "what camera do you", "do you", "wo hast du", "cuánto". Words
/// such as "when" and "how" alone begin stories and praise as well.
struct QuestionOpening: Sendable {
    /// Words of which one pair must stand at the beginning; the second may be `gap` words further.
    private struct Pairs: Sendable {
        let first: WordSet
        let second: WordSet
        let gap: Int

        init(_ words: (first: String, second: String, gap: Int)) {
            first = WordSet(words.first)
            second = WordSet(words.second)
            gap = words.gap
        }
    }

    /// Sentences of one message that are looked at.
    private static let sentences = 8

    private static let alone =
        "cuanto cuanta cuantos cuantas cual cuales quanto quanta quantos quantas qual quais cade combien pourquoi quelle "
        + "quelles quels donde onde"
    private static let pairs: [(first: String, second: String, gap: Int)] = [
        (
            "what which where when who why how whats",
            "do does did is are was were can could will would should has have s kind brand camera", 2
        ),
        ("how", "much many long often old far big", 0), ("do", "you u ya i we they any anyone someone", 0),
        (
            "does did can could will would should is are was were have has any",
            "you u ya i we it they this that there the your anyone someone chance tips idea", 0
        ),
        (
            "wo wie was wann wer warum wieso welche welcher welches welchen womit woher wohin",
            "du ihr man kostet kosten kann kannst ist sind gibt gibts hast benutzt nimmst machst viel viele lange oft "
                + "gross heisst geht bekomme finde muss", 2
        ),
        (
            "hast kannst konntest machst verkaufst verschickst lieferst gibst verwendest benutzt darf kann konnen habt "
                + "bist ist sind gibt versendet verschickt liefert", "du ihr man ich es sie wir das der die", 0
        ),
        (
            "como cuando quando",
            "haces haceis hago puedo se es sera sale sales abres vuelves vuelve hay voce vc faz faco posso sai vai volta "
                + "fai si esce torna", 0
        ),
        (
            "voce voces vc vcs",
            "envia enviam faz fazem vende vendem entrega entregam tem usa usam manda mandam pode podem", 0
        ),
        ("que", "usas utilizas haces marca tipo modelo camara camera", 1),
        (
            "ou quand comment est as avez peux pouvez livrez vends vendez",
            "tu vous ce est sont peut puis as avez", 0
        ),
        ("dove quale quali", "hai si e posso trovo compri usi", 1),
    ]

    private let greetings = WordSet(
        "hi hey hello hiya yo so and but also ok please pls hola buenas oi ola bom salut bonjour coucou hallo moin ciao "
            + "y e et und mal sag omg um")
    private let alone = WordSet(Self.alone)
    private let pairs = Self.pairs.map(Pairs.init)
    /// Every word that opens a question: most sentences are seen off by this one look.
    private let openers = WordSet(([Self.alone] + Self.pairs.map(\.first)).joined(separator: " "))

    /// Whether one of a message's sentences opens as a question does.
    ///
    /// - Parameter tokens: those of the message.
    func opens(_ tokens: UnsafeBufferPointer<Token>) -> Bool {
        var sentences = 0
        for i in tokens.indices where i == 0 || tokens[i].flags.contains(.startsSentence) {
            if sentences == Self.sentences { return false }
            sentences += 1
            if opens(tokens, at: i) { return true }
        }
        return false
    }

    private func opens(_ tokens: UnsafeBufferPointer<Token>, at start: Int) -> Bool {
        var i = start
        while i < tokens.count, i - start < 3, greetings.contains(hash: tokens[i].hash) { i += 1 }
        // Behind a greeting there may be a name.
        return asks(tokens, at: i) || i > start && asks(tokens, at: i + 1)
    }

    private func asks(_ tokens: UnsafeBufferPointer<Token>, at i: Int) -> Bool {
        guard i < tokens.count, openers.contains(hash: tokens[i].hash) else { return false }
        if alone.contains(hash: tokens[i].hash) { return i + 1 < tokens.count }
        for pair in pairs where pair.first.contains(hash: tokens[i].hash) {
            for next in i + 1..<min(tokens.count, i + 2 + pair.gap) where pair.second.contains(hash: tokens[next].hash)
            {
                return true
            }
        }
        return false
    }
}

extension QuestionOpening {
    /// Whether a message asks something: by a question mark, or, where no feeling prevails, by how it opens.
    @inline(__always)
    func asks(_ record: UnsafePointer<Record>, _ view: AnswerView) -> Bool {
        if record.pointee.folded.shape.questionMarks > 0 { return true }
        if let sentiment = record.pointee.sentiment?.label, sentiment != .neutral { return false }
        return opens(UnsafeBufferPointer(rebasing: view.tokens[record.pointee.folded.tokens]))
    }
}
