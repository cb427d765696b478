/// Finds out which person in an export is its owner.
///
/// It uses, in this order: the user's own statement, the profile file, and the person who is in (nearly) all
/// conversations. A single conversation may also show it (``owner(of:title:)``). Without evidence, nobody is the owner:
/// unknown is better than wrong.
struct AccountOwner {
    private let said: OwnIdentities
    private var profileNames: Set<String> = []
    /// Values of the profile whose labels are unknown, because labels are translated.
    private var profileValues: Set<String> = []
    private var threads: [[String]] = []
    private var common: String?
    private var isSettled = false

    init(said: [String]) { self.said = OwnIdentities(said) }

    /// Adds a profile file.
    ///
    /// - Returns: its platform; nil if it is not a profile.
    mutating func add(profile: JSONNode) -> MetaPlatform? {
        if let name = profile["username"]?.metaText {
            // The form used until 2020.
            profileNames.insert(name)
            return .instagram
        }
        if let user = profile["profile_user"]?.elements.first {
            for member in user["string_map_data"]?.members ?? [] {
                guard let value = member.value["value"]?.metaText, !value.isEmpty else { continue }
                if member.key == "Username" || member.key == "Name" { profileNames.insert(value) }
                profileValues.insert(value)
            }
            return .instagram
        }
        if let profile = profile["profile_v2"] {
            if let name = profile["name"]?["full_name"]?.metaText { profileNames.insert(name) }
            if let name = profile["username"]?.metaText { profileNames.insert(name) }
            return .messenger
        }
        return nil
    }

    /// Adds the participants of a conversation.
    mutating func add(participants: [String]) {
        if !participants.isEmpty { threads.append(participants) }
    }

    /// The names of the owner in a conversation; nil: unknown.
    mutating func owner(of participants: [String], title: String?) -> Set<String>? {
        settle()
        let own = participants.filter { said.contains($0) }
        if !own.isEmpty { return Set(own) }
        if !profileNames.isDisjoint(with: participants) { return profileNames }
        // Two people with the same name cannot be distinguished.
        guard Set(participants).count == participants.count else { return nil }
        if let common, participants.contains(common) { return [common] }
        guard common == nil, threads.count <= 1, participants.count == 2, let title else { return nil }
        let others = participants.filter { $0 != title }
        return others.count == 1 ? Set(others) : nil
    }

    private mutating func settle() {
        guard !isSettled else { return }
        isSettled = true
        let all = Set(threads.flatMap { $0 })
        if profileNames.isEmpty || profileNames.isDisjoint(with: all) {
            // The label is translated: use the value that is a participant's name.
            let known = profileValues.intersection(all)
            if known.count == 1 { profileNames = known }
        }
        guard threads.count >= 2 else { return }
        var counts: [String: Int] = [:]
        for thread in threads where Set(thread).count == thread.count {
            for name in thread { counts[name, default: 0] += 1 }
        }
        let needed = (threads.count * 9 + 9) / 10
        let everywhere = counts.filter { $0.value >= needed && $0.value >= 2 }
        // If a second person is in nearly all conversations too, it would be a guess.
        if everywhere.count == 1 { common = everywhere.first?.key }
    }
}
