/// Writes JSON text byte by byte: it takes care of commas and escapes, the caller decides the order.
package struct JSONObjectWriter: ~Copyable {
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Opens an object at the end of `out`, which is moved in; ``finish()`` returns it.
    package init(_ out: inout [UInt8]) {
        bytes = []
        swap(&bytes, &out)
        bytes.append(UInt8(ascii: "{"))
    }

    /// Closes the object and returns the buffer.
    package consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    package mutating func open(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    package mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    /// Adds a comma if the next array element needs one.
    package mutating func element() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    package mutating func key(_ key: String) {
        element()
        JSONText.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func string(_ value: String) {
        JSONText.append(value, to: &bytes)
        needsComma = true
    }

    /// Appends a number or literal unchanged.
    package mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    package mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Int?) {
        guard let value else { return }
        key(name)
        raw(String(value))
    }

    package mutating func member(_ name: String, _ value: Bool?) {
        guard let value else { return }
        key(name)
        raw(value ? "true" : "false")
    }
}

extension JSONObjectWriter {
    /// Adds a member that is an object.
    package mutating func object(_ name: String, _ write: (inout JSONObjectWriter) -> Void) {
        key(name)
        open("{")
        write(&self)
        close("}")
    }

    /// Adds a member that is an array of objects.
    package mutating func objects<Item>(
        _ name: String, _ items: [Item], _ write: (Item, inout JSONObjectWriter) -> Void
    ) {
        key(name)
        open("[")
        for item in items {
            element()
            open("{")
            write(item, &self)
            close("}")
        }
        close("]")
    }

    /// Adds a member that is an array of strings.
    package mutating func strings(_ name: String, _ texts: [String]) {
        key(name)
        open("[")
        for text in texts {
            element()
            string(text)
        }
        close("]")
    }
}

/// Strings of JSON.
package enum JSONText {
    private static let hex = Array("0123456789abcdef".utf8)

    /// Appends a quoted, escaped string.
    ///
    /// U+2028, U+2029 and C1 controls are not escaped: they are legal in JSON.
    package static func append(_ string: String, to out: inout [UInt8]) {
        var copy = string
        copy.withUTF8 { append($0, to: &out) }
    }

    /// Appends valid UTF-8 as a quoted, escaped string.
    package static func append(_ utf8: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        appendEscaped(utf8, to: &out)
        out.append(UInt8(ascii: "\""))
    }

    /// Whether none of the eight bytes is a control character, a quote or a backslash.
    @inline(__always)
    private static func isClean(_ eight: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = eight ^ ones &* 0x22
        let slashes = eight ^ ones &* 0x5C
        // A borrow out of a byte sets its top bit; that bit is used only where the byte itself has none.
        let controls = (eight &- ones &* 0x20) & ~eight
        let found = controls | (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
        return found & (ones &* 0x80) == 0
    }

    /// Appends the content of a JSON string, without quotes.
    package static func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        var clean = 0
        var next = 0
        while next < utf8.count {
            // Eight bytes at a time, as long as none of them needs escaping.
            if utf8.count - next >= 8,
                isClean(UnsafeRawBufferPointer(utf8).loadUnaligned(fromByteOffset: next, as: UInt64.self))
            {
                next += 8
                continue
            }
            let i = next
            let byte = utf8[i]
            next += 1
            if byte >= 0x20, byte != 0x22, byte != 0x5C { continue }
            if clean < i { out.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean..<i])) }
            clean = i + 1
            out.append(UInt8(ascii: "\\"))
            switch byte {
            case 0x22, 0x5C: out.append(byte)
            case 0x0A: out.append(UInt8(ascii: "n"))
            case 0x0D: out.append(UInt8(ascii: "r"))
            case 0x09: out.append(UInt8(ascii: "t"))
            default:
                out.append(contentsOf: [0x75, 0x30, 0x30, hex[Int(byte >> 4)], hex[Int(byte & 15)]])
            }
        }
        if clean < utf8.count { out.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean...])) }
    }

    /// The text of a string, from the valid JSON between its quotes; half of a surrogate pair is U+FFFD.
    package static func decoded(_ raw: UnsafeBufferPointer<UInt8>) -> String {
        guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
        var out: [UInt8] = []
        var at = 0
        while at < raw.count {
            guard raw[at] == UInt8(ascii: "\\"), at + 1 < raw.count else {
                out.append(raw[at])
                at += 1
                continue
            }
            at += 2
            switch raw[at - 1] {
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "u"):
                let high = unit(raw, at)
                var scalar = Unicode.Scalar(high)
                at += 4
                if high & 0xFC00 == 0xD800, at + 6 <= raw.count, raw[at] == UInt8(ascii: "\\"),
                    raw[at + 1] == UInt8(ascii: "u")
                {
                    let low = unit(raw, at + 2)
                    if low & 0xFC00 == 0xDC00 {
                        scalar = Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF)
                        at += 6
                    }
                }
                out.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
            default: out.append(raw[at - 1])
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func unit(_ raw: UnsafeBufferPointer<UInt8>, _ from: Int) -> UInt32 {
        var code: UInt32 = 0
        for at in from..<(from + 4) where at < raw.count {
            let digit: UInt32 =
                switch raw[at] {
                case 0x30...0x39: UInt32(raw[at]) - 0x30
                case 0x41...0x46: UInt32(raw[at]) - 0x37
                case 0x61...0x66: UInt32(raw[at]) - 0x57
                default: 0
                }
            code = code << 4 | digit
        }
        return code
    }
}
