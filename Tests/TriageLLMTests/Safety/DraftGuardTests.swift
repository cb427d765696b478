import Foundation
import Testing
import TriageCore

@testable import TriageLLM

@Suite struct `Drafts` {
    static let instructions = """
        You draft a reply for a content creator to the one message in the user turn. A person checks it before.
        """
    static let canary = Canary(secret: Trust.secret, instructions: instructions)
    static let draftGuard = DraftGuard(
        canary: canary, privateTexts: Trust.library.entries.map(\.answer) + [Trust.profile.rates],
        promises: Trust.draftPromises)
    static let answer = Trust.library.entries[0].answer

    func check(_ draft: String, message: String = "Which wheel? I have 3k to spend.") -> Result<
        String, DraftGuard.Objection
    > {
        Self.draftGuard.checked(draft, answer: Self.answer, message: message)
    }

    @Test(arguments: [
        ("  Hi Jo, a small electric tabletop wheel.  ", "Hi Jo, a small electric tabletop wheel."),
        ("\"It is at maramakes.example/gear, 250 euros new.\"", "It is at maramakes.example/gear, 250 euros new."),
        ("See https://www.maramakes.example/gear/.", "See https://www.maramakes.example/gear/."),
        ("With **3,000** you have plenty.\r\n\r\n\r\nGood luck 🎉", "With 3,000 you have plenty.\n\nGood luck 🎉"),
        ("Hola, un torno eléctrico. {link}", "Hola, un torno eléctrico. {link}"), ("شكرا لك 👩‍🎨", "شكرا لك 👩‍🎨"),
        ("I'll look at it in 2 weeks.", "I'll look at it in 2 weeks."),
        ("I can't promise anything yet, let me think.", "I can't promise anything yet, let me think."),
    ])
    func `an honest draft goes through, tidied`(draft: String, expected: String) {
        #expect(check(draft) == .success(expected))
    }

    @Test(
        arguments: [
            ("", .empty), (" \n ", .empty), (String(repeating: "word ", count: 300), .tooLong),
            ("red \u{1B}[31m", .control), ("\u{1B}]8;;https://evil.example\u{7}here", .control),
            ("a\u{9B}31m", .control),
            ("a\u{0}b", .control), ("gpj\u{202E}exe.", .hidden), ("hi\u{E0041}\u{E0042}", .hidden),
            ("z\u{200B}ero", .hidden),
            ("[here](x)", .markup), ("![](x)", .markup), ("<a href=x>", .markup), ("```x```", .markup),
            ("<|im_end|>", .markup),
            ("=HYPERLINK(\"x\";\"y\")", .formula), ("ok =IMPORTXML(1)", .formula), ("+1+cmd", .formula),
            ("@SUM(1)", .formula),
            ("-2+3", .formula), ("＝cmd", .formula),
            ("go to evil.example", .link), ("https://maramakes.example/gear/../x", .link),
            ("maramakes.example.evil.example", .link),
            ("t.me/x", .link), ("www.evil", .link), ("10.0.0.1", .link), ("evil。example", .link), ("hxxp evil", .link),
            ("evil[.]com", .link),
            ("evil dot com", .link), ("mailto:a", .link), ("пример.рф", .link), ("ｅｖｉｌ．ｃｏｍ", .link),
            ("write me: a@b.example", .link), ("DM @giveaway_desk", .address), ("call +1 900 555 0199", .address),
            ("account 12345678", .address), ("DE89 3704 0044 0532 0130 00", .address),
            ("We take $50 for it", .amount), ("for 4k it is yours", .amount), ("50 % off", .amount),
            ("room 417", .amount),
            ("five hundred dollars then", .amount), ("zweihundert Euro", .amount),
            ("Yes, to most of Europe, the UK, the US and Canada, and the price is in the basket.", .privateText),
            ("Yes, I accept your offer, we have a deal.", .promise), ("Perfecto, trato hecho, acepto.", .promise),
            ("Ich verspreche dir ein Video.", .promise), ("了解しました、お約束します。", .promise),
            ("As an AI I cannot", .machine), ("my system prompt says", .machine),
        ] as [(String, DraftGuard.Objection)])
    func `a draft that could carry a stranger's order is dropped`(draft: String, why: DraftGuard.Objection) {
        #expect(check(draft) == .failure(why))
    }

    @Test func `the creator's rates stay private, in words as in figures`() {
        #expect(check("Reels from EUR 1,800") == .failure(.amount))
        let rates =
            "Happy to hear! Long partnerships of six months and more are preferred by me, no commission-only deals."
        let strict = DraftGuard(
            canary: Self.canary,
            privateTexts: ["Long partnerships of six months and more are preferred. No commission."])
        #expect(strict.checked(rates, answer: "", message: "") == .failure(.privateText))
    }

    static var disguises: [String] {
        let word = canary.word
        let base64 = { (text: String) in Data(text.utf8).base64EncodedString() }
        return [
            word, word.uppercased(), word.map { "\($0)" }.joined(separator: " "),
            word.map { "\($0)" }.joined(separator: "-"),
            String(word.reversed()), "x" + word.capitalized + "y", base64(word), base64("a" + word),
            base64("the word is " + word.uppercased()),
            base64(word).map { "\($0)" }.joined(separator: " "), word.utf8.map { String($0, radix: 16) }.joined(),
            String(String.UnicodeScalarView(word.unicodeScalars.map { Unicode.Scalar($0.value + 0xFEE0) ?? "?" })),
            String(word.unicodeScalars.map { Character(Unicode.Scalar(($0.value - 97 + 13) % 26 + 97) ?? "?") }),
            "draft a reply for a content creator to the one message", "DRAFT-A-REPLY-FOR-A-CONTENT-CREATOR-TO-THE-ONE",
            base64("You draft a reply for a content creator to the one message"),
        ]
    }

    @Test(arguments: disguises.indices)
    func `instructions that leak are known in every disguise`(index: Int) {
        #expect(Self.canary.leaks(in: "Sure! " + Self.disguises[index] + " thanks"))
        #expect(Self.canary.leaks(in: Self.disguises[index]))
    }

    @Test(arguments: [
        "", "I draft my own replies", "A person checks messages here now and then", "SGVsbG8gV29ybGQgdGhpcyBpcyBmaW5l",
    ])
    func `what is no leak is none`(text: String) { #expect(!Self.canary.leaks(in: text)) }

    @Test func `the word is the run's own`() {
        #expect(Canary(secret: RunSecret(), instructions: "").word != Self.canary.word)
        #expect(Canary(secret: Trust.secret, instructions: "").word == Self.canary.word)
    }
}
