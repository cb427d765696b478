internal import TriageCore

/// Days as the date finder counts them: days since 1970, Monday is 1.
extension CivilDate {
    static func days(year: Int, month: Int, day: Int) -> Int {
        CivilDate(year: year, month: month, day: day).daysSince1970
    }

    static func date(ofDays days: Int) -> CivilDate { CivilDate(daysSince1970: days) }

    /// Monday is 1, Sunday 7.
    static func weekday(ofDays days: Int) -> Int { ((days + 3) % 7 + 7) % 7 + 1 }

    static func length(ofMonth month: Int, year: Int) -> Int { daysIn(month: month, year: year) }

    static func isValid(year: Int, month: Int, day: Int) -> Bool {
        (1...12).contains(month) && day >= 1 && day <= daysIn(month: month, year: year)
    }

    /// Monday of an ISO week.
    static func monday(ofWeek week: Int, year: Int) -> Int {
        let january4 = days(year: year, month: 1, day: 4)
        return january4 - (weekday(ofDays: january4) - 1) + (week - 1) * 7
    }
}
