import Testing
import TriageCore

@testable import TriageStages

struct LinkFinderTests {
    @Test(arguments: [
        ("see https://example.com/x", 1), ("http://a.b", 1), ("www.shop-deals.de now", 1), ("brand.example", 1),
        ("go to win-big.xyz/claim", 1),
        ("a.com and b.org", 2), ("bit.ly/3xYz", 1), ("t.me/coach", 1), ("http://192.168.0.1/login", 1),
        ("xn--pple-43d.com", 1),
        ("solteiros-lx.example!", 1), ("lucky-spin777.example", 1), ("(https://shop.example/a?b=c)", 1),
        ("WWW.CLICKZ4U.EXAMPLE", 1),
        ("thanks.so much", 0), ("ok...then", 0), ("e.g. this", 0), ("v2.5 is out", 0), ("3.5 km", 0), ("end.Then", 0),
        ("a.m. or p.m.", 0),
        ("jo.smith@gmail.com", 0), ("@fitgirls.daily", 0), ("report.pdf", 0), ("f/1.8", 0), ("", 0),
        ("no.it is not", 0), ("Dr.Smith", 0),
    ])
    func `counts links with and without a scheme`(text: String, count: Int) {
        #expect(FoldedSample(text).links().links == count)
    }

    @Test(arguments: [
        ("https://bit.ly/3xYz", LinkFindings.Kinds.short), ("tinyurl.com/abc", .short),
        ("bit-ly-win.example/9x2", .short),
        ("https://sh-rt.example/a8kd0", .short), ("http://10.0.0.1/x", .ip), ("http://xn--80ak6aa92e.com", .punycode),
        ("lnstagram-security.example/secure", .lookalike), ("instagram-help.example", .lookalike),
        ("paypal.secure-id.com/x", .lookalike),
        ("t.me/coach", .messenger), ("wa.me/4477", .messenger), ("whatsapp +44 7700 900123", .messenger),
        ("Telegram: @ar_scout_real", .messenger),
        ("text me on whatsapp 07700900123", .messenger), ("rep-note.example/unlock", .pathVerb),
        ("https://x.example/verify?id=1", .pathVerb),
        ("freelens-claim.example", .pathVerb), ("https://x.example/abc", .only),
    ])
    func `knows what kind of link it is`(text: String, kind: LinkFindings.Kinds) {
        #expect(FoldedSample(text).links().kinds.contains(kind))
    }

    @Test(arguments: [
        ("https://www.instagram.com/p/x", LinkFindings.Kinds.lookalike), ("https://help.instagram.com/x", .lookalike),
        ("https://youtube.com/watch", .lookalike), ("https://northloom.example/brief for you, please read it", .short),
        ("I love telegram", .messenger), ("my whatsapp is broken", .messenger),
        ("https://brand.example/press and a lot more text here", .only),
    ])
    func `does not suspect a link without reason`(text: String, kind: LinkFindings.Kinds) {
        #expect(!FoldedSample(text).links().kinds.contains(kind))
    }

    @Test(arguments: [
        ("write to jo.smith@gmail.com", LinkFindings.Kinds.freeMail), ("a@mailcove.example", .freeMail),
        ("x_y@correolibre.example", .freeMail),
        ("petra.valke@northloom.example", .companyMail), ("Mail: press+uk@long-wave.co.uk.", .companyMail),
        ("OFFICE@NORDLUX.DE", .companyMail),
    ])
    func `finds addresses and tells free providers from companies`(text: String, kind: LinkFindings.Kinds) {
        let found = FoldedSample(text).links()
        #expect(found.kinds.intersection([.freeMail, .companyMail]) == kind)
    }

    @Test func `takes an address from its first to its last byte`() {
        let sample = FoldedSample("Petra — petra.valke@northloom.example, thanks")
        #expect(sample.folded(sample.links().companyMail) == "petra.valke@northloom.example")
    }

    @Test(arguments: [
        ("+44 20 7946 0958", true), ("call +1 (555) 010-2233 now", true), ("020 7946 0958", true),
        ("(555) 010-2233", true), ("+351912345678", true),
        ("07700900123", true), ("2026-10-03", false), ("$1,234,567", false), ("12 34", false),
        ("invoice 2026-118", false), ("1 500 000 views", false),
    ])
    func `finds telephone numbers`(text: String, isPhone: Bool) {
        #expect((FoldedSample(text).phone() != nil) == isPhone)
    }

    @Test(arguments: [
        String(repeating: ".", count: 5000), String(repeating: "a.", count: 5000), String(repeating: "a@", count: 5000),
        "https://",
        String(repeating: "a.com ", count: 3000), String(repeating: "@.", count: 3000),
        "x." + String(repeating: "y", count: 100_000),
        String(repeating: "-", count: 1000) + ".com", "http://" + String(repeating: "/", count: 5000), "@", ".", "a@b",
        "@a.b",
    ])
    func `survives what only looks like links`(text: String) {
        let found = FoldedSample(text).links()
        #expect(found.links <= LinkFinder.limit)
    }
}
