/// Times of exports as milliseconds since 1970, and back.
enum SourceTime {
    /// The forms that ``Timestamp`` reads, with the milliseconds it leaves out; nil when it is no time.
    static func milliseconds(_ text: String) -> Int64? {
        var copy = text
        return copy.withUTF8 { bytes in
            guard let seconds = Timestamp.seconds(bytes) else { return nil }
            return seconds * 1000 + fraction(bytes)
        }
    }

    /// RFC 3339 in UTC; nil for years that it has no form for.
    static func text(_ milliseconds: Int64) -> String? {
        // Rounded down, also of the lowest number there is.
        var (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1000) }
        return Timestamp.text(seconds: seconds, milliseconds: Int(rest))
    }

    /// Digits behind the seconds, three of them at most.
    private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64 {
        guard bytes.count > 20, bytes[19] == 0x2E || bytes[19] == 0x2C else { return 0 }
        var value: Int64 = 0
        var scale: Int64 = 100
        for byte in bytes[20..<min(23, bytes.count)] {
            guard byte >= 0x30, byte <= 0x39 else { break }
            value += Int64(byte - 0x30) * scale
            scale /= 10
        }
        return value
    }
}
