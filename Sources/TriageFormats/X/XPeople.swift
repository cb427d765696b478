/// Who is who in an X archive, where messages name people by number only.
///
/// Names come from posts that mention or answer somebody, in their newest spelling.
struct XPeople {
    struct Person {
        var handle: String
        var name: String?
        /// Id of the post that said so; later posts have larger ones.
        var stamp: UInt64
    }

    /// People that are remembered at most.
    private static let limit = 200_000

    private var people: [String: Person] = [:]
    /// The owner of the archive in each folder.
    private var owners: [String: String] = [:]
    private var ownNames: [String: Person] = [:]
    /// Who is in all conversations of two; nil before the first.
    private var common: Set<String>?
    private var conversations = Set<String>()

    mutating func add(account node: JSONNode, folder: String) {
        guard let id = node["accountId"]?.xID else { return }
        owners[folder] = id
        guard let handle = node["username"]?.string ?? node["userName"]?.string, !handle.isEmpty else { return }
        ownNames[id] = Person(
            handle: handle, name: node["accountDisplayName"]?.string ?? node["displayName"]?.string, stamp: .max)
    }

    /// Takes down whom a post names.
    mutating func add(post: JSONNode) {
        let stamp = post["id_str"]?.xID.flatMap { UInt64($0) } ?? 0
        for mention in post["entities"]?["user_mentions"]?.elements ?? [] {
            add(mention["id_str"]?.xID ?? mention["id"]?.xID, mention["screen_name"], mention["name"], stamp)
        }
        add(post["in_reply_to_user_id_str"]?.xID, post["in_reply_to_screen_name"], nil, stamp)
    }

    private mutating func add(_ id: String?, _ handle: JSONNode?, _ name: JSONNode?, _ stamp: UInt64) {
        // Mentions of accounts that are gone have the id -1.
        guard let id, !id.hasPrefix("-"), let handle = handle?.string, !handle.isEmpty else { return }
        let known = people[id]
        guard known.map({ stamp >= $0.stamp }) ?? (people.count < Self.limit) else { return }
        people[id] = Person(
            handle: handle, name: name?.string ?? (known?.handle == handle ? known?.name : nil), stamp: stamp)
    }

    /// Takes down a conversation of two, `1000-2000`.
    mutating func add(conversation: String) {
        let pair = conversation.split(separator: "-").map(String.init)
        guard pair.count == 2 else { return }
        if conversations.count < 2 { conversations.insert(conversation) }
        common = common?.intersection(pair) ?? Set(pair)
    }

    /// The owner's id; nil: unknown.
    func owner(folder: String) -> String? {
        if let owner = owners[folder] { return owner }
        // One archive in several parts has its account file in one of them.
        let all = Set(owners.values)
        guard all.isEmpty else { return all.count == 1 ? all.first : nil }
        guard conversations.count > 1, let common, common.count == 1 else { return nil }
        return common.first
    }

    /// What somebody is called, and whether a post said so.
    func person(_ id: String) -> (person: Person, isFromPost: Bool)? {
        if let own = ownNames[id] { return (own, false) }
        return people[id].map { ($0, true) }
    }
}

extension JSONNode {
    /// An id of X: digits, written as a string or, in old files, as a number.
    var xID: String? {
        switch self {
        case .string(let text), .number(let text): text.isEmpty || text.utf8.count > 32 ? nil : text
        default: nil
        }
    }
}
