/// Takes the comments out of the web page that a Takeout had until 2022:
/// `<li>Sent at … UTC while watching <a href="…">title</a>.<br/>text</li>`.
final class TakeoutPage {
    struct Comment {
        /// As the page writes it; empty where it does not begin as others do.
        var time = ""
        var video: String?
        var title: String?
        var text = ""
    }

    private enum Part { case outside, lead, title, tail, text }

    private let scanner = HTMLScanner()
    private var part = Part.outside
    private var lead: [UInt8] = []
    private var title: [UInt8] = []
    private var address: String?
    private var text = HTMLText()
    private var depth = 0
    private var tail: [UInt8] = []
    /// Whether the text at hand is that of a title, or none.
    private var isQuiet = false
    /// Texts outside of all comments, comments without a text, and tags that are broken.
    private(set) var strays = 0

    func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: (Comment) throws -> Void) rethrows {
        try scanner.feed(bytes) { try take($0, emit) }
    }

    func finish(_ emit: (Comment) throws -> Void) rethrows {
        try scanner.finish { try take($0, emit) }
    }

    private func take(_ event: HTMLEvent, _ emit: (Comment) throws -> Void) rethrows {
        if event.isOdd { strays += 1 }
        if event.kind != .text {
            let isTitle = ["title", "style", "script", "h1", "h2", "h3"].contains(event.string)
            isQuiet = event.kind == .start && isTitle
        }
        if event.isTag("li") {
            if part != .outside { try close(emit) }
            part = event.kind == .start ? .lead : .outside
            return
        }
        switch (part, event.kind) {
        case (.outside, _):
            if !isQuiet, event.hasLetters { strays += 1 }
        case (.text, _):
            // The end of the break that the text stands behind.
            if depth == 0, event.kind == .end, event.isTag("br") { return }
            if event.kind != .text { depth += event.kind == .start ? 1 : -1 }
            text.take(event)
        case (_, .start) where event.isTag("br"):
            part = .text
            depth = 0
        case (.lead, .start) where event.isTag("a"):
            address = event.attribute("href")
            part = .title
        case (.title, .end) where event.isTag("a"): part = .tail
        case (.lead, .text): Self.append(event.bytes, to: &lead)
        case (.title, .text): Self.append(event.bytes, to: &title)
        case (.tail, .text): Self.append(event.bytes, to: &tail)
        default: break
        }
    }

    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to part: inout [UInt8]) {
        if part.count + bytes.count <= 1 << 12 { part.append(contentsOf: bytes) }
    }

    private func close(_ emit: (Comment) throws -> Void) rethrows {
        let words = String(decoding: lead, as: UTF8.self).trimmingBlanks()
        var comment = Comment(text: String(decoding: text.finish(), as: UTF8.self))
        let name = String(decoding: title, as: UTF8.self).trimmingBlanks()
        comment.title = name.isEmpty ? nil : name
        comment.video = address.flatMap(Self.video)
        let isSilent = comment.text.isEmpty || tail.contains { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 }
        if isSilent, !(lead.isEmpty && title.isEmpty && tail.isEmpty) { strays += 1 }
        lead = []
        tail = []
        title = []
        address = nil
        text = HTMLText()
        part = .outside
        if words.hasPrefix("Sent at "), let end = words.firstRange(of: " UTC") {
            let start = words.index(words.startIndex, offsetBy: 8)
            if start < end.upperBound { comment.time = String(words[start..<end.upperBound]) }
        } else if comment.text.isEmpty {
            return
        }
        try emit(comment)
    }

    /// The id in the address of a video.
    private static func video(_ address: String) -> String? {
        for mark in ["?v=", "&v=", "youtu.be/", "/shorts/", "/live/"] {
            guard let start = address.firstRange(of: mark) else { continue }
            let id = address[start.upperBound...].prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
            }
            if !id.isEmpty { return String(id) }
        }
        return address.isEmpty ? nil : address
    }
}
