/// Formats amounts of money so that every reader of JSON and of metrics understands them.
package enum DecimalText {
    /// Six decimal places at most, and at least one.
    package static func dollars(_ amount: Double) -> String {
        guard amount.isFinite else { return "0" }
        let millionths = Int(min(max(amount, 0), 1e12) * 1e6 + 0.5)
        var places = String(millionths % 1_000_000)
        places = String(repeating: "0", count: 6 - places.count) + places
        while places.count > 1, places.last == "0" { places.removeLast() }
        return "\(millionths / 1_000_000).\(places)"
    }
}
