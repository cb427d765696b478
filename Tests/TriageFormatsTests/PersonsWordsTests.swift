import Testing
import TriageCore

@testable import TriageFormats

/// What a person wrote is never lost: it is the text of a message, or it is set apart in its record, or it is in the
/// rejects, or what was left out is counted.
///
/// A format that is listed is covered as soon as it has fixtures; those that hold what others wrote have a place in
/// ``Place/all`` too.
struct PersonsWordsTests {
    // MARK: Words in every place

    /// Where an export has what somebody wrote.
    struct Place: CustomTestStringConvertible, Sendable {
        var format: String
        var note = ""
        /// How the export writes a text.
        var escape: @Sendable (String) -> String = { PersonsWordsTests.json($0) }
        /// A whole file with such a text in it.
        var file: @Sendable (String) -> String

        var testDescription: String { format + (note.isEmpty ? "" : ", " + note) }
    }

    /// Sentences of people that look like what platforms and programs write.
    static let words = [
        "Can you do a collab? Budget $500", "Budget: 2,000 EUR", "brief: -- Budget: 2,000 EUR", "900 EUR -- yes or no?",
        "You sent an attachment.", "You sent an attachment. Did you see it?", "Ana sent an attachment by mail, 900 EUR",
        "Reacted 900 to your message", "Liked a message of yours, so I write", "I liked a message",
        "You left the group. Why?", "You named the group after my dog and we pay 900 EUR.",
        "Kim added me to the group.", "Kim removed my comment from the group.", "joined the group.", "Missed call",
        "Video call", "Video call, 5 pm works?", "missed voice call from my boss", "Call me: 5 min", "has joined",
        "has joined the channel", "set the channel topic: 900 EUR", "Joined the server.", "pinned a message",
        "image omitted", "I wrote: image omitted", "audio omitted, so I write: 900 EUR", "[Sticker]", "[deleted]",
        "[removed]",
        "[https://brand.example/brief]", "(File not included.) 900 EUR", "This message was deleted by me, sorry",
        "This content can't be displayed, they say", "Messages and calls are end-to-end encrypted, so send your IBAN",
        "Your security code changed, they say. 900 EUR?", "POLL: who comes?", "OPTION: 900 EUR", "N/A", "null", "None",
        "true",
        "0", "-", "--", "...", "unsent", "User unsent a message, it says", "Sent from my heart: 900 EUR?",
        "On Monday she wrote:", "From: the heart", "Subject: 900 EUR", "01/06/2024, 10:00 is fine",
        "2024-06-01 10:40:00",
        "Location: https://maps.google.com/?q=41.1,8.2 is where we meet", "the brief (file attached)",
        "see offer v1.2 (file attached)", "https://brand.example/?a=b", "{\"text\":\"hi\"}", "[1,2]", "text", "a,b;c|d",
        "😀", "Olá, você faz publi? R$ 3 mil", "こんにちは、コラボしませんか", "شراكة مدفوعة ٩٠٠ يورو",
    ]

    /// Of these, what a format takes for its own words when nothing else is in the text, and keeps elsewhere.
    static let taken: [String: Set<String>] = [
        // iPhones and Android phones write these two words where a picture was.
        "whatsapp-text": ["image omitted"],
        // Instagram writes so where the owner sent something; between two unknown people it could be either.
        "instagram-json": [], "youtube-comments": [],
    ]

    static func json(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    static func cell(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }

    static func page(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    static func plain(_ text: String) -> String { text }

    private static func meta(_ text: String, _ more: String = "") -> String {
        #"{"participants":[{"name":"Ana"},{"name":"Mara"}],"messages":[{"sender_name":"Mara","timestamp_ms":17"#
            + #"17238490000,"#
            + #""content":"ok"},{"sender_name":"Ana","timestamp_ms":1717238400000,"content":"\#(text)"\#(more)}],"#
            + #""title":"Ana","is_still_participant":true,"thread_path":"inbox/ana_1"}"#
    }

    static let places: [Place] = [
        Place(format: "instagram-json", note: "with a reel") {
            meta($0, #","share":{"link":"https://www.instagram.com/reel/x/"}"#)
        },
        Place(format: "instagram-json", note: "with a photo") {
            meta($0, #","photos":[{"uri":"your_instagram_activity/p.jpg"}]"#)
        },
        Place(format: "instagram-json", note: "to a story") {
            meta($0, #","share":{"link":"https://www.instagram.com/stories/mara/1"}"#)
        },
        Place(format: "messenger-json") { meta($0) },
        Place(format: "messenger-e2ee") {
            #"{"participants":["Ana","Mara"],"threadName":"Ana_3","messages":[{"isUnsent":false,"media":[],"re"#
                + #"actions":[],"#
                + #""senderName":"Ana","text":"\#($0)","timestamp":1717238520000,"type":"text"}]}"#
        },
        Place(format: "messenger-e2ee", note: "in place of something") {
            #"{"participants":["Ana","Mara"],"threadName":"Ana_3","messages":[{"isUnsent":false,"media":[],"re"#
                + #"actions":[],"#
                + #""senderName":"Ana","text":"\#($0)","timestamp":1717238520000,"type":"placeholder"}]}"#
        },
        Place(format: "instagram-html", escape: page) {
            #"<html><head><title>Ana</title></head><body><main role="main"><div class="pam _a6-g">"#
                + #"<h2 class="_3-95 _a6-h _a6-i">Ana</h2><div class="_a6-p"><div><div></div><div>\#($0)</div></"#
                + #"div></div>"#
                + #"<div class="_3-94 _a6-o">Jun 1, 2024 10:40 am</div></div></main></body></html>"#
        },
        Place(format: "messenger-html", note: "with a photo", escape: page) {
            #"<html><head><title>Ana</title></head><body><main><section class="_3-95 _a6-g">"#
                + #"<h2 class="_2ph_ _a6-h _a6-i">Ana</h2><div class="_2ph_ _a6-p"><div><div></div><div>\#($0)</div>"#
                + #"<div><a href="p.jpg"><img src="p.jpg"></a></div></div></div><footer class="_3-94 _a6-o">"#
                + #"<div class="_a72d">Jun 1, 2024 10:40:05 am</div></footer></section></main></body></html>"#
        },
        Place(format: "meta-webhook") {
            #"{"object":"instagram","entry":[{"id":"1","time":1717238400,"messaging":[{"sender":{"id":"2"},"#
                + #""recipient":{"id":"1"},"timestamp":1717238400000,"message":{"mid":"m","text":"\#($0)","#
                + #""attachments":[{"type":"share","payload":{"url":"https://x.example/"}}]}}]}]}"#
        },
        Place(format: "meta-webhook", note: "of WhatsApp") {
            #"{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"#
                + #""messaging_product":"whatsapp","messages":[{"from":"2","id":"w","timestamp":"1717238400","ty"#
                + #"pe":"image","#
                + #""image":{"id":"1","caption":"\#($0)"}}]}}]}]}"#
        },
        Place(format: "graph-comments") {
            #"{"data":[{"id":"179","text":"\#($0)","timestamp":"2024-06-01T10:40:00+0000","username":"ana"}]}"#
        },
        Place(format: "telegram-json") {
            #"{"name":"Ana","type":"personal_chat","id":7,"messages":[{"id":1,"type":"message","date":"2024-06"#
                + #"-01T10:40:00","#
                + #""date_unixtime":"1717231200","from":"Ana","from_id":"user7","text":"\#($0)","text_entities":[]}]}"#
        },
        Place(format: "telegram-json", note: "in pieces, of a newer kind") {
            #"{"name":"Ana","type":"personal_chat","id":7,"messages":[{"id":1,"type":"unsupported","#
                + #""date":"2024-06-01T10:40:00","date_unixtime":"1717231200","from":"Ana","from_id":"user7","te"#
                + #"xt":"","#
                + #""text_entities":[{"type":"plain","text":"\#($0)"}]}]}"#
        },
        Place(format: "discord-chat") {
            #"{"guild":{"id":"0","name":"Direct Messages"},"channel":{"id":"5","type":"DirectTextChat","name":"ana"},"#
                + #""messages":[{"id":"1183589257445376005","type":"Default","timestamp":"2023-12-11T03:01:09.12"#
                + #"3+01:00","#
                + #""content":"\#($0)","author":{"id":"42","name":"ana"}}],"messageCount":1}"#
        },
        Place(format: "discord-chat", note: "of a type nobody knows yet") {
            #"{"guild":{"id":"0","name":"Direct Messages"},"channel":{"id":"5","type":"DirectTextChat","name":"ana"},"#
                + #""messages":[{"id":"1183589257445376005","type":"91","timestamp":"2023-12-11T03:01:09.123+01:00","#
                + #""content":"\#($0)","author":{"id":"42","name":"ana"}}],"messageCount":1}"#
        },
        Place(format: "discord-chat", note: "as a table", escape: cell) {
            "AuthorID,Author,Date,Content,Attachments,Reactions\n42,ana,2023-12-11T03:01:09.1230000+01:00,\($0),,\n"
        },
        Place(format: "slack-export", escape: { json(page($0)) }) {
            #"[{"type":"message","user":"U1","text":"\#($0)","ts":"1717238400.000100"}]"#
        },
        Place(format: "slack-export", note: "with a file", escape: { json(page($0)) }) {
            #"[{"type":"message","subtype":"file_share","user":"U1","text":"\#($0)","ts":"1717238400.000100","#
                + #""files":[{"id":"F1","name":"a.png"}]}]"#
        },
        Place(format: "youtube-api") {
            #"{"kind":"youtube#commentThreadListResponse","items":[{"kind":"youtube#commentThread","id":"Ug",""#
                + #"snippet":{"#
                + #""channelId":"UCm","videoId":"v","topLevelComment":{"kind":"youtube#comment","id":"Ug","snippet":{"#
                + #""authorDisplayName":"@ana","authorChannelId":{"value":"UCa"},"textOriginal":"\#($0)","#
                + #""publishedAt":"2024-07-02T09:00:00Z"}}}}]}"#
        },
        Place(format: "yt-dlp") {
            #"{"id":"v1","comments":[{"id":"c1","author_id":"UC1","parent":"root","author":"@ana","text":"\#($0)","#
                + #""timestamp":1717238400}]}"#
        },
        Place(format: "youtube-comments") {
            #"{"cid":"Ug1","text":"\#($0)","time":"2 weeks ago","author":"@ana","channel":"UC1","votes":"0","#
                + #""time_parsed":1717238400.0}"#
        },
        Place(format: "x-archive") {
            #"window.YTD.direct_messages.part0 = [{"dmConversation":{"conversationId":"1-2","messages":[{"mess"#
                + #"ageCreate":{"#
                + #""recipientId":"1","reactions":[],"urls":[],"text":"\#($0)","mediaUrls":[],"senderId":"2","#
                + #""id":"1765014949458870275","createdAt":"2024-03-05T14:02:11.000Z"}}]}}]"#
        },
        Place(format: "tiktok-json") {
            #"{"Direct Messages":{"Chat History":{"ChatHistory":{"Chat History with ana:":[{"Date":"2024-06-01"#
                + #" 10:40:00","#
                + #""From":"ana","Content":"\#($0)"}]}}}}"#
        },
        Place(format: "tiktok-text", escape: plain) {
            ">>> Chat History with ana::\n2024-06-01 10:40:00 UTC ana: \($0)\n2024-06-01 10:41:00 UTC mara: ok\n"
        },
        Place(format: "twitch-json") {
            #"{"comments":[{"_id":"a","content_offset_seconds":1,"commenter":{"display_name":"Ana"},"#
                + #""message":{"body":"\#($0)"}}]}"#
        },
        Place(format: "reddit-csv", escape: cell) {
            "id,permalink,thread_id,date,ip,from,to,subject,body\na,p,a,2024-06-01 10:40:00 UTC,,ana,mara,s,\($0)\n"
        },
        Place(format: "linkedin-csv", escape: cell) {
            "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,DATE,SUBJECT,CONTENT,FOLDER\n"
                + "2-a,,Ana,,Mara,2024-06-01 10:40:00 UTC,,\($0),INBOX\n"
        },
        Place(format: "eml", escape: plain) {
            "From: Ana <ana@x.example>\nTo: mara@x.example\nSubject: s\nDate: Sat, 01 Jun 2024 10:40:00 +0000\n\n"
                + "Hello\n\($0)\n"
        },
        Place(format: "eml", note: "between dashes", escape: plain) {
            "From: Ana <ana@x.example>\nTo: mara@x.example\nSubject: s\nDate: Sat, 01 Jun 2024 10:40:00 +0000\n\n"
                + "Hello\n--\n\($0)\n--\nwhat do you say?\n"
        },
        Place(format: "mbox", escape: plain) {
            "From 1@xxx Sat Jun 01 10:40:00 +0000 2024\nFrom: ana@example.com\nSubject: s\n\n\($0)\nso?\n\n"
        },
        Place(format: "whatsapp-text", note: "of Android", escape: plain) {
            "13/06/2024, 10:40 - Ana: \($0)\n13/06/2024, 10:41 - Mara: yes\n"
        },
        Place(format: "whatsapp-text", note: "of an iPhone, in a group", escape: plain) {
            "[13/06/2024, 10:39:00] Club: \u{200E}Messages and calls are end-to-end encrypted.\n"
                + "[13/06/2024, 10:40:00] ~ Zoë: hi\n[01/07/2024, 10:40:00] Ana: \($0)\n"
                + "[13/06/2024, 10:41:00] +1 (555) 010-0199: \($0)\n[13/06/2024, 10:42:00] Mara: yes\n"
        },
        Place(format: "jsonl") {
            #"{"sender":"ana","text":"\#($0)","comments":[]}"# + "\n" + #"{"sender":"bo","text":"ok"}"# + "\n"
        },
        Place(format: "jsonl", note: "beside comments") {
            #"{"user":"bo","message":"ok","comments":[{"text":"x"}]}"# + "\n"
                + #"{"user":"ana","message":"\#($0)","comments":[{"text":"y"}]}"# + "\n"
        },
        Place(format: "json-array") { #"{"messages":[{"author":"ana","body":"\#($0)"}]}"# },
        Place(format: "json-array", note: "a list on each line") {
            #"{"id":1,"comments":[{"user":"bo","text":"ok"}]}"# + "\n"
                + #"{"id":2,"comments":[{"user":"ana","text":"\#($0)"}]}"# + "\n"
        },
        Place(format: "csv", escape: cell) { "username,comment,likes\nbo,\"ok, then\",1\nana,\($0),3\n" },
    ]

    /// Blanks and line breaks are not what somebody says.
    private static func squeezed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(arguments: places)
    func `what somebody wrote is the text of a message, whatever it looks like`(place: Place) throws {
        let scratch = try ScratchFolder()
        for words in Self.words {
            let file = scratch.write("x.bin", place.file(place.escape(words)))
            let result = try readInputs([file])
            #expect(result.codes.isEmpty, "\(words): \(result.codes)")
            let heard = result.batch.records.filter { $0.status == .message || $0.status == .own }
                .map { Self.squeezed(result.batch.string($0.fields.text) ?? "") }
            guard !heard.contains(where: { $0.contains(words) }) else { continue }
            let isTaken = Self.taken[place.format]?.contains(words) == true
            #expect(isTaken && result.lines.contains { $0.contains(Self.json(words)) }, "lost or no message: \(words)")
        }
    }

    @Test func `every format that others write in has its places`() {
        // Exports of what the owner wrote alone have none.
        let own: Set<String> = ["facebook-comments", "discord-package", "youtube-takeout", "twitch-csv"]
        let covered = Set(Self.places.map(\.format))
        for format in ExportFormats.standard.map(\.name) {
            #expect(covered.contains(format) || own.contains(format), "\(format)")
        }
    }

    // MARK: Words in mangled exports

    private static let marker = "zq7kolibri"

    /// Where the texts of a fixture stand in its bytes, as far as they stand there as they come out.
    private static func textPlaces(_ bytes: [UInt8], _ texts: [String]) -> [Int] {
        texts.compactMap { text in
            // The longest run of plain letters and blanks, which no escape changes.
            let runs = text.split { !($0.isASCII && ($0.isLetter || $0 == " ")) }
            guard let run = runs.max(by: { $0.count < $1.count }), run.count >= 4 else { return nil }
            let wanted = Array(run.utf8)
            guard let found = bytes.firstRange(of: wanted) else { return nil }
            // Twice the same could be a name or a quote.
            guard bytes[found.upperBound...].firstRange(of: wanted) == nil else { return nil }
            return found.lowerBound + wanted.count / 2
        }
    }

    /// Whether a notice says that something was left out, or how much of it.
    private static func isCount(_ notice: String) -> Bool {
        ["skipped", "without a message", "only the beginning", "contains no", "cannot be read"].contains {
            notice.contains($0)
        }
    }

    @Test(arguments: FormatContractTests.files)
    func `no word is lost in silence when an export breaks off behind it`(file: FormatContractTests.File) throws {
        let bytes = try Fixtures.bytes(file.path)
        let scratch = try ScratchFolder()
        let texts = try readInputs([scratch.write("x.bin", bytes)]).texts
        let marker = Array(Self.marker.utf8)
        for (round, place) in Self.textPlaces(bytes, texts).prefix(8).enumerated() {
            var marked = bytes
            marked.insert(contentsOf: marker, at: place)
            let rest = marked.count - place - marker.count
            for cut in [0, rest / 3, rest * 2 / 3, rest - 1] where cut >= 0 {
                let found: ReadResult
                do {
                    found = try readInputs([scratch.write("x.bin", Array(marked.dropLast(cut)))])
                } catch let error as TriageError where cut > 0 && error.code.hasPrefix("input.") {
                    // The file is refused as a whole, which nobody overlooks.
                    continue
                }
                let isThere = found.lines.contains { $0.contains(Self.marker) }
                let isTold = !found.codes.isEmpty || found.notices.contains(where: Self.isCount)
                #expect(isThere || (cut > 0 && isTold), "text \(round), \(cut) bytes cut off")
            }
        }
    }

    // MARK: Bytes

    @Test func `lines of JSON come out byte for byte, in their order, or as rejects with their bytes`() throws {
        let scratch = try ScratchFolder()
        var random = SeededNumbers(seed: 25)
        let whole = try Fixtures.bytes("jsonl/messages.jsonl")
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: at)
                }
            }
            let found = try readInputs([scratch.write("x.jsonl", bytes)]) { $0.format = "jsonl" }
            let expected = bytes.split(separator: 0x0A).compactMap { line -> [UInt8]? in
                let content = line.last == 0x0D ? line.dropLast() : line
                return content.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : Array(content)
            }
            #expect(found.lines.count + found.raws.count == expected.count)
            #expect(found.bytes == expected)
        }
    }
}
