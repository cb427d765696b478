/// Counts in how many conversations each name takes part, to find the one an export belongs to.
///
/// Bounded: names that come after the limit are not counted.
struct NameTally {
    private static let limit = 50_000

    private var counts: [String: Int] = [:]
    private var seen = Set<String>()

    /// Counts a name once for a conversation.
    mutating func add(_ name: String, in conversation: String) {
        guard counts.count < Self.limit, seen.count < 4 * Self.limit else { return }
        if seen.insert(conversation + "\u{0}" + name).inserted { counts[name, default: 0] += 1 }
    }

    /// The name that is in more conversations than any other, and in two at least; nil when there is none.
    var most: String? {
        let sorted = counts.values.sorted(by: >)
        guard let first = sorted.first, first >= 2, sorted.count == 1 || sorted[1] < first else { return nil }
        return counts.first { $0.value == first }?.key
    }
}
