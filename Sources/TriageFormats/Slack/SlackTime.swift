/// The `ts` of a Slack message: seconds since 1970 with a counter behind the point; its name as well as its time.
struct SlackTime: Equatable {
    /// As written; unique in a conversation, and never a floating-point number.
    let source: String
    /// RFC 3339, with the digits behind the point that are not zeros at the end.
    let text: String
    let milliseconds: Int64

    /// nil: no such time.
    init?(_ node: JSONNode?) {
        guard let source = node?.identifier else { return nil }
        let parts = source.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, (1...12).contains(parts[0].utf8.count), Self.isDigits(parts[0]),
            let seconds = Int64(parts[0]), let whole = Timestamp.text(seconds: seconds)
        else { return nil }
        var digits: [UInt8] = []
        if parts.count == 2 {
            guard (1...9).contains(parts[1].utf8.count), Self.isDigits(parts[1]) else { return nil }
            digits = Array(parts[1].utf8)
        }
        while digits.last == 0x30 { digits.removeLast() }
        self.source = source
        text = digits.isEmpty ? whole : whole.dropLast() + "." + String(decoding: digits, as: UTF8.self) + "Z"
        milliseconds =
            seconds * 1000 + (digits + [0x30, 0x30, 0x30]).prefix(3).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Whether a text is a `ts` beyond doubt: of this time, and with a point.
    static func isCertain(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && (9...10).contains(parts[0].utf8.count) && (1...6).contains(parts[1].utf8.count)
            && isDigits(parts[0]) && isDigits(parts[1])
    }

    private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
}
