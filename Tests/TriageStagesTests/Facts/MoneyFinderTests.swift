import Testing
import TriageCore

@testable import TriageStages

struct MoneyFinderTests {
    /// The first amount of a text as "value code", with its role where it is no plain amount or offer.
    private static func first(_ text: String) -> String {
        guard let find = FoldedSample(text).amounts().first else { return "none" }
        let value = find.value == find.value.rounded() ? String(Int(find.value)) : String(find.value)
        return find.role == .percent ? "\(value) %" : "\(value) \(find.currency?.code ?? "?")"
    }

    /// Texts and their first amount.
    // With its type stated: to infer it took the compiler 26 s.
    private static let usualSpellings: [(String, String)] = [
        // Letters and number words of one country, and currencies in the words of theirs.
        ("R4k", "4000 ZAR"), ("R3 800", "3800 ZAR"), ("R25k all in", "25000 ZAR"), ("P15,000", "15000 PHP"),
        ("8 triệu đồng", "8000000 VND"), ("15 triệu", "15000000 VND"), ("4jt", "4000000 IDR"),
        ("10 juta 1 tahun", "10000000 IDR"), ("200 євро", "200 EUR"), ("1600 євро", "1600 EUR"),
        ("2.000 אירו", "2000 EUR"), ("300 ευρώ", "300 EUR"), ("150 euróért", "150 EUR"), ("700 evra", "700 EUR"),
        ("1200 лв", "1200 BGN"), ("1.250 avroluk", "1250 EUR"), ("1.800 dolarlık", "1800 USD"),
        ("200 sterlin", "200 GBP"), ("2만 유로", "20000 EUR"), ("2천만 원", "20000000 KRW"),
        ("6 万元", "60000 CNY"), ("1.2 万元", "12000 CNY"),
        // The thing that is to be made follows its price.
        ("400 for one reel?", "400 ?"), ("36 mil por un reel", "36000 ?"),
        ("1.300 voor een video", "1300 ?"), ("150 for a camera strap story", "150 ?"),
        // Signs and codes, before and behind.
        ("$5,000", "5000 USD"), ("$5000", "5000 USD"), ("$ 5,000", "5000 USD"), ("5,000$", "5000 USD"),
        ("5000 $", "5000 USD"),
        ("US$5,000", "5000 USD"), ("US$ 5000", "5000 USD"), ("USD 5,000", "5000 USD"), ("5,000 USD", "5000 USD"),
        ("5000usd", "5000 USD"), ("usd5000", "5000 USD"), ("USD5000", "5000 USD"), ("$5,000.00", "5000 USD"),
        ("$5k", "5000 USD"), ("3k€", "3000 EUR"), ("1.5k£", "1500 GBP"), ("3 k€", "3000 EUR"), ("$5K", "5000 USD"),
        ("$1.5k", "1500 USD"), ("$ 2 k", "2000 USD"), ("5k USD", "5000 USD"),
        ("2.5k usd", "2500 USD"), ("$2m", "2000000 USD"), ("$1.2 million", "1200000 USD"), ("$3M", "3000000 USD"),
        ("500 dollars", "500 USD"), ("500 bucks", "500 USD"), ("500 dólares", "500 USD"), ("500 dólar", "500 USD"),
        ("2,500 USD", "2500 USD"), ("5.000 dolar", "5000 USD"), ("2000 USDT", "2000 USD"),
        ("€800", "800 EUR"), ("€ 800", "800 EUR"), ("800€", "800 EUR"), ("800 €", "800 EUR"), ("800 EUR", "800 EUR"),
        ("EUR 800", "800 EUR"), ("800 euros", "800 EUR"), ("800 euro", "800 EUR"), ("800eur", "800 EUR"),
        ("1.500 €", "1500 EUR"), ("1.500,50 €", "1500.5 EUR"), ("1 500 €", "1500 EUR"), ("1 500,50 €", "1500.5 EUR"),
        ("1'500 EUR", "1500 EUR"), ("€1,500.50", "1500.5 EUR"), ("14.500 EUR", "14500 EUR"), ("€9,000", "9000 EUR"),
        ("16 000 € HT", "16000 EUR"), ("1 900 € excl. tax", "1900 EUR"), ("2.000 euros", "2000 EUR"),
        ("€400k", "400000 EUR"),
        ("1.200,- €", "1200 EUR"), ("250,-- EUR", "250 EUR"), ("cinq cents euros", "500 EUR"),
        ("deux cents dollars", "200 USD"),
        ("3,50 €", "3.5 EUR"), ("€7.99", "7.99 EUR"), ("12 €", "12 EUR"), ("€\u{A0}1\u{202F}500", "1500 EUR"),
        ("£1.5k", "1500 GBP"), ("£1,800", "1800 GBP"), ("£ 200", "200 GBP"), ("200£", "200 GBP"),
        ("GBP 200", "200 GBP"),
        ("200 GBP", "200 GBP"), ("200 quid", "200 GBP"), ("200 pounds", "200 GBP"), ("1,500ポンド", "1500 GBP"),
        ("£22k", "22000 GBP"), ("500 libras", "500 GBP"), ("30p a word", "0.3 GBP"),
        ("₹40,000", "40000 INR"), ("₹ 1,80,000", "180000 INR"), ("Rs 500", "500 INR"), ("Rs. 8,000", "8000 INR"),
        ("rs500", "500 INR"), ("500 rs", "500 INR"), ("INR 25000", "25000 INR"), ("1.5 lakh rupees", "150000 INR"),
        ("₹1.5 lakh", "150000 INR"), ("2 lakhs INR", "200000 INR"), ("8000 rupees", "8000 INR"),
        ("₹12,34,567", "1234567 INR"),
        ("budget 3-4 hazaar rupay", "3500 INR"), ("₹2 crore", "20000000 INR"), ("₹8000", "8000 INR"),
        ("R$ 3 mil", "3000 BRL"), ("R$ 1,500", "1500 BRL"), ("R$ 9.000", "9000 BRL"), ("R$2.000", "2000 BRL"),
        ("3 mil reais", "3000 BRL"), ("500 reais", "500 BRL"), ("BRL 700", "700 BRL"), ("R$ 1.500,00", "1500 BRL"),
        ("¥300,000", "300000 JPY"), ("80万円", "800000 JPY"), ("3万円", "30000 JPY"), ("5000円", "5000 JPY"),
        ("1億円", "100000000 JPY"), ("JPY 50000", "50000 JPY"), ("50,000 yen", "50000 JPY"), ("￥5,000", "5000 JPY"),
        ("CAD 1,140", "1140 CAD"), ("C$500", "500 CAD"), ("CA$500", "500 CAD"), ("2 000 $ CA", "2000 CAD"),
        ("$500 CAD", "500 CAD"), ("6 800 $ CA", "6800 CAD"), ("A$750", "750 AUD"), ("AU$750", "750 AUD"),
        ("AUD 750", "750 AUD"),
        ("$750 AUD", "750 AUD"), ("NZ$90", "90 NZD"), ("HK$900", "900 HKD"), ("S$120", "120 SGD"),
        ("MX$4000", "4000 MXN"),
        ("4000 pesos", "4000 MXN"), ("CHF 1'200", "1200 CHF"), ("1200 CHF", "1200 CHF"), ("1200 Franken", "1200 CHF"),
        ("SEK 95,000", "95000 SEK"), ("95 000 SEK", "95000 SEK"), ("500 kr", "500 SEK"), ("NOK 3000", "3000 NOK"),
        ("500 zł", "500 PLN"), ("1 500 PLN", "1500 PLN"), ("20 000 Kč", "20000 CZK"), ("50 000 Ft", "none"),
        ("90 000 ₽", "90000 RUB"), ("90000 руб", "90000 RUB"), ("90 тыс рублей", "90000 RUB"),
        ("1 млн руб", "1000000 RUB"),
        ("5000 рублей", "5000 RUB"), ("400 евро", "400 EUR"), ("1500 долларов", "1500 USD"), ("3000 грн", "3000 UAH"),
        ("35.000 TL", "35000 TRY"), ("₺5.000", "5000 TRY"), ("5000 lira", "5000 TRY"), ("4.000 dolar", "4000 USD"),
        ("Rp 3.000.000", "3000000 IDR"), ("Rp12.000.000", "12000000 IDR"), ("Rp 500 ribu", "500000 IDR"),
        ("3 juta rupiah", "3000000 IDR"), ("500rb rupiah", "500000 IDR"), ("₩500,000", "500000 KRW"),
        ("50만원", "500000 KRW"),
        ("₦150,000", "150000 NGN"), ("₱5,000", "5000 PHP"), ("฿3000", "3000 THB"), ("₫500000", "500000 VND"),
        ("₴3000", "3000 UAH"), ("₪900", "900 ILS"), ("₵400", "400 GHS"), ("R500", "none"),
        ("٤٥٠ دولاراً", "450 USD"), ("٦٠٠٠ دولار", "6000 USD"), ("30 ألف دولار", "30000 USD"), ("500 ريال", "500 SAR"),
        ("1000 درهم", "1000 AED"), ("500 يورو", "500 EUR"), ("2 500 000 FCFA", "2500000 XOF"),
        // Ranges at their middle.
        ("€500-800", "650 EUR"), ("500-800 €", "650 EUR"), ("500 – 800 €", "650 EUR"),
        ("$12,000 – $15,000", "13500 USD"),
        ("1,500 to 2,000 EUR", "1750 EUR"), ("£68,000–£74,000", "71000 GBP"), ("CAD 145–160k", "152500 CAD"),
        ("between $1k and $2k", "1500 USD"), ("between 1 and 2k USD", "1500 USD"), ("38 000 à 45 000 €", "41500 EUR"),
        ("500 bis 800 Euro", "650 EUR"), ("entre 500 y 800 euros", "650 EUR"), ("$500 to $700", "600 USD"),
        ("150 à 180 €", "165 EUR"), ("$5-10k", "7500 USD"), ("USD 300 - 400", "350 USD"), ("£200~300", "250 GBP"),
        // Words.
        ("four figures", "3000 USD?"), ("mid four figures", "5000 USD?"), ("low five figures (GBP)", "20000 GBP"),
        ("high 4-figure budget", "8000 USD?"), ("six figures", "300000 USD?"), ("4 figures", "3000 USD?"),
        ("two thousand dollars", "2000 USD"), ("five hundred euros", "500 EUR"), ("zweitausend Euro", "2000 EUR"),
        ("dos mil euros", "2000 EUR"), ("duemila euro", "2000 EUR"), ("fünfhundert Euro", "500 EUR"),
        ("mil reais", "1000 BRL"),
        ("a thousand pounds", "1000 GBP"), ("one million dollars", "1000000 USD"), ("quinientos euros", "500 EUR"),
        // Without a currency, by the words around.
        ("our budget is 1500 for this", "1500 ?"), ("we can pay 500", "500 ?"), ("budget: 5k", "5000 ?"),
        ("we offer 2k for the post", "2000 ?"), ("paying 750 flat", "750 ?"),
        // Percentages are apart.
        ("15% commission", "15 %"), ("20 % off", "20 %"), ("10 percent of sales", "10 %"), ("30 Prozent", "30 %"),
        ("10-15% per sale", "12.5 %"), ("60 % de las inscripciones", "60 %"),
    ]

    @Test(arguments: usualSpellings)
    func `reads every usual spelling of an amount`(text: String, expected: String) {
        #expect(Self.first(text) == expected.replacing("USD?", with: "?"))
    }

    @Test(arguments: [
        "I ran 5k today", "my 10k race", "18k followers", "a 4k monitor", "see you at 17:00", "on 3 October 2026",
        "3 reels and 2 stories", "I lost 5 pounds", "60-pound headphones", "since 2019", "page 404",
        "call 020 7946 0958",
        "version 2.5", "24-70 lens", "1.2 to 1.6 g per kilo", "100 people came", "room 500", "I try 5 times",
        "won 3 games",
        "order #5000", "user_5000", "16:9", "ISO 640", "50 mm f/1.8", "3 m of cable", "10 mil", "5 real friends", "",
        "20 minutes", "2,100 units", "12 months", "week 8", "R2D2", "P4", "u r 5000 miles away", "5 r enough",
        "an R1250GS", "10 juta views", "400 for me",
    ])
    func `takes other numbers for no amount`(text: String) {
        #expect(FoldedSample(text).amounts().filter { $0.role != .percent } == [])
    }

    @Test(arguments: [
        ("3 reels at $800 each", 2400.0), ("$500/month for 6 months", 3000), ("€2,000/month for twelve months", 24000),
        ("we pay £400 a day, about six days", 2400), ("5 songs, we'd pay £150 a song", 750),
        ("£1,000 per episode, 10 episodes", 10000),
        ("150 à 180 € la capsule, 30 capsules audio", 4950), ("£200 a month for a year", 2400),
        ("6 dates, USD 700 each", 4200),
        ("2 reels, budget ₹1,80,000 per reel", 360_000), ("£220 per session", 220),
        ("budget $300 per track for about 10 tracks", 3000),
        ("R$ 1,500 by month, contract one year", 18000), ("€600 / month, 10 months", 6000),
        ("four Friday streams: £450 each", 1800),
        ("3 Reels zu je 400 €", 1200), ("3 Reels à 400 €", 1200), ("3 Reels, jeweils 400 €", 1200),
        ("3 reels, 400 € cada uno", 1200), ("3 vídeos, R$ 500 cada", 1500), ("3 vidéos à 400 € chacune", 1200),
        ("3 video, 400 € ciascuno", 1200), ("a $400 fee for 3 reels", 400), ("1.000 € monatlich, 6 Monate lang", 6000),
        ("$1,000 a month over half a year", 6000), ("1.000 € pro Monat, ein halbes Jahr", 6000),
        ("2x $750", 1500), ("we can do 2 x $750", 1500), ("3 reels x $400", 1200), ("1x $750", 750),
        ("drei Reels, pro Reel 400 €", 1200), ("3 reels, per reel $400", 1200), ("the iPhone X $400", 400),
        ("1.000 € al mes durante medio año", 6000), ("$1,000 a month, half of it in the next year", 1000),
        ("day rate up to £550, approx. 6 days", 3300), ("ayda 35.000 TL, 6 aylık", 210_000), ("$100 per post", 100),
    ])
    func `multiplies an amount by how often it is paid`(text: String, total: Double) {
        #expect(FoldedSample(text).amounts().first?.total == total)
    }

    @Test(arguments: [
        ("Our budget is $800 for the reel", MoneyFind.Role.offer), ("we pay you $500", .offer), ("Fee: £300", .offer),
        ("wir bieten 1.200 € Honorar", .offer), ("cachê de R$ 2.000", .offer), ("te ofrecemos 500 euros", .offer),
        ("you only pay $35 shipping", .price), ("you'd have to buy 200 pieces at €7", .price),
        ("tickets at £12", .price),
        ("I charge £45 per short", .price), ("the plan costs $99", .price), ("registration fee of $50", .price),
        ("a FREE set worth $400", .worth), ("Wert 9.000 €", .worth), ("mask value 599$", .worth),
        ("retail value $120", .worth), ("$1500 + product worth $300", .plain),
        ("we pay 1.500 € + Produkt im Wert von 300 €", .offer),
        ("she earns $5,000 monthly", .revenue), ("make $500 a day from home", .revenue), ("prize of $10,000", .revenue),
        ("we put €400k into the app", .revenue), ("he made $41k in 3 weeks", .revenue),
        ("your invoice (EUR 2,800.00) was rejected", .owedToCreator),
        ("our invoice of EUR 640 was due", .owedByCreator),
        ("$750", .plain),
    ])
    func `tells whose money it is`(text: String, role: MoneyFind.Role) {
        #expect(FoldedSample(text).amounts().first?.role == role)
    }

    @Test func `the value of one amount is not that of its neighbour`() {
        #expect(FoldedSample("a kiln worth $300 plus a fee of $1,500").amounts().map(\.role) == [.worth, .offer])
        #expect(FoldedSample("a fee of $1,500 plus a kiln worth $300").amounts().map(\.role) == [.offer, .worth])
    }

    @Test(arguments: [
        ("Last year we paid Ann $50,000; for you we have $1,000", [true, false]),
        ("Letztes Jahr haben wir Ann 50.000 € gezahlt, für dich haben wir 1.000 €", [true, false]),
        ("El año pasado pagamos a Ana 20.000 €; para ti tenemos 800 €", [true, false]),
        ("Last year's budget was $20,000, this year's is $1,000", [true, false]),
        ("We paid our last creator $3,000. For this reel our budget is $900.", [true, false]),
        // What the creator got may be meant again, and who was young last year offers today.
        ("Last time we paid you $2,000, same again?", [false]),
        ("Por última vez: no ha pagado los 120 euros", [false]),
        ("We launched last year and offer $5,000", [false]), ("Last year we met you, now we offer $5,000", [false]),
    ])
    func `tells what was paid to others in time past`(text: String, expected: [Bool]) {
        #expect(FoldedSample(text).amounts().map(\.isPast) == expected)
    }

    @Test(arguments: [
        ("We can't do $2,000, would $1,200 work instead for the reel?", [true, false]),
        ("$5,000 is too much for us. Would $2,500 be ok?", [true, false]),
        ("Wir können keine 2.000 € zahlen, wären 1.200 € ok?", [true, false]),
        ("No podemos pagar 2.000 €, ¿aceptarías 1.200 €?", [true, false]),
        ("We can't pay the $2,000 you asked for, but $1,200 is fine", [true, false]),
        ("Your rate of $2,000 is over our budget. Our offer is $1,200", [true, false]),
        ("We can't wait to pay you $500 for a reel", [false]), ("Our budget is $500, it can't be more", [false]),
        ("We pay $800. We can't wait!", [false]),
    ])
    func `what the sender will not pay is told from what they would`(text: String, isRefused: [Bool]) {
        #expect(FoldedSample(text).amounts().map(\.isRefused) == isRefused)
    }

    @Test(arguments: [
        "Our customers get $20 off with your code", "your followers save $30 with it", "deine Follower sparen 25 €",
        "Tes abonnés auront 10 € de réduction", "10 € Rabatt für deine Community",
        "20 € de descuento para tus seguidores",
    ])
    func `what buyers need not pay is no offer`(text: String) {
        #expect(FoldedSample(text).amounts().map(\.role) == [.price])
    }

    @Test(arguments: [
        "una batidora valorada en 250 €", "um kit avaliado em R$ 350", "un torno de regalo, vale 600 €",
        "uma batedeira de presente (vale R$ 900)",
    ])
    func `what a gift is worth in Spanish and Portuguese is no offer`(text: String) {
        #expect(FoldedSample(text).amounts().map(\.role) == [.worth])
    }

    @Test func `a word of agreement before a sum makes it no gift`() {
        #expect(FoldedSample("Vale, te ofrecemos 600 € por el reel").amounts().map(\.role) == [.offer])
    }

    @Test(arguments: [
        ("We pay a $12 CPM and guarantee at least 100,000 views", 1200), ("a CPM of $20, around 50k views", 1000),
        ("we pay $5 per 1,000 views and you have 200,000 views", 1000),
        ("we offer $800 for a video with 2,000 views", 800),
    ])
    func `pays by the thousand views`(text: String, total: Double) {
        let find = FoldedSample(text).amounts().first
        #expect(find?.total == total)
        #expect(find?.role != .rate)
    }

    @Test(arguments: ["Our offer is $25 CPM", "we pay $5 per 1,000 views"])
    func `views that nobody counts make no sum`(text: String) {
        #expect(FoldedSample(text).amounts().first?.role == .rate)
    }

    @Test func `adds what is joined by a plus`() {
        let finds = FoldedSample("Offer: £4,000 sync + £1,500 for the master").amounts()
        #expect(finds.map(\.value) == [4000, 1500])
        #expect(finds.map(\.isAdded) == [false, true])
    }

    @Test(arguments: ["Budget is $5,000, ok?", "Honorar: 1.500,50 € netto"])
    func `places an amount on its bytes`(text: String) throws {
        let sample = FoldedSample(text)
        let find = try #require(sample.amounts().first)
        #expect(["$5,000", "1.500,50 €"].contains(sample.folded(find.start..<find.end)))
    }

    @Test(arguments: [
        String(repeating: "9", count: 5000), String(repeating: "1,", count: 3000), String(repeating: "$", count: 3000),
        String(repeating: "$1 ", count: 3000), String(repeating: "1 000 ", count: 3000),
        "$" + String(repeating: "1 - ", count: 2000),
        "99999999999999999999999999 dollars", "1.2.3.4.5.6 EUR", "$1e400",
    ])
    func `survives numbers that nobody means`(text: String) {
        #expect(FoldedSample(text).amounts().count <= MoneyFinder.limit)
    }
}
