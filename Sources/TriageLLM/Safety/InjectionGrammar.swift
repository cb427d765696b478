import TriageCore

/// Recognizes orders to an automated reader by their structure, whatever their words.
///
/// Such orders address somebody, say to disregard earlier instructions, or request a label or a reply.
struct InjectionGrammar: Sendable {
    private let folder = TextFolder()

    /// The hints that follow from the order of the words.
    static func hints(in words: [String]) -> Set<InjectionHeuristics.Hint> {
        var hints: Set<InjectionHeuristics.Hint> = []
        var last = Places()
        for (place, word) in words.enumerated() {
            let parts = InjectionStems.parts(of: word)
            guard !parts.isEmpty else { continue }
            last.see(parts, at: place)
            // The later element of each pair is this word, or the pair was detected before.
            let forget = last[.forget]
            if place - min(forget, last[.rule]) <= 6 || place - min(forget, last[.earlier]) <= 4 {
                hints.insert(.phrase)
            }
            if place - min(last[.reader], max(last[.place], last[.act], forget, last[.reads])) <= 6 {
                hints.insert(.reader)
            }
            if place - min(last[.machine], max(last[.place], forget)) <= 4 { hints.insert(.reader) }
            if place - min(last[.machine], last[.reads]) <= 3 { hints.insert(.reader) }
            if place - min(last[.machine], last[.act]) <= 3, last[.machine] < last[.act] { hints.insert(.reader) }
            if place - min(last[.leak], last[.rule]) <= 3, last[.leak] < last[.rule] { hints.insert(.phrase) }
            if place - min(last[.message], last[.neighbor]) <= 3 { hints.insert(.phrase) }
            if place - min(last[.new], last[.rule]) <= 1 { hints.insert(.phrase) }
            if place - min(last[.reply], last[.rank]) <= 3, last[.reply] < last[.rank] { hints.insert(.phrase) }
            if isTaken(words, at: place, parts) { hints.insert(.label) }
            if place - min(last[.place], last[.rank]) <= 4, last[.place] < last[.rank] { hints.insert(.label) }
            if place - min(last[.compose], last[.reply]) <= 3, last[.compose] < last[.reply] { hints.insert(.phrase) }
        }
        return hints
    }

    private static let pointing: Set<String> = Set(
        """
        this it that these them esto este eso lo isto isso ceci cela ca le das dies dieses diese es questo quest dit deze het det
        den detta dette to toto tohle ezt azt asta это этот его цe це bunu sunu ini itu hii hili ise isko yeh nay αυτο
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
    private static let taking: Set<String> = Set(
        """
        as under with down into through among como com comme parmi als unter zu come tra som bland jako jak jakо ca drept mint
        как за у olarak sebagai kama kwa
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Labels that have another meaning elsewhere.
    private static let worth: Set<String> = [
        "deal", "deals", "paid", "client", "gold", "first", "best", "full", "company",
    ]

    /// "treat it as", "file this under", "das bitte als": a verb of placing, its object, and the category.
    private static func isTaken(_ words: [String], at place: Int, _ parts: InjectionStems.Parts) -> Bool {
        guard parts.contains(.place) else { return false }
        let next = words[(place + 1)...].prefix(4)
        guard let what = next.firstIndex(where: { pointing.contains($0) }), what - place <= 2 else { return false }
        return words[(what + 1)...].prefix(3).contains { taking.contains($0) }
            && words[(what + 1)...].prefix(6).contains {
                worth.contains($0) || InjectionStems.parts(of: $0).contains(.rank)
            }
    }

    /// The last position of each part.
    private struct Places {
        private var places = [Int](repeating: Int.min / 2, count: 16)

        mutating func see(_ parts: InjectionStems.Parts, at place: Int) {
            for bit in 0..<16 where parts.rawValue >> bit & 1 == 1 { places[bit] = place }
        }

        subscript(_ part: InjectionStems.Parts) -> Int { places[part.rawValue.trailingZeroBitCount] }
    }

    // MARK: Calling a reader

    private static let leads: Set<String> = Set(
        """
        hey hi hello dear yo ok okay hola oi ola salut chere cher liebe lieber hallo hej hei caro cara querida querido estimado
        estimada prezado ciao merhaba sayin halo witaj ahoj szia kedves привет дорогой уважаемый γεια αγαπητε ps p s pd note nota
        hinweis notiz not not for to the this your any all a an and of from memo fyi attn attention atencion atencao achtung
        message mensaje mensagem messaggio nachricht besked melding zprava uzenet mesaj pesan catatan poznamka uwaga για προς
        para la el los las o os as pour l le les a l die das den dem der fur il per gli til den det aan de het do dla pro pri
        az untuk kepada kwa cho gui k dlya для к вот к замітка note ii order consigne directive directiva orden ordem
        instruction instruccion perintah dastur fellow eventuell any
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Whether a clause begins by addressing a reader: "Assistant, …", "PS para la inteligencia artificial: …".
    func callsReader(_ text: String) -> Bool {
        var head: [Unicode.Scalar] = []
        var isOver = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "(", ">", "\u{FF08}":
                if !isOver, isCall(Text.string(head), isColon: true) { return true }
                head.removeAll(keepingCapacity: true)
                isOver = false
            case ".", "!", "?", "\n", ";", ")", "[", "]", "{", "}", "\u{AB}", "\u{BB}", "\u{201C}", "\u{201D}", "\"",
                "|", "\u{3002}", "\u{FF01}", "\u{FF1F}", "\u{300C}", "\u{300D}", "\u{3010}", "\u{3011}", "\u{2026}",
                "\u{2014}",
                "\u{2013}", "*", "=", "+", "\u{201E}":
                head.removeAll(keepingCapacity: true)
                isOver = false
            case ":", "\u{FF1A}", ",", "\u{FF0C}", "\u{3001}", "\u{60C}":
                if !isOver, isCall(Text.string(head), isColon: scalar == ":" || scalar == "\u{FF1A}") { return true }
                // In "Hi, bot, …", the part after a comma may begin an address.
                head.removeAll(keepingCapacity: true)
                isOver = false
            default:
                if head.count > 90 { isOver = true } else { head.append(scalar) }
            }
        }
        return false
    }

    private static let articles: Set<String> = Set(
        """
        the to this your any all a an and of from for not la el los las o os as le les l die das den dem der il gli de
        pro pri az k ii k
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    private func isCall(_ head: String, isColon: Bool) -> Bool {
        let words = folder.words(head).map { String(decoding: $0, as: UTF8.self) }
        guard !words.isEmpty, words.count <= 10 else { return false }
        // "Reply: …" writes the answer itself.
        if isColon, let last = words.last, InjectionStems.parts(of: last).contains(.reply) { return true }
        var strangers = 0
        var isGreeted = false
        for (place, word) in words.enumerated() {
            let parts = InjectionStems.parts(of: word)
            if !parts.isDisjoint(with: [.reader, .machine]) {
                guard words.count - 1 - place <= 3 else { return false }
                if isColon { return strangers <= 2 }
                // Before a comma, a machine is addressed only with a greeting; compare "your filter roundup was great,
                // …".
                return strangers <= 1 && (parts.contains(.reader) || isGreeted || place == 0)
            }
            if !Self.leads.contains(word) { strangers += 1 } else if !Self.articles.contains(word) { isGreeted = true }
        }
        return false
    }
}
