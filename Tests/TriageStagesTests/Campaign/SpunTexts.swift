/// Copies of one text as bots send them: other words for the same, sentences in another order, other names, links, numbers
/// and emoji.
struct SpunTexts {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    static let templates = [
        "{hey|hi|hello} {n}! {love|really like} your {page|profile} 🔥 we can {grow|boost} it to {d}k real followers in "
            + "a week. {dm|message} @x{d} {now|today} to get going",
        "{Dear|Hello} {n}, I {made|earned} ${d} in one week trading with expert Davis. {He|My mentor} helped me recover "
            + "everything. {Contact|Reach} him on telegram {u} and thank me later",
        "{Good day|Greetings} {n}, we are giving away free samples of our {necklaces|jewelry} to creators like you. Just "
            + "pay the {shipping|delivery} cost of ${d} here: {u} Limited stock so {hurry|be quick}!",
        "{n} your {account|page} will be disabled within {d} hours because of a copyright {complaint|report}. Confirm "
            + "your login here {u} or lose access forever. Meta support team",
        "Hola {n}, {gana|consigue} {d} euros {al día|cada día} desde casa con mi método secreto, sin experiencia. "
            + "{Escríbeme|Mándame un mensaje} por telegram {u} y te explico todo",
        "我们可以{帮您|为您}快速涨粉{d}人，真实用户，价格便宜，安全可靠。{请联系|欢迎咨询}微信客服 {u} 马上开始合作",
    ]
    private static let names = ["Anna", "Kofi", "Mara", "Luisa", "Theo", "Priya", "Jon"]

    private mutating func below(_ limit: Int) -> Int { Int(numbers.next() >> 33) % limit }

    /// One copy of a template.
    mutating func copy(of template: String) -> String {
        var out = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            out += rest[..<open]
            let inner = rest[rest.index(after: open)..<close]
            switch inner {
            case "n": out += Self.names[below(Self.names.count)]
            case "d": out += String(10 + below(990))
            case "u": out += "https://a\(below(900)).example/\(below(900))"
            default:
                let words = inner.split(separator: "|")
                out += words[below(words.count)]
            }
            rest = rest[rest.index(after: close)...]
        }
        out += rest
        var sentences = out.split(separator: ". ").map(String.init)
        if sentences.count > 1, below(3) == 0 { sentences.swapAt(sentences.count - 1, sentences.count - 2) }
        return sentences.joined(separator: ". ") + ["", " 🔥", " 💰💰", "!!"][below(4)]
    }

    /// What many people write in nearly the same words, and what is asked in a form where one word is another: no pair of
    /// these is a campaign.
    static let others = [
        "love this!", "first", "🔥🔥", "thank you so much", "thank you so much!!", "you are the best, love your videos",
        "i love your videos so much", "love your videos so much ❤️", "can't wait for the next one", "happy birthday!!",
        "what camera do you use for your videos?", "what microphone do you have for the podcast?",
        "which glaze do you use on the blue mugs", "which wheel did you buy when you were just starting out",
        "hi, when are the blue mugs back in stock please", "hello, do you ship the blue mugs to canada or not",
        "I have watched every video since the beginning and they helped me through a hard winter",
        "I have been watching since last summer and my daughter loves the one with the kiln",
        "Hi, we would love to work with you on a campaign in spring, could you send your rates for one reel?",
        "Hi, our magazine would love to print an interview with you, could we call next week for half an hour?",
        "your last video on glazing saved my whole batch, i was about to throw it all away",
        "the kiln video was great but the sound is so low that i could not follow half of it",
        "we recorded a song about your channel, would you like to hear it some day soon",
        "is it normal that the clay cracks when it dries in the sun, or did i make it too thin",
    ]
}
