/// Numbers in words, the same on every machine and in every locale.
enum NumberText {
    /// With a fixed number of decimals, rounded half away from zero; `-` for none.
    static func fixed(_ value: Double?, places: Int = 3) -> String {
        guard let value, value.isFinite, abs(value) < 1e12 else { return "-" }
        let power = (0..<places).reduce(1.0) { product, _ in product * 10 }
        let scaled = (abs(value) * power).rounded()
        let whole = Int(scaled / power)
        let rest = Int(scaled - Double(whole) * power)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = "\(rest)"
        return "\(sign)\(whole).\(String(repeating: "0", count: places - digits.count))\(digits)"
    }

    /// A p-value: small ones as a bound.
    static func p(_ value: Double) -> String { value < 0.0001 ? "<0.0001" : fixed(value, places: 4) }

    /// Points of opportunities have two decimals, shares three.
    static func metric(_ name: String, _ value: Double?) -> String {
        fixed(value, places: name.hasPrefix("mae") ? 2 : 3)
    }

    static func interval(_ name: String, _ interval: Interval?) -> String {
        guard let interval else { return "" }
        return "\(metric(name, interval.low))..\(metric(name, interval.high))"
    }

    /// All digits, for machines.
    static func exact(_ value: Double?) -> String { value.flatMap { $0.isFinite ? "\($0)" : nil } ?? "null" }
}
