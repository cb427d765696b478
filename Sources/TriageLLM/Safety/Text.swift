/// Small text helpers that would otherwise require Foundation.
enum Text {
    /// The text without blanks, tabs and line breaks at both ends.
    static func trimmed(_ text: String) -> String {
        let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isBlank($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    // Tests that run on every character of every message use Unicode's tables only beyond ASCII.

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
    }

    static func isAlphabetic(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? isASCIILetter(scalar) : scalar.properties.isAlphabetic
    }

    /// The string of these scalars.
    static func string(_ scalars: some Collection<Unicode.Scalar>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.count + 16)
        for scalar in scalars {
            if scalar.isASCII {
                bytes.append(UInt8(scalar.value))
            } else if let encoded = UTF8.encode(scalar) {
                bytes.append(contentsOf: encoded)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func isASCIIDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

    static func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        (0x41...0x5A).contains(scalar.value & ~0x20)
    }

    static func isASCIIWord(_ scalar: Unicode.Scalar) -> Bool {
        isASCIILetter(scalar) || isASCIIDigit(scalar) || scalar == "_"
    }

    /// Only the letters and digits, in lower case, with full-width forms as plain ones.
    ///
    /// Anything put between letters to hide them from a search is gone.
    static func skeleton(_ text: String) -> [Unicode.Scalar] {
        var out: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            let plain = narrow(scalar)
            if plain.isASCII {
                if isASCIILetter(plain) {
                    out.append(Unicode.Scalar(UInt8(plain.value | 0x20)))
                } else if isASCIIDigit(plain) {
                    out.append(plain)
                }
            } else if plain.properties.isAlphabetic || plain.properties.numericType != nil {
                out.append(contentsOf: plain.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return out
    }

    /// U+FF01…U+FF5E as ASCII; anything else unchanged.
    static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    static func contains<Element: Equatable>(_ haystack: [Element], _ needle: [Element]) -> Bool {
        guard let first = needle.first, haystack.count >= needle.count else { return false }
        var start = 0
        let last = haystack.count - needle.count
        while start <= last {
            if haystack[start] == first {
                var length = 1
                while length < needle.count, haystack[start + length] == needle[length] { length += 1 }
                if length == needle.count { return true }
            }
            start += 1
        }
        return false
    }
}
