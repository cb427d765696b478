import Testing
import TriageCore

@testable import TriageFormats

struct WhatsAppTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    private func read(
        _ text: String, name: String = "x.bin", _ adjust: (inout InputReader.Options) -> Void = { _ in }
    ) throws -> ReadResult {
        try readInputs([scratch.write(name, text)], adjust)
    }

    private func export(_ adjust: (inout InputReader.Options) -> Void = { _ in }) throws -> ReadResult {
        try readInputs([Fixtures.root + "/whatsapp-text"], adjust)
    }

    private func chat(_ id: String, _ result: ReadResult) -> [JSONNode] {
        records(result).filter { $0["conversation_id"]?.string == id }
    }

    @Test func `an iPhone's chat gives texts and kinds`() throws {
        let found = chat("nordlicht", try export())
        #expect(
            found.map { $0["text"]?.string } == [
                "Messages and calls are end-to-end encrypted.",
                "Hi Mara,\ntwo questions about lamps 🏮:\n1.9.19, 00:00\n\n2/11/19: arrival", "", "ok", "", "",
                "the price list", "", "thanks @Nordlicht, I will look", "Which lamp?", "",
                "Missed voice call. \u{200E}Tap to call back", "",
                "1.200 € for two videos?\n[12.06.2019, 08:00:00] Nordlicht: a line pasted from an old chat\n"
                    + "[12.06.2019, 08:00:01] Mara: and its answer", "sounds good",
            ])
        #expect(
            found.map { $0["raw"]?["kind"]?.string } == [
                "system", "message", "message", "message", "unsent", "message", "message", "message", "message",
                "message", "message", "call", "message", "message", "message",
            ])
        #expect(
            found.map { $0["attachments"]?.elements.first?["type"]?.string } == [
                nil, nil, "image", nil, nil, "image", "video", "file", nil, "poll", "location", nil, nil, nil, nil,
            ])
        #expect(found[2]["attachments"]?.elements.first?["url"]?.string == "00000002-PHOTO-2024-06-13-10-41-30.jpg")
        #expect(found[3]["raw"]?["edited"]?.bool == true)
        #expect(found[7]["attachments"]?.elements.first?["name"]?.string == "lamps.pdf")
        #expect(found[9]["raw"]?["poll_options"]?.elements.first?["votes"]?.int == 2)
        #expect(found[1]["raw"]?["source"]?["line"]?.int == 2)
        #expect(found[2]["raw"]?["source"]?["line"]?.int == 7)
    }

    @Test func `the fields of a message are those of the export`() throws {
        let result = try export { $0.timeZone = "Europe/Lisbon" }
        let found = chat("nordlicht", result)
        #expect(found[1]["platform"]?.string == "whatsapp")
        #expect(found[1]["conversation_title"]?.string == "Nordlicht")
        #expect(found[1]["sender"]?["name"]?.string == "Nordlicht")
        #expect(found[1]["sent_at"]?.string == "2024-06-01T09:40:05Z")
        #expect(found[1]["raw"]?["tz_assumed"]?.string == "Europe/Lisbon")
        #expect(found[1]["raw"]?["date_order"]?.string == "dmy")
        #expect(found[1]["raw"]?["sent_at_precision"] == nil)
        #expect(Set(found.compactMap { $0["id"]?.string }).count == found.count)
        #expect(found.allSatisfy { $0["id"]?.string?.hasPrefix("wa:") == true })
        // The one who is in both chats.
        #expect(found.compactMap { $0["sender"]?["is_self"]?.bool }.count { $0 } == 3)
        #expect(!result.notices.contains { $0.contains("--timezone") })
        #expect(try export().notices.contains { $0.contains("--timezone") })
    }

    @Test func `an Android phone's chat is read too`() throws {
        let found = chat("ana lima", try export())
        #expect(
            found.map { $0["raw"]?["kind"]?.string } == [
                "system", "message", "message", "message", "message", "call", "system",
            ])
        #expect(found[1]["sender"]?["name"]?.string == "Ana Lima")
        #expect(found[1]["text"]?.string == "Team: EU: Price?")
        #expect(found[1]["sent_at"]?.string == "2024-06-13T22:41:00Z")
        #expect(found[1]["raw"]?["sent_at_precision"]?.string == "minute")
        #expect(found[1]["raw"]?["date_order"]?.string == "mdy")
        #expect(found[2]["text"]?.string == "for you")
        #expect(found[2]["attachments"]?.elements.first?["url"]?.string == "IMG-20240613-WA0001.jpg")
        #expect(found[2]["sender"]?["is_self"]?.bool == true)
        #expect(found[3]["attachments"]?.elements.first?["type"]?.string == "file")
        #expect(found[4]["sent_at"]?.string == "2024-06-14T00:04:00Z")
        #expect(found[4]["text"]?.string == "so late\nand two lines")
    }

    @Test(
        arguments: [
            ("3/6/18, 1:55 p.m. - a: m", 13 * 3600 + 55 * 60), ("03-06-2018, 01.55 PM - a: m", 13 * 3600 + 55 * 60),
            ("13.06.18 21.25.15: a: m", 77_115), ("[06.13.18 21:25:15] a: m", 77_115),
            ("[3/6/18 1:55:00 p. m.] a: m", 13 * 3600 + 55 * 60), ("[2018/06/13, 21:25:15] a: m", 77_115),
            ("2023-12-20, 5:46 p.m. - x: hi", 17 * 3600 + 46 * 60), ("٩/٤/٢٠٢٣، ١٠:٠٨ م - x", 22 * 3600 + 8 * 60),
            ("13.6.2018 klo 21.25.15 - a: m", 77_115), ("02.05.18 à 18:00 - a: m", 18 * 3600),
            ("\u{200E}[13.06.18, 21:25:15] a: m", 77_115), ("[\u{200E}13.06.18,\u{A0}21:25:15] a: m", 77_115),
            ("6/13/24, 10:40\u{202F}PM – a: m", 22 * 3600 + 40 * 60), ("[1/2/24, 00:04:03 AM] a: m", 243),
            ("[1/2/24, 12:04:03 AM] a: m", 243), ("[2024/6/13 下午10:40:00] a: m", 22 * 3600 + 40 * 60),
            ("2/11/19: Arrival", nil), ("2016-04-29 10:30:00", nil), ("1.9.19, 00:00", nil), ("", nil), ("[", nil),
            ("[13.06.18, 21:25:15]a: m", nil), ("13.06.18, 21:75 - a: m", nil), ("999/999/999, 1:00 - a", nil),
            ("٩", nil), ("1/2/24, 10:40 xm - a: m", nil),
        ] as [(String, Int?)])
    func `headers of all kinds are found, and nothing else`(line: String, second: Int?) {
        var scanner = WhatsAppScanner()
        let header = Array(line.utf8).withUnsafeBufferPointer { scanner.header($0) }
        #expect(header.map { Int($0.secondOfDay) } == second)
        if let header {
            let rest = String(decoding: Array(line.utf8).dropFirst(Int(header.length)), as: UTF8.self)
            #expect(rest == "a: m" || rest == "x: hi" || rest == "x")
        }
    }

    @Test(
        arguments: [
            (["2024/06/13", "2024/06/14"], .ymd, false), (["3/6/18", "13/6/18"], .dmy, false),
            (["3/6/18", "3/13/18"], .mdy, false), (["10/1/18", "11/1/18", "1/2/18"], .dmy, false),
            (["1/10/18", "1/11/18", "2/1/18"], .mdy, false), (["3/6/18", "4/6/18", "5/6/18"], .dmy, false),
            (["3.6.18", "3.6.18"], .dmy, true), (["3/6/18", "3/6/18"], nil, false),
            (["3/3/18", "3/3/18"], .dmy, false),
        ] as [([String], DateOrder?, Bool)])
    func `the order of day and month is found where the dates show it`(
        dates: [String], order: DateOrder?, isGuess: Bool
    ) {
        let text = dates.map { "\($0), 10:00 - A: b\n" }.joined()
        let survey = Array(text.utf8).withUnsafeBufferPointer { WhatsAppSurvey($0, title: nil, order: nil) }
        #expect(survey.order == order)
        #expect(survey.isGuess == isGuess)
    }

    @Test func `an order that nothing tells is asked for, and taken`() throws {
        let text = "3/6/18, 10:00 - Ana: one\n3/6/18, 10:01 - Ana: two\n"
        let open = try read(text)
        #expect(open.notices.contains { $0.contains("--date-order") })
        #expect(records(open).allSatisfy { $0["sent_at"] == nil && $0["raw"]?["time_text"]?.string != nil })
        let said = try read(text) { $0.dateOrder = .dmy }
        #expect(records(said).first?["sent_at"]?.string == "2018-06-03T10:00:00Z")
        #expect(!said.notices.contains { $0.contains("--date-order") })
        // Ids stay the same however times are read.
        #expect(records(said).map { $0["id"] } == records(open).map { $0["id"] })
        let wrong = try read("3/16/18, 10:00 - Ana: one\n3/17/18, 10:01 - Ana: two\n") { $0.dateOrder = .dmy }
        #expect(records(wrong).first?["sent_at"]?.string == "2018-03-16T10:00:00Z")
        #expect(wrong.notices.contains { $0.contains("do not match") })
    }

    @Test func `a pasted line of another kind opens a message only where its time fits`() throws {
        let found = try read(
            """
            [17.9.2020, 16:37:47] Pia: one
            [1.9.20, 00:00:00] Pia: pasted
            [17.9.2020, 16:38:06] Pia: two
            [17.09.2020, 16:38:59] Tom: three
            17.09.2020, 16:39 - Tom: between
            [17.09.2020, 16:39:52] Tom: four

            """)
        #expect(
            found.texts == ["one\n[1.9.20, 00:00:00] Pia: pasted", "two", "three", "between", "four"])
    }

    @Test func `names of groups and actors speak for WhatsApp`() throws {
        let mark = "\u{200E}"
        let text = """
            [6/1/24, 10:40:00 AM] Fan club: \(mark)Messages and calls are end-to-end encrypted.
            [6/1/24, 10:40:01 AM] ~ Zoë: \(mark)~ Zoë created this group
            [6/1/24, 10:40:02 AM] +1 (555) 010‑0199: \(mark)+1 (555) 010‑0199 joined using this group's invite link
            [6/1/24, 10:41:00 AM] ~\u{202F}Zoë: hi all
            [6/1/24, 10:42:00 AM] Bea: Bea here, from Brand Co
            [6/1/24, 10:43:00 AM] +1 (555) 010‑0199: how much?
            [6/13/24, 10:43:00 AM] Fan club: \(mark)something that no catalogue knows

            """
        let result = try read(text, name: "WhatsApp Chat - Fan club (2).txt")
        let found = records(result)
        #expect(
            found.map { $0["raw"]?["kind"]?.string } == [
                "system", "system", "system", "message", "message", "message", "system",
            ])
        #expect(found[3]["sender"]?["name"]?.string == "Zoë")
        #expect(found[3]["raw"]?["unsaved"]?.bool == true)
        #expect(found[5]["sender"]?["id"]?.string == "+15550100199")
        #expect(found[5]["sender"]?["name"]?.string == "+1 (555) 010‑0199")
        #expect(found.allSatisfy { $0["conversation_title"]?.string == "Fan club" && $0["participants"]?.int == 3 })
        #expect(found.allSatisfy { $0["sender"]?["is_self"] == nil })
    }

    @Test(
        arguments: [
            ("WhatsApp Chat with Zoë.txt", "Zoë"), ("WhatsApp-Chat mit Zoë.txt", "Zoë"),
            ("Chat de WhatsApp con Zoë (3).txt", "Zoë"), ("Discussion WhatsApp avec Zoë.txt", "Zoë"),
            ("Conversa do WhatsApp com Zoë.txt", "Zoë"), ("WhatsApp Chat - Zoë/_chat.txt", "Zoë"),
            ("one/WhatsApp Chat - Zoë/_chat.txt", "Zoë"), ("notes.txt", "notes"), ("zoe/_chat.txt", "zoe"),
        ])
    func `the title is in the name of file, folder or zip`(path: String, title: String) {
        #expect(WhatsAppTitle.title(path: path, source: "a.zip:" + path) == title)
        #expect(
            WhatsAppTitle.title(path: "_chat.txt", source: "/home/WhatsApp Chat - Zoë.zip:_chat.txt") == "Zoë")
        #expect(WhatsAppTitle.title(path: "-", source: "-") == nil)
    }

    @Test func `two exports of one chat give each message once, and media are no word worth`() throws {
        let text = "13/6/24, 10:00 - Ana: one\n13/6/24, 10:01 - Ana: list.pdf\nsee\n13/6/24, 10:01 - Mara: ok\n"
        let a = scratch.write(
            "WhatsApp Chat - Ana.zip",
            Packing.zip([("_chat.txt", Array(text.utf8)), ("list.pdf", [1, 2]), ("a.jpg", [0xFF])]))
        let b = scratch.write(
            "WhatsApp Chat - Ana (1).zip",
            Packing.zip([("_chat.txt", Array((text + "13/6/24, 10:01 - Mara: ok\n").utf8))]))
        let result = try readInputs([a, b]) { $0.timeZone = "Europe/Lisbon" }
        #expect(result.texts == ["one", "see", "ok", "ok"])
        #expect(result.codes.isEmpty)
        #expect(result.notices.count == 1 && result.notices[0].contains("each is read once"), "\(result.notices)")
        let found = records(result)
        #expect(found[1]["attachments"]?.elements.first?["url"]?.string == "list.pdf")
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [false, false, true, true])
    }

    @Test func `what lies beside a chat is read by its own format`() throws {
        let zip = scratch.write(
            "all.zip",
            Packing.zip([
                ("WhatsApp Chat with Ana.txt", Array("13/6/24, 10:00 - Ana: one\n13/6/24, 10:01 - Ana: two\n".utf8)),
                ("IMG-20240613-WA0001.jpg", [1]), ("rows.csv", Array("text,n\nthree,1\n".utf8)),
            ]))
        let result = try readInputs([zip])
        #expect(result.texts == ["one", "two", "three"])
        #expect(!result.notices.contains { $0.contains("skipped") })
    }

    @Test(
        arguments: [
            ("13/6/24, 10:00 - Ana: one\n13/6/24, 10:01 - Ana: two\n", "whatsapp-text"),
            ("\n\n[13/6/24, 10:00:00] Ana: one\n[13/6/24, 10:01:00] Ana: two", "whatsapp-text"),
            ("13.06.18 21.25.15: start\n13.06.18 21.25.16: stop\n", nil),
            ("2024-06-13 10:40:00 UTC Ana: hi\n2024-06-13 10:41:00 UTC Ana: ho\n", nil),
            ("13.06.18 21.25.15: Ana: start\n13.06.18 21.25.16: Ana: stop\n", "whatsapp-text"),
            ("[2024-06-13 10:40:00] start\n[2024-06-13 10:41:00] stop\n", nil),
            ("13/6/24, 10:00 - Ana: one\n", "whatsapp-text"), ("From a b\nhello\n", nil),
            ("13/6/24, 10:00 - Ana: one\nand two\n\nand three", "whatsapp-text"),
            ("[13/6/24, 10:00:00] Ana: one\n", "whatsapp-text"), ("13.06.18 21.25.15: Ana: one\n", nil),
            ("13/6/24, 10:00 - one\n", nil), ("notes\n13/6/24, 10:00 - Ana: one\n", nil),
            ("[2024-06-13 10:40:00] ERROR: a\n[2024-06-13 10:41:00] INFO: b\n", nil),
            ("[2024-06-13 10:40:00] production.WARNING: a\n[2024-06-13 10:41:00] production.INFO: b\n", nil),
            ("[2024-06-13 10:40:00] ERROR: disk full\n", nil),
        ] as [(String, String?)])
    func `logs and other texts are no chats`(text: String, expected: String?) {
        let found = WhatsAppTextFormat().detect(Opening(bytes: Array(text.utf8), isWhole: true))
        #expect(found?.format == expected)
    }

    @Test func `a text that is named a chat and is none is left out`() throws {
        let zip = scratch.write(
            "a.zip",
            Packing.zip([("whatsapp notes.txt", Array("buy milk\n".utf8)), ("r.csv", Array("text,n\na,1\n".utf8))]))
        let result = try readInputs([zip])
        #expect(result.texts == ["a"])
        #expect(result.notices.contains { $0.contains("skipped") })
        #expect(throws: TriageError.self) { try self.read("buy milk\n") { $0.format = "whatsapp-text" } }
    }

    @Test func `lines before the first header are refused with their place`() throws {
        let result = try read("lost words\n13/6/24, 10:00 - Ana: one\n13/6/24, 10:01 - Ana: two\n")
        #expect(result.codes == ["whatsapp.no-header"])
        #expect(result.texts == ["one", "two"])
    }

    @Test func `a chat larger than the look over it is read in pieces, and an endless message is refused`() throws {
        let filler = String(repeating: "lorem ipsum dolor\n", count: 3000)
        var text = ""
        var count = 0
        while text.utf8.count < WhatsAppReader.surveyLimit + 2 * WhatsAppReader.pieceSize {
            text += "[13/6/24, 10:00:00] Ana: \(count)\n" + filler
            count += 1
        }
        let whole = try read(text) { $0.format = "whatsapp-text" }
        #expect(whole.lines.count == count)
        #expect(whole.numbers.last == (count - 1) * 3001 + 1)
        let cut = try read(text) {
            $0.format = "whatsapp-text"
            $0.maximumLine = 40_000
        }
        #expect(cut.codes.count == count)
        #expect(cut.codes.allSatisfy { $0 == "input.line-too-long" })
    }

    @Test func `names with colons are known by all their lines`() throws {
        let found = records(
            try read(
                """
                [13.6.24, 10:00:00] Dr: Blum: good day
                [13.6.24, 10:01:00] Mara: Re: the lamp
                [13.6.24, 10:02:00] Dr: Blum: and: so on
                [13.6.24, 10:03:00] Mara: yes

                """))
        #expect(found.map { $0["sender"]?["name"]?.string } == ["Dr: Blum", "Mara", "Dr: Blum", "Mara"])
        #expect(found.map { $0["text"]?.string } == ["good day", "Re: the lamp", "and: so on", "yes"])
    }

    /// A chat, its texts with who said them, and what WhatsApp's own lines among them are.
    struct Chat: CustomTestStringConvertible {
        var name: String
        var text: String
        var said: [String]
        var testDescription: String { name }
    }

    static let oddClocks = [
        Chat(
            name: "one fast clock",
            text: """
                [01/06/2024, 10:00:00] Ana: hi
                [01/06/2024, 10:01:00] Bo: yo
                [05/06/2024, 10:02:00] Cem: x
                [01/06/2024, 10:03:00] Ana: We offer 900 EUR
                [01/06/2024, 10:04:00] Bo: me too
                """, said: ["Ana: hi", "Bo: yo", "Ana: We offer 900 EUR", "Bo: me too", "Cem: x"]),
        Chat(
            name: "a clock that is fast for several messages",
            text: """
                [01/06/2024, 10:00:00] Ana: hi
                [21/06/2024, 10:02:00] Cem: x
                [21/06/2024, 10:03:00] Cem: y
                [01/06/2024, 10:03:00] Ana: one
                [22/06/2024, 10:04:00] Cem: z
                [01/06/2024, 10:05:00] Ana: two
                """, said: ["Ana: hi", "Ana: one", "Ana: two", "Cem: x", "Cem: y", "Cem: z"]),
        Chat(
            name: "one slow clock",
            text: """
                [05/06/2024, 10:00:00] Ana: hi
                [01/06/2024, 10:01:00] Cem: Budget is 900
                [05/06/2024, 10:02:00] Ana: ok
                [05/06/2024, 10:03:00] Bo: me too
                """, said: ["Cem: Budget is 900", "Ana: hi", "Ana: ok", "Bo: me too"]),
        Chat(
            name: "a phone that was reset to its first day",
            text: """
                05/06/2024, 10:00 - Ana: hi
                01/01/2019, 00:01 - Cem: Budget is 900
                05/06/2024, 10:02 - Ana: ok
                13/06/2024, 10:03 - Bo: me too
                """, said: ["Cem: Budget is 900", "Ana: hi", "Ana: ok", "Bo: me too"]),
        Chat(
            name: "a clock that was set back for good",
            text: """
                20/06/2024, 10:00 - Ana: hi
                20/06/2024, 10:01 - Bo: yo
                10/06/2024, 10:02 - Ana: one
                10/06/2024, 10:03 - Bo: two
                11/06/2024, 10:03 - Ana: three
                """, said: ["Ana: one", "Bo: two", "Ana: three", "Ana: hi", "Bo: yo"]),
        Chat(
            name: "the hour that comes twice",
            text: """
                27/10/2024, 02:58 - Ana: hi
                27/10/2024, 02:01 - Bo: yo
                27/10/2024, 02:59 - Ana: ok
                """, said: ["Bo: yo", "Ana: hi", "Ana: ok"]),
        Chat(
            name: "twelve hours among twenty-four",
            text: """
                13/06/2024, 21:00 - Ana: hi
                13/06/2024, 21:01 - Bo: yo
                13/06/2024, 9:02 pm - Ana: Budget is 900
                12/06/2024, 9:03 pm - Bo: late
                13/06/2024, 21:04 - Ana: ok
                """, said: ["Bo: late", "Ana: hi", "Bo: yo", "Ana: Budget is 900", "Ana: ok"]),
        Chat(
            name: "one day that is none in the order of the others",
            text: """
                13/06/2024, 10:00 - Ana: hi
                14/06/2024, 10:01 - Bo: yo
                06/15/2024, 10:02 - Ana: Budget is 900
                16/06/2024, 10:03 - Bo: ok
                """, said: ["Ana: hi", "Bo: yo", "Ana: Budget is 900", "Bo: ok"]),
        Chat(
            name: "two exports of other phones, one behind the other",
            text: """
                13/06/24, 10:00 - Ana: hi
                13/06/24, 10:01 - Bo: yo
                13/06/24, 10:02 - Bo: what?
                [14/06/2024, 10:03:00] Ana: Budget is 900
                [14/06/2024, 10:04:00] Bo: ok
                """, said: ["Ana: hi", "Bo: yo", "Bo: what?", "Ana: Budget is 900", "Bo: ok"]),
        Chat(
            name: "dates in a list that somebody wrote",
            text: """
                13/06/2024, 10:00 - Ana: our plan
                20/06/2024, 09:00 - shooting
                21/06/2024, 12:00 - cut, 900 EUR
                13/06/2024, 10:01 - Bo: ok
                13/06/2024, 10:02 - Ana: and later
                20/08/2024, 09:00 - party
                """,
            said: [
                "Ana: our plan\n20/06/2024, 09:00 - shooting\n21/06/2024, 12:00 - cut, 900 EUR", "Bo: ok",
                "Ana: and later\n20/08/2024, 09:00 - party",
            ]),
        Chat(
            name: "a piece of an older chat that somebody pasted",
            text: """
                [14.06.24, 09:00:00] Ana: 1.200 for two?
                [12.06.19, 08:00:00] Ana: a line of an old chat
                [12.06.19, 08:00:01] Mara: and its answer
                [14.06.24, 09:01:00] Mara: sounds good
                """,
            said: [
                "Ana: 1.200 for two?\n[12.06.19, 08:00:00] Ana: a line of an old chat\n"
                    + "[12.06.19, 08:00:01] Mara: and its answer", "Mara: sounds good",
            ]),
    ]

    @Test(arguments: oddClocks)
    func `who speaks in a line of a chat is heard whatever the clock says`(chat: Chat) throws {
        let found = records(try read(chat.text + "\n"))
        #expect(found.map { ($0["sender"]?["name"]?.string ?? "") + ": " + ($0["text"]?.string ?? "") } == chat.said)
        #expect(found.allSatisfy { $0["raw"]?["kind"]?.string == "message" })
    }

    /// What people write that looks like a line of WhatsApp's, in a chat of a marked kind and one of an unmarked kind.
    @Test(arguments: [
        "Video call", "voice call", "Video call, 5 pm works?", "Llamada perdida", "Ana added Bo, right?",
        "I left the group, can we talk here?", "You removed my comment, why?", "This business turned on refunds",
        "Messages and calls are end-to-end encrypted, so can I send my IBAN?",
        "Messages and calls are end-to-end encrypted.\nreally? Then: 900 EUR",
        "My place: https://maps.google.com/?q=41.1,8.2", "Here is the offer. 500 EUR (file attached)",
        "please see our brief.pdf (file attached)", "the brief <attached: 500 EUR>", "missed voice call from my boss",
        "waiting for audio, video omitted the sound", "POLL:\nwho comes?", "Ana here from Brand Co", "Ana left",
    ])
    func `words of a person are no notice`(words: String) throws {
        let text = "13/6/24, 10:00 - Ana: \(words)\n13/6/24, 10:01 - Bo: ok\n13/6/24, 10:02 - Ana: end\n"
        let found = records(try read(text))
        #expect(found.first?["text"]?.string == words)
        #expect(found.first?["raw"]?["kind"]?.string == "message")
    }

    @Test func `a number that begins with itself is somebody who says it`() throws {
        let number = "+44 7700 900123"
        let found = records(
            try read("13/6/24, 10:00 - \(number): \(number) is our office, 900 EUR\n13/6/24, 10:01 - Bo: ok\n"))
        #expect(found.first?["raw"]?["kind"]?.string == "message")
    }

    @Test func `who has the name of the group speaks for themself`() throws {
        let text = ["Ana: 900 EUR?", "Bo: a", "Cy: b", "Di: c"].enumerated()
            .map { "13/6/24, 10:0\($0.offset) - \($0.element)\n" }.joined()
        let found = records(try read(text, name: "WhatsApp Chat with Ana.txt"))
        #expect(found.allSatisfy { $0["raw"]?["kind"]?.string == "message" })
    }

    @Test func `what stood in the place of a text is still there`() throws {
        let text = "13/6/24, 10:00 - Ana: <Media omitted>\n13/6/24, 10:01 - Ana: This message was deleted\n"
        let found = records(try read(text + "13/6/24, 10:02 - Ana: POLL:\nWhich?\nOPTION: a (1 votes)\n900 EUR each\n"))
        #expect(
            found.map { $0["raw"]?["placeholder"]?.string } == ["<Media omitted>", "This message was deleted", nil])
        #expect(found[2]["text"]?.string == "Which?\n900 EUR each")
    }
}
