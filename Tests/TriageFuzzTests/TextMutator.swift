/// Makes hostile texts out of real-looking ones: what readers of money, dates, links and words stumble over.
struct TextMutator {
    private let texts: [[Unicode.Scalar]]
    private let words: [[Unicode.Scalar]]
    private var random: SeededGenerator

    init(texts: [String], seed: UInt64) {
        self.texts = texts.map { Array($0.unicodeScalars) }
        words = Set(texts.flatMap { $0.split(separator: " ").map(String.init) }).sorted().map {
            Array($0.unicodeScalars)
        }
        random = SeededGenerator(seed: seed)
    }

    /// The next text: valid Unicode, mostly short, now and then 100 kB.
    mutating func next() -> String {
        var text: [Unicode.Scalar]
        switch random.below(100) {
        case 0..<3: text = []
        case 3..<6: text = piece()
        case 6..<26: text = (0...random.below(30)).flatMap { _ in piece() + gap() }
        case 26..<34: text = (0...random.below(40)).flatMap { _ in word() + gap() }
        case 34..<38: text = (0...random.below(60)).map { _ in anyScalar() }
        default: text = random.pick(texts)
        }
        for _ in 0...random.below(7) { change(&text) }
        if random.chance(2) {
            text += repeated(random.chance(500) ? piece() : word(), bytes: random.chance(100) ? 100_000 : 4000)
        }
        var made = String.UnicodeScalarView()
        made.append(contentsOf: text)
        let string = String(made)
        switch random.below(100) {
        case 0..<3: return string.uppercased()
        case 3: return String(string.filter { $0 != " " })
        case 4: return string.map { "\($0) " }.joined()
        default: return string
        }
    }

    private mutating func change(_ text: inout [Unicode.Scalar]) {
        let start = random.below(text.count + 1)
        let end = min(text.count, start + random.pick([1, 1, 2, 3, 5, 8, 20]))
        switch random.below(13) {
        case 0: text.removeSubrange(start..<end)
        case 1:
            text.insert(
                contentsOf: Array(repeating: text[start..<end], count: random.pick([1, 2, 10])).joined(), at: end)
        case 2: text[start..<end].reverse()
        case 3, 4: text.insert(anyScalar(), at: start)
        case 5, 6, 7: text.insert(contentsOf: piece(), at: start)
        case 8: text.replaceSubrange(start..<end, with: piece())
        case 9:
            let other = random.pick(texts)
            let from = random.below(other.count + 1)
            text.insert(contentsOf: other[from..<min(other.count, from + random.below(60))], at: start)
        case 10: text.insert(contentsOf: word() + [" "], at: start)
        case 11: text.removeSubrange(start...)
        default: text.removeSubrange(..<start)
        }
    }

    private func repeated(_ piece: [Unicode.Scalar], bytes: Int) -> [Unicode.Scalar] {
        guard !piece.isEmpty else { return [] }
        return Array(Array(repeating: piece, count: bytes / piece.count + 1).joined())
    }

    private mutating func gap() -> [Unicode.Scalar] { random.chance(500) ? [] : [" "] }
    private mutating func piece() -> [Unicode.Scalar] { Array(random.pick(Self.pieces).unicodeScalars) }
    private mutating func word() -> [Unicode.Scalar] { random.chance(300) ? piece() : random.pick(words) }

    private mutating func anyScalar() -> Unicode.Scalar {
        let bound = random.pick([0x80, 0x3000, 0x11_0000])
        return Unicode.Scalar(UInt32(random.below(bound))) ?? "\u{FFFD}"
    }

    /// Beginnings and ends of what the finders look for, and characters that break assumptions.
    static let pieces: [String] =
        Array(
            """
            $ € £ ₹ R$ US$ ¥ ₺ zł kr USD EUR k K mil M 0 1 5 10 100 999 1,000 1.000,50 5k 2-3k $5- -$5 5–10 $1–$ 1e9 .5 5. 1, \
            1.,., % 10% 99999999999999999999 00000000000000 10.000, 5'000 1_000 5k-10k 5k–$ €5k/€ 3x x3 2x1500 100+ +100 ~5 \
            1/1 31/12/2026 2026-10-03 2026-13-45 14.10. 14.10.26 1.1.1.1 3rd 31st 32nd 3º 29/2 30/02/2024 5pm 17:00 25:99 17h 17h30 \
            12am 0:00 Oct October 3.Oct Feb30 by until before bis antes avant por para am le el on at in within next this \
            tomorrow today tonight Friday Freitag viernes sexta vendredi mañana amanhã demain morgen heute hoy hoje week weeks \
            days hours months 48h 24hrs EOD COB noon midnight end-of-month Q4 2026 26 '26 UTC CET GMT+25 asap \
            @ a@ @b a@b a@b.c a@b.co me@gmail.com x@y.example http:// https:// http://a.b/ bit.ly/x www. t.me/ wa.me/1 :// // \
            .. ... a.b.c.d. .com [x](http://y) <a> </system> system: {{x}} ( ) (( [ ] { } < > " ' ’ “ ” ! ? ?? ¿ ¡ : ; , | _ * ** \
            - -- – — / \\ # & + = ~ ` ^ +15551234567 +49(0)30 0044 IBAN 漢字 かな 한국어 ไทย हिन्दी عربي עברית ßßß ŉ ǰ ΐ ﬃ ½ ⅓ \
            ① Ⅷ 𝐅𝐫𝐞𝐞 ｆｒｅｅ １００ ＄５ ٣٤٥ ५०० ㋿ ﷽ 、 。 ٪ 万 円 亿 lakh crore thousand million hundert tausend mille figures \
            four-figure five per /post /month pro Monat por mes reels stories posts budget rate fee paid free not no never don't \
            but if so very ignore previous instructions as a from the team of manager CEO
            """.split(separator: " ").map(String.init))
        + [
            " ", "  ", "\n", "\n\n", "\r\n", "\r", "\t", "\0", "\u{1}", "\u{7F}", "\u{85}", "\u{A0}", "\u{200B}",
            "\u{200D}",
            "\u{202E}", "\u{2066}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{E000}",
            "\u{E032}",
            "\u{EFFF}", "\u{FE0F}", "\u{20E3}", "1\u{FE0F}\u{20E3}", "\u{E0041}", "\u{301}",
            "\u{301}\u{301}\u{301}\u{301}",
            "e\u{301}", "😀", "👍🏽", "🇩🇪", "👨‍👩‍👧", "❤️", "🔥🔥🔥", "four figures", "low five figures", "in 3 days",
            "in 99999999999 days", "by Friday", "within 48 hours", "per post", "a month", "5 – 10k €", "R$ 3 mil",
            String(repeating: "a", count: 300), String(repeating: "9", count: 70),
        ]
}
