import TriageCore
import TriageFormats
import TriageStore

/// Messages over time as stacked columns: inline SVG that fills the page width, with text of a fixed size.
enum VolumePlot {
    private static let top = 20
    private static let side = 160
    private static let height = 208

    /// - Parameter label: id of the element that says the same in words.
    static func svg(_ volumes: VolumeBins, label: String) -> String {
        let most = volumes.bins.map(\.volume.messages).max() ?? 0
        let ceiling = ceiling(most)
        var out = "<svg class=\"plot\" role=\"img\" aria-labelledby=\"\(label)\" width=\"100%\" height=\"\(height)\">"
        let marks = ceiling % 2 == 0 ? [0, ceiling / 2, ceiling] : [0, ceiling]
        for mark in marks {
            let y = top + side - side * mark / ceiling
            out += "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
        let step = 100 / Double(max(volumes.bins.count, 6))
        for (place, bin) in volumes.bins.enumerated() where bin.volume.messages > 0 {
            out += column(bin, x: Double(place) * step + step * 0.1, width: step * 0.8, ceiling)
        }
        for mark in marks where mark > 0 {
            let y = top + side - side * mark / ceiling
            out += "<text class=\"tick\" x=\"0\" y=\"\(y - 4)\">\(MoneyText.count(mark))</text>"
        }
        return out + names(volumes, step) + "</svg>"
    }

    private static func column(_ bin: VolumeBins.Bin, x: Double, width: Double, _ ceiling: Int) -> String {
        let volume = bin.volume
        let rest = volume.messages - volume.fan - volume.business - volume.spam
        var out = "<g><title>\(bin.name): \(MoneyText.count(volume.messages)) messages</title>"
        var below = 0
        for (name, count) in [
            ("fan", volume.fan), ("business", volume.business), ("spam", volume.spam), ("none", rest),
        ] where count > 0 {
            let from = Double(side) * Double(below) / Double(ceiling)
            let height = Double(side) * Double(count) / Double(ceiling)
            below += count
            // Every segment has a visible height, and a gap separates it from the next.
            let shown = max(height - 1, 0.5)
            let y = Double(top + side) - from - shown
            out += "<rect class=\"\(name)\" x=\"\(fixed(x))%\" width=\"\(fixed(width))%\" y=\"\(fixed(y))\""
            out += " height=\"\(fixed(shown))\"/>"
        }
        return out + "</g>"
    }

    /// Labels the first, the middle and the last step: more would not fit on a phone.
    private static func names(_ volumes: VolumeBins, _ step: Double) -> String {
        let count = volumes.bins.count
        var out = ""
        for (place, bin) in volumes.bins.enumerated() {
            let anchor: String
            let x: Double
            if place == 0 {
                (anchor, x) = ("start", step * 0.1)
            } else if place == count - 1, count >= 6 {
                (anchor, x) = ("end", Double(place + 1) * step - step * 0.1)
            } else if place == count / 2, count >= 3 {
                (anchor, x) = ("middle", (Double(place) + 0.5) * step)
            } else {
                continue
            }
            out += "<text class=\"tick\" x=\"\(fixed(x))%\" y=\"\(top + side + 20)\" text-anchor=\"\(anchor)\">"
            out += "\(bin.name)</text>"
        }
        return out
    }

    /// The smallest 1, 2 or 5 times a power of ten that is not below `most`.
    static func ceiling(_ most: Int) -> Int {
        var power = 1
        while power < most, power <= Int.max / 100 {
            for factor in [1, 2, 5] where power * factor >= most { return power * factor }
            power *= 10
        }
        return max(power, 1)
    }

    /// A number with two decimals at most.
    static func fixed(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let hundredths = Int((abs(value) * 100).rounded())
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        let sign = value < 0 && hundredths > 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return "\(sign)\(whole)." + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
    }
}

/// Messages over time, in as many steps as can be told apart: days, weeks, months or years.
struct VolumeBins: Equatable {
    enum Step: Equatable {
        case day, week, month
        case years(Int)

        /// The name of a step in words.
        var name: String {
            switch self {
            case .day: "Day"
            case .week: "Week of"
            case .month: "Month"
            case .years(let count): count == 1 ? "Year" : "From"
            }
        }
    }

    /// One step; empty steps are included, so the time axis is even.
    struct Bin: Equatable {
        /// Such as `2026-10-01`, `2026-10` or `2026`.
        var name: String
        var volume: InboxStatistics.Volume
    }

    var step: Step
    var bins: [Bin]

    /// The maximum number of steps.
    static let most = 64

    /// - Parameter days: volumes by day since 1970, sorted.
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

    /// The number of a step; consecutive steps differ by one.
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
