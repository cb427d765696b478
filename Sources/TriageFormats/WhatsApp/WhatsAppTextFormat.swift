import TriageCore

/// A chat that WhatsApp exported as text, alone or in a folder or zip with its media.
///
/// The file is `_chat.txt` on an iPhone and `WhatsApp Chat with ….txt` on Android.
struct WhatsAppTextFormat: ExportFormat {
    let name = "whatsapp-text"
    let summary = "a WhatsApp chat exported as text: _chat.txt or 'WhatsApp Chat with ….txt', or its zip"
    var takesAnyText: Bool { true }

    func detect(_ opening: Opening) -> Detection? {
        guard Self.isChat(opening) else { return nil }
        return Detection(format: name, reason: "lines that begin with a date, a time and a name")
    }

    /// Maximum number of lines examined; the first message may be long.
    private static let lines = 1000

    /// Log levels, which appear in logs in place of speakers.
    private static let levels: Set<String> = [
        "error", "err", "warn", "warning", "info", "debug", "trace", "fatal", "notice", "critical", "verbose", "severe",
        "alert", "emergency", "panic",
    ]

    /// Whether a name is a log level: `ERROR`, `production.WARNING`.
    private static func isLevel(_ name: String) -> Bool {
        name.split(whereSeparator: { " .[]()/|".contains($0) }).contains { levels.contains($0.lowercased()) }
    }

    /// Whether at least two lines have the same kind of header, one of them near the beginning, and people speak.
    ///
    /// A single message is enough if it is at the very beginning of a whole file.
    ///
    /// - Parameter least: required number of headers of one kind; one is enough where the file name identifies a chat.
    static func isChat(_ opening: Opening, least: Int = 2) -> Bool {
        var scanner = WhatsAppScanner()
        var counts: [UInt32: (headers: Int, speakers: Int, levels: Int, isEarly: Bool, isBare: Bool)] = [:]
        var number = 0
        var headers = 0
        var isSingle = false
        opening.bytes.withUnsafeBufferPointer { bytes in
            var at = 0
            while at < bytes.count, number < lines {
                let end = bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
                let line = UnsafeBufferPointer(rebasing: bytes[at..<end])
                at = end + 1
                if line.allSatisfy(Opening.isBlank) { continue }
                number += 1
                guard let header = scanner.header(line) else { continue }
                let rest = UnsafeBufferPointer(rebasing: line[Int(header.length)...])
                var count = counts[header.template] ?? (0, 0, 0, false, header.isBare)
                count.headers += 1
                count.isEarly = count.isEarly || number <= 3
                if let author = WhatsAppAuthor.split(rest, known: []) {
                    count.speakers += 1
                    if isLevel(author.name) { count.levels += 1 }
                    // A new chat: its only message is on the first line.
                    if number == 1, !header.isBare { isSingle = true }
                }
                counts[header.template] = count
                headers += 1
            }
        }
        if isSingle, headers == 1, opening.isWhole { return counts.values.allSatisfy { $0.levels == 0 } }
        return counts.values.contains { count in
            if count.speakers > 0, count.levels * 2 > count.speakers { return false }
            // Logs look like the bare form, so half of its lines must have a name.
            return count.headers >= least && count.isEarly
                && count.speakers >= (count.isBare ? (count.headers + 1) / 2 : min(1, least - 1))
        }
    }

    func claim(_ paths: [String]) -> Claim? {
        let chats = Set(paths).filter(WhatsAppTitle.isChatName).sorted()
        guard !chats.isEmpty else { return nil }
        return Claim(
            detection: Detection(
                format: name,
                reason: chats.count == 1 ? "a chat's text file" : "\(chats.count) text files of chats"),
            // The first pass collects the people, because the one in all chats is the owner.
            passes: [chats, chats], roots: roots(of: chats, among: paths))
    }

    /// Extensions of files that could be another export rather than an attachment.
    private static let exportEndings: Set<String> = [
        "json", "jsonl", "ndjson", "csv", "tsv", "txt", "mbox", "eml", "html", "htm", "js", "gz", "zst", "zip",
    ]

    /// WhatsApp's names for media on iPhones and on Android.
    private static let mediaNames = ["0000", "IMG-", "VID-", "PTT-", "AUD-", "STK-", "DOC-"]

    /// The locations of media, which lie beside the text.
    ///
    /// A folder that contains nothing else belongs to the chat entirely. In other folders, media are recognized by
    /// WhatsApp's file names, so that exports beside the chat are not lost.
    private func roots(of chats: [String], among paths: [String]) -> [String] {
        let claimed = Set(chats)
        var mixed = Set<String>()
        for path in paths where !claimed.contains(path) {
            let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
            var folders = [""]
            for part in path.split(separator: "/").dropLast() {
                folders.append(folders[folders.count - 1] + part + "/")
            }
            if Self.exportEndings.contains(ending) { mixed.insert(folders[folders.count - 1]) }
            mixed.formUnion(folders.dropLast())
        }
        // Every path is compared with every root, so limit the roots to more than anybody has.
        let folders = Set(chats.map(ContainerNames.folder)).sorted().prefix(200)
        return folders.flatMap { folder in
            mixed.contains(folder) ? Self.mediaNames.map { folder + $0 } : [folder]
        }
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { WhatsAppReader(context) }
}

/// The title of a chat, which appears only in the name of its file, folder or zip.
enum WhatsAppTitle {
    /// Whether a path is named like a WhatsApp chat; the part before the chat's name is translated.
    static func isChatName(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        guard name.hasSuffix(".txt") else { return false }
        return name == "_chat.txt" || name.contains("whatsapp")
    }

    /// - Parameters:
    ///   - path: of the file in its container, or its name.
    ///   - source: the full source, such as `export.zip:path`; for a single file, just its path.
    static func title(path: String, source: String) -> String? {
        let parts = path.split(separator: "/").map(String.init)
        guard let file = parts.last, file != "-" else { return nil }
        guard file.lowercased() == "_chat.txt" else { return cut(file) }
        var holders = Array(parts.dropLast().reversed())
        let container = source.hasSuffix(":" + path) ? source.dropLast(path.utf8.count + 1) : Substring(source)
        let names = container.split(separator: "/").map(String.init)
        if container == Substring(source) {
            // A single file is in a folder too.
            holders += names.dropLast().reversed().prefix(1)
        } else if let name = names.last {
            holders.append(name)
        }
        // Wrapper folders have other names.
        let named = holders.first { $0.lowercased().contains("whatsapp") }
        return (named ?? holders.first).flatMap(cut)
    }

    private static let endings = [".txt", ".zip", ".bin", ".gz", ".zst"]
    /// Words between `WhatsApp` and the name, in the languages of phones.
    private static let joints = [
        " with ", " mit ", " con ", " avec ", " com ", " met ", " с ", " med ", " z ", " de ", " - ", " – ",
    ]

    /// The chat's name: `Zoë` for both `WhatsApp Chat with Zoë.txt` and `WhatsApp Chat - Zoë (2).zip`.
    private static func cut(_ name: String) -> String? {
        var text = name
        for ending in endings where text.lowercased().hasSuffix(ending) { text = String(text.dropLast(ending.count)) }
        if let mark = text.lowercased().range(of: "whatsapp") {
            // Lowercasing keeps the number of characters in these names; if it does not, the whole name is used.
            let offset = text.lowercased().distance(from: text.lowercased().startIndex, to: mark.upperBound)
            let rest = String(text.dropFirst(offset))
            var best: (end: Int, start: Int)?
            for joint in joints {
                guard let range = rest.lowercased().range(of: joint) else { continue }
                let start = rest.lowercased().distance(from: rest.lowercased().startIndex, to: range.lowerBound)
                if best == nil || start < (best?.start ?? 0) { best = (start + joint.count, start) }
            }
            if let best { text = String(rest.dropFirst(best.end)) }
            // Drop the number of a duplicate download.
            if text.hasSuffix(")"), let open = text.lastIndex(of: "("), open > text.startIndex,
                text[text.index(before: open)] == " ", text[open...].dropFirst().dropLast().allSatisfy(\.isNumber)
            {
                text = String(text[..<text.index(before: open)])
            }
        }
        let title = WhatsAppMarks.plain(text.utf8)
        return title.isEmpty ? nil : title
    }
}

extension String {
    /// The first occurrence of a text.
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
