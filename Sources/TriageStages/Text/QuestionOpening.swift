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
    }

    /// Sentences of one message that are looked at.
    private static let sentences = 8

    private let greetings = WordSet(
        "hi hey hello hiya yo so and but also ok please pls hola buenas oi ola bom salut bonjour coucou hallo hi moin ciao "
            + "y e et und mal sag omg um")
    private let alone = WordSet(
        "cuanto cuanta cuantos cuantas cual cuales quanto quanta quantos quantas qual quais cade combien pourquoi quelle "
            + "quelles quels donde onde")
    private let pairs = [
        Pairs(
            first: WordSet("what which where when who why how whats"),
            second: WordSet("do does did is are was were can could will would should has have s kind brand camera"),
            gap: 2),
        Pairs(first: WordSet("how"), second: WordSet("much many long often old far big"), gap: 0),
        Pairs(
            first: WordSet("do"), second: WordSet("you u ya i we they any anyone someone"), gap: 0),
        Pairs(
            first: WordSet("does did can could will would should is are was were have has any"),
            second: WordSet("you u ya i we it they this that there the your anyone someone chance tips idea"), gap: 0),
        Pairs(
            first: WordSet("wo wie was wann wer warum wieso welche welcher welches welchen womit woher wohin"),
            second: WordSet(
                "du ihr man kostet kosten kann kannst ist sind gibt gibts hast benutzt nimmst machst viel viele lange oft "
                    + "gross heisst geht bekomme finde muss"), gap: 2),
        Pairs(
            first: WordSet(
                "hast kannst konntest machst verkaufst verschickst lieferst gibst verwendest benutzt darf kann konnen habt "
                    + "bist ist sind gibt versendet verschickt liefert"),
            second: WordSet("du ihr man ich es sie wir das der die"), gap: 0),
        Pairs(
            first: WordSet("como cuando quando"),
            second: WordSet(
                "haces haceis hago puedo se es sera sale sales abres vuelves vuelve hay voce vc faz faco posso sai vai volta "
                    + "fai si esce torna"), gap: 0),
        Pairs(
            first: WordSet("voce voces vc vcs"),
            second: WordSet(
                "envia enviam faz fazem vende vendem entrega entregam tem usa usam manda mandam pode podem"),
            gap: 0),
        Pairs(first: WordSet("que"), second: WordSet("usas utilizas haces marca tipo modelo camara camera"), gap: 1),
        Pairs(
            first: WordSet("ou quand comment est as avez peux pouvez livrez vends vendez"),
            second: WordSet("tu vous ce est sont peut puis as avez"), gap: 0),
        Pairs(first: WordSet("dove quale quali"), second: WordSet("hai si e posso trovo compri usi"), gap: 1),
    ]

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
        guard i < tokens.count else { return false }
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
