import Testing

@testable import TriageEvaluation

/// What is done to the letters of a message.
struct TextOperationTests {
    @Test(
        arguments: [
            (.lowercase, "Hi THERE, Zoë", "hi there, zoë"), (.uppercaseFirst, "  élan vital", "  Élan vital"),
            (.uppercaseFirst, "123 go", "123 go"), (.uppercaseFirst, "", ""),
            (.shoutFirstWord, "@tom hi there", "@tom HI there"),
            (.shoutFirstWord, "?! 7 https://a.b", "?! 7 https://a.b"),
            (.dropPunctuation, "Hi, wow! It cost $1,500.00. :)", "Hi wow It cost $1,500.00 :)"),
            (.dropPunctuation, "¿Qué tal? ... see https://a.b/?c=d.", "Qué tal ... see https://a.b/?c=d"),
            (.noAccents, "Ça été Müller straße łódź ñ 日本 ＡＢ", "Ca ete Muller strasse lodz n 日本 ＡＢ"),
            (.noAccents, "cafe\u{301}", "cafe"), (.doubleSpace, "a b  c\nd", "a  b    c\nd"),
            (.lineBreaks, "One. Two! Three? 4.5 x", "One.\nTwo!\nThree?\n4.5 x"), (.quote, "a\n\nb", "> a\n> \n> b"),
            (.stripEmoji, "wow 🔥🔥 nice ❤️ 1 #2\nok 👍🏽", "wow nice 1 #2\nok"), (.stripEmoji, "no  emoji", "no  emoji"),
        ] as [(TextOperation, String, String)])
    func `every operation does what its name says and no more`(operation: TextOperation, text: String, changed: String)
    {
        #expect(operation.applied(to: text, seed: 1).map { Array($0.utf8) } == Array(changed.utf8))
    }

    @Test func `a message of emoji alone has nothing left without them`() {
        #expect(TextOperation.stripEmoji.applied(to: " 🔥 🔥", seed: 0) == nil)
    }

    @Test func `typing errors swap two letters inside of one long word in eight, and never touch names`() {
        let text =
            (0..<20).map { "letters\($0 % 2 == 0 ? "" : "abc")" }.joined(separator: " ")
            + " @handles #hashtags a/bcdefgh n0mbers5 tiny"
        for seed in 0..<40 as Range<UInt64> {
            let changed = TextOperation.typos.applied(to: text, seed: seed) ?? ""
            let (before, after) = (text.split(separator: " "), changed.split(separator: " "))
            #expect(before.count == after.count)
            let places = before.indices.filter { before[$0] != after[$0] }
            #expect(places.count == 2 || places.count == 3, "\(places)")
            for (one, next) in zip(places, places.dropFirst()) { #expect(next - one == 8) }
            for place in places {
                #expect(place < 20 && before[place].first == after[place].first)
                #expect(before[place].sorted() == after[place].sorted())
            }
        }
        #expect(TextOperation.typos.applied(to: "tiny @handles", seed: 3) == "tiny @handles")
        #expect(TextOperation.typos.applied(to: "aaaaaa", seed: 3) == "aaaaaa")
        let draws = Set((0..<200 as Range<UInt64>).map { TextOperation.typos.applied(to: "greetings", seed: $0) })
        #expect(draws.count > 4)
    }

    @Test func `no operation crashes on any text`() {
        for text in ["", " ", "\n", "\u{0}", "\u{301}", "👨‍👩‍👧", "a", ".", "@", "\r\n", "{text}", "\u{202E}x"] {
            for operation in TextOperation.allCases { _ = operation.applied(to: text, seed: .max) }
        }
    }
}
