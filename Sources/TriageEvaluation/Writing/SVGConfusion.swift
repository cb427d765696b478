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
