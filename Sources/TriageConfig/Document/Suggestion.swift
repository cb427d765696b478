/// Suggests what a misspelt name was meant to be.
package enum Suggestion {
    /// A remedy for an unknown name: `did you mean 'x'?`, or else the list of known names.
    package static func remedy(for name: String, among known: [String]) -> String {
        if let best = closest(to: name, among: known) { return "did you mean '\(best)'?" }
        return known.isEmpty ? "remove it" : "one of: \(known.joined(separator: ", "))"
    }

    /// The closest name, if it is close enough to be a typo: at most a third of the letters differ.
    package static func closest(to name: String, among known: [String]) -> String? {
        // Nobody mistypes a name of this length, and the comparison is quadratic.
        guard name.utf8.count <= 100 else { return nil }
        let typed = normalized(name)
        var best: (name: String, distance: Int)?
        for candidate in known {
            let other = normalized(candidate)
            let distance = distance(typed, other)
            guard distance <= max(1, max(typed.count, other.count) / 3) else { continue }
            if distance < best?.distance ?? Int.max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Differences in case, `-` and `_` are the most common, and cost nothing.
    private static func normalized(_ name: String) -> [UInt8] {
        name.utf8.compactMap { byte in
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { return nil }
            return (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        }
    }

    /// The edit distance in which swapped neighbors count as one edit (optimal string alignment).
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        var row = last
        for i in 1...a.count {
            row[0] = i
            for j in 1...b.count {
                let isSame = a[i - 1] == b[j - 1]
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
