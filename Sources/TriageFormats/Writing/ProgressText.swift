/// The words of a progress line.
package enum ProgressText {
    /// `12,400 messages, 8,200/s, 31 fan, 12 business, 4 spam, 1 urgent, 2 min left`, cut to `columns`.
    ///
    /// - Parameters:
    ///   - counts: so far.
    ///   - seconds: since the start.
    ///   - bytesDone: of the input.
    ///   - bytesTotal: nil when it is unknown, as in a pipe: nothing is said about the time left.
    package static func line(
        _ counts: RunCounts, seconds: Double, bytesDone: Int = 0, bytesTotal: Int? = nil, columns: Int = 80
    ) -> String {
        var parts = ["\(MoneyText.count(counts.read)) records"]
        if seconds > 0.2 { parts.append("\(MoneyText.count(Int(Double(counts.read) / seconds)))/s") }
        for (name, count) in zip(["fan", "business", "spam"], counts.categories) where count > 0 {
            parts.append("\(MoneyText.count(count)) \(name)")
        }
        if counts.urgent > 0 { parts.append("\(MoneyText.count(counts.urgent)) urgent") }
        if let total = bytesTotal, bytesDone > 0, bytesDone < total, seconds > 1 {
            parts.append(left(seconds * Double(total - bytesDone) / Double(bytesDone)))
        }
        return TerminalText.line(parts.joined(separator: ", "), columns: columns)
    }

    /// Rounded up, so that it does not promise too much.
    private static func left(_ seconds: Double) -> String {
        if seconds < 60 { return "\(Int(seconds.rounded(.up))) s left" }
        if seconds < 5400 { return "\(Int((seconds / 60).rounded(.up))) min left" }
        return seconds < 3.6e8 ? "\(Int((seconds / 3600).rounded(.up))) h left" : "a long time left"
    }
}
