import TriageCore

/// A look into one JSON text that was checked before: finds members without building a tree.
///
/// It trusts nothing all the same: whatever the bytes are, it stays inside them and ends in linear time. Of equal keys
/// the last counts.
struct JSONView {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// First byte of the value.
    private let start: Int

    /// The value at the beginning of the bytes.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, at: 0) }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        self.bytes = bytes
        start = Self.skipBlanks(bytes, index)
    }

    private var first: UInt8 { start < bytes.count ? bytes[start] : 0 }

    var isNull: Bool { first == UInt8(ascii: "n") }
    var isObject: Bool { first == UInt8(ascii: "{") }

    var bool: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// A finite number.
    var number: Double? {
        guard first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
        let end = Self.scalarEnd(bytes, start)
        guard end - start <= 40, let value = Double(String(decoding: bytes[start..<end], as: UTF8.self)),
            value.isFinite
        else { return nil }
        return value
    }

    /// A probability; what lies outside 0–1 is put to the nearer end.
    var share: Float? { number.map { Float(max(0, min(1, $0))) } }

    /// The decoded text; a lone half of a surrogate pair is U+FFFD.
    var string: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        return Self.decode(bytes, start).text
    }

    /// The strings of an array; what is no string is left out.
    var strings: [String] {
        guard first == UInt8(ascii: "[") else { return [] }
        var found: [String] = []
        var at = Self.skipBlanks(bytes, start + 1)
        while at < bytes.count, bytes[at] != UInt8(ascii: "]") {
            if let text = JSONView(bytes, at: at).string { found.append(text) }
            at = Self.skipBlanks(bytes, Self.valueEnd(bytes, at))
            if at < bytes.count, bytes[at] == UInt8(ascii: ",") { at = Self.skipBlanks(bytes, at + 1) } else { break }
        }
        return found
    }

    /// Where the value lies in the bytes.
    var range: Range<Int> { start..<Self.valueEnd(bytes, start) }

    /// Where the brace that closes the object lies; nil when this is no object.
    var lastBrace: Int? {
        let end = range.upperBound
        guard isObject, end > start + 1, bytes[end - 1] == UInt8(ascii: "}") else { return nil }
        return end - 1
    }

    /// The member of that name; nil when there is none or this is no object.
    subscript(key: String) -> JSONView? {
        var found: JSONView?
        forEachMember { name, value in if name == key { found = value } }
        return found
    }

    /// Every member, in order.
    func forEachMember(_ body: (String, JSONView) -> Void) {
        guard isObject else { return }
        var at = Self.skipBlanks(bytes, start + 1)
        while at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
            let (key, end) = Self.decode(bytes, at)
            at = Self.skipBlanks(bytes, end)
            guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { return }
            let value = JSONView(bytes, at: at + 1)
            body(key, value)
            at = Self.skipBlanks(bytes, Self.valueEnd(bytes, value.start))
            guard at < bytes.count, bytes[at] == UInt8(ascii: ",") else { return }
            at = Self.skipBlanks(bytes, at + 1)
        }
    }

    // MARK: Walking

    private static func skipBlanks(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int) -> Int {
        var at = from
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 || bytes[at] == 0x0A || bytes[at] == 0x0D {
            at += 1
        }
        return at
    }

    private static func scalarEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int) -> Int {
        var at = from
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: return at
            default: at += 1
            }
        }
        return at
    }

    private static func stringEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int) -> Int {
        var at = from + 1
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\"") { return at + 1 }
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }

    /// Behind the value that begins at `from`; nesting is counted, never followed.
    private static func valueEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int) -> Int {
        var depth = 0
        var at = from
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""): at = stringEnd(bytes, at)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                at += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                at += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                at += 1
                if depth > 0 { continue }
            default: at = max(at + 1, scalarEnd(bytes, at))
            }
            if depth <= 0 { return min(at, bytes.count) }
        }
        return bytes.count
    }

    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int) -> (text: String, end: Int) {
        let end = stringEnd(bytes, from)
        let inside = (from + 1)..<max(from + 1, min(end - 1, bytes.count))
        return (JSONText.decoded(UnsafeBufferPointer(rebasing: bytes[inside])), end)
    }
}
