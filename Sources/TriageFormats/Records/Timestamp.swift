import TriageCore

/// Parses RFC 3339 timestamps from bytes by hand: Foundation's formatters are slow and reject valid forms.
package enum Timestamp {
    /// Seconds since 1970 in UTC, with fractions truncated; nil when the bytes are not a timestamp.
    ///
    /// It accepts `2026-08-01T06:48:53Z` with any number of fraction digits; `t`, a space or `_` between date and time;
    /// offsets such as `+02:00`, `+0200`, `+02` and ` UTC`; and shorter forms without seconds, without a zone (read as
    /// UTC) or with a date alone (its midnight). Hours, days and months are checked; a leap second counts as the next
    /// second.
    package static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        if let seconds = plainSeconds(text) { return seconds }
        var scan = Scan(text: text)
        guard let year = scan.number(4), scan.take(0x2D), let month = scan.number(2), scan.take(0x2D),
            let day = scan.number(2), let days = days(year: year, month: month, day: day)
        else { return nil }
        let midnight = days * 86_400
        guard scan.isMore else { return midnight }
        guard scan.takeSeparator(), let time = scan.time() else { return nil }
        guard let offset = scan.zone(), !scan.isMore else { return nil }
        return midnight + time - offset
    }

    /// Parses exactly `2026-08-01T06:48:53Z`, the form of nearly all records; nil: any other form.
    private static func plainSeconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count == 20, let base = UnsafeRawPointer(text.baseAddress) else { return nil }
        // `2026-08-`, `01T06:48` and `:53Z`, first byte lowest: every digit becomes 0–9, every other expected byte 0.
        let date = base.loadUnaligned(as: UInt64.self).littleEndian ^ 0x2D30_302D_3030_3030
        let time = base.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian ^ 0x3030_3A30_3054_3030
        let rest = UInt64(base.loadUnaligned(fromByteOffset: 16, as: UInt32.self).littleEndian ^ 0x5A30_303A)
        // Every unexpected byte has its highest bit set already, or gets it by this addition; expected bytes never do.
        let wrong =
            date | (date &+ 0x7F76_767F_7676_7676) | time | (time &+ 0x7676_7F76_767F_7676) | rest
            | (rest &+ 0x7F76_767F)
        guard wrong & 0x8080_8080_8080_8080 == 0 else { return nil }
        func two(_ word: UInt64, _ at: UInt64) -> Int64 {
            let pair = word >> (8 * at)
            return Int64((pair & 0xFF) &* 10 &+ (pair >> 8) & 0xFF)
        }
        let (year, month, day) = (two(date, 0) * 100 + two(date, 2), two(date, 5), two(time, 0))
        let (hour, minute, second) = (two(time, 3), two(time, 6), two(rest, 1))
        guard hour < 24, minute < 60, second <= 60, let days = days(year: year, month: month, day: day)
        else { return nil }
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Days since 1970-01-01 for a date in the years 0–9999; nil when the date does not exist.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1 else { return nil }
        guard day <= CivilDate.daysIn(month: Int(month), year: Int(year)) else { return nil }
        return Int64(CivilDate(year: Int(year), month: Int(month), day: Int(day)).daysSince1970)
    }

    /// Formats seconds since 1970 as `2026-08-01T06:48:53Z`, with milliseconds if they are not zero.
    ///
    /// nil for years outside 0–9999, which RFC 3339 cannot represent.
    package static func text(seconds: Int64, milliseconds: Int = 0) -> String? {
        guard seconds >= -62_167_219_200, seconds <= 253_402_300_799 else { return nil }
        var day = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            rest += 86_400
            day -= 1
        }
        var out: [UInt8] = []
        out.reserveCapacity(24)
        CivilDate(daysSince1970: Int(day)).append(to: &out)
        out.append(0x54)
        append(rest / 3600, digits: 2, to: &out)
        out.append(0x3A)
        append(rest / 60 % 60, digits: 2, to: &out)
        out.append(0x3A)
        append(rest % 60, digits: 2, to: &out)
        if milliseconds > 0 {
            out.append(0x2E)
            append(Int64(milliseconds % 1000), digits: 3, to: &out)
        }
        out.append(0x5A)
        return String(decoding: out, as: UTF8.self)
    }

    private static func append(_ value: Int64, digits: Int, to out: inout [UInt8]) {
        let start = out.count
        out.append(contentsOf: repeatElement(0x30, count: digits))
        var rest = value
        var at = start + digits - 1
        while rest > 0, at >= start {
            out[at] = UInt8(0x30 + rest % 10)
            rest /= 10
            at -= 1
        }
    }

    /// A position in the bytes of a timestamp.
    private struct Scan {
        let text: UnsafeBufferPointer<UInt8>
        var at = 0

        init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

        var isMore: Bool { at < text.count }

        mutating func take(_ byte: UInt8) -> Bool {
            guard at < text.count, text[at] == byte else { return false }
            at += 1
            return true
        }

        mutating func takeSeparator() -> Bool { take(0x54) || take(0x74) || take(0x20) || take(0x5F) }

        /// Exactly this many digits.
        mutating func number(_ digits: Int) -> Int64? {
            guard text.count - at >= digits else { return nil }
            var value: Int64 = 0
            for i in at..<(at + digits) {
                guard text[i] >= 0x30, text[i] <= 0x39 else { return nil }
                value = value * 10 + Int64(text[i] - 0x30)
            }
            at += digits
            return value
        }

        /// Parses `HH:MM[:SS[.f…]]` as seconds of the day.
        mutating func time() -> Int64? {
            guard let hour = number(2), hour < 24, take(0x3A), let minute = number(2), minute < 60 else { return nil }
            var second: Int64 = 0
            if take(0x3A) {
                guard let value = number(2), value <= 60 else { return nil }
                second = value
                if take(0x2E) || take(0x2C) {
                    guard number(1) != nil else { return nil }
                    while number(1) != nil {}
                }
            }
            return hour * 3600 + minute * 60 + second
        }

        /// Parses the zone as seconds east of UTC; a missing zone means UTC.
        mutating func zone() -> Int64? {
            guard isMore else { return 0 }
            if take(0x5A) || take(0x7A) { return 0 }
            _ = take(0x20)
            if take(0x55) { return take(0x54) && take(0x43) ? 0 : nil }
            let isWest = take(0x2D)
            guard isWest || take(0x2B), let hour = number(2), hour < 24 else { return nil }
            var minute: Int64 = 0
            if isMore {
                _ = take(0x3A)
                guard let value = number(2), value < 60 else { return nil }
                minute = value
            }
            return (hour * 3600 + minute * 60) * (isWest ? -1 : 1)
        }
    }
}

/// Converts times in exports to milliseconds since 1970, and back.
enum SourceTime {
    /// Parses the forms that ``Timestamp`` accepts, including milliseconds; nil when it is not a time.
    static func milliseconds(_ text: String) -> Int64? {
        var copy = text
        return copy.withUTF8 { bytes in
            guard let seconds = Timestamp.seconds(bytes) else { return nil }
            return seconds * 1000 + fraction(bytes)
        }
    }

    /// RFC 3339 in UTC; nil for years that it cannot represent.
    static func text(_ milliseconds: Int64) -> String? {
        // Round down, even for the lowest possible number.
        var (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1000) }
        return Timestamp.text(seconds: seconds, milliseconds: Int(rest))
    }

    /// Up to three digits after the seconds.
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

/// A time from a platform's export, in UTC.
struct ExportTime: Equatable {
    /// RFC 3339 with `Z`, with the fraction digits of the source.
    var text: String
    /// Milliseconds since 1970, for sorting.
    var milliseconds: Int64

    /// Parses a date and time in RFC 3339 or a similar form.
    init?(iso source: String) {
        var copy = source
        guard let seconds = copy.withUTF8({ Timestamp.seconds($0) }), var text = Timestamp.text(seconds: seconds) else {
            return nil
        }
        let tail = source.utf8.dropFirst(19)
        var digits: [UInt8] = []
        if tail.first == 0x2E || tail.first == 0x2C {
            digits = tail.dropFirst().prefix { (0x30...0x39).contains($0) }.prefix(9).map { $0 }
        }
        if digits.contains(where: { $0 != 0x30 }) {
            text = text.dropLast() + "." + String(decoding: digits, as: UTF8.self) + "Z"
        }
        self.text = text
        let first = (digits + [0x30, 0x30, 0x30]).prefix(3)
        milliseconds = seconds * 1000 + first.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Reads a number, possibly in a string, as seconds, milliseconds, microseconds or nanoseconds since 1970.
    ///
    /// The size of the number decides.
    init?(epoch node: JSONNode?) {
        let source: String
        switch node {
        case .number(let text), .string(let text): source = text
        default: return nil
        }
        let parts = source.split(separator: ".", maxSplits: 1)
        guard let whole = parts.first, let value = Int64(whole), value > 0 else { return nil }
        let seconds: Int64
        var rest: Int64 = 0
        switch value {
        case ..<100_000_000_000:
            seconds = value
            if parts.count == 2 {
                for place in 0..<3 {
                    let digit = Array(parts[1].utf8.prefix(3)).dropFirst(place).first ?? 0x30
                    guard (0x30...0x39).contains(digit) else { return nil }
                    rest = rest * 10 + Int64(digit - 0x30)
                }
            }
        case ..<100_000_000_000_000: (seconds, rest) = (value / 1000, value % 1000)
        case ..<100_000_000_000_000_000: (seconds, rest) = (value / 1_000_000, value / 1000 % 1000)
        default: (seconds, rest) = (value / 1_000_000_000, value / 1_000_000 % 1000)
        }
        guard let text = Timestamp.text(seconds: seconds, milliseconds: Int(rest)) else { return nil }
        self.text = text
        milliseconds = seconds * 1000 + rest
    }
}
