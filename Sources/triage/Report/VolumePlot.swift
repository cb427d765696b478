import TriageFormats
import TriageStore

/// Messages over time as stacked columns: inline SVG as wide as the page lets it be, with letters that keep their size.
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
            // What is there is seen, and one kind is set off from the next.
            let shown = max(height - 1, 0.5)
            let y = Double(top + side) - from - shown
            out += "<rect class=\"\(name)\" x=\"\(fixed(x))%\" width=\"\(fixed(width))%\" y=\"\(fixed(y))\""
            out += " height=\"\(fixed(shown))\"/>"
        }
        return out + "</g>"
    }

    /// The first, the middle and the last step are named: more would not fit on a phone.
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

    /// 1, 2 or 5 of some power of ten, and not below.
    static func ceiling(_ most: Int) -> Int {
        var power = 1
        while power < most, power <= Int.max / 100 {
            for factor in [1, 2, 5] where power * factor >= most { return power * factor }
            power *= 10
        }
        return max(power, 1)
    }

    /// Two decimals at most.
    static func fixed(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let hundredths = Int((abs(value) * 100).rounded())
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        let sign = value < 0 && hundredths > 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return "\(sign)\(whole)." + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
    }
}
