import Testing
import TriageCore

@testable import TriageFormats

/// Exports that look like each other are told apart by their content, whatever their files are called.
struct LookAlikeTests {
    struct Sample: CustomTestStringConvertible {
        var format: String
        var head = ""
        /// One message, repeated when a long file is wanted, with `MIDDLE` in its text.
        var record: String
        var separator = ","
        var tail = ""

        var text: String { head + record + tail }
        var testDescription: String { format + ": " + text.prefix(60) }

        /// The opening of a long file that was cut in the middle of a text.
        var cut: Opening {
            var bytes = Array(head.utf8)
            let record = Array(self.record.utf8)
            var middle = 0
            let offset = record.firstRange(of: Array("MIDDLE".utf8))?.lowerBound ?? 0
            while bytes.count + record.count + separator.utf8.count < Opening.limit {
                middle = bytes.count + offset + 3
                bytes += record + Array(separator.utf8)
            }
            return Opening(bytes: Array(bytes[..<middle]), isWhole: false)
        }
    }

    /// Each group is a family of files that are easily taken for one another.
    static let samples: [Sample] = [
        // The three ways of Meta to write a conversation, and others with `messages`.
        Sample(
            format: "messenger-json", head: #"{"participants":[{"name":"Ida"},{"name":"Mo"}],"messages":["#,
            record: #"{"sender_name":"Ida","timestamp_ms":1717238400000,"content":"so MIDDLE so"}"#,
            tail: #"],"title":"Ida","is_still_participant":true,"thread_type":"Regular","thread_path":"inbox/ida_1"}"#),
        Sample(
            format: "messenger-e2ee", head: #"{"participants":["Ida","Mo"],"threadName":"Ida_3","messages":["#,
            record: #"{"isUnsent":false,"media":[],"reactions":[],"senderName":"Ida","text":"so MIDDLE so","#
                + #""timestamp":1717238520000,"type":"text"}"#, tail: "]}"),
        Sample(
            format: "discord-chat",
            head:
                #"{"guild":{"id":"0","name":"Direct Messages"},"channel":{"id":"5","type":"DirectTextChat","name":"ida"},"#
                + #""messages":["#,
            record: #"{"id":"1183589257445376005","type":"Default","timestamp":"2023-12-11T03:01:09.123+01:00","#
                + #""content":"so MIDDLE so","author":{"id":"42","name":"ida"}}"#, tail: #"],"messageCount":1}"#),
        Sample(
            format: "telegram-json", head: #"{"name":"Ida","type":"personal_chat","id":7,"messages":["#,
            record: #"{"id":1,"type":"message","date":"2024-06-01T10:40:00","date_unixtime":"1717231200","from":"Ida","#
                + #""from_id":"user7","text":"so MIDDLE so","text_entities":[]}"#, tail: "]}"),
        Sample(
            format: "json-array", head: #"{"messages":["#, record: #"{"author":"ida","body":"so MIDDLE so"}"#,
            tail: "]}"),
        // Arrays.
        Sample(
            format: "slack-export", head: "[",
            record: #"{"type":"message","user":"U1","text":"so MIDDLE so","ts":"1717238400.000100"}"#, tail: "]"),
        Sample(
            format: "discord-package", head: "[",
            record:
                #"{"ID":1183589257445376005,"Timestamp":"2023-12-11 02:01:09","Contents":"so MIDDLE so","Attachments":""}"#,
            tail: "]"),
        Sample(
            format: "json-array", head: "[", record: #"{"id":"1","timestamp":"2024-06-01","text":"so MIDDLE so"}"#,
            tail: "]"),
        // `comments`.
        Sample(
            format: "yt-dlp", head: #"{"id":"v1","comments":["#,
            record:
                #"{"id":"c1","author_id":"UC1","parent":"root","author":"@ida","text":"so MIDDLE so","timestamp":1717238400}"#,
            tail: "]}"),
        Sample(
            format: "twitch-json", head: #"{"comments":["#,
            record:
                #"{"_id":"a","content_offset_seconds":1,"commenter":{"display_name":"Ida"},"message":{"body":"so MIDDLE so"}}"#,
            tail: "]}"),
        Sample(
            format: "json-array", head: #"{"comments":["#, record: #"{"user":"ida","text":"so MIDDLE so"}"#, tail: "]}"),
        Sample(
            format: "tiktok-json", head: #"{"Comment":{"Comments":{"CommentsList":["#,
            record: #"{"date":"2024-06-01 10:40:00","comment":"so MIDDLE so","photo":"N/A","url":""}"#, tail: "]}}}"),
        // `data` and `entry`.
        Sample(
            format: "graph-comments", head: #"{"data":["#,
            record: #"{"id":"179","text":"so MIDDLE so","timestamp":"2024-06-01T10:40:00+0000","username":"ida"}"#,
            tail: "]}"),
        Sample(format: "json-array", head: #"{"data":["#, record: #"{"text":"so MIDDLE so","user":"ida"}"#, tail: "]}"),
        Sample(
            format: "meta-webhook", head: #"{"object":"instagram","entry":[{"id":"1","time":1717238400,"messaging":["#,
            record: #"{"sender":{"id":"2"},"recipient":{"id":"1"},"timestamp":1717238400000,"#
                + #""message":{"mid":"m","text":"so MIDDLE so"}}"#, tail: "]}]}"),
        // Lines.
        Sample(
            format: "jsonl",
            record:
                #"{"platform":"x","sender":{"handle":"ida"},"text":"so MIDDLE so","sent_at":"2024-06-01T10:40:00Z"}"#,
            separator: "\n"),
        Sample(format: "jsonl", record: #"{"sender":"ida","text":"so MIDDLE so"}"#, separator: "\n"),
        // Tables that are all called `messages.csv` or `comments.csv`.
        Sample(
            format: "reddit-csv", head: "id,permalink,thread_id,date,ip,from,to,subject,body\n",
            record: "a,p,a,2024-06-01 10:40:00 UTC,,ida,mo,s,so MIDDLE so\n", separator: ""),
        Sample(
            format: "linkedin-csv",
            head: "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,DATE,SUBJECT,CONTENT,FOLDER\n",
            record: "2-a,,Ida,,Mo,2024-06-01 10:40:00 UTC,,so MIDDLE so,INBOX\n", separator: ""),
        Sample(
            format: "csv", head: "from,to,date,subject,body\n", record: "ida,mo,2024-06-01,s,so MIDDLE so\n",
            separator: ""),
        Sample(
            format: "discord-package", head: "ID,Timestamp,Contents,Attachments\n",
            record: "1183589257445376005,2022-08-02 00:59:59.753000+00:00,so MIDDLE so,\n", separator: ""),
        Sample(
            format: "discord-chat", head: "AuthorID,Author,Date,Content,Attachments,Reactions\n",
            record: "42,ida,2023-12-11T03:01:09.1230000+01:00,so MIDDLE so,,\n", separator: ""),
        Sample(
            format: "csv", head: "id,timestamp,content\n", record: "1,2024-06-01 10:40:00,so MIDDLE so\n", separator: ""
        ),
        Sample(
            format: "youtube-takeout",
            head: "Comment ID,Channel ID,Comment Create Timestamp,Price,Parent Comment ID,Video ID,Comment Text\n",
            record: "Ug1,UC1,2024-07-01T08:30:00+00:00,0,,v1,so MIDDLE so\n", separator: ""),
        Sample(
            format: "youtube-takeout",
            head: "Live Chat ID,Channel ID,Live Chat Create Timestamp,Price,Video ID,Live Chat Text\n",
            record: "Ug1,UC1,2024-07-01T08:30:00+00:00,0,v1,so MIDDLE so\n", separator: ""),
        Sample(
            format: "reddit-csv", head: "id,permalink,date,ip,subreddit,gildings,link,parent,body,media\n",
            record: "a,p,2024-06-01 10:40:00 UTC,,weaving,0,l,,so MIDDLE so,\n", separator: ""),
        Sample(
            format: "csv", head: "username,comment,likes\n", record: "ida,so MIDDLE so,3\n", separator: ""),
        // Web pages.
        Sample(
            format: "instagram-html", head: #"<html><head><title>Ida</title></head><body><main role="main">"#,
            record: #"<div class="pam _a6-g"><h2 class="_3-95 _a6-h _a6-i">Ida</h2><div class="_a6-p"><div><div></div>"#
                + #"<div>so MIDDLE so</div></div></div><div class="_3-94 _a6-o">Jun 1, 2024 10:40 am</div></div>"#,
            separator: "\n", tail: "</main></body></html>"),
        Sample(
            format: "messenger-html", head: "<html><head><title>Ida</title></head><body><main>",
            record:
                #"<section class="_3-95 _a6-g"><h2 class="_2ph_ _a6-h _a6-i">Ida</h2><div class="_2ph_ _a6-p"><div>"#
                + #"<div></div><div>so MIDDLE so</div></div></div><footer class="_3-94 _a6-o"><div class="_a72d">"#
                + "Jun 1, 2024 10:40:05 am</div></footer></section>", separator: "", tail: "</main></body></html>"),
        Sample(
            format: "youtube-takeout", head: "<html><head><style>li { margin: 0 }</style></head><body><ul>",
            record: #"<li>Sent at 2020-04-27 23:18:23 UTC while watching <a href="https://www.youtube.com/watch?v=v1">"#
                + "Knots</a>.<br/>so MIDDLE so</li>", separator: "\n", tail: "</ul></body></html>"),
        // Text.
        Sample(
            format: "tiktok-text", head: ">>> Chat History with ida::\n",
            record: "2024-06-01 10:40:00 UTC ida: so MIDDLE so\n", separator: ""),
        Sample(
            format: "whatsapp-text", record: "01/06/2024, 10:40 - Ida: so MIDDLE so\n", separator: "",
            tail: "01/06/2024, 10:41 - Mo: yes\n"),
        Sample(
            format: "mbox",
            record: "From 1@xxx Sat Jun 01 10:40:00 +0000 2024\nFrom: ida@example.com\nSubject: s\n\nso MIDDLE so\n\n",
            separator: ""),
        Sample(
            format: "eml",
            head: "From: ida@example.com\nTo: mo@example.com\nSubject: s\nDate: Sat, 01 Jun 2024 10:40:00 +0000\n\n",
            record: "so MIDDLE so\n", separator: ""),
    ]

    private static func format(_ opening: Opening) -> String? { ExportFormats.detect(opening)?.detection.format }

    @Test(arguments: samples)
    func `a file is told from those it looks like`(sample: Sample) {
        #expect(Self.format(Opening(bytes: Array(sample.text.utf8), isWhole: true)) == sample.format)
    }

    @Test(arguments: samples)
    func `a long file that is cut in the middle of a text is told the same`(sample: Sample) {
        let cut = sample.cut
        #expect(cut.bytes.count > Opening.limit - 1024 && cut.bytes.suffix(3) == Array("MID".utf8)[...])
        #expect(Self.format(cut) == sample.format)
    }

    @Test(arguments: samples)
    func `no other narrow format takes it for its own`(sample: Sample) {
        // The last ones take what is left, and a conversation of Meta's may be of either platform.
        let wide: Set<String> = ["json-array", "jsonl", "csv", "whatsapp-text", "instagram-json", "messenger-json"]
        let opening = Opening(bytes: Array(sample.text.utf8), isWhole: true)
        let others = ExportFormats.standard.filter { !wide.contains($0.name) && $0.name != sample.format }
        #expect(others.filter { $0.detect(opening) != nil }.map(\.name).isEmpty)
    }

    /// Pages of an export beside its messages.
    @Test(arguments: [
        (
            #"<html><body><div class="pam _a6-g"><div class="_a6-p">Weaving</div></div><div class="pam _a6-g"></div></body>"#,
            "instagram-html"
        ),
        (
            #"<html><body><section class="_3-95 _a6-g"><div class="_a6-p">Weaving</div></section></body></html>"#,
            "messenger-html"
        ),
        (
            #"<html><body><p>Made on <time datetime="2026-08-19T14:33Z">Aug 19, 2026 4:33 PM UTC+02:00</time></p></body>"#,
            "instagram-html"
        ),
    ])
    func `pages beside the messages are known and hold none`(text: String, format: String) {
        let found = ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: true))?.detection
        #expect(found?.format == format && found?.hasMessages == false)
    }

    @Test(arguments: [
        "<html><body><ul><li>Sent at noon</li></ul><p class='a6-g'>no</p></body></html>",
        "<html><body><p>hello</p><time datetime='2026-08-19T14:33Z'>yesterday</time></body></html>",
    ])
    func `other pages are no export`(text: String) {
        #expect(Self.format(Opening(bytes: Array(text.utf8), isWhole: true)) == nil)
    }

    /// Lines that begin like a chat or a mailbox and are neither.
    @Test(arguments: [
        "2024-06-01 10:40:00 server started: ok\n2024-06-01 10:40:01 worker 7 is up\n2024-06-01 10:40:02 GET /index\n",
        "From the beginning we knew: it would rain.\nAnd so it did, all day, until noon.\n",
    ])
    func `logs and letters are no chats and no mail`(text: String) {
        let found = Self.format(Opening(bytes: Array(text.utf8), isWhole: true))
        #expect(found != "whatsapp-text" && found != "tiktok-text" && found != "mbox" && found != "eml")
    }

    @Test(arguments: [
        (Array(#"{"alpha":{"beta":1},"gamma":[1,2]}"#.utf8), "alpha"), (Array("null".utf8), "JSON"),
        (Array("{}".utf8), "JSON"), (Array("[1,[2]]".utf8), "JSON"),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13], "PNG"),
        (Array("alpha,beta\n1,2\n".utf8), "alpha"),
    ])
    func `what is no export is refused with what was seen and what to do`(bytes: [UInt8], seen: String) throws {
        let scratch = try ScratchFolder()
        let file = scratch.write("x.bin", bytes)
        #expect {
            try readInputs([file])
        } throws: { error in
            guard let error = error as? TriageError else { return false }
            return error.code == "input.unknown-format" && error.exit == .badData && error.what.contains(seen)
                && error.remedy?.contains("--from") == true
        }
    }

    /// An empty list is what a script writes when there is nothing new.
    @Test(arguments: ["", " \n\n", "\u{FEFF}", "[]", "[ ]\n"])
    func `a file of nothing gives nothing`(text: String) throws {
        let scratch = try ScratchFolder()
        let result = try readInputs([scratch.write("x.bin", text)])
        #expect(result.lines.isEmpty && result.codes.isEmpty)
    }
}
