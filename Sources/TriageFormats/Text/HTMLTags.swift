/// How HTML tags affect the conversion to plain text.
enum HTMLTags {
    private static let blocks: Set<[UInt8]> = names(
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
        "header", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "option", "p", "pre", "section", "summary",
        "table", "tbody", "tfoot", "thead", "tr", "ul")

    private static let skipped: Set<[UInt8]> = names(
        "head", "style", "script", "title", "template", "svg", "iframe", "object", "applet", "audio", "video",
        "noframes", "noembed")

    private static func names(_ names: String...) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }

    private static let known: Set<String> = [
        "a", "abbr", "address", "article", "aside", "audio", "b", "base", "blockquote", "body", "br", "button",
        "caption", "center", "cite", "code", "col", "colgroup", "dd", "del", "details", "div", "dl", "dt", "em",
        "embed", "figcaption", "figure", "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head",
        "header", "hr", "html", "i", "iframe", "img", "input", "ins", "label", "li", "link", "main", "mark", "meta",
        "nav", "noscript", "object", "ol", "option", "p", "picture", "pre", "q", "s", "script", "section", "select",
        "small", "source", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "path", "g", "circle",
        "rect", "use", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr",
        "tt", "u", "ul", "video", "wbr",
    ]

    private static let knownAttributes: Set<String> = [
        "align", "allowfullscreen", "alt", "autoplay", "border", "charset", "cite", "class", "color", "cols", "colspan",
        "content", "controls", "crossorigin", "d", "datetime", "dir", "disabled", "download", "fill", "frameborder",
        "height", "hidden", "href", "http-equiv", "id", "integrity", "itemprop", "itemscope", "itemtype", "label",
        "lang", "loading", "loop", "media", "muted", "name", "nonce", "onclick", "poster", "preload", "property",
        "rel", "role", "rows", "rowspan", "scope", "size", "sizes", "span", "src", "srcset", "start", "style",
        "tabindex", "target", "title", "type", "valign", "value", "viewbox", "width", "xml:lang", "xmlns", "async",
        "defer", "face", "bgcolor", "cellpadding", "cellspacing", "data", "for", "method", "action", "playsinline",
    ]

    /// Whether HTML defines a tag with this name.
    static func isKnown(_ name: String) -> Bool { known.contains(name) }

    /// Whether an export's page may contain this attribute.
    static func isKnownAttribute(_ name: String) -> Bool {
        knownAttributes.contains(name) || name.hasPrefix("data-") || name.hasPrefix("aria-")
    }

    /// Whether the element starts and ends a line.
    static func isBlock(_ name: UnsafeBufferPointer<UInt8>) -> Bool { name.count <= 10 && blocks.contains(Array(name)) }

    /// Whether the element contains no readable text.
    static func isSkipped(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count >= 3 && name.count <= 8 && skipped.contains(Array(name))
    }

    /// Whether its attributes hide it, as with the preview texts of newsletters.
    static func isHidden(_ event: HTMLEvent) -> Bool {
        if let hidden = event.value("hidden"), !hidden.elementsEqual("until-found".utf8) { return true }
        guard let value = event.value("style"), !value.isEmpty else { return false }
        let style = squeezed(value)
        return has(style, "display:none") || has(style, "visibility:hidden") || has(style, "max-height:0")
            || has(style, "opacity:0")
    }

    /// Whether line breaks in its text are preserved.
    static func preservesLines(_ event: HTMLEvent) -> Bool {
        guard let value = event.value("style"), value.count > 10 else { return false }
        let style = squeezed(value)
        return ["white-space:pre", "white-space:pre-wrap", "white-space:pre-line", "white-space:break-spaces"]
            .contains { has(style, $0) }
    }

    /// Whether email programs use it for quoted text.
    static func isQuote(_ event: HTMLEvent) -> Bool {
        guard event.isTag("blockquote") else { return false }
        if let type = event.value("type"), type.elementsEqual("cite".utf8) { return true }
        return event.hasClass("gmail_quote") || event.hasClass("protonmail_quote") || event.hasClass("yahoo_quoted")
    }

    /// Whether email programs use it for the line above a quote.
    static func isAttribution(_ event: HTMLEvent) -> Bool {
        event.isTag("div") && (event.hasClass("gmail_attr") || event.hasClass("moz-cite-prefix"))
    }

    /// The URL of a link, if it leads anywhere and has a plausible length.
    static func address(_ value: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        guard value.count <= 2048 else { return [] }
        let prefix = value.prefix(8).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        if prefix.starts(with: "mailto:".utf8) {
            return Array(value.dropFirst(7).prefix { $0 != UInt8(ascii: "?") })
        }
        guard prefix.starts(with: "http://".utf8) || prefix.starts(with: "https://".utf8) else { return [] }
        return Array(value)
    }

    /// The style in lower case without spaces.
    private static func squeezed(_ value: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        for byte in value.prefix(4096) where byte > 0x20 {
            out.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
        }
        return out
    }

    /// Whether a squeezed style contains a declaration, and not just the beginning of a longer one.
    private static func has(_ style: [UInt8], _ declaration: String) -> Bool {
        let wanted = Array(declaration.utf8)
        guard style.count >= wanted.count else { return false }
        for start in 0...(style.count - wanted.count) where style[start] == wanted[0] {
            guard style[start..<(start + wanted.count)].elementsEqual(wanted),
                start == 0 || style[start - 1] == UInt8(ascii: ";")
            else { continue }
            guard start + wanted.count < style.count else { return true }
            let next = style[start + wanted.count]
            if next == UInt8(ascii: ";") || next == UInt8(ascii: "!") { return true }
            // A zero may have a unit.
            if wanted.last == UInt8(ascii: "0"), next >= 0x61, next <= 0x7A { return true }
        }
        return false
    }
}
