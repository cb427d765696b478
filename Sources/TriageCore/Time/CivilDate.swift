/// A day of the Gregorian calendar.
package struct CivilDate: Sendable, Equatable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Converts days since 1970-01-01 to a date, after Howard Hinnant's `civil_from_days`.
    package init(daysSince1970 days: Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01, after Howard Hinnant's `days_from_civil`.
    package var daysSince1970: Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The days from 0001-01-01 to 9999-12-31, whose year has at most four digits, in days since 1970-01-01.
    package static let writableDays = -719_162...2_932_896

    /// Days in a month of a year.
    package static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Monday 0 … Sunday 6.
    package var weekday: Int { ((daysSince1970 + 3) % 7 + 7) % 7 }

    /// Appends `YYYY-MM-DD`.
    package func append(to out: inout [UInt8]) {
        func two(_ n: Int) {
            out.append(UInt8(truncatingIfNeeded: 0x30 + n / 10 % 10))
            out.append(UInt8(truncatingIfNeeded: 0x30 + n % 10))
        }
        two(year / 100)
        two(year % 100)
        out.append(UInt8(ascii: "-"))
        two(month)
        out.append(UInt8(ascii: "-"))
        two(day)
    }
}
