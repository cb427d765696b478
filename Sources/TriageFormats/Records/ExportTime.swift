/// A time as exports of platforms write it, in UTC.
struct ExportTime: Equatable {
    /// RFC 3339 with `Z`, with the digits after the point that the source has.
    var text: String
    /// Since 1970, to sort by.
    var milliseconds: Int64

    /// Of a date and time in RFC 3339 or its kin.
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

    /// Of a number since 1970, also as a string: seconds, milliseconds, microseconds or nanoseconds by its size.
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
