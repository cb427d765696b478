/// Reads numbers as RFC 8259 writes them.
package enum JSONNumber {
    /// The number if it is whole and fits, however it is written; nil for anything but one number.
    ///
    /// Never rounds and takes time linear in the text, whatever the exponent.
    package static func integer(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard let parts = bytes.withUnsafeBufferPointer({ parts(of: $0, from: 0) }), parts.end == bytes.count else {
            return nil
        }
        var digits = bytes[parts.whole] + bytes[parts.fraction]
        var power = exponent(bytes[parts.exponent]) - parts.fraction.count
        while let last = digits.last, last == 0x30 {
            digits.removeLast()
            power += 1
        }
        let significant = digits.drop { $0 == 0x30 }
        if significant.isEmpty { return 0 }
        // Int.max has 19 digits.
        guard power >= 0, power <= 18, significant.count + power <= 19 else { return nil }
        var magnitude: UInt64 = 0
        for digit in significant { magnitude = magnitude * 10 + UInt64(digit - 0x30) }
        for _ in 0..<power { magnitude *= 10 }
        if bytes.first == 0x2D {
            return magnitude <= UInt64(Int.max) + 1 ? Int(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int(exactly: magnitude)
    }

    /// The nearest double; nil when it is not finite, or for anything but one number.
    package static func double(_ text: String) -> Double? {
        guard isNumber(text), let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Whether a text is one number and nothing else.
    package static func isNumber(_ text: String) -> Bool {
        var copy = text
        return copy.withUTF8 { parts(of: $0, from: 0)?.end == $0.count }
    }

    struct Parts {
        var whole: Range<Int>
        var fraction: Range<Int>
        /// With its sign, without the letter.
        var exponent: Range<Int>
        var end: Int
    }

    /// The parts of the number at `start`, or nil where there is none.
    static func parts(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Parts? {
        var at = start
        func run() -> Range<Int> {
            let first = at
            while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
            return first..<at
        }
        if at < bytes.count, bytes[at] == 0x2D { at += 1 }
        let whole = run()
        guard !whole.isEmpty, whole.count == 1 || bytes[whole.lowerBound] != 0x30 else { return nil }
        var fraction = at..<at
        if at < bytes.count, bytes[at] == 0x2E {
            at += 1
            fraction = run()
            if fraction.isEmpty { return nil }
        }
        var exponent = at..<at
        if at < bytes.count, bytes[at] | 0x20 == 0x65 {
            at += 1
            let sign = at
            if at < bytes.count, bytes[at] == 0x2B || bytes[at] == 0x2D { at += 1 }
            if run().isEmpty { return nil }
            exponent = sign..<at
        }
        return Parts(whole: whole, fraction: fraction, exponent: exponent, end: at)
    }

    /// The exponent, held within what no text of digits can bring back into range.
    private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int {
        let most = 1 << 40
        var value = 0
        for byte in bytes where (0x30...0x39).contains(byte) { value = min(most, value * 10 + Int(byte - 0x30)) }
        return bytes.first == 0x2D ? -value : value
    }
}
