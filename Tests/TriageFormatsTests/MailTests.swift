import Testing
import TriageCore

@testable import TriageFormats

/// What the fields of mails become.
struct MailTests {
    private func read(_ text: String, name: String = "x.bin") throws -> [JSONNode] { try read(Array(text.utf8), name) }

    private func read(_ bytes: [UInt8], _ name: String = "x.bin") throws -> [JSONNode] {
        let scratch = try ScratchFolder()
        let result = try readInputs([scratch.write(name, bytes)])
        #expect(result.codes.isEmpty)
        return result.lines.compactMap { JSONNode(Array($0.utf8)) }
    }

    private let header = "From: Ann <ann@x.example>\nDate: Tue, 02 Jul 2024 08:00:00 +0200\n"

    /// A single mail with more header lines, and its record.
    private func mail(_ fields: String, _ body: String = "Hello") throws -> JSONNode {
        let found = try read(header + fields + "\n" + body + "\n")
        return try #require(found.count == 1 ? found[0] : nil)
    }

    @Test func `a mailbox of Gmail gives names, times, threads and whose mail it is`() throws {
        let found = try readInputs([Fixtures.root + "/mbox"])
        let nodes = found.lines.compactMap { JSONNode(Array($0.utf8)) }
        #expect(nodes.count == 4)
        #expect(found.notices.contains("skipped because of their Gmail labels: 1 in spam"))
        let first = nodes[0]
        #expect(first["id"]?.string == "mail:offer-1@agency.example")
        #expect(first["conversation_id"]?.string == "1801112223334445551")
        #expect(first["conversation_title"]?.string == "Anfrage: 🎪 Festival")
        #expect(first["sender"]?["name"]?.string == "José Muñoz")
        #expect(first["sender"]?["id"]?.string == "jose@agency.example")
        #expect(first["sender"]?["is_self"] == .bool(false))
        #expect(
            first["text"]?.string
                == "Hola Mara, wir hätten 900 € für zwei Stories im August.\nFrom the whole team: saludos.\n"
                + ">From twice.\n\nFrom the bottom of my heart, José")
        #expect(first["sent_at"]?.string == "2024-03-04T11:20:30Z")
        #expect(first["raw"]?["folder"]?.string == "inbox")
        #expect(first["raw"]?["reply_to"]?.string == "bookings@agency.example")
        #expect(
            first["raw"]?["labels"]?.elements.map(\.string) == ["Posteingang", "Geöffnet", "Kategorie: Persönlich"])
        #expect(nodes[1]["sender"]?["is_self"] == .bool(true))
        #expect(nodes[1]["reply_to"]?.string == "mail:offer-1@agency.example")
        #expect(nodes[1]["text"]?.string == "Klingt gut. Welche Tage?")
        #expect(nodes[2]["text"]?.string == "Café samples are on their way.\nSize M?")
        #expect(nodes[2]["raw"]?["bulk"] == .bool(true))
        #expect(nodes[2]["attachments"]?.elements.map { $0["name"]?.string } == ["logo.png", "vertrag für Mara.pdf"])
        #expect(nodes[2]["attachments"]?.elements.map { $0["type"]?.string } == ["image", "file"])
        #expect(nodes[3]["sent_at"]?.string == "2024-03-07T09:30:00Z")
        #expect(nodes[3]["text"]?.string?.hasSuffix("Subject: [PATCH] x") == true)
    }

    @Test(arguments: [
        ("From 17@xxx Sat Jun 01 10:40:00 +0000 2024", true), ("From a@b.example Sat Jun  1 10:40:00 2024", true),
        ("From Sat Jun 01 10:40 2024", true), ("From - Sat Jun 01 10:40:00 2024", true),
        ("From x Sat Jun 01 10:40:00 2024 -0700", true), ("From x Sat Jun 01 10:40:00 CEST 2024", true),
        ("From ", true), ("From x Sat Jun 01 10:40:00 2024\r", true), ("From the start it was clear", false),
        ("From x Sat Jun 01 2024", false), ("From x Sat Foo 01 10:40:00 2024", false), ("from x Sat Jun 01", false),
        ("From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001", false), (">From ", false),
        ("From: a@b.example", false), ("From x Sat Jun 99 10:40:00 2024", false),
    ])
    func `lines that separate mails are told from others`(line: String, isSeparator: Bool) {
        #expect((MailSeparator.form(Array(line.utf8)[...]) != nil) == isSeparator)
    }

    private func split(_ text: String, pieces: Int, limit: Int = 1 << 20) -> [String] {
        var splitter = MailSplitter(limit: limit)
        var out: [String] = []
        let bytes = Array(text.utf8)
        var at = 0
        while at < bytes.count {
            let end = min(at + pieces, bytes.count)
            bytes[at..<end].withUnsafeBufferPointer { piece in
                splitter.feed(piece) { out.append(String(decoding: $0.bytes, as: UTF8.self)) }
            }
            at = end
        }
        splitter.finish { out.append(String(decoding: $0.bytes, as: UTF8.self)) }
        return out
    }

    @Test(arguments: [
        (
            "From a Sat Jun 01 10:40:00 2024\nA: 1\n\nb\n\nFrom a Sat Jun 01 10:40:00 2024\nA: 2\n",
            ["A: 1\n\nb\n\n", "A: 2\n"]
        ),
        // Without an empty line before it, only a header field behind it tells.
        (
            "From a Sat Jun 01 10:40:00 2024\nA: 1\n\nb\nFrom a Sat Jun 01 10:40:00 2024\nA: 2\n",
            ["A: 1\n\nb\n", "A: 2\n"]
        ),
        (
            "From a Sat Jun 01 10:40:00 2024\nA: 1\n\nb\nFrom a Sat Jun 01 10:40:00 2024\nno field\n",
            ["A: 1\n\nb\nFrom a Sat Jun 01 10:40:00 2024\nno field\n"]
        ),
        ("From \nA: 1\n\nb\nFrom \nA: 2\n\nFrom \nnone\n", ["A: 1\n\nb\n", "A: 2\n\nFrom \nnone\n"]),
        (
            "From - Sat Jun 01 10:40:00 2024\r\nA: 1\r\n\r\nb\r\n\r\nFrom - \r\nA: 2\r\n",
            ["A: 1\r\n\r\nb\r\n\r\n", "A: 2\r\n"]
        ),
        ("From \nA: 1\n\n>From x\n>>From y\n> From z\n>Fromage\n", ["A: 1\n\nFrom x\n>From y\n> From z\n>Fromage\n"]),
        ("From \nA: 1\n\nFrom ", ["A: 1\n\nFrom "]), ("\n\n", []), ("A: 1\n\nx", ["A: 1\n\nx"]),
    ])
    func `a mailbox is cut where its mails end, however it is fed`(text: String, mails: [String]) {
        for pieces in [1, 2, 3, 7, text.utf8.count + 1] { #expect(split(text, pieces: pieces) == mails, "\(pieces)") }
    }

    @Test func `very long lines and mails take bounded memory, and the next mail is whole`() {
        let long = String(repeating: "x", count: 200_000)
        let text = "From \nA: 1\n\n\(long)\n\nFrom \nB: 2\n\nshort\n"
        for pieces in [1000, 65_536, 1 << 20] {
            let whole = split(text, pieces: pieces)
            #expect(whole.map(\.utf8.count) == [200_008, 12])
            let cut = split(text, pieces: pieces, limit: 100)
            #expect(cut.map(\.utf8.count) == [100, 12])
        }
    }

    @Test func `a mail over the limit keeps its beginning, and that is said`() throws {
        let scratch = try ScratchFolder()
        let body = String(repeating: "word ", count: 2000)
        let path = scratch.write("x.eml", Array((header + "Subject: s\n\n" + body).utf8))
        let result = try readInputs([path]) { $0.maximumLine = 1000 }
        #expect(result.texts.count == 1 && result.texts[0].hasPrefix("word word") && result.texts[0].utf8.count < 1000)
        #expect(result.notices.contains { $0.contains("--max-line") })
        #expect(result.lines[0].contains("\"cut\":9"))
    }

    @Test(arguments: [
        ("Subject: =?utf-8?Q?a_b=C3=A9?=", "a bé"), ("Subject: =?utf-8?B?4oI=?= =?utf-8?B?rA==?=", "€"),
        ("Subject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"),
        ("Subject: plain =?utf-8?q?=E2=82=AC?= end", "plain € end"),
        ("Subject: two\n lines", "two lines"), ("Subject: Größe", "Größe"), ("Subject: =?x-none?Q?abc?=", "abc"),
    ])
    func `subjects are decoded`(field: String, subject: String) throws {
        #expect(try mail(field + "\n")["raw"]?["subject"]?.string == subject)
    }

    @Test(
        arguments: [
            ("\"=?UTF-8?Q?Zo=C3=AB?=\" <Zoe@B.example>", "Zoë", "zoe@b.example"),
            ("zoe@b.example", nil, "zoe@b.example"),
            ("\"Doe, Jane\" <j@b.example>, other@b.example", "Doe, Jane", "j@b.example"),
            ("=?utf-8?B?w6Q=?= =?utf-8?B?w7Y=?= <a@b.example>", "äö", "a@b.example"),
            ("<a@b.example>", nil, "a@b.example"),
        ] as [(String, String?, String)])
    func `senders have a name and an address in lower case`(from: String, name: String?, address: String) throws {
        let found = try read("From: \(from)\nDate: Tue, 02 Jul 2024 08:00:00 +0200\n\nhi\n")
        #expect(found.first?["sender"]?["name"]?.string == name)
        #expect(found.first?["sender"]?["id"]?.string == address)
        #expect(found.first?["sender"]?["is_self"] == nil)
    }

    @Test(
        arguments: [
            ("Re: Fwd: AW: Sommer", "Sommer"), ("WG: Re[2]: x", "x"), ("TR: RV: SV: y", "y"),
            ("Reisen: z", "Reisen: z"),
            ("Re:", nil),
        ] as [(String, String?)])
    func `titles are subjects without what programs put before them`(subject: String, title: String?) throws {
        #expect(try mail("Subject: \(subject)\n")["conversation_title"]?.string == title)
    }

    @Test(arguments: [
        (["windows-1252"], [0x93, 0x68, 0x69, 0x94, 0x80] as [UInt8], "“hi”€"),
        (["koi8-r"], [0xF0, 0xD2, 0xC9], "При"),
        (["shift_jis"], [0x93, 0xFA, 0x96, 0x7B], "日本"), (["gb2312"], [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
        (["big5"], [0xA7, 0x41, 0xA6, 0x6E], "你好"), (["euc-kr"], [0xBE, 0xC8, 0xB3, 0xE7], "안녕"),
        (["iso-8859-15"], [0xA4], "€"), (["windows-1251"], [0xCF, 0xF0], "Пр"), (["no-such"], [0xE9], "é"),
        (["utf-8"], [0xE9, 0x74, 0xE9], "été"), (["us-ascii"], [0xC3, 0xA9], "é"),
        (["iso-8859-1"], Array("é 😀".utf8), "é 😀"), (["windows-1254"], [0xF0], "ğ"),
        (["iso-2022-jp"], [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"),
    ])
    func `bodies of any charset become text`(charset: [String], body: [UInt8], text: String) throws {
        let fields = "Content-Type: text/plain; charset=\"\(charset[0])\"\nContent-Transfer-Encoding: 8bit\n\n"
        let found = try read(Array((header + fields).utf8) + body + [0x0A])
        #expect(found.first?["text"]?.string == text)
    }

    @Test(arguments: [
        ("Content-Type: text/plain\nContent-Transfer-Encoding: base64\n", "SGVsbG8s\nIHlvdQ==", "Hello, you"),
        ("Content-Transfer-Encoding: quoted-printable\n", "soft=\n break=20=E2=82=AC", "soft break €"),
        ("Content-Type: text/html\n", "<p>a</p><p>b</p>", "a\nb"),
        (
            "Content-Type: multipart/alternative; boundary=x\n",
            "--x\nContent-Type: text/html\n\n<b>html</b>\n--x\nContent-Type: text/plain\n\nplain\n--x--", "plain"
        ),
        (
            "Content-Type: multipart/alternative; boundary=x\n",
            "--x\nContent-Type: text/plain\n\n \n--x\nContent-Type: text/html\n\n<b>html</b>\n--x--", "html"
        ),
        (
            "Content-Type: multipart/mixed; boundary=x\n",
            "--x\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nno\n--x\n\nyes\n--x--",
            "yes"
        ),
        (
            "Content-Type: multipart/mixed; boundary=x\n", "--x\nContent-Type: text/plain\n\nnever closed",
            "never closed"
        ),
        ("Content-Type: nonsense\n", "text", "text"),
        ("Content-Type: text/plain; format=flowed\n", "a \nb\nc", "a b\nc"),
        ("Content-Type: image/png\n", "x", ""),
    ])
    func `the body is what a reader would see first`(fields: String, body: String, text: String) throws {
        #expect(try mail(fields, body)["text"]?.string == text)
    }

    @Test(
        arguments: [
            ("Yes!\n\nOn Mon, Ann <a@x.example> wrote:\n> old", "Yes!"), ("Yes!\n\n> old\n> older", "Yes!"),
            ("Oui\n\nLe lun. 4 mars 2024 à 12:00, Ann <a@x.example>\na écrit :\n\n> vieux", "Oui"),
            ("Sí\nEl lun, 4 mar 2024 a las 12:00, Ann (<a@x.example>) escribió:\n> viejo", "Sí"),
            ("Ok\n\nIl giorno lun 4 mar 2024 Ann ha scritto:", "Ok"), ("Hi\n\n-- \nAnn\n+49", "Hi"),
            ("Hi\n--\nAnn", "Hi"),
            ("brief:\n--\nBudget: 2,000 EUR", "brief:\n--\nBudget: 2,000 EUR"),
            ("a\n--\nWe pay 900\n--\nCan you?", "a\n--\nWe pay 900\n--\nCan you?"),
            ("a\n--\nplease answer by Friday", "a\n--\nplease answer by Friday"),
            ("a\n-- \nb\n\n-- \nAnn\nBrand Co", "a\n-- \nb"), ("a\n--\nb\n-- \nAnn", "a\n--\nb"),
            ("a\n-- \n" + String(repeating: "a line of the text\n", count: 20), nil),
            ("a\n-- \n" + String(repeating: "words ", count: 300), nil),
            ("Hi\n--\nAnn Lee\nBrand Co\n+49 123\nann@x.example", "Hi"),
            ("Hi\n\nSent from my heart: 900 EUR?", "Hi\n\nSent from my heart: 900 EUR?"),
            ("Your parcel\nSent via DHL yesterday", "Your parcel\nSent via DHL yesterday"),
            ("Hi\nSent from my iPhone, can you do 900€?", "Hi\nSent from my iPhone, can you do 900€?"),
            ("On price I think 500 is fair.\nMy boss wrote:\n> 900", "On price I think 500 is fair.\nMy boss wrote:"),
            ("We love it.\nOn your page you wrote:", "We love it.\nOn your page you wrote:"),
            ("Hi\n\nSent from my iPhone", "Hi"), ("Hi\n\nSent from my iPhone\n\nOn Mon, Ann wrote:\n\n> old", "Hi"),
            (
                "Fine.\n\n________________________________\nFrom: Ann <a@x.example>\nSent: Monday\nTo: Kim\nSubject: x\n\nold",
                "Fine."
            ),
            ("Gut.\n\nVon: Ann\nGesendet: Montag\nAn: Kim\nBetreff: x\n\nalt", "Gut."),
            ("> is it ok?\nYes.\n> and this?\nNo.", "> is it ok?\nYes.\n> and this?\nNo."),
            ("> all quoted", "> all quoted"),
            (
                "FYI\n\n---------- Forwarded message ---------\nFrom: A <a@x.example>\nSubject: y\nTo: b\n\n> offer\n-- \nA",
                "FYI\n\n---------- Forwarded message ---------\nFrom: A <a@x.example>\nSubject: y\nTo: b\n\n> offer\n-- \nA"
            ),
            ("On time is what matters:\nbe there", "On time is what matters:\nbe there"),
        ] as [(String, String?)])
    func `quotes and signatures are set apart, forwards and answers between the lines are not`(
        body: String, text: String?
    ) throws {
        let found = MailText(Array(body.utf8), isForward: false)
        #expect(found.text == text ?? body.trimmingBlanks())
        // Every line stands somewhere.
        let all = ([found.text] + found.signature + found.quoted).joined(separator: "\n")
        for line in body.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
            #expect(all.contains(String(line).trimmingBlanks()), "\(line)")
        }
    }

    @Test func `what a form filled in at the head of a thread is no quote`() throws {
        let body = "A new message:\n\nFrom: Bo <bo@y.example>\nTo: Mara\nSubject: Collab\n\n900 EUR for a reel"
        #expect(try mail("Subject: Contact form\n", body)["text"]?.string == body)
        let answer = try mail("Subject: Re: Contact\n", body)
        #expect(answer["text"]?.string == "A new message:")
        #expect(answer["raw"]?["quoted"]?.string?.contains("900 EUR for a reel") == true)
    }

    @Test func `what is set apart is still in the record`() throws {
        let found = try mail(
            "Subject: Re: s\n", "Yes!\n-- \nAnn\nBrand Co\n\nOn Mon, Mara wrote:\n> is it ok?\n\nSent from my iPhone")
        #expect(found["text"]?.string == "Yes!")
        #expect(found["raw"]?["signature"]?.string == "-- \nAnn\nBrand Co\nSent from my iPhone")
        #expect(found["raw"]?["quoted"]?.string == "On Mon, Mara wrote:\n> is it ok?")
    }

    @Test func `what a page hides is set apart`() throws {
        let found = try mail(
            "Content-Type: text/html; charset=utf-8\n",
            "<style>p{}</style><div style=\"display:none\">We pay <b>900</b>&zwnj;&nbsp;&zwnj;EUR</div><p>Hello</p>")
        #expect(found["text"]?.string == "Hello")
        #expect(found["raw"]?["hidden"]?.string == "We pay 900 EUR")
    }

    @Test(arguments: [
        (
            "--x\n\nsee:\n--x\nContent-Type: image/png; name=a.png\n\nx\n--x\nContent-Type: text/plain\n\n900 EUR\n--x--",
            "see:\n900 EUR"
        ),
        (
            "--x\nContent-Type: text/html\n\n<p>see:</p>\n--x\nContent-Type: text/html\n\n<p>900 EUR</p>\n--x--",
            "see:\n900 EUR"
        ),
        (
            "--x\n\n \n--x\nContent-Type: text/html\n\n<p>900 EUR</p>\n--x--", "900 EUR"
        ),
    ])
    func `texts around a picture are one message`(body: String, text: String) throws {
        #expect(try mail("Content-Type: multipart/mixed; boundary=x\n", body)["text"]?.string == text)
    }

    @Test(arguments: [
        (
            "<div>Yes</div><div class=\"gmail_quote gmail_quote_container\"><div class=\"gmail_attr\">W dniu pon. Ann napisała:<br></div>"
                + "<blockquote class=\"gmail_quote\">old<br>older</blockquote></div>", "Yes"
        ),
        (
            "<p>Yes</p><div class=\"moz-cite-prefix\">Am Montag schrieb Ann:</div><blockquote type=\"cite\"><p>alt</p></blockquote>",
            "Yes"
        ),
        (
            "<blockquote type=\"cite\">ok?</blockquote><p>Yes.</p><blockquote type=\"cite\">this?</blockquote><p>No.",
            "> ok?\nYes.\n> this?\nNo."
        ),
        ("<p>a</p><blockquote>said well</blockquote>", "a\nsaid well"),
        (
            "<div class=\"gmail_quote\"><div class=\"gmail_attr\">---------- Forwarded message ---------<br>From: A</div>offer</div>",
            "---------- Forwarded message ---------\nFrom: A\noffer"
        ),
    ])
    func `what HTML marks as quoted is set apart`(body: String, text: String) throws {
        #expect(try mail("Content-Type: text/html; charset=utf-8\n", body)["text"]?.string == text)
    }

    @Test func `mails without a date take the time of their way`() throws {
        let text =
            "Received: by b; Tue, 2 Jul 2024 08:00:05 +0000\nReceived: by a; Tue, 2 Jul 2024 08:00:01 +0000\n"
            + "From: a@x.example\n\nhi\n"
        #expect(try read(text).first?["sent_at"]?.string == "2024-07-02T08:00:01Z")
        #expect(
            try read("From x Sat Jun 01 10:40:00 -0100 2024\nFrom: a@x.example\n\nhi\n").first?["sent_at"]?.string
                == "2024-06-01T11:40:00Z")
    }

    @Test func `mails of several files come out once, and a missing id is made of what stays`() throws {
        let mail = "From x Sat Jun 01 10:40:00 2024\n" + header + "Subject: s\n\nsame\n"
        let other = "From x Sat Jun 01 10:40:00 2024\nMessage-ID: <1@x>\n" + header + "\none\n"
        let scratch = try ScratchFolder()
        let entries = [
            ("a/In.mbox", Array((mail + "\n" + other).utf8)), ("a/All.mbox", Array((other + "\n" + mail).utf8)),
        ]
        let result = try readInputs([scratch.write("x.zip", Packing.zip(entries))])
        #expect(result.texts.sorted() == ["one", "same"])
        #expect(result.notices.contains("2 mails came more than once"))
    }

    @Test(
        arguments: [
            ("Hi: a\nThere: b\n\ntext", nil), ("From: a\nDate: b\n\ntext", "eml"),
            ("\r\nfrom: a\r\nSUBJECT: b\r\n c\r\n\r\nx", "eml"),
            ("From: a\nDate: b\n", nil), ("From a Sat Jun 01 10:40:00 2024\nSubject: x\n\n", "mbox"),
            ("From a Sat Jun 01 10:40:00 2024\nno field here\n", nil), ("From the beginning\nX: y\n", nil),
            ("From \nX: y\n", "mbox"), ("Subject: a\nnot a field\nDate: b\n\n", nil),
        ] as [(String, String?)])
    func `mails are known by their headers`(text: String, format: String?) {
        let opening = Opening(bytes: Array(text.utf8), isWhole: true)
        let found = MboxFormat().detect(opening)?.format ?? EMLFormat().detect(opening)?.format
        #expect(found == format)
    }

    @Test func `what has no header is a reject with its place`() throws {
        let scratch = try ScratchFolder()
        let text = "From x Sat Jun 01 10:40:00 2024\n" + header + "\nok\n\nFrom x Sat Jun 01 10:40:00 2024\nno header\n"
        let result = try readInputs([scratch.write("x", Array(text.utf8))])
        #expect(result.texts == ["ok"])
        #expect(result.codes == ["mail.no-header"])
        #expect(result.numbers.contains(2))
    }

    @Test(arguments: [
        String(repeating: "Content-Type: multipart/mixed; boundary=a\n\n--a\n", count: 5000),
        "Content-Type: multipart/mixed; boundary=a\n\n" + String(repeating: "--a\n\n", count: 8000),
        "Subject: " + String(repeating: "=?utf-8?B?4oI=?= ", count: 6000),
        "To: " + String(repeating: "a@x.example, ", count: 6000), "To: " + String(repeating: "(", count: 8000),
        "To: " + String(repeating: "g:", count: 6000), String(repeating: "X: y\n", count: 10_000),
        "Content-Type: text/plain; " + String(repeating: "a*0=b; ", count: 6000),
        String(repeating: "Content-Type: message/rfc822\n\n", count: 5000),
        "Content-Type: text/html\n\n" + String(repeating: "<blockquote type=cite>", count: 6000) + "x",
        "\n" + String(repeating: "On x wrote:\n", count: 6000), "\n" + String(repeating: "From: a\n", count: 8000),
        "\n" + String(repeating: "-- \n", count: 8000),
    ])
    func `hostile mails come to an end`(text: String) throws {
        let scratch = try ScratchFolder()
        let result = try readInputs([scratch.write("x", Array((header + text + "\n\nend\n").utf8))]) {
            $0.format = "eml"
        }
        #expect(result.lines.count == 1)
    }
}
