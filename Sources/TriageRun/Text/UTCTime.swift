import Platform
import TriageCore

/// Times of runs in seconds since 1970, and their text form.
package enum UTCTime {
    package static var now: Int64 { Int64(time(nil)) }

    /// Days since 1970; budgets are counted by day.
    package static func day(_ seconds: Int64) -> Int {
        Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
    }

    /// RFC 3339, such as `2026-11-21T09:30:00Z`.
    package static func text(_ seconds: Int64) -> String {
        // A clock may return anything, and years beyond these have no standard form.
        let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let day = day(seconds)
        let rest = Int(seconds) - day * 86_400
        var bytes: [UInt8] = []
        CivilDate(daysSince1970: day).append(to: &bytes)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return String(decoding: bytes, as: UTF8.self) + "T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
    }
}
