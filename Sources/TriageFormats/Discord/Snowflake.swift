/// Ids of Discord: digits that begin with a time.
enum Snowflake {
    /// Milliseconds from 1970 to the first of January 2015, from which Discord counts.
    private static let epoch: Int64 = 1_420_070_400_000

    /// Digits of ids since 2015; fewer may be anything.
    static let length = 15...20

    /// Digits alone, in a number that fits; never through a floating-point number, which would change it.
    static func id(_ node: JSONNode?) -> String? { node?.identifier.flatMap(id) }

    /// The text if it is an id.
    static func id(_ text: some StringProtocol) -> String? {
        isDigits(text) && UInt64(text) != nil ? String(text) : nil
    }

    /// When an id was given out, in milliseconds since 1970.
    static func milliseconds(_ id: String) -> Int64? {
        guard length.contains(id.utf8.count), let number = UInt64(id) else { return nil }
        return Int64(number >> 22) + epoch
    }

    static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}
