import TriageFormats

/// Counts side by side as horizontal bars: inline SVG whose bars take the width there is.
enum BarPlot {
    /// A bar, in one or two parts.
    struct Bar {
        /// Text that is still to be escaped.
        var name: String
        var count: Int
        /// What the second part shows.
        var further = 0
        /// Class that colors it.
        var style: String
        /// Behind the name, such as `10 (59%)`.
        var words: String
    }

    private static let row = 44

    /// - Parameters:
    ///   - most: what a bar of full width stands for.
    ///   - label: id of the element that says the same in words.
    static func svg(_ bars: [Bar], of most: Int, label: String) -> String {
        let height = max(1, bars.count) * row
        var out = "<svg class=\"plot\" role=\"img\" aria-labelledby=\"\(label)\" width=\"100%\" height=\"\(height)\">"
        for (place, bar) in bars.enumerated() {
            let y = place * row
            let first = share(bar.count, of: most)
            let second = share(bar.further, of: most)
            out += "<text class=\"name\" x=\"0\" y=\"\(y + 16)\">\(PageText.plain(cut(bar.name)))</text>"
            out += "<text class=\"value\" x=\"100%\" y=\"\(y + 16)\" text-anchor=\"end\">"
            out += "\(PageText.plain(bar.words))</text>"
            out += "<rect class=\"track\" x=\"0\" y=\"\(y + 24)\" width=\"100%\" height=\"8\" rx=\"4\"/>"
            if bar.count > 0 {
                out += "<rect class=\"\(bar.style)\" x=\"0\" y=\"\(y + 24)\" width=\"\(VolumePlot.fixed(first))%\""
                out += " height=\"8\" rx=\"4\"/>"
            }
            if bar.further > 0 {
                out += "<rect class=\"\(bar.style) faint\" x=\"\(VolumePlot.fixed(first))%\" y=\"\(y + 25)\""
                out += " width=\"\(VolumePlot.fixed(second))%\" height=\"6\" rx=\"3\"/>"
            }
        }
        return out + "</svg>"
    }

    /// Percent of the width.
    private static func share(_ count: Int, of most: Int) -> Double {
        most > 0 ? min(100, max(0, 100 * Double(count) / Double(most))) : 0
    }

    /// A name and its count share a line of a small phone.
    private static func cut(_ name: String) -> String {
        var out = ""
        var columns = 0
        for scalar in name.unicodeScalars {
            columns += max(1, TerminalText.width(scalar))
            if columns > 20 { return out + "…" }
            out.unicodeScalars.append(scalar)
        }
        return out
    }
}
