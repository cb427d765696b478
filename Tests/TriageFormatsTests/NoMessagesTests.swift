import Testing
import TriageCore

@testable import TriageFormats

/// Files with words in them that are no messages: they are named, and never triaged on a guess.
struct NoMessagesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var path: String
        var text: String
        /// What it is said to be.
        var named: String
        var testDescription: String { path }
    }

    /// Files of exports that have messages elsewhere.
    static let lists: [Case] = [
        Case(
            path: "Takeout/Keep/Shopping.json",
            text: #"{"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"textContent":"buy milk"#
                + #" and call Ana","#
                + #""title":"Shopping","userEditedTimestampUsec":1717238400000000,"createdTimestampUsec":1717238"#
                + #"400000000}"#,
            named: "Keep"),
        Case(
            path: "note.json",
            text: "{\n  \"color\": \"DEFAULT\",\n  \"isTrashed\": false,\n  \"isPinned\": true,\n  \"textContent\":"
                + " \"rent is 900 EUR\"\n}\n",
            named: "Keep"),
        Case(
            path: "MyActivity.json",
            text:
                #"[{"header":"Search","title":"Searched for how to fold","titleUrl":"https://x.example","time""#
                + #":"2024-06-01T10:40:00Z","#
                + #""products":["Search"],"activityControls":["Web"]}]"#, named: "My Activity"),
        Case(
            path: "watch-history.json",
            text: "[{\n  \"header\": \"YouTube\",\n  \"title\": \"Watched a film\",\n  \"time\": \"2024-06-01T10:40"
                + ":00Z\"\n}]",
            named: "My Activity"),
        Case(
            path: "Takeout/Chrome/History.json",
            text: #"{"Browser History":[{"page_transition":"LINK","title":"How to sew a bag","url":"https://x.exampl"#
                + #"e"}]}"#,
            named: "Takeout"),
        Case(
            path: "Records.json",
            text: #"{"locations":[{"latitudeE7":411000000,"longitudeE7":-86000000,"source":"WIFI here"}]}"#,
            named: "places"),
        Case(
            path: "Tasks.json",
            text: #"{"kind":"tasks#taskLists","items":[{"kind":"tasks#tasks","user":"ana","notes":"call the shop tod"#
                + #"ay"}]}"#,
            named: "Google"),
        Case(
            path: "Takeout/Profile/Profile.json", text: #"{"user":"ana","message":"hello there"}"# + "\n",
            named: "Takeout"),
        Case(
            path: "Takeout/Contacts/All.csv",
            text: "First Name,Last Name,Notes,E-mail 1 - Value\nAna,Lima,met in Porto last year,a@x.example\n",
            named: "Takeout"),
        Case(
            path: "subscriptions.csv",
            text: "Channel Id,Channel Url,Channel Title\nUC1,http://x.example/a,Ana sews bags\nUC2,http://x.example"
                + "/b,Bo bakes bread\n",
            named: "YouTube"),
        Case(
            path: "followers_1.json",
            text: #"[{"title":"","media_list_data":[],"string_list_data":[{"href":"https://x.example/ana","value":"a"#
                + #"na","timestamp":1}]}]"#,
            named: "list"),
        Case(
            path: "following.json",
            text:
                "{\n  \"relationships_following\": [\n    {\n      \"title\": \"\",\n      \"string_list_data"
                + "\": [\n {\"value\": \"ana b\"}]\n    }\n  ]\n}",
            named: "list"),
        Case(
            path: "ads_viewed.json",
            text: #"{"impressions_history_ads_seen":[{"string_map_data":{"Author":{"value":"Brand Co"},"Time":{"time"#
                + #"stamp":1}}}]}"#,
            named: "list"),
        Case(
            path: "liked_posts.json",
            text: #"[{"timestamp":1717238400,"media":[],"label_values":[{"label":"URL","value":"some words here"}],""#
                + #"fbid":"1"}]"#,
            named: "list"),
        Case(
            path: "saved_posts.json",
            text: #"{"saved_saved_media":[{"title":"Brand Co","string_map_data":{"Saved on":{"href":"https://x.examp"#
                + #"le","timestamp":1}}}]}"#,
            named: "list"),
        Case(
            path: "posts_1.json",
            text: #"[{"media":[{"uri":"media/p.jpg","creation_timestamp":1717238400,"title":"my new bag, 900 EUR"}]}]"#,
            named: "posts"),
        Case(
            path: "stories.json",
            text: #"{"ig_stories":[{"uri":"media/s.jpg","creation_timestamp":1717238400,"title":"a day in Porto"}]}"#,
            named: "posts"),
        Case(
            path: "instagram-mara/ads_information/ads_and_topics/posts_viewed.json",
            text: #"{"messages":[{"user":"ana","text":"hello there"}]}"#, named: "export"),
        Case(
            path: "your_posts_1.json",
            text: #"[{"timestamp":1717238400,"data":[{"post":"we moved to Porto"}],"title":"Mara Makes updated her s"#
                + #"tatus."}]"#,
            named: "posts"),
        Case(
            path: "your_posts.json",
            text: #"{"status_updates":[{"timestamp":1,"attachments":[{"data":[{"text":"a text"}]}],"title":"Mara Mak"#
                + #"es shared a link."}]}"#,
            named: "posts"),
        Case(
            path: "your_search_history.json",
            text: #"{"searches":[{"timestamp":1,"data":[{"text":"how to sew"}],"title":"You searched Facebook"}]}"#,
            named: "searches"),
        Case(
            path: "friends.json", text: #"{"items":[{"name":"Ana Lima","timestamp":1717238400}]}"#, named: "list"),
        Case(
            path: "your_facebook_activity/groups/your_posts_in_groups.json",
            text: "{\n \"group_posts_v2\": [\n {\"title\": \"Mara posted in a group.\"}\n ]\n}", named: "Facebook"),
        Case(
            path: "tweets.csv",
            text: "tweet_id,in_reply_to_status_id,timestamp,source,text\n1,,2012-01-01 10:00:00 +0000,web,my very f"
                + "irst words\n",
            named: "X archive"),
        Case(
            path: "tweet.json", text: #"[{"full_text":"my very first words","id_str":"1","created_at":"Tue Mar 05"}]"#,
            named: "X archive"),
        Case(
            path: "events-2024-00000-of-00001.json",
            text: #"{"event_type":"app_opened","event_id":"AA","domain":"Analytics here","timestamp":"x"}"# + "\n"
                + #"{"event_type":"app_opened","event_id":"AB","domain":"Analytics here","timestamp":"x"}"#,
            named: "Discord"),
        Case(
            path: "Comments.csv",
            text: "Date,Link,Message\n2024-06-01 10:40:00,https://x.example,what a lovely bag\n", named: "LinkedIn"),
        Case(
            path: "Connections.csv",
            text: "First Name,Last Name,URL,Email Address,Company,Position,Connected On\nAna,Lima,https://x.example"
                + ",,Brand Co,Head of all,01 Jun 2024\n",
            named: "LinkedIn"),
    ]

    /// Files of people and programs that are no part of any export.
    static let strangers: [Case] = [
        Case(
            path: "package.json",
            text: "{\n  \"name\": \"kites\",\n  \"version\": \"1.0.0\",\n  \"description\": \"A library for kites\""
                + ",\n  \"author\": \"Ana Lima\",\n  \"license\": \"MIT\"\n}\n",
            named: "package"),
        Case(
            path: "small.json",
            text: #"{"name":"kites","version":"1.0.0","description":"A library for kites","main":"a.js"}"#,
            named: "package"),
        Case(
            path: "unknown.json",
            text: "{\n  \"alpha\": {\n    \"beta\": \"some words here\"\n  },\n  \"gamma\": [\n    1,\n    2\n  ]\n}\n",
            named: "alpha"),
        Case(
            path: "page.json", text: #"{"id":"1","url":"https://x.example","source":"web","note":"words of a page"}"#,
            named: "id"),
        Case(
            path: "map.geojson",
            text: #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"a place","descri"#
                + #"ption":"nice to see"}}]}"#,
            named: "map"),
        Case(
            path: "tsconfig.json", text: "{\n  \"compilerOptions\": {\n    \"target\": \"es6\"\n  }\n}\n",
            named: "program"),
        Case(
            path: "notebook.ipynb",
            text: "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"source\": [\"some words\"]\n  }\n ]"
                + ",\n \"nbformat\": 4\n}",
            named: "program"),
        Case(
            path: "app.log.ndjson",
            text: #"{"level":30,"time":1717238400000,"pid":1,"hostname":"h","msg":"server is up"}"# + "\n"
                + #"{"level":50,"time":1717238400001,"pid":1,"hostname":"h","msg":"disk is full"}"#, named: "log"),
        Case(
            path: "structured.jsonl",
            text:
                #"{"severity":"ERROR","timestamp":"2024-06-01T10:40:00Z","message":"no route to host","logger":"net"}"#
                + "\n"
                + #"{"severity":"INFO","timestamp":"2024-06-01T10:40:01Z","message":"up again","logger":"net"}"#,
            named: "log"),
        Case(
            path: "bank.csv",
            text: "Date,Description,Amount,Balance\n2024-06-01,Rent for the month of June,-900.00,100.00\n2024-06-0"
                + "2,Coffee at the corner,-3.00,97.00\n",
            named: "payments"),
        Case(
            path: "umsatz.csv",
            text: "Buchungstag;Verwendungszweck;Betrag;Saldo\n01.06.2024;Miete für den Juni;-900,00;100,00\n02.06.2"
                + "024;Kaffee am Eck;-3,00;97,00\n",
            named: "payments"),
        Case(
            path: "contacts.csv",
            text: "Given Name,Family Name,Notes,Phone 1 - Value\nAna,Lima,met in Porto last year,+351 1\nBo,Berg,a "
                + "friend of Ana,+47 2\n",
            named: "contacts"),
        Case(
            path: "calendar.csv",
            text: "Subject,Start Date,Start Time,Description\nDentist,06/01/2024,10:00 AM,bring the papers along\n",
            named: "calendar"),
        Case(
            path: "Table data.csv",
            text: "Content,Video title,Video publish time,Views\nabc123,How to sew a bag,\"Jun 1, 2024\",900\n",
            named: "statistics"),
        Case(path: "NetflixViewingHistory.csv", text: "Title,Date\n\"A film, a part\",01/06/24\n", named: "a film history"),
        Case(
            path: "passwords.csv",
            text: "name,url,username,password,note\nShop,https://x.example,ana,hunter two,the old one of mine\n",
            named: "passwords"),
        Case(
            path: "a.vcf", text: "BEGIN:VCARD\nVERSION:3.0\nN:Lima;Ana;;;\nNOTE:met in Porto, last year\nEND:VCARD\n",
            named: "contacts"),
        Case(
            path: "a.ics",
            text: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Dentist, bring papers\nDTSTART:20240601T100000Z\nEND:VEVE"
                + "NT\nEND:VCALENDAR\n",
            named: "calendar"),
        Case(
            path: "film.srt",
            text: "1\n00:00:01,000 --> 00:00:04,000\nHello, you\n\n2\n00:00:05,000 --> 00:00:06,000\nAnd you, too\n",
            named: "subtitles"),
        Case(
            path: "film.vtt", text: "WEBVTT\n\n00:01.000 --> 00:04.000\nHello, you\n", named: "subtitles"),
        Case(
            path: "+15558675309.txt",
            text: """
                May 17, 2022  5:29:42 PM (Read by you after 2 hours)
                +15558675309
                Hello there, how are you?

                May 17, 2022  5:30:11 PM
                Me
                Good, thanks

                May 17, 2022  5:31:11 PM
                +15558675309
                We pay 900 EUR, is that fine?

                """, named: "iMessage"),
        Case(
            path: "music.json",
            text: #"[{"endTime":"2024-06-01 10:40","artistName":"A band","trackName":"A song","msPlayed":1}]"#,
            named: "music"),
        Case(
            path: "notes.md",
            text: "# Notes\n\nFirst, we sew, then we fold.\nThen, we rest, and drink.\n\n- milk, eggs, bread\n- flo"
                + "ur, salt\n",
            named: "text"),
        Case(
            path: "chat.txt",
            text: "Jun 1, 2024, Ana said hello, then left\nJun 1, 2024, Bo said yes, and stayed\nJun 2, 2024, Ana c"
                + "ame, again\n",
            named: "text"),
        Case(
            path: "server.log",
            text: "[2024-06-13 10:40:00] ERROR: disk is full\n[2024-06-13 10:41:00] INFO: up again\n", named: "text"),
    ]

    private static func opening(_ text: String) -> Opening { Opening(bytes: Array(text.utf8), isWhole: true) }

    @Test(arguments: lists)
    func `a file of an export that is no message is known as what it is`(file: Case) {
        let found = ExportFormats.detect(Self.opening(file.text), path: file.path)?.detection
        #expect(found?.hasMessages == false || found?.missing.contains { $0.contains("owner") } == true)
        #expect(found?.reason.contains(file.named) == true, "\(found?.reason ?? "none")")
    }

    @Test(arguments: strangers)
    func `a file that is no export is refused by what it is`(file: Case) throws {
        let opening = Self.opening(file.text)
        #expect(
            ExportFormats.detect(opening, path: file.path) == nil,
            "\(ExportFormats.detect(opening)?.detection.reason ?? "")")
        #expect(Sight.describe(opening).contains(file.named), "\(Sight.describe(opening))")
        let scratch = try ScratchFolder()
        #expect {
            try readInputs([scratch.write(file.path, file.text)])
        } throws: { ($0 as? TriageError)?.code == "input.unknown-format" }
    }

    @Test(arguments: lists + strangers)
    func `none of them gives a message to triage`(file: Case) throws {
        let scratch = try ScratchFolder()
        let result = try? readInputs([scratch.write(file.path, file.text)])
        #expect(result?.batch.records.contains { $0.status == .message } != true)
        #expect(result?.codes.isEmpty != false)
        if let result, result.lines.isEmpty { #expect(result.notices.contains { $0.contains("no messages") }) }
    }

    @Test func `an Instagram export without messages says so and how to get them`() throws {
        let scratch = try ScratchFolder()
        let lists = Self.lists.filter { $0.path.hasSuffix(".json") && $0.text.contains("string_") }
        let entries = lists.map { ("your_instagram_activity/lists/" + $0.path, Array($0.text.utf8)) }
        let zip = scratch.write(
            "instagram-mara-2024.zip",
            Packing.zip(
                entries + [
                    ("media/posts/p.jpg", [0xFF, 0xD8, 0xFF]), ("start_here.html", Array("<html></html>".utf8)),
                ]))
        let result = try readInputs([zip])
        #expect(result.lines.isEmpty && result.codes.isEmpty)
        #expect(
            result.notices.contains { $0.contains("contains no messages") && $0.contains("instagram-mara-2024.zip") })
        #expect(result.notices.contains { $0.contains("select “Messages”") })
    }

    @Test func `notes and histories of a Takeout stay out of its mails`() throws {
        let scratch = try ScratchFolder()
        let mail = "From x Sat Jun 01 10:40:00 2024\nFrom: a@x.example\nSubject: s\n\nCan we work together?\n"
        let chat =
            #"{"messages":[{"creator":{"name":"Ana"},"created_date":"Saturday","text":"are you there?","#
            + #""topic_id":"1"}]}"#
        var entries = Self.lists.filter { $0.path.hasPrefix("Takeout/") }.map { ($0.path, Array($0.text.utf8)) }
        entries.append(("Takeout/Mail/All mail.mbox", Array(mail.utf8)))
        entries.append(
            (
                "Takeout/Google Chat/Groups/DM 1/messages.json", Array(chat.utf8)
            ))
        let result = try readInputs([scratch.write("takeout.zip", Packing.zip(entries))])
        #expect(result.texts.sorted() == ["Can we work together?", "are you there?"])
        #expect(result.codes.isEmpty)
    }

    @Test func `who names the column or the format is believed`() throws {
        let scratch = try ScratchFolder()
        let bank = try #require(Self.strangers.first { $0.path == "bank.csv" })
        let path = scratch.write(bank.path, bank.text)
        #expect(try readInputs([path]) { $0.columns = ["text=Description"] }.lines.count == 2)
        #expect(try readInputs([path]) { $0.format = "csv" }.lines.count == 2)
    }

    /// What the guesses must go on to read.
    @Test(arguments: [
        ("[{\"comment\":\"a b\"},{\"comment\":\"c\"}]", ["a b", "c"]),
        (#"{"text":"hello","level":"gold","time":1}"# + "\n", ["hello"]),
        (
            "Timestamp,Question\n2024-06-01 10:40:00,can you sew me a bag?\n2024-06-02 10:40:00,how much is it?\n",
            ["can you sew me a bag?", "how much is it?"]
        ),
        ("First name,Last name,Message\nAna,Lima,can you sew me a bag?\n", ["can you sew me a bag?"]),
        ("name,message,amount\nAna,can you sew me a bag?,900\n", ["can you sew me a bag?"]),
        (
            #"{"id":1,"comments":[{"user":"a","text":"x"}]}"# + "\n" + #"{"id":2,"comments":[{"user":"b","text":"y"}]}"#
                + "\n",
            ["x", "y"]
        ),
        (
            #"{"user":"a","message":"x","comments":[{"text":"p"}]}"# + "\n"
                + #"{"user":"b","message":"y","comments":[]}"# + "\n" + #"{"user":"c","message":"z","comments":[]}"#
                + "\n",
            ["x", "y", "z"]
        ),
        ("{\"text\": \"a\n{\"text\":\"b\"}\n{\"text\":\"c\"}\n", ["b", "c"]),
    ])
    func `messages are still found`(text: String, texts: [String]) throws {
        let scratch = try ScratchFolder()
        #expect(try readInputs([scratch.write("x.bin", text)]).texts == texts)
    }

    @Test func `own comments of an old Facebook export are the owner's`() throws {
        let scratch = try ScratchFolder()
        let result = try readInputs([
            scratch.write(
                "comments.json",
                #"{"comments":[{"timestamp":1,"data":[{"comment":{"timestamp":1,"comment":"what a bag","author"#
                    + #"":"Mara"}}],"#
                    + #""title":"Mara commented on a post."}]}"#)
        ])
        #expect(result.texts == ["what a bag"])
        #expect(result.lines.allSatisfy { $0.contains("\"is_self\":true") })
    }
}
