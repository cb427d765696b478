/// Finds out which of the people in an export is the one it belongs to.
///
/// In this order: what the user says, the profile file, the one who is in (nearly) all conversations. A conversation
/// on its own may still tell (``owner(of:title:)``). Where nothing tells, nobody is the owner: unknown is better than
/// wrong.
struct AccountOwner {
    private let said: OwnIdentities
    private var profileNames: Set<String> = []
    /// Values of the profile under labels that are not known, because labels are translated.
    private var profileValues: Set<String> = []
    private var threads: [[String]] = []
    private var common: String?
    private var isSettled = false

    init(said: [String]) { self.said = OwnIdentities(said) }

    /// Takes in a profile file.
    ///
    /// - Returns: the platform it is of, if it is one.
    mutating func add(profile: JSONNode) -> MetaPlatform? {
        if let name = profile["username"]?.metaText {
            // Until 2020.
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

    /// Takes in the people of a conversation.
    mutating func add(participants: [String]) {
        if !participants.isEmpty { threads.append(participants) }
    }

    /// Who is the owner in a conversation, by name; nil: unknown.
    mutating func owner(of participants: [String], title: String?) -> Set<String>? {
        settle()
        let own = participants.filter { said.contains($0) }
        if !own.isEmpty { return Set(own) }
        if !profileNames.isDisjoint(with: participants) { return profileNames }
        // Two people of one name cannot be told apart.
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
            // A translated label: the value that is somebody's name in the conversations.
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
        // Somebody else who is everywhere too makes it a guess.
        if everywhere.count == 1 { common = everywhere.first?.key }
    }
}
