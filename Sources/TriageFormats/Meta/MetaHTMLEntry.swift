/// One message of a web page of Meta's, as it stands there.
struct MetaHTMLEntry {
    var sender = ""
    var text = ""
    var time = ""
    /// What stands beside the text: that of a share, how long a call was.
    var more = ""
    var links: [String] = []
    var files: [(type: String, path: String)] = []
    var reactions: [(emoji: String, by: String?)] = []
    /// Whether it has the place where the text would be.
    var hasBody = false
    /// Texts in it that belong to none of its parts.
    var strays = 0

    var isEmpty: Bool { text.isEmpty && more.isEmpty && links.isEmpty && files.isEmpty && reactions.isEmpty }

    /// Bytes held, roughly.
    var weight: Int {
        512 + sender.utf8.count + text.utf8.count + time.utf8.count + more.utf8.count
            + links.reduce(0) { $0 + $1.utf8.count } + files.reduce(0) { $0 + $1.path.utf8.count }
            + reactions.count * 64
    }

    /// Things of one kind that are kept at most.
    private static let limit = 256

    mutating func add(link: String) {
        if links.count < Self.limit, !links.contains(link) { links.append(link) }
    }

    mutating func add(file path: String, type: String) {
        // A picture stands in a link to itself.
        if files.count < Self.limit, !files.contains(where: { $0.path == path }) { files.append((type, path)) }
    }

    /// `❤️zoe (Apr 23, 2022 5:32 pm)`: an emoji, a name and, in newer pages, a time.
    mutating func add(reaction text: String) {
        var rest = text.trimmingBlanks()[...]
        if rest.hasSuffix(")"), let open = rest.lastIndex(of: "("), MetaHTMLTime(String(rest[open...])) != nil {
            rest = rest[..<open]
        }
        let emoji = rest.prefix { character in
            guard let first = character.unicodeScalars.first else { return false }
            return !first.isASCII && !first.properties.isAlphabetic && first.properties.numericType == nil
        }
        guard !emoji.isEmpty, reactions.count < Self.limit else {
            if rest.contains(where: \.isLetter) { strays += 1 }
            return
        }
        let name = String(rest.dropFirst(emoji.count)).trimmingBlanks()
        reactions.append((String(emoji), name.isEmpty ? nil : name))
    }
}
