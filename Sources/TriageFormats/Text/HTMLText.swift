/// Converts HTML to plain text: what a reader of the page would see, with one line for each of its lines.
///
/// Line breaks and the ends of blocks become line breaks, whitespace collapses, and entities are decoded. Scripts,
/// styles, heads and hidden content are left out. A link becomes its text, or its URL if it has no text. Nothing is
/// ever loaded. The time is linear; text and depth are bounded.
struct HTMLText {
    /// Maximum bytes of plain text produced.
    static let limit = 4 << 20

    /// The plain text of a document or fragment.
    static func plain(_ html: String) -> String {
        var copy = html
        return copy.withUTF8 { plain($0) }
    }

    /// The plain text of UTF-8 bytes.
    static func plain(_ html: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: plainBytes(html), as: UTF8.self)
    }

    /// - Parameter marksQuotes: whether to start lines that email programs mark as quoted with `> `.
    static func plainBytes(_ html: UnsafeBufferPointer<UInt8>, marksQuotes: Bool = false) -> [UInt8] {
        let text = make(of: html, dropsHidden: true, marksQuotes)
        // A hidden element that is never closed would hide everything after it, so retry with hidden content.
        return text.isEmpty ? make(of: html, dropsHidden: false, marksQuotes) : text
    }

    /// The visible text of a page and, separately, its hidden text, such as the previews of newsletters.
    static func parts(
        of html: UnsafeBufferPointer<UInt8>, marksQuotes: Bool = false
    ) -> (text: [UInt8], hidden: [UInt8]) {
        var text = HTMLText()
        text.marksQuotes = marksQuotes
        text.keepsHidden = true
        let scanner = HTMLScanner()
        scanner.feed(html) { text.take($0) }
        scanner.finish { text.take($0) }
        let seen = text.finish()
        // A hidden element that is never closed would hide everything after it, so retry with hidden content.
        return seen.isEmpty ? (make(of: html, dropsHidden: false, marksQuotes), []) : (seen, text.concealed)
    }

    private static func make(of html: UnsafeBufferPointer<UInt8>, dropsHidden: Bool, _ marksQuotes: Bool) -> [UInt8] {
        var text = HTMLText()
        text.dropsHidden = dropsHidden
        text.marksQuotes = marksQuotes
        let scanner = HTMLScanner()
        scanner.feed(html) { text.take($0) }
        scanner.finish { text.take($0) }
        return text.finish()
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let block = Flags(rawValue: 1)
        static let skipped = Flags(rawValue: 2)
        static let preserving = Flags(rawValue: 4)
        static let link = Flags(rawValue: 8)
        static let quote = Flags(rawValue: 16)
        static let attribution = Flags(rawValue: 32)
        static let hidden = Flags(rawValue: 64)
    }

    private var dropsHidden = true
    private var keepsHidden = false
    /// Hidden text, and the number of open elements that hide content.
    private var concealed: [UInt8] = []
    private var hiding = 0
    private var marksQuotes = false
    private var quoting = 0
    /// Where the line above a quote began.
    private var attribution = 0
    private var out: [UInt8] = []
    private var open: [Flags] = []
    private var skipping = 0
    private var preserving = 0
    private var breaks = 0
    private var hasBlank = false
    /// The URL of the open link, and the length of the text before it.
    private var link: (address: [UInt8], start: Int)?

    /// Processes one event of a scanner.
    mutating func take(_ event: HTMLEvent) {
        switch event.kind {
        case .start: start(event)
        case .end: end(event)
        case .text:
            if skipping == 0 {
                append(event.bytes)
            } else if keepsHidden, hiding == skipping {
                conceal(event.bytes)
            }
        }
    }

    /// The text of all events, trimmed.
    mutating func finish() -> [UInt8] { out }

    private mutating func start(_ event: HTMLEvent) {
        var flags = Flags()
        let isSkipped = HTMLTags.isSkipped(event.bytes)
        if isSkipped || (dropsHidden && HTMLTags.isHidden(event)) {
            flags.insert(.skipped)
            skipping += 1
            if !isSkipped {
                flags.insert(.hidden)
                hiding += 1
            }
        }
        defer { open.append(flags) }
        guard skipping == 0 else { return }
        if event.isTag("br") {
            breaks = min(breaks + 1, 2)
        } else if HTMLTags.isBlock(event.bytes) {
            flags.insert(.block)
            breaks = max(breaks, 1)
        } else if event.isTag("td") || event.isTag("th") {
            hasBlank = true
        } else if event.isTag("a"), let address = event.value("href") {
            flags.insert(.link)
            link = (HTMLTags.address(address), out.count)
        } else if event.isTag("img"), let alternative = event.value("alt"), alternative.count <= 32,
            alternative.allSatisfy({ $0 >= 0x80 })
        {
            // Web mail programs insert emojis as images.
            append(alternative)
        }
        if marksQuotes {
            if HTMLTags.isQuote(event) {
                flags.insert(.quote)
                quoting += 1
            } else if HTMLTags.isAttribution(event), !out.isEmpty {
                flags.insert(.attribution)
                attribution = out.count
            }
        }
        if event.isTag("pre") || HTMLTags.preservesLines(event) {
            flags.insert(.preserving)
            preserving += 1
        }
    }

    private mutating func end(_ event: HTMLEvent) {
        let flags = open.popLast() ?? (HTMLTags.isBlock(event.bytes) ? .block : [])
        if flags.contains(.preserving) { preserving -= 1 }
        if flags.contains(.link), let link {
            if out.count == link.start {
                link.address.withUnsafeBufferPointer { append($0) }
            }
            self.link = nil
        }
        if flags.contains(.quote) { quoting -= 1 }
        if flags.contains(.attribution) { markAttribution() }
        if flags.contains(.skipped) { skipping -= 1 }
        if flags.contains(.hidden) { hiding -= 1 }
        if flags.contains(.block) { breaks = max(breaks, 1) }
    }

    /// Collects hidden text, with single spaces between words.
    private mutating func conceal(_ text: UnsafeBufferPointer<UInt8>) {
        let blanks = Set("\u{A0}\u{AD}\u{34F}\u{200B}\u{200C}\u{200D}\u{FEFF}".unicodeScalars)
        let words = String(decoding: text, as: UTF8.self).unicodeScalars
            .split { $0.properties.isWhitespace || blanks.contains($0) }.joined(separator: " ".unicodeScalars)
        var plain = String.UnicodeScalarView()
        plain.append(contentsOf: words)
        let bytes = Array(String(plain).utf8)
        guard !bytes.isEmpty, concealed.count + bytes.count < Self.limit else { return }
        if !concealed.isEmpty { concealed.append(0x20) }
        concealed += bytes
    }

    /// Adds text; whitespace and line breaks are delayed until text follows.
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        var i = 0
        while i < text.count {
            let byte = text[i]
            if byte <= 0x20 {
                if byte == 0x0A, preserving > 0 { breaks = min(breaks + 1, 2) } else { hasBlank = true }
                i += 1
                continue
            }
            if byte >= 0xC2, let length = blankLength(text, i) {
                i += length
                continue
            }
            var end = i + 1
            while end < text.count, text[end] > 0x20, text[end] < 0xC2 || !Self.mayBeBlank(text[end]) { end += 1 }
            settle()
            guard out.count + (end - i) <= Self.limit else { return }
            out.append(contentsOf: UnsafeBufferPointer(rebasing: text[i..<end]))
            i = end
        }
    }

    /// Marks the line above a quote as quoted, unless it introduces a forwarded email.
    private mutating func markAttribution() {
        var start = attribution
        while start < out.count, out[start] == 0x0A { start += 1 }
        guard start < out.count, start > 0, out[start - 1] == 0x0A, out.count - start < 1024,
            out[start] != UInt8(ascii: "-"), out[start] != UInt8(ascii: ">")
        else { return }
        let lines = out[start...].split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        out.removeSubrange(start...)
        out += Array(lines.map { Array("> ".utf8) + $0 }.joined(separator: [0x0A]))
    }

    private mutating func settle() {
        if out.isEmpty || breaks > 0 {
            // No line breaks before the first word.
            if !out.isEmpty { for _ in 0..<breaks { out.append(0x0A) } }
            if quoting > 0 { out += Array("> ".utf8) }
        } else if hasBlank {
            out.append(0x20)
        }
        breaks = 0
        hasBlank = false
    }

    private static func mayBeBlank(_ byte: UInt8) -> Bool {
        byte == 0xC2 || byte == 0xCD || byte == 0xE2 || byte == 0xEF
    }

    /// The length of a non-ASCII space, or of a character that mailers use to pad previews.
    private mutating func blankLength(_ text: UnsafeBufferPointer<UInt8>, _ i: Int) -> Int? {
        func follows(_ bytes: UInt8...) -> Bool {
            i + bytes.count < text.count && zip(bytes, text[(i + 1)...]).allSatisfy { $0 == $1 }
        }
        switch text[i] {
        case 0xC2 where follows(0xA0):
            hasBlank = true
            return 2
        // Soft hyphen, combining grapheme joiner, zero width space, byte order mark.
        case 0xC2 where follows(0xAD), 0xCD where follows(0x8F): return 2
        case 0xE2 where follows(0x80, 0x8B), 0xEF where follows(0xBB, 0xBF): return 3
        // A zero width non-joiner has a meaning only inside words.
        case 0xE2 where follows(0x80, 0x8C) && (hasBlank || breaks > 0 || out.isEmpty): return 3
        default: return nil
        }
    }
}

/// Decodes the entities that platforms leave in text that is otherwise plain.
enum BasicEntities {
    typealias Entity = (name: [UInt8], byte: UInt8)

    /// The characters with a meaning in markup; some platforms escape only these.
    static let signs: [Entity] = [
        (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3C), (Array("&gt;".utf8), 0x3E),
    ]
    /// These characters and quotes.
    static let all: [Entity] = signs + [(Array("&quot;".utf8), 0x22), (Array("&#39;".utf8), 0x27)]

    /// Decodes once: `&amp;lt;` becomes `&lt;`.
    static func decode(_ text: String) -> String {
        text.utf8.contains(0x26) ? String(decoding: decode(Array(text.utf8)), as: UTF8.self) : text
    }

    /// Decodes once.
    static func decode(_ bytes: [UInt8], _ entities: [Entity] = all) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            if bytes[i] == 0x26, let entity = entities.first(where: { bytes[i...].starts(with: $0.name) }) {
                out.append(entity.byte)
                i += entity.name.count
            } else {
                out.append(bytes[i])
                i += 1
            }
        }
        return out
    }
}
