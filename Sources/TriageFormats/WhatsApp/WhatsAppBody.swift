import TriageCore

/// The text of a message, separated from the placeholders that WhatsApp writes for media and other content.
struct WhatsAppBody {
    var kind = "message"
    var text = ""
    var attachments: [Message.Attachment] = []
    var isEdited = false
    /// Options of a poll.
    var options: [Message.RawValue] = []
    /// WhatsApp's words in place of a text.
    var placeholder: String?

    /// A notice by WhatsApp.
    init(notice bytes: [UInt8]) {
        kind = "system"
        text = Self.text(bytes)
    }

    /// - Parameters:
    ///   - bytes: what follows the author, with direction marks; line breaks are LF.
    ///   - members: names of the files beside the chat.
    init(_ bytes: [UInt8], author: String, members: Set<String>) {
        let isMarked = bytes.starts(with: WhatsAppMarks.own)
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let first = WhatsAppMarks.plain(lines.first?.prefix(400) ?? [])
        if WhatsAppNotices.isNotice(first, author: author, isMarked: isMarked, isWhole: lines.count == 1) {
            kind = "system"
            text = Self.text(bytes)
            return
        }
        if let last = lines.last, let rest = Self.withoutEditedMark(last) {
            isEdited = true
            lines[lines.count - 1] = rest
        }
        if lines.count == 1, takeWhole(lines[0], isMarked) {
            if text.isEmpty { placeholder = Self.text(lines[0]) }
            return
        }
        if takePoll(lines) { return }
        takeAttachments(&lines, members, isMarked)
        text = Self.text(Array(lines.joined(separator: [0x0A])))
    }

    /// A line's words for comparison, in lower case and without a final period.
    private static func key(_ line: [UInt8]) -> String? {
        guard line.count <= 400 else { return nil }
        let text = WhatsAppMarks.plain(line).lowercased()
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// The text for people: without the marks around mentions and at both ends; other marks stay.
    static func text(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            if bytes[i] == 0xE2, i + 2 < bytes.count, bytes[i + 1] == 0x81, bytes[i + 2] >= 0xA6, bytes[i + 2] <= 0xA9 {
                i += 3
                continue
            }
            out.append(bytes[i])
            i += 1
        }
        var rest = out[...]
        while rest.starts(with: WhatsAppMarks.own) { rest = rest.dropFirst(3) }
        while let last = rest.last {
            if Opening.isBlank(last) {
                rest = rest.dropLast()
            } else if rest.suffix(3).elementsEqual(WhatsAppMarks.own) {
                rest = rest.dropLast(3)
            } else {
                break
            }
        }
        return String(decoding: rest, as: UTF8.self)
    }

    private static func withoutEditedMark(_ line: [UInt8]) -> [UInt8]? {
        var end = line.count
        while end > 0, line[end - 1] != UInt8(ascii: ">"), line.count - end < 8 { end -= 1 }
        guard end > 1, line[end - 1] == UInt8(ascii: ">"),
            let open = line[..<end].suffix(120).lastIndex(of: UInt8(ascii: "<")),
            let key = key(Array(line[(open + 1)..<(end - 1)])), WhatsAppWords.edited.contains(key)
        else { return nil }
        return Array(line[..<open])
    }

    /// Handles a line that consists entirely of WhatsApp's words.
    private mutating func takeWhole(_ line: [UInt8], _ isMarked: Bool) -> Bool {
        guard WhatsAppWords.mayBegin(line) || Self.mayBePlace(line), let key = Self.key(line) else { return false }
        if WhatsAppWords.deleted.contains(key) || (isMarked && key.hasPrefix("this message was deleted by")) {
            kind = "unsent"
            return true
        }
        if let type = WhatsAppWords.omitted[key] {
            attachments = [Message.Attachment(type: type)]
            return true
        }
        if WhatsAppWords.liveLocations.contains(key) {
            attachments = [Message.Attachment(type: "location")]
            return true
        }
        if let place = key.firstRange(of: ": https://maps.google.com/?q="),
            isMarked || WhatsAppWords.places.contains(String(key[..<place.lowerBound])),
            key[..<place.lowerBound].utf8.count <= 30, !key[place.upperBound...].contains(" ")
        {
            let url = WhatsAppMarks.plain(line).split(separator: " ").last.map(String.init)
            attachments = [Message.Attachment(type: "location", url: url)]
            return true
        }
        if isCall(key, isMarked) {
            kind = "call"
            text = Self.text(line)
            return true
        }
        return false
    }

    /// Whether it contains `?q=`, as in the URL of a place on a map.
    private static func mayBePlace(_ line: [UInt8]) -> Bool {
        line.withUnsafeBufferPointer { bytes in
            var at = 0
            while let mark = bytes[at...].firstIndex(of: UInt8(ascii: "?")) {
                if mark + 2 < bytes.count, bytes[mark + 1] | 0x20 == UInt8(ascii: "q") { return true }
                at = mark + 1
            }
            return false
        }
    }

    /// Whether it is a call: people write `video call` too, so without the mark it must also state how the call ended.
    private func isCall(_ key: String, _ isMarked: Bool) -> Bool {
        if WhatsAppWords.calls.contains(key) { return isMarked }
        guard let end = key.firstIndex(where: { $0 == "," || $0 == "." }),
            WhatsAppWords.calls.contains(String(key[..<end]))
        else { return false }
        let rest = key[key.index(after: end)...].drop { $0 == " " }
        return isMarked || WhatsAppWords.callEnds.contains(String(rest)) || Self.isDuration(rest)
    }

    /// Whether it is a duration such as `3 min` or `1 hr, 2 min`.
    private static func isDuration(_ text: Substring) -> Bool {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\u{A0}" || $0 == "\u{202F}" })
        guard words.count >= 2, words.count <= 6, words.count % 2 == 0 else { return false }
        return words.enumerated().allSatisfy { index, word in
            index % 2 == 0
                ? word.utf8.count <= 3 && word.allSatisfy(\.isNumber)
                : WhatsAppWords.units.contains(word.last == "." ? String(word.dropLast()) : String(word))
        }
    }

    /// Parses `POLL:` and the question, then `OPTION: answer (3 votes)` for each answer.
    private mutating func takePoll(_ lines: [[UInt8]]) -> Bool {
        guard lines.count >= 2 else { return false }
        let first = WhatsAppMarks.plain(lines[0].prefix(4096))
        guard let words = WhatsAppWords.polls.first(where: { first.hasPrefix($0.question) }) else { return false }
        var question = String(first.dropFirst(words.question.count))
        for line in lines.dropFirst() {
            let line = WhatsAppMarks.plain(line)
            guard line.hasPrefix(words.option) else {
                // Text may also follow the options: a person may have written it.
                if !line.isEmpty { question += (question.isEmpty ? "" : "\n") + line }
                continue
            }
            options.append(Self.option(String(line.dropFirst(words.option.count).drop { $0 == " " })))
        }
        guard !options.isEmpty else { return false }
        text = String(question.drop { $0 == " " })
        attachments = [Message.Attachment(type: "poll", name: text.isEmpty ? nil : text)]
        return true
    }

    private static func option(_ line: String) -> Message.RawValue {
        guard line.hasSuffix(")"), let open = line.lastIndex(of: "(") else {
            return .object([.init("text", .string(line))])
        }
        let digits = line[open...].dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard let votes = Int(digits) else { return .object([.init("text", .string(line))]) }
        let answer = WhatsAppMarks.plain(line[..<open].utf8)
        return .object([.init("text", .string(answer)), .init("votes", .int(votes))])
    }

    // MARK: Files

    private mutating func takeAttachments(_ lines: inout [[UInt8]], _ members: Set<String>, _ isMarked: Bool) {
        if let (name, isSure) = Self.fileInFront(lines[0], members, isMarked) {
            attachments.append(Self.attachment(name))
            // A sentence before the brackets may be a person's.
            if isSure {
                lines[0] = []
                if lines.count > 1 { lines.removeFirst() }
            }
        }
        for index in lines.indices {
            if let (rest, name) = Self.bracketed(lines[index], members) {
                attachments.append(Self.attachment(name))
                lines[index] = rest
            }
        }
        guard attachments.isEmpty, let last = lines.last else { return }
        // Such as `words ‎image omitted`, `report.pdf • ‎2 pages ‎document omitted`.
        guard let mark = Self.lastMark(last), mark > 0, let key = Self.key(Array(last[mark...])),
            let type = WhatsAppWords.omitted[key]
        else { return }
        var name: String?
        var rest = Array(last[..<mark])
        let words = WhatsAppMarks.plain(rest)
        if type == "file", lines.count == 1 {
            name = words.firstRange(of: " • ").map { String(words[..<$0.lowerBound]) }
            if name != nil { rest = [] }
        }
        attachments = [Message.Attachment(type: type, name: name)]
        lines[lines.count - 1] = rest
    }

    private static func lastMark(_ line: [UInt8]) -> Int? {
        guard line.count >= 3 else { return nil }
        // What WhatsApp appends is short.
        for at in stride(from: line.count - 3, through: max(0, line.count - 120), by: -1)
        where line[at] == 0xE2 && line[at + 1] == 0x80 && line[at + 2] == 0x8E {
            return at
        }
        return nil
    }

    /// Finds `IMG-20240613-WA0001.jpg (file attached)`, or a line that is the name of a file beside the chat.
    ///
    /// It also returns whether the line certainly contains nothing else.
    private static func fileInFront(
        _ line: [UInt8], _ members: Set<String>, _ isMarked: Bool
    ) -> (name: String, isSure: Bool)? {
        guard line.count <= 400, !members.isEmpty || line.contains(UInt8(ascii: ")")) else { return nil }
        let text = WhatsAppMarks.plain(line)
        if members.contains(text) { return (text, true) }
        guard text.hasSuffix(")"), let open = text.lastIndex(of: "("), open > text.startIndex,
            text[text.index(before: open)] == " "
        else { return nil }
        let name = String(text[..<text.index(before: open)])
        if members.contains(name) || isOwnName(name) { return (name, true) }
        let words = text[open...].dropFirst().dropLast().lowercased()
        guard WhatsAppWords.fileAttached.contains(words), isFileName(name) else { return nil }
        return (name, isMarked || !name.contains(" "))
    }

    /// Whether the text ends like a file name.
    private static func isFileName(_ text: String) -> Bool {
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return false }
        let ending = text[dot...].dropFirst().utf8
        return (1...5).contains(ending.count)
            && ending.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
            && ending.contains { ($0 | 0x20) &- 0x61 < 26 }
    }

    /// Whether it has the form of `IMG-20240613-WA0001.jpg`: three letters, a day, a number.
    private static func isOwnName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count > 19, bytes[3] == UInt8(ascii: "-"), bytes[12...14].elementsEqual("-WA".utf8) else {
            return false
        }
        return bytes[0..<3].allSatisfy { $0 &- 0x41 < 26 } && bytes[4..<12].allSatisfy { $0 &- 0x30 < 10 }
            && bytes[15..<19].allSatisfy { $0 &- 0x30 < 10 }
    }

    /// Finds `<attached: 00000012-PHOTO.jpg>` at the end of a line.
    private static func bracketed(_ line: [UInt8], _ members: Set<String>) -> (rest: [UInt8], name: String)? {
        guard line.last(where: { !Opening.isBlank($0) }) == UInt8(ascii: ">"),
            let open = line.suffix(400).lastIndex(of: UInt8(ascii: "<")),
            let close = line.lastIndex(of: UInt8(ascii: ">")), close > open,
            let colon = line[open..<close].firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let word = WhatsAppMarks.plain(line[(open + 1)..<colon]).lowercased()
        let name = WhatsAppMarks.plain(line[(colon + 1)..<close])
        let isMarked = line[..<open].suffix(3).elementsEqual(WhatsAppMarks.own)
        guard members.contains(name) || (isFileName(name) && (isMarked || WhatsAppWords.attached.contains(word))) else {
            return nil
        }
        return (Array(line[..<open]), name)
    }

    private static let types: [String: String] = [
        "jpg": "image", "jpeg": "image", "png": "image", "heic": "image", "mp4": "video", "mov": "video",
        "3gp": "video",
        "opus": "voice", "m4a": "audio", "mp3": "audio", "aac": "audio", "amr": "audio", "ogg": "audio",
        "webp": "sticker", "gif": "gif", "vcf": "contact",
    ]

    private static func attachment(_ name: String) -> Message.Attachment {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let upper = name.uppercased()
        var type = types[ending] ?? "file"
        if upper.hasPrefix("PTT-") || upper.contains("-AUDIO-") { type = "voice" }
        if upper.contains("-GIF-") { type = "gif" }
        return Message.Attachment(type: type, name: name, url: name)
    }
}
