/// Times of X: in ids, in ISO form and in the form of its first API.
enum XTime {
    private static let months: [Substring: Int64] = [
        "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11,
        "Dec": 12,
    ]

    /// Milliseconds since 1970 of `2024-03-05T14:02:11.250Z` or `Tue Mar 05 14:02:11 +0000 2024`.
    static func milliseconds(_ text: String) -> Int64? {
        if let time = SourceTime.milliseconds(text) { return time }
        let parts = text.split(separator: " ")
        guard parts.count == 6, let month = months[parts[1]], let day = Int64(parts[2]), parts[5].utf8.count == 4,
            let year = Int64(parts[5]), let days = Timestamp.days(year: year, month: month, day: day)
        else { return nil }
        // The day is checked above; the rest is read as a time of the first day there is.
        var rest = "1970-01-01T" + parts[3] + parts[4]
        guard let seconds = rest.withUTF8({ Timestamp.seconds($0) }) else { return nil }
        return (days * 86_400 + seconds) * 1000
    }

    /// The time that an id holds; ids of before November 2010 hold none.
    static func snowflake(_ id: String) -> Int64? {
        guard let number = UInt64(id), number > 30_000_000_000 else { return nil }
        return Int64(number >> 22) + 1_288_834_974_657
    }
}
