/// Finds the messages in an HTML page from Meta by `class` names that have not changed since 2021.
///
/// It is fed the events of a page; memory is bounded by one message.
struct MetaHTMLPage {
    private(set) var title = ""
    /// Whether the page lists several people as members.
    private(set) var isGroup = false
    /// The page's time zone as seconds east of UTC, if the page shows it.
    private(set) var offset: Int64?
    /// The platform, judged by the page's structure and URLs; nil: unknown.
    private(set) var platform: MetaPlatform?
    /// Whether the page has messages, or other entries of the same structure.
    private(set) var hasEntries = false
    private(set) var hasNames = false
    /// Number of texts outside messages, after the first message, and of malformed tags.
    private(set) var strays = 0

    private enum Part { case none, title, moment, sender, header, body, time }

    private var depth = 0
    private var entry: MetaHTMLEntry?
    private var entryDepth = 0
    private var part = Part.none
    private var partDepth = 0
    private var words: [UInt8] = []
    private var moment = ""

    // Within the body, inner blocks are counted; the second one is the text.
    private var block = -1
    private var flat = HTMLText()
    private var text = HTMLText()
    private var more = HTMLText()
    private var linkDepth: Int?
    private var reactionDepth: Int?

    /// Maximum bytes kept of a name, title or time.
    private static let limit = 4096

    mutating func take(_ event: HTMLEvent, _ emit: (MetaHTMLEntry) throws -> Void) rethrows {
        switch event.kind {
        case .start:
            depth += 1
            if event.isOdd { strays += 1 }
            // A part of a message outside any message.
            if entry == nil, !isEntry(event), event.hasClass("_a6-p") || event.hasClass("_a6-o") { strays += 1 }
            // A message begins inside another one, so the markup is broken: keep what was read of the outer message.
            if isEntry(event), entry?.sender.isEmpty == false || entry?.hasBody == true {
                if part == .body { endBody() }
                part = .none
                if let entry { try emit(entry) }
                entry = nil
            }
            start(event)
        case .text:
            if part == .body {
                takeBody(event)
            } else if part != .none, words.count + event.bytes.count <= Self.limit {
                words.append(contentsOf: event.bytes)
            } else if event.hasLetters {
                if entry != nil { entry?.strays += 1 } else if hasEntries { strays += 1 }
            }
        case .end:
            if part == .body { takeBody(event) }
            if part != .none, depth == partDepth { endPart() }
            if entry != nil, depth == entryDepth {
                if let entry { try emit(entry) }
                entry = nil
            }
            depth -= 1
        }
    }

    private mutating func start(_ event: HTMLEvent) {
        if event.hasClass("_a72d") || (platform == nil && hasEntries && event.isTag("footer")) { platform = .messenger }
        if let address = event.value("href") ?? event.value("src") { look(at: address) }
        if isEntry(event) {
            part = .none
            hasEntries = true
            if event.isTag("section") { platform = .messenger }
            entry = MetaHTMLEntry()
            entryDepth = depth
            return
        }
        guard part == .none else {
            if part == .body { takeBody(event) }
            return
        }
        if event.isTag("title") {
            begin(.title)
        } else if event.isTag("time"), entry == nil, let value = event.attribute("datetime") {
            moment = value
            begin(.moment)
        } else if event.hasClass("_a6-h") {
            hasNames = true
            begin(event.hasClass("_a6-i") ? .sender : .header)
        } else if entry != nil, event.hasClass("_a6-p") {
            entry?.hasBody = true
            begin(.body)
            block = -1
            (flat, text, more) = (HTMLText(), HTMLText(), HTMLText())
            linkDepth = nil
            reactionDepth = nil
        } else if entry != nil, event.hasClass("_a6-o") {
            begin(.time)
        }
    }

    private func isEntry(_ event: HTMLEvent) -> Bool {
        (event.isTag("section") || event.isTag("div")) && event.hasClass("_a6-g")
    }

    private mutating func begin(_ new: Part) {
        part = new
        partDepth = depth
        words = []
    }

    private mutating func endPart() {
        let value = part == .body ? "" : String(decoding: words, as: UTF8.self).trimmingBlanks()
        switch part {
        case .none: break
        case .title: if title.isEmpty { title = value }
        case .moment: offset = offset ?? MetaHTMLClock.offset(moment: moment, shown: value)
        case .sender: if entry?.sender.isEmpty == true { entry?.sender = value }
        // A line such as `Participants: …`, which is not part of a message.
        case .header: if entry?.hasBody != true, value.contains(":") || value.contains("：") { isGroup = true }
        case .body: endBody()
        case .time: if entry?.time.isEmpty == true { entry?.time = value }
        }
        part = .none
        words = []
    }

    private mutating func look(at address: UnsafeBufferPointer<UInt8>) {
        guard platform == nil, address.count < 2048 else { return }
        let text = String(decoding: address, as: UTF8.self)
        if text.contains("your_instagram_activity/") {
            platform = .instagram
        } else if text.contains("your_facebook_activity/") || text.contains("your_activity_across_facebook/") {
            platform = .messenger
        }
    }

    // MARK: Message body

    private mutating func takeBody(_ event: HTMLEvent) {
        if event.kind == .start {
            if depth == partDepth + 2, event.isTag("div") { block += 1 }
            if reactionDepth == nil, event.isTag("ul"), event.hasClass("_a6-q") { reactionDepth = depth }
            takeThing(event)
        }
        if let reactionDepth {
            takeReaction(event, reactionDepth)
        } else if linkDepth == nil {
            switch block {
            case 1 where depth >= partDepth + 2: text.take(event)
            case -1: flat.take(event)
            default: more.take(event)
            }
        }
        if event.kind == .end, depth == linkDepth { linkDepth = nil }
    }

    private mutating func takeThing(_ event: HTMLEvent) {
        if let path = event.attribute("src"), !path.isEmpty, path.utf8.count <= 2048 {
            let type: String? =
                event.isTag("img") ? "image" : event.isTag("video") ? "video" : event.isTag("audio") ? "audio" : nil
            if let type { entry?.add(file: path, type: MetaFile.type(of: path) ?? type) }
        }
        guard event.isTag("a"), let path = event.attribute("href"), !path.isEmpty, path.utf8.count <= 2048 else {
            return
        }
        if path.hasPrefix("http://") || path.hasPrefix("https://") {
            // Links in the text were typed by the sender.
            guard block != 1 else { return }
            entry?.add(link: MetaMessage.withoutToken(path))
        } else {
            entry?.add(file: path, type: MetaFile.type(of: path) ?? "file")
        }
        if linkDepth == nil, block != 1 { linkDepth = depth }
    }

    private mutating func takeReaction(_ event: HTMLEvent, _ start: Int) {
        switch event.kind {
        case .text: if words.count + event.bytes.count <= Self.limit { words.append(contentsOf: event.bytes) }
        case .start: if event.isTag("li") { words = [] }
        case .end:
            if event.isTag("li") {
                entry?.add(reaction: String(decoding: words, as: UTF8.self))
                words = []
            }
            if depth == start { reactionDepth = nil }
        }
    }

    private mutating func endBody() {
        func string(_ text: inout HTMLText) -> String { String(decoding: text.finish(), as: UTF8.self) }
        let flat = string(&flat)
        entry?.text = block < 0 ? flat : string(&text)
        let more = string(&more)
        // Words before the first inner block are in an unknown place.
        entry?.more = block < 0 || flat.isEmpty ? more : [flat, more].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

extension MetaHTMLPage {
    /// Reported for every page, because the same export in JSON has more data.
    static let missing =
        "Meta's web pages give no time zone and omit a lot; request the export as JSON"

    /// Identifies a page by its opening; without signs of Facebook it counts as Instagram's.
    static func detection(of opening: Opening, _ platform: MetaPlatform, format: String) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "<") else { return nil }
        var page = MetaHTMLPage()
        let scanner = HTMLScanner()
        opening.bytes.withUnsafeBufferPointer { bytes in
            scanner.feed(bytes) { page.take($0) { _ in } }
            // The scanner holds back the last bytes until it knows that the input ends.
            scanner.finish { page.take($0) { _ in } }
        }
        guard (page.platform ?? .instagram) == platform else { return nil }
        guard page.hasEntries, page.hasNames else {
            // Lists of other things have the same structure; the export's first page shows when it was made.
            guard page.hasEntries || page.offset != nil else { return nil }
            return Detection(format: format, reason: "a Meta page without messages", hasMessages: false)
        }
        return Detection(
            format: format, reason: "a page with the classes '_a6-g' and '_a6-h'", missing: [missing])
    }
}

/// One message of an HTML page, as written there.
struct MetaHTMLEntry {
    var sender = ""
    var text = ""
    var time = ""
    /// Additional content: the text of a share, or the duration of a call.
    var more = ""
    var links: [String] = []
    var files: [(type: String, path: String)] = []
    var reactions: [(emoji: String, by: String?)] = []
    /// Whether the message has an element for the text.
    var hasBody = false
    /// Number of texts that belong to none of its parts.
    var strays = 0

    var isEmpty: Bool { text.isEmpty && more.isEmpty && links.isEmpty && files.isEmpty && reactions.isEmpty }

    /// Approximate number of bytes held.
    var weight: Int {
        512 + sender.utf8.count + text.utf8.count + time.utf8.count + more.utf8.count
            + links.reduce(0) { $0 + $1.utf8.count } + files.reduce(0) { $0 + $1.path.utf8.count }
            + reactions.count * 64
    }

    /// Maximum number of items kept of each kind.
    private static let limit = 256

    mutating func add(link: String) {
        if links.count < Self.limit, !links.contains(link) { links.append(link) }
    }

    mutating func add(file path: String, type: String) {
        // A picture is wrapped in a link to itself.
        if files.count < Self.limit, !files.contains(where: { $0.path == path }) { files.append((type, path)) }
    }

    /// Parses a reaction such as `❤️zoe (Apr 23, 2022 5:32 pm)`: an emoji, a name and, on newer pages, a time.
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
