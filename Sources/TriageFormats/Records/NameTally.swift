/// Counts in how many conversations each name takes part, to find the one an export belongs to.
///
/// Bounded: beyond ``limit`` pairs of name and conversation it learns nothing more.
struct NameTally {
    private static let limit = 500_000

    private var conversations: [String: UInt32] = [:]
    private var names: [String: UInt32] = [:]
    private var counts: [Int] = []
    private var seen = Set<UInt64>()

    /// Counts a name once for a conversation.
    mutating func add(_ name: String, in conversation: String) {
        guard seen.count < Self.limit else { return }
        let place = conversations[conversation] ?? UInt32(conversations.count)
        conversations[conversation] = place
        let number = names[name] ?? UInt32(names.count)
        if number == counts.count {
            names[name] = number
            counts.append(0)
        }
        if seen.insert(UInt64(place) << 32 | UInt64(number)).inserted { counts[Int(number)] += 1 }
    }

    /// The name that is in (nearly) all conversations, two at least; nil when there is none, or several are.
    ///
    /// Merely the most is not enough: in rooms where the owner only reads, somebody else writes most.
    var most: String? {
        let needed = max(2, (conversations.count * 9 + 9) / 10)
        let everywhere = names.filter { counts[Int($0.value)] >= needed }
        guard let most = everywhere.values.map({ counts[Int($0)] }).max() else { return nil }
        let first = everywhere.filter { counts[Int($0.value)] == most }
        return first.count == 1 ? first.first?.key : nil
    }
}
