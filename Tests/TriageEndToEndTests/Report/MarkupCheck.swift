/// Takes a page of ours apart and lets nothing pass that we did not write: every tag and every attribute is known.
struct MarkupCheck {
    /// What is wrong; nothing when it is empty.
    private(set) var faults: [String] = []
    /// The text between the tags, decoded, without the style.
    private(set) var text = ""
    /// Values of `data-figure` with the text behind them.
    private(set) var figures: [String: String] = [:]
    /// Tags by name.
    private(set) var tags: [String: Int] = [:]

    private static let known: [String: Set<String>] = [
        "!DOCTYPE": ["html"], "html": ["lang", "dir"], "head": [], "title": [], "style": [], "body": [],
        "meta": ["charset", "http-equiv", "content", "name"], "header": [], "main": [], "footer": [],
        "section": ["aria-labelledby"], "div": ["class", "role", "tabindex", "aria-label"], "h1": ["dir"],
        "h2": ["id"], "h3": [], "p": ["class"], "dl": ["class"], "dt": [], "dd": ["aria-hidden"],
        "b": ["data-figure", "data-value"], "span": ["class", "data-figure"], "ul": ["class", "aria-hidden"],
        "ol": ["class"], "li": [], "bdi": ["dir"], "blockquote": ["dir", "lang"], "code": [], "figure": [],
        "figcaption": ["id"], "details": [], "summary": [], "table": [], "caption": ["class"], "thead": [],
        "tbody": [], "tr": [], "th": ["scope"], "td": [],
        "svg": ["class", "role", "aria-labelledby", "aria-hidden", "width", "height"], "g": [],
        "symbol": ["id", "viewBox"], "path": ["d", "transform"],
        "rect": ["class", "x", "y", "width", "height", "rx"], "line": ["class", "x1", "x2", "y1", "y2"],
        "text": ["class", "x", "y", "text-anchor"], "use": ["href", "class", "width", "height"],
    ]
    private static let withoutEnd: Set<String> = ["!DOCTYPE", "meta"]

    init(_ page: String) {
        let bytes = Array(page.utf8)
        var at = 0
        var open: [String] = []
        var figure: String?
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                let end = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                let piece = String(decoding: bytes[at..<end], as: UTF8.self)
                if open.last != "style" {
                    if piece.utf8.contains(UInt8(ascii: ">")) { faults.append("a bare > in: \(piece.prefix(80))") }
                    let plain = Self.decoded(piece)
                    text += plain
                    if let name = figure {
                        figures[name] = plain
                        figure = nil
                    }
                }
                at = end
                continue
            }
            guard let end = bytes[at...].firstIndex(of: UInt8(ascii: ">")) else {
                faults.append("a tag without end")
                return
            }
            figure = read(bytes[(at + 1)..<end], &open) ?? figure
            at = end + 1
        }
        if !open.isEmpty { faults.append("not closed: \(open)") }
    }

    /// Byte by byte, as browsers do: to Swift a quotation mark with an accent is no quotation mark.
    ///
    /// - Returns: the value of `data-figure`.
    private mutating func read(_ tag: ArraySlice<UInt8>, _ open: inout [String]) -> String? {
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        let (slash, blank, quote) = (UInt8(ascii: "/"), UInt8(ascii: " "), UInt8(ascii: "\""))
        let shown = text(tag.prefix(120))
        if tag.first == slash {
            if open.last != text(tag.dropFirst()) { faults.append("\(shown) closes \(open.last ?? "nothing")") }
            _ = open.popLast()
            return nil
        }
        let isEmpty = tag.last == slash
        var rest = isEmpty ? tag.dropLast() : tag
        let name = text(rest.prefix { $0 != blank })
        rest = rest.drop { $0 != blank }
        tags[name, default: 0] += 1
        guard let allowed = Self.known[name] else {
            faults.append("an unknown tag: \(shown)")
            return nil
        }
        var figure: String?
        while rest.first == blank {
            rest = rest.dropFirst()
            let attribute = text(rest.prefix { $0 != UInt8(ascii: "=") && $0 != blank })
            rest = rest.drop { $0 != UInt8(ascii: "=") && $0 != blank }
            if !allowed.contains(attribute) { faults.append("an unknown attribute: \(shown)") }
            guard rest.starts(with: [UInt8(ascii: "="), quote]) else { continue }
            rest = rest.dropFirst(2)
            let value = rest.prefix { $0 != quote }
            rest = rest.dropFirst(value.count + 1)
            if value.contains(UInt8(ascii: "<")) { faults.append("a < in an attribute: \(shown)") }
            if attribute == "href", text(value) != "#stars" { faults.append("a link: \(shown)") }
            if attribute == "data-figure" { figure = Self.decoded(text(value)) }
        }
        if !rest.isEmpty { faults.append("an odd tag: \(shown)") }
        if !isEmpty, !Self.withoutEnd.contains(name) { open.append(name) }
        return figure
    }

    private static func decoded(_ piece: String) -> String {
        var out: [UInt8] = []
        var rest = Array(piece.utf8)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            out += rest[..<start]
            rest = rest[start...]
            let entities = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'")]
            let entity = entities.first { rest.starts(with: Array($0.0.utf8)) }
            out += Array((entity?.1 ?? "\u{0}bare ampersand").utf8)
            rest = rest.dropFirst(entity?.0.utf8.count ?? 1)
        }
        return String(decoding: out + rest, as: UTF8.self)
    }

    /// Characters that are not seen, or turn the direction of others; joiners inside of emoji and scripts are none.
    static func hidden(in text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.compactMap { place in
            let scalar = scalars[place]
            let isHidden =
                switch scalar.value {
                case 0x0A: false
                case 0x200D: !(place > 0 && scalars[place - 1].properties.isEmoji)
                case 0x034F, 0x115F, 0x2800, 0x3164, 0xFFA0: true
                default:
                    [.control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator].contains(
                        scalar.properties.generalCategory)
                }
            return isHidden ? "U+\(String(scalar.value, radix: 16))" : nil
        }
    }
}
