import CHTMLScan

/// Scans HTML of any size and emits its tags and texts in order.
///
/// It accepts bytes in pieces of any size; piece boundaries only affect where texts are split. It loads nothing: no
/// network, no DTD. Memory is bounded by the longest text between two tags; depth and attributes are limited (at most
/// 64 attributes per tag, 64 KiB each). No input can fail: what is not HTML is text.
final class HTMLScanner {
    private let scanner: OpaquePointer?

    init() { scanner = hts_new() }

    deinit { hts_free(scanner) }

    /// Processes the next bytes of UTF-8; invalid bytes become U+FFFD.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (HTMLEvent) throws -> Void) rethrows {
        guard let scanner, let base = bytes.baseAddress else { return }
        var start = 0
        while start < bytes.count {
            let count = min(Int(HTS_BLOCK), bytes.count - start)
            guard hts_feed(scanner, base + start, count) == 1 else { return }
            try handOver(body)
            start += count
        }
    }

    /// Ends the document and closes what is still open.
    func finish(_ body: (HTMLEvent) throws -> Void) rethrows {
        guard let scanner, hts_finish(scanner) == 1 else { return }
        try handOver(body)
    }

    private func handOver(_ body: (HTMLEvent) throws -> Void) rethrows {
        var count = 0
        guard let scanner, let events = hts_events(scanner, &count), let arena = hts_bytes(scanner) else { return }
        let attributes = hts_attributes(scanner)
        for event in UnsafeBufferPointer(start: events, count: count) {
            try body(HTMLEvent(event, attributes, arena))
        }
    }
}

/// A tag or a piece of text in an HTML document; valid only during the callback.
struct HTMLEvent {
    enum Kind {
        /// `<name …>`; for an empty element such as `<br>`, an end follows.
        case start
        /// Text with entities decoded; adjacent pieces belong together.
        case text
        /// `</name>`, also emitted where the document omits it.
        case end
    }

    let kind: Kind
    /// The tag name in lower case, or the text: valid UTF-8.
    let bytes: UnsafeBufferPointer<UInt8>
    private let attributes: UnsafeBufferPointer<hts_attribute>
    private let arena: UnsafePointer<UInt8>

    init(_ event: hts_event, _ attributes: UnsafePointer<hts_attribute>?, _ arena: UnsafePointer<UInt8>) {
        kind = event.kind == HTS_START.rawValue ? .start : event.kind == HTS_TEXT.rawValue ? .text : .end
        self.arena = arena
        bytes = UnsafeBufferPointer(start: arena + Int(event.text.start), count: Int(event.text.count))
        self.attributes = UnsafeBufferPointer(
            start: attributes.map { $0 + Int(event.first_attribute) }, count: Int(event.attribute_count))
    }

    /// The tag name, or the text.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether it is a tag with this name (in lower case).
    func isTag(_ name: StaticString) -> Bool { kind != .text && Self.equal(bytes, name) }

    /// The value of an attribute; empty if it has no value, nil if it is missing.
    func attribute(_ name: StaticString) -> String? { value(name).map { String(decoding: $0, as: UTF8.self) } }

    /// Whether its `class` contains this token.
    func hasClass(_ token: StaticString) -> Bool {
        guard token.utf8CodeUnitCount > 0, let value = value("class") else { return false }
        var start = 0
        for end in 0...value.count where end == value.count || value[end] <= 0x20 {
            if Self.equal(UnsafeBufferPointer(rebasing: value[start..<end]), token) { return true }
            start = end + 1
        }
        return false
    }

    /// Whether no program writes a tag like this: a missing `<`, `>` or quote turned text into markup.
    var isOdd: Bool {
        guard kind == .start else { return false }
        if !HTMLTags.isKnown(string) { return true }
        return attributes.contains { attribute in
            let name = UnsafeBufferPointer(start: arena + Int(attribute.name.start), count: Int(attribute.name.count))
            let value = UnsafeBufferPointer(
                start: arena + Int(attribute.value.start), count: Int(attribute.value.count))
            return value.contains(UInt8(ascii: "<")) || value.contains(UInt8(ascii: ">"))
                || !HTMLTags.isKnownAttribute(String(decoding: name, as: UTF8.self))
        }
    }

    /// Whether a text contains letters.
    var hasLetters: Bool {
        kind == .text && String(decoding: bytes, as: UTF8.self).unicodeScalars.contains { $0.properties.isAlphabetic }
    }

    /// The bytes of an attribute's value.
    func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        for attribute in attributes {
            let own = UnsafeBufferPointer(start: arena + Int(attribute.name.start), count: Int(attribute.name.count))
            guard Self.equal(own, name) else { continue }
            return UnsafeBufferPointer(start: arena + Int(attribute.value.start), count: Int(attribute.value.count))
        }
        return nil
    }

    private static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        return bytes.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: bytes.count))
    }
}
