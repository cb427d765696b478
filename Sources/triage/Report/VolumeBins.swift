import TriageCore
import TriageStore

/// Messages over time in as many steps as can be seen: days, weeks, months, or years.
struct VolumeBins: Equatable {
    enum Step: Equatable {
        case day, week, month
        case years(Int)

        /// What a step is called.
        var name: String {
            switch self {
            case .day: "Day"
            case .week: "Week of"
            case .month: "Month"
            case .years(let count): count == 1 ? "Year" : "From"
            }
        }
    }

    /// One step; empty ones too, so that time runs evenly.
    struct Bin: Equatable {
        /// Such as `2026-10-01`, `2026-10` or `2026`.
        var name: String
        var volume: InboxStatistics.Volume
    }

    var step: Step
    var bins: [Bin]

    /// Steps at most.
    static let most = 64

    /// - Parameter days: by day since 1970, sorted.
    init(_ days: [(day: Int, volume: InboxStatistics.Volume)]) {
        let (first, last) = (days.first?.day ?? 0, days.last?.day ?? 0)
        let span = last - first + 1
        let (start, end) = (CivilDate(daysSince1970: first), CivilDate(daysSince1970: last))
        let months = (end.year - start.year) * 12 + end.month - start.month + 1
        let years = end.year - start.year + 1
        if span <= Self.most {
            step = .day
        } else if span <= (Self.most - 1) * 7 {
            step = .week
        } else if months <= Self.most {
            step = .month
        } else {
            step = .years((years + Self.most - 1) / Self.most)
        }
        bins = []
        guard !days.isEmpty else { return }
        let origin = Self.place(of: first, step)
        let count = min(Self.most, Self.place(of: last, step) - origin + 1)
        bins = (0..<count).map { Bin(name: Self.name(of: origin + $0, step), volume: .init()) }
        for (day, volume) in days {
            let place = min(max(Self.place(of: day, step) - origin, 0), count - 1)
            bins[place].volume.add(volume)
        }
    }

    /// Number of a step; one after the other they differ by one.
    private static func place(of day: Int, _ step: Step) -> Int {
        let date = CivilDate(daysSince1970: day)
        return switch step {
        case .day: day
        // 1970-01-01 was a Thursday.
        case .week: floored(day + 3, 7)
        case .month: date.year * 12 + date.month - 1
        case .years(let count): floored(date.year, count)
        }
    }

    private static func name(of place: Int, _ step: Step) -> String {
        switch step {
        case .day: return text(CivilDate(daysSince1970: place))
        case .week: return text(CivilDate(daysSince1970: place * 7 - 3))
        case .month:
            let date = CivilDate(year: floored(place, 12), month: place - floored(place, 12) * 12 + 1, day: 1)
            return String(text(date).prefix(7))
        case .years(let count): return String(text(CivilDate(year: place * count, month: 1, day: 1)).prefix(4))
        }
    }

    private static func floored(_ value: Int, _ by: Int) -> Int { value >= 0 ? value / by : (value - by + 1) / by }

    private static func text(_ date: CivilDate) -> String {
        var bytes: [UInt8] = []
        date.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
