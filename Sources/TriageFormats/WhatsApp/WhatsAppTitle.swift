/// The name of a chat, which only the name of its file, folder or zip tells.
enum WhatsAppTitle {
    /// Whether a path is named as WhatsApp names chats; the part before the name of the chat is translated.
    static func isChatName(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        guard name.hasSuffix(".txt") else { return false }
        return name == "_chat.txt" || name.contains("whatsapp")
    }

    /// The folder of a path, with `/` at its end; empty for none.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// - Parameters:
    ///   - path: of the file in its container, or its name.
    ///   - source: the whole source, as `export.zip:path`; a file of its own has only its path.
    static func title(path: String, source: String) -> String? {
        let parts = path.split(separator: "/").map(String.init)
        guard let file = parts.last, file != "-" else { return nil }
        guard file.lowercased() == "_chat.txt" else { return cut(file) }
        var holders = Array(parts.dropLast().reversed())
        let container = source.hasSuffix(":" + path) ? source.dropLast(path.utf8.count + 1) : Substring(source)
        let names = container.split(separator: "/").map(String.init)
        if container == Substring(source) {
            // A file of its own lies in a folder too.
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

    /// `WhatsApp Chat with Zoë.txt` is `Zoë`, and so is `WhatsApp Chat - Zoë (2).zip`.
    private static func cut(_ name: String) -> String? {
        var text = name
        for ending in endings where text.lowercased().hasSuffix(ending) { text = String(text.dropLast(ending.count)) }
        if let mark = text.lowercased().range(of: "whatsapp") {
            // Lowercasing keeps the number of characters of these names; where not, the whole name stays.
            let offset = text.lowercased().distance(from: text.lowercased().startIndex, to: mark.upperBound)
            let rest = String(text.dropFirst(offset))
            var best: (end: Int, start: Int)?
            for joint in joints {
                guard let range = rest.lowercased().range(of: joint) else { continue }
                let start = rest.lowercased().distance(from: rest.lowercased().startIndex, to: range.lowerBound)
                if best == nil || start < (best?.start ?? 0) { best = (start + joint.count, start) }
            }
            if let best { text = String(rest.dropFirst(best.end)) }
            // A second download of the same file.
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
    /// Where a text occurs first.
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
