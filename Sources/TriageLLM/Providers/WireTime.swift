import TriageCore

/// Reads durations and moments from server headers; malformed text gives nil.
enum WireTime {
    /// A decimal number of seconds without sign and exponent, such as `20` or `0.4`.
    static func seconds(_ text: String) -> Duration? {
        let bytes = Array(text.utf8)
        guard let (whole, nanos, end) = decimal(bytes[...]), end == bytes.count else { return nil }
        return span(whole, nanos, unit: 1_000_000_000)
    }

    /// A decimal number of milliseconds.
    static func milliseconds(_ text: String) -> Duration? {
        let bytes = Array(text.utf8)
        guard let (whole, nanos, end) = decimal(bytes[...]), end == bytes.count else { return nil }
        return span(whole, nanos, unit: 1_000_000)
    }

    /// A duration in Go's format: `360ms`, `1.864s`, `6m0s`, `1h2m3s`.
    static func goDuration(_ text: String) -> Duration? {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 64 else { return nil }
        var sum = Duration.zero
        var at = 0
        while at < bytes.count {
            guard let (whole, nanos, end) = decimal(bytes[at...]) else { return nil }
            at = end
            let units: [(String, Int64)] = [
                ("ms", 1_000_000), ("us", 1_000), ("\u{B5}s", 1_000), ("\u{3BC}s", 1_000), ("ns", 1),
                ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
            ]
            guard let unit = units.first(where: { bytes[at...].starts(with: $0.0.utf8) }),
                let part = span(whole, nanos, unit: unit.1)
            else { return nil }
            sum += part
            at += unit.0.utf8.count
        }
        return sum
    }

    /// Seconds since 1970 for a date in one of HTTP's three formats (RFC 9110, 5.6.7).
    static func httpDate(_ text: String) -> Int? {
        guard text.utf8.count <= 64 else { return nil }
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" }).map(String.init)
        // Sun 06 Nov 1994 08:49:37 GMT | Sunday 06 Nov 94 08:49:37 GMT | Sun Nov 6 08:49:37 1994
        if parts.count == 6, parts[5] == "GMT" || parts[5] == "UTC" {
            return moment(day: parts[1], month: parts[2], year: parts[3], clock: parts[4])
        }
        if parts.count == 5 {
            return moment(day: parts[2], month: parts[1], year: parts[4], clock: parts[3])
        }
        return nil
    }

    /// Seconds since 1970 for an RFC 3339 moment, rounded down.
    static func rfc3339(_ text: String) -> Int? {
        let b = Array(text.utf8)
        guard b.count >= 20, b.count <= 40, b[4] == 0x2D, b[7] == 0x2D, b[10] | 0x20 == 0x74,
            let year = digits(b[0..<4]), let month = digits(b[5..<7]), let day = digits(b[8..<10]),
            let clock = clock(b[11..<19]), let date = date(year, month, day)
        else { return nil }
        var at = 19
        if b[at] == 0x2E {
            at += 1
            while at < b.count, (0x30...0x39).contains(b[at]) { at += 1 }
        }
        guard at < b.count else { return nil }
        if b[at] | 0x20 == 0x7A, at + 1 == b.count { return date * 86_400 + clock }
        guard b[at] == 0x2B || b[at] == 0x2D, at + 6 == b.count, b[at + 3] == 0x3A,
            let hours = digits(b[(at + 1)..<(at + 3)]), let minutes = digits(b[(at + 4)..<(at + 6)]),
            hours < 24, minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * 60
        return date * 86_400 + clock - (b[at] == 0x2B ? offset : -offset)
    }

    /// A number of at most 15 digits; a fraction is dropped.
    static func count(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard let (whole, _, end) = decimal(bytes[...]), end == bytes.count else { return nil }
        return Int(exactly: whole)
    }

    /// The whole part, billionths, and the index after the number.
    private static func decimal(_ bytes: ArraySlice<UInt8>) -> (Int64, Int64, Int)? {
        var whole: Int64 = 0
        var nanos: Int64 = 0
        var at = bytes.startIndex
        let first = at
        while at < bytes.endIndex, (0x30...0x39).contains(bytes[at]) {
            guard at - first < 15 else { return nil }
            whole = whole * 10 + Int64(bytes[at] - 0x30)
            at += 1
        }
        guard at > first else { return nil }
        guard at < bytes.endIndex, bytes[at] == 0x2E else { return (whole, 0, at) }
        at += 1
        let point = at
        var scale: Int64 = 100_000_000
        while at < bytes.endIndex, (0x30...0x39).contains(bytes[at]) {
            nanos += Int64(bytes[at] - 0x30) * scale
            scale /= 10
            at += 1
        }
        return at > point ? (whole, nanos, at) : nil
    }

    /// `whole.nanos` units of `unit` nanoseconds.
    private static func span(_ whole: Int64, _ nanos: Int64, unit: Int64) -> Duration? {
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        // nanos < 10^9 and unit <= 3.6 * 10^12: split so that the product cannot overflow.
        let fraction = unit >= 1_000_000_000 ? nanos * (unit / 1_000_000_000) : nanos * unit / 1_000_000_000
        return .nanoseconds(product) + .nanoseconds(fraction)
    }

    private static func moment(day: String, month: String, year: String, clock text: String) -> Int? {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = Array(text.utf8)
        guard let month = names.firstIndex(of: month), let day = digits(Array(day.utf8)[...]),
            var years = digits(Array(year.utf8)[...]), let clock = clock(time[...])
        else { return nil }
        if year.utf8.count == 2 { years += years < 70 ? 2000 : 1900 }
        guard let date = date(years, month + 1, day) else { return nil }
        return date * 86_400 + clock
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1970...9999).contains(year), (1...12).contains(month),
            (1...CivilDate.daysIn(month: month, year: year)).contains(day)
        else { return nil }
        return CivilDate(year: year, month: month, day: day).daysSince1970
    }

    /// Seconds of `HH:MM:SS`; a leap second counts as the second before it.
    private static func clock(_ bytes: ArraySlice<UInt8>) -> Int? {
        let s = bytes.startIndex
        guard bytes.count == 8, bytes[s + 2] == 0x3A, bytes[s + 5] == 0x3A, let hours = digits(bytes[s..<(s + 2)]),
            let minutes = digits(bytes[(s + 3)..<(s + 5)]), let seconds = digits(bytes[(s + 6)..<(s + 8)]),
            hours < 24, minutes < 60, seconds <= 60
        else { return nil }
        return hours * 3600 + minutes * 60 + min(seconds, 59)
    }

    private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 4, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
