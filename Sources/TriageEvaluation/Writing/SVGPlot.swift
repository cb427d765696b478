/// A small plot of shares from 0 to 1 on both axes, as inline SVG whose colors the page decides.
struct SVGPlot {
    private static let width = 356.0
    private static let height = 280.0
    private static let left = 56.0
    private static let right = 20.0
    private static let top = 12.0
    private static let side = 224.0

    private let title: String
    private let lowest: Double
    private var body = ""

    /// - Parameters:
    ///   - lowest: where the y axis begins.
    init(title: String, xLabel: String, yLabel: String, lowest: Double = 0) {
        self.title = title
        self.lowest = min(0.95, max(0, lowest))
        let (left, top, side) = (Self.left, Self.top, Self.side)
        for step in 0...4 {
            let share = Double(step) / 4
            let (x, y) = (left + share * (Self.width - left - Self.right), top + (1 - share) * side)
            body +=
                "<line class=\"grid\" x1=\"\(coordinate(left))\" y1=\"\(coordinate(y))\" x2=\"\(coordinate(Self.width - Self.right))\" y2=\"\(coordinate(y))\"/>"
            let label = self.lowest + share * (1 - self.lowest)
            body += text("tick", left - 6, y + 4, NumberText.fixed(label, places: 2), anchor: "end")
            body += text("tick", x, top + side + 16, NumberText.fixed(share, places: 2), anchor: "middle")
        }
        body += text("axis", left + (Self.width - left - Self.right) / 2, Self.height - 8, xLabel, anchor: "middle")
        body +=
            "<text class=\"axis\" text-anchor=\"middle\" transform=\"translate(13 \(coordinate(top + side / 2))) rotate(-90)\">"
            + "\(MarkupText.escaped(yLabel))</text>"
    }

    /// The line on which stated and observed are the same.
    mutating func addDiagonal() {
        body += "<path class=\"ideal\" d=\"\(path([(lowest, lowest), (1, 1)]))\"/>"
    }

    /// A line with markers; `size` of a marker is 0…1.
    mutating func add(series: Int, _ points: [(x: Double, y: Double, size: Double, note: String)], markers: Bool) {
        guard !points.isEmpty else { return }
        let style = "s\(series % 4 + 1)"
        body += "<path class=\"line \(style)\" d=\"\(path(points.map { ($0.x, $0.y) }))\"/>"
        guard markers else { return }
        for point in points {
            let (x, y) = place(point.x, point.y)
            let r = 3 + 3 * point.size.squareRoot()
            body += Self.marker(series, x, y, r, style: style, note: point.note)
        }
    }

    /// A shape for each series, so that color is not all that tells them apart.
    static func marker(_ series: Int, _ x: Double, _ y: Double, _ r: Double, style: String, note: String) -> String {
        let shape: String
        switch series % 4 {
        case 0:
            shape =
                "<circle class=\"dot \(style)\" cx=\"\(coordinate(x))\" cy=\"\(coordinate(y))\" r=\"\(coordinate(r))\">"
        case 1:
            shape =
                "<rect class=\"dot \(style)\" x=\"\(coordinate(x - r))\" y=\"\(coordinate(y - r))\" width=\"\(coordinate(2 * r))\" height=\"\(coordinate(2 * r))\">"
        case 2:
            shape =
                "<path class=\"dot \(style)\" d=\"M\(coordinate(x)) \(coordinate(y - r))L\(coordinate(x + r)) \(coordinate(y))L\(coordinate(x)) \(coordinate(y + r))L\(coordinate(x - r)) \(coordinate(y))Z\">"
        default:
            shape =
                "<path class=\"dot \(style)\" d=\"M\(coordinate(x)) \(coordinate(y - r))L\(coordinate(x + r)) \(coordinate(y + r))L\(coordinate(x - r)) \(coordinate(y + r))Z\">"
        }
        let tag = series % 4 == 0 ? "circle" : series % 4 == 1 ? "rect" : "path"
        return "\(shape)<title>\(MarkupText.escaped(note))</title></\(tag)>"
    }

    var svg: String {
        "<svg role=\"img\" aria-label=\"\(MarkupText.escaped(title))\" viewBox=\"0 0 \(coordinate(Self.width)) \(coordinate(Self.height))\""
            + " width=\"\(coordinate(Self.width))\" height=\"\(coordinate(Self.height))\">\(body)</svg>"
    }

    private func place(_ x: Double, _ y: Double) -> (Double, Double) {
        let share = max(0, min(1, (y - lowest) / (1 - lowest)))
        return (
            Self.left + max(0, min(1, x)) * (Self.width - Self.left - Self.right), Self.top + (1 - share) * Self.side
        )
    }

    private func path(_ points: [(Double, Double)]) -> String {
        points.enumerated().map { index, point in
            let (x, y) = place(point.0, point.1)
            return "\(index == 0 ? "M" : "L")\(coordinate(x)) \(coordinate(y))"
        }.joined()
    }

    private func text(_ style: String, _ x: Double, _ y: Double, _ words: String, anchor: String) -> String {
        "<text class=\"\(style)\" x=\"\(coordinate(x))\" y=\"\(coordinate(y))\" text-anchor=\"\(anchor)\">\(MarkupText.escaped(words))</text>"
    }
}

/// A coordinate with one decimal.
func coordinate(_ value: Double) -> String { NumberText.fixed(value, places: 1) }
