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

/// A confusion matrix as inline SVG: the darker a cell, the larger its share of the row.
enum SVGConfusion {
    static func svg(_ matrix: ConfusionMatrix, title: String) -> String {
        let rows = matrix.classes.indices.filter { matrix.support($0) > 0 }
        let hasNone = rows.contains { matrix[$0, matrix.classes.count] > 0 }
        let columns = matrix.classes.indices.map { $0 } + (hasNone ? [matrix.classes.count] : [])
        let (cell, height, left, top) = (78.0, 40.0, 92.0, 40.0)
        let width = left + cell * Double(columns.count) + 4
        let total = top + height * Double(rows.count) + 4
        var body = "<text class=\"axis\" x=\"\(coordinate(left))\" y=\"14\">answer</text>"
        body +=
            "<text class=\"axis\" x=\"\(coordinate(left - 8))\" y=\"\(coordinate(top - 8))\" text-anchor=\"end\">gold</text>"
        for (place, column) in columns.enumerated() {
            let name = column == matrix.classes.count ? "none" : matrix.classes[column]
            body +=
                "<text class=\"tick\" x=\"\(coordinate(left + cell * (Double(place) + 0.5)))\" y=\"\(coordinate(top - 8))\" text-anchor=\"middle\">"
                + "\(MarkupText.escaped(name))</text>"
        }
        for (line, row) in rows.enumerated() {
            let y = top + height * Double(line)
            body +=
                "<text class=\"tick\" x=\"\(coordinate(left - 8))\" y=\"\(coordinate(y + height / 2 + 4))\" text-anchor=\"end\">"
                + "\(MarkupText.escaped(matrix.classes[row]))</text>"
            for (place, column) in columns.enumerated() {
                let x = left + cell * Double(place)
                let count = matrix[row, column]
                let share = Double(count) / Double(max(1, matrix.support(row)))
                let style = column == row ? "hit" : "miss"
                body +=
                    "<rect class=\"frame\" x=\"\(coordinate(x + 1))\" y=\"\(coordinate(y + 1))\" width=\"\(coordinate(cell - 2))\" height=\"\(coordinate(height - 2))\"/>"
                    + "<rect class=\"\(style)\" x=\"\(coordinate(x + 1))\" y=\"\(coordinate(y + 1))\" width=\"\(coordinate(cell - 2))\""
                    + " height=\"\(coordinate(height - 2))\" fill-opacity=\"\(NumberText.fixed(share * 0.5, places: 2))\"/>"
                    + "<text class=\"count\" x=\"\(coordinate(x + cell / 2))\" y=\"\(coordinate(y + 18))\" text-anchor=\"middle\">\(count)</text>"
                    + "<text class=\"share\" x=\"\(coordinate(x + cell / 2))\" y=\"\(coordinate(y + 32))\" text-anchor=\"middle\">"
                    + "\(NumberText.fixed(share * 100, places: 0)) %</text>"
            }
        }
        return
            "<svg role=\"img\" aria-label=\"\(MarkupText.escaped(title))\" viewBox=\"0 0 \(coordinate(width)) \(coordinate(total))\""
            + " width=\"\(coordinate(width))\" height=\"\(coordinate(total))\">\(body)</svg>"
    }
}

/// The headline of one question by slice, with intervals, as inline SVG: a line for each slice, a mark for each method.
enum SVGSlices {
    static func svg(_ methods: [MethodReport], question: EvaluatedQuestion) -> String {
        guard let first = methods.first else { return "" }
        let slices = first.slices.filter { $0.question == question }
        guard !slices.isEmpty else { return "" }
        let name = question.headline
        func metric(_ method: MethodReport, _ slice: SliceReport) -> Metric? {
            method.slices.first {
                $0.question == question && $0.dimension == slice.dimension && $0.value == slice.value
            }?.metrics.first { $0.name == name }
        }
        // Shares go up to 1, points to what there is.
        var top = 1.0
        if question == .opportunity {
            let values = methods.flatMap { method in
                slices.compactMap { metric(method, $0).flatMap { $0.interval?.high ?? $0.value } }
            }
            top = max(1, values.max() ?? 1)
        }
        let (left, right, rowHeight, header) = (214.0, 16.0, 12.0 + 8.0 * Double(methods.count), 22.0)
        let width = 720.0
        let span = width - left - right
        func x(_ value: Double) -> Double { left + max(0, min(1, value / top)) * span }
        var y = 8.0
        var body = ""
        var dimension = ""
        for slice in slices {
            if slice.dimension != dimension {
                dimension = slice.dimension
                y += header
                body +=
                    "<text class=\"axis\" x=\"8\" y=\"\(coordinate(y - 6))\">by \(MarkupText.escaped(dimension))</text>"
            }
            let middle = y + rowHeight / 2
            body +=
                "<line class=\"grid\" x1=\"\(coordinate(left))\" y1=\"\(coordinate(middle))\" x2=\"\(coordinate(width - right))\" y2=\"\(coordinate(middle))\"/>"
            let label = slice.value.count > 20 ? String(slice.value.prefix(19)) + "…" : slice.value
            body +=
                "<text class=\"tick\" x=\"\(coordinate(left - 62))\" y=\"\(coordinate(middle + 4))\" text-anchor=\"end\">\(MarkupText.escaped(label))</text>"
                + "<text class=\"tick\" x=\"\(coordinate(left - 10))\" y=\"\(coordinate(middle + 4))\" text-anchor=\"end\">n=\(slice.count)</text>"
            for (series, method) in methods.enumerated() {
                guard let found = metric(method, slice), let value = found.value else { continue }
                let line = middle + 8 * (Double(series) - Double(methods.count - 1) / 2)
                let style = "s\(series % 4 + 1)"
                if let interval = found.interval {
                    body +=
                        "<line class=\"line \(style)\" x1=\"\(coordinate(x(interval.low)))\" y1=\"\(coordinate(line))\" x2=\"\(coordinate(x(interval.high)))\" y2=\"\(coordinate(line))\"/>"
                }
                let note =
                    "\(method.name), \(slice.value): \(NumberText.metric(name, value)) \(NumberText.interval(name, found.interval))"
                body += SVGPlot.marker(series, x(value), line, 4, style: style, note: note)
            }
            y += rowHeight
        }
        for step in 0...4 {
            let value = top * Double(step) / 4
            body +=
                "<text class=\"tick\" x=\"\(coordinate(x(value)))\" y=\"\(coordinate(y + 16))\" text-anchor=\"middle\">\(NumberText.fixed(value, places: question == .opportunity ? 1 : 2))</text>"
        }
        y += 24
        return
            "<svg role=\"img\" aria-label=\"\(MarkupText.escaped("\(question.rawValue) \(name) by slice"))\" viewBox=\"0 0 \(coordinate(width)) \(coordinate(y))\""
            + " width=\"\(coordinate(width))\" height=\"\(coordinate(y))\">\(body)</svg>"
    }
}
