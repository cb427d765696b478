/// Days and civil dates of the proleptic Gregorian calendar, without a clock.
enum CivilDate {
    /// Days since 1970-01-01; `month` 1–12, `day` 1–31 (not checked against the month).
    static func days(year: Int, month: Int, day: Int) -> Int {
        // Years start in March, so that the leap day is the last of its year.
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func date(ofDays days: Int) -> (year: Int, month: Int, day: Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted + (shifted < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// Monday is 1, Sunday 7.
    static func weekday(ofDays days: Int) -> Int {
        let shifted = (days + 3) % 7
        return (shifted < 0 ? shifted + 7 : shifted) + 1
    }

    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func isValid(year: Int, month: Int, day: Int) -> Bool {
        (1...12).contains(month) && day >= 1 && day <= length(ofMonth: month, year: year)
    }

    /// Monday of an ISO week.
    static func monday(ofWeek week: Int, year: Int) -> Int {
        let january4 = days(year: year, month: 1, day: 4)
        return january4 - (weekday(ofDays: january4) - 1) + (week - 1) * 7
    }
}
