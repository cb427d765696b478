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
