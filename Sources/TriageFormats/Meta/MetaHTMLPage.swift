/// Finds the messages in a web page of Meta's, told by words of the `class` that have stayed the same since 2021.
///
/// Fed the events of a page; memory is bounded by one message.
struct MetaHTMLPage {
    private(set) var title = ""
    /// Whether the page names several people as its members.
    private(set) var isGroup = false
    /// Seconds east of UTC that the page was made with, as far as it says.
    private(set) var offset: Int64?
    /// Where the page comes from by its build and addresses; nil: nothing shows it.
    private(set) var platform: MetaPlatform?
    /// Whether there are messages, or things of the same build.
    private(set) var hasEntries = false
    private(set) var hasNames = false
    /// Texts that stand outside of all messages behind the first one, and tags that are broken.
    private(set) var strays = 0

    private enum Part { case none, title, moment, sender, header, body, time }

    private var depth = 0
    private var entry: MetaHTMLEntry?
    private var entryDepth = 0
    private var part = Part.none
    private var partDepth = 0
    private var words: [UInt8] = []
    private var moment = ""

    // The body: its inner blocks are counted, the second one is the text.
    private var block = -1
    private var flat = HTMLText()
    private var text = HTMLText()
    private var more = HTMLText()
    private var linkDepth: Int?
    private var reactionDepth: Int?

    /// Bytes of a name, title or time that are kept.
    private static let limit = 4096

    mutating func take(_ event: HTMLEvent, _ emit: (MetaHTMLEntry) throws -> Void) rethrows {
        switch event.kind {
        case .start:
            depth += 1
            if event.isOdd { strays += 1 }
            // A part of a message without a message around it.
            if entry == nil, !isEntry(event), event.hasClass("_a6-p") || event.hasClass("_a6-o") { strays += 1 }
            // One that begins inside of another: the markup is broken there, and what was read of the other counts.
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
        // A line such as `Participants: …`, which stands for itself.
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

    // MARK: The body of a message

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
            // What stands in the text was typed there.
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
        // Words before the first of the inner blocks are in no place that is known.
        entry?.more = block < 0 || flat.isEmpty ? more : [flat, more].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

extension MetaHTMLPage {
    /// Said of every page, because the same export in JSON has more.
    static let missing =
        "Meta's web pages give no time zone and omit a lot; request the export as JSON"

    /// Judges a page by its opening; without signs of Facebook it is Instagram's.
    static func detection(of opening: Opening, _ platform: MetaPlatform, format: String) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "<") else { return nil }
        var page = MetaHTMLPage()
        let scanner = HTMLScanner()
        opening.bytes.withUnsafeBufferPointer { bytes in
            scanner.feed(bytes) { page.take($0) { _ in } }
            // The scanner keeps the end of what it has until it knows that it is the end.
            scanner.finish { page.take($0) { _ in } }
        }
        guard (page.platform ?? .instagram) == platform else { return nil }
        guard page.hasEntries, page.hasNames else {
            // Lists of other things have the same build; the first page says when the export was made.
            guard page.hasEntries || page.offset != nil else { return nil }
            return Detection(format: format, reason: "a Meta page without messages", hasMessages: false)
        }
        return Detection(
            format: format, reason: "a page with the classes '_a6-g' and '_a6-h'", missing: [missing])
    }
}

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
