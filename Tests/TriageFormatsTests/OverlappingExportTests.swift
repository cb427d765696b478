import Testing
import TriageCore

@testable import TriageFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whoever asks for an export twice has most messages twice.
@Suite struct `Exports that overlap` {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// An export as it was after so many days, as files below a folder: a message for each day.
    struct Platform: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var files: @Sendable (_ days: ClosedRange<Int>) -> [(name: String, bytes: [UInt8])]
    }

    static let platforms: [Platform] = [
        Platform(testDescription: "Instagram") { days in
            ["Ana", "Zoe"].map { name in
                (
                    "your_instagram_activity/messages/inbox/\(name.lowercased())_1/message_1.json",
                    Array(thread(name, days, title: name).utf8)
                )
            } + [("personal_information/personal_information.json", Array(profile.utf8))]
        },
        Platform(testDescription: "Messenger pages") { days in
            let entries = days.reversed().map { day in
                #"<div class="pam _3-95 _2ph- _a6-g uiBoxWhite noborder"><h2 class="_3-95 _2pim _a6-h _a6-i">Ana</h2>"#
                    + #"<div class="_3-95 _a6-p"><div><div></div><div>day \#(day)</div></div></div>"#
                    + #"<div class="_3-94 _a6-o">Jun \#(String(day)), 2024 6:33 am</div></div>"#
            }
            return [
                (
                    "your_facebook_activity/messages/inbox/ana_1/message_1.html",
                    Array(
                        ("<html><head><title>Ana</title></head><body>" + entries.joined() + "</body></html>").utf8)
                )
            ]
        },
        Platform(testDescription: "WhatsApp") { days in
            let lines = days.map { "[2024-06-\($0 < 10 ? "0" : "")\($0), 10:00:00] Ana: day \($0)\n" }
            return [("WhatsApp Chat - Ana/_chat.txt", Array(lines.joined().utf8))]
        },
        Platform(testDescription: "Telegram") { days in
            let messages = days.map {
                #"{"id":\#($0),"type":"message","date":"2024-06-01T10:00:00","date_unixtime":"\#(1_717_200_000 + $0 * 86_400)","#
                    + #""from":"Ana","from_id":"user9","text":"day \#($0)"}"#
            }
            return [
                (
                    "result.json",
                    Array(
                        (#"{"name":"Ana","type":"personal_chat","id":77,"messages":["# + messages.joined(separator: ",")
                            + "]}").utf8)
                )
            ]
        },
        Platform(testDescription: "Slack") { days in
            let messages = days.map {
                #"{"type":"message","user":"U1","text":"day \#($0)","ts":"\#(1_717_200_000 + $0 * 86_400).000100"}"#
            }
            return [("general/2024-06-01.json", Array(("[" + messages.joined(separator: ",") + "]").utf8))]
        },
        Platform(testDescription: "Discord") { days in
            let messages = days.map {
                #"{"id":"\#($0)","type":"Default","timestamp":"2024-06-0\#($0)T10:00:00+00:00","content":"day \#($0)","#
                    + #""author":{"id":"5","name":"ana"}}"#
            }
            return [
                (
                    "chat.json",
                    Array(
                        (#"{"guild":{"id":"0","name":"DM"},"channel":{"id":"9","type":"DirectTextChat","name":"ana"},"#
                            + #""messages":["# + messages.joined(separator: ",") + "]}").utf8)
                )
            ]
        },
        Platform(testDescription: "mail") { days in
            let mails = days.map {
                "From ana@example.org Sat Jun  1 10:00:00 2024\nMessage-ID: <\($0)@example.org>\nFrom: Ana <ana@example.org>\n"
                    + "Date: Sat, \($0) Jun 2024 10:00:00 +0000\nSubject: s\n\nday \($0)\n\n"
            }
            return [("Mail/Inbox.mbox", Array(mails.joined().utf8))]
        },
    ]

    private static let profile =
        #"{"profile_user":[{"string_map_data":{"Name":{"value":"Mara"},"Username":{"value":"mara"}}}]}"#

    private static func thread(_ name: String, _ days: ClosedRange<Int>, title: String, more: String = "") -> String {
        let messages = days.reversed().map {
            #"{"sender_name":"\#(name)","timestamp_ms":\#(1_717_200_000_000 + $0 * 86_400_000),"content":"day \#($0)"\#(more)}"#
        }
        return
            #"{"participants":[{"name":"\#(name)"},{"name":"Mara"}],"messages":[\#(messages.joined(separator: ","))],"#
            + #""title":"\#(title)","thread_path":"inbox/\#(name.lowercased())_1"}"#
    }

    private func unpack(_ place: String, _ files: [(name: String, bytes: [UInt8])]) -> String {
        for (name, bytes) in files { folder.write(place + "/" + name, bytes) }
        return folder.path + "/" + place
    }

    @Test(arguments: platforms)
    func `an older and a newer one give each message once, under the ids it has alone, in whatever way they are given`(
        of platform: Platform
    ) throws {
        // The older one has a message that the newer one lost.
        let (early, late) = (platform.files(1...4), platform.files(2...6))
        let old = unpack("P/2024-old", early)
        let new = unpack("P/2025-new", late)
        let oldZip = folder.write("Z/old.zip", Packing.zip(early))
        let newZip = folder.write("Z/new.zip", Packing.zip(late))
        let alone = Set(try readInputs([old]).ids).union(try readInputs([new]).ids)
        #expect(alone.count % 6 == 0 && !alone.isEmpty)
        for paths in [
            [folder.path + "/P"], [old, new], [new, old], [oldZip, newZip], [newZip, old], [folder.path + "/Z"],
            [folder.path + "/P", folder.path + "/Z"], [new, folder.path + "/P"], [folder.path],
        ] {
            let both = try readInputs(paths)
            #expect(both.ids.count == alone.count && Set(both.ids) == alone, "\(paths) \(both.texts)")
            #expect(both.codes.isEmpty && both.leftOut == 0, "\(both.notices)")
            #expect(both.notices.contains { $0.contains("read once") }, "\(both.notices)")
        }
    }

    @Test(arguments: platforms)
    func `what is given twice is read once, and that is said`(of platform: Platform) throws {
        let export = unpack("export", platform.files(1...3))
        let zip = folder.write("export.zip", Packing.zip(platform.files(1...3)))
        let copy = folder.write("copy.zip", Packing.zip(platform.files(1...3)))
        symlink(export, folder.path + "/link")
        symlink(zip, folder.path + "/link.zip")
        let alone = try readInputs([export])
        for paths in [
            [export, export], [export, export + "/"], [export, folder.path + "/./export"],
            [export, folder.path + "/link"],
            [zip, zip], [zip, copy], [zip, folder.path + "/link.zip"], [zip, export], [export, zip, copy],
        ] {
            let twice = try readInputs(paths)
            #expect(twice.ids.sorted() == alone.ids.sorted(), "\(paths)")
            #expect(twice.notices.contains { $0.contains("read once") }, "\(paths) \(twice.notices)")
        }
    }

    @Test func `parts of one export are no copies of each other`() throws {
        let files = Self.platforms[0].files(1...2)
        let paths = zip(["a-1.zip", "a-2.zip", "a-3.zip"], files).map { folder.write($0, Packing.zip([$1])) }
        let result = try readInputs(paths)
        #expect(result.texts.count == 4)
        #expect(!result.notices.contains { $0.contains("once") }, "\(result.notices)")
    }

    @Test func `equal messages of one moment stay as many as the export with most of them has`() throws {
        func file(_ count: Int) -> [UInt8] {
            let message = #"{"sender_name":"Ana","timestamp_ms":1717200000000,"content":"hello?"}"#
            return Array(
                (#"{"participants":[{"name":"Ana"},{"name":"Mara"}],"messages":["#
                    + Array(repeating: message, count: count).joined(separator: ",")
                    + #"],"title":"Ana","thread_path":"inbox/ana_1"}"#).utf8)
        }
        let path = "messages/inbox/ana_1/message_1.json"
        folder.write("P/one/" + path, file(1))
        folder.write("P/three/" + path, file(3))
        folder.write("P/two/" + path, file(2))
        let result = try readInputs([folder.path + "/P"])
        #expect(result.ids.count == 3 && Set(result.ids).count == 3)
        #expect(Set(result.ids) == Set(try readInputs([folder.path + "/P/three"]).ids))
    }

    @Test(arguments: [["a", "b"], ["b", "a"]])
    func `the newer export says what a conversation is called and who reacted`(names: [String]) throws {
        let path = "/messages/inbox/ana_1/message_1.json"
        folder.write("P/" + names[0] + path, Self.thread("Ana", 1...3, title: "Ana (old)"))
        folder.write(
            "P/" + names[1] + path,
            Self.thread("Ana", 1...5, title: "Ana", more: #","reactions":[{"reaction":"x","actor":"Mara"}]"#))
        let result = try readInputs([folder.path + "/P"])
        #expect(result.lines.count == 5)
        #expect(result.lines.allSatisfy { $0.contains(#""conversation_title":"Ana","#) && $0.contains("reactions") })
    }

    @Test func `a message that was edited since comes out in both wordings`() throws {
        func export(_ text: String) -> String {
            #"{"name":"Ana","type":"personal_chat","id":77,"messages":[{"id":1,"type":"message","date":"2024-06-01T10:00:00","#
                + #""date_unixtime":"1717200000","from":"Ana","from_id":"user9","text":"\#(text)"}]}"#
        }
        let old = folder.write("old/result.json", export("helo"))
        let new = folder.write("new/result.json", export("hello"))
        #expect(try readInputs([old, new]).texts == ["helo", "hello"])
    }

    @Test func `records of no platform that are equal stay as many as there are`() throws {
        let line = #"{"text":"hi"}"# + "\n"
        folder.write("d/a.jsonl", line + line)
        folder.write("d/b.jsonl", line)
        #expect(try readInputs([folder.path + "/d"]).texts.count == 3)
    }
}
