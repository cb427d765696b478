import TriageCore

/// Resolves the ids of people and conversations in a Slack export, using its lists.
struct SlackDirectory {
    struct Person {
        var handle: String?
        var name: String?
        var isBot = false
    }

    struct Conversation {
        var id: String
        var name: String?
        /// `channel`, `group`, `dm` or `mpim`.
        var type: String
        /// The members' ids, without duplicates.
        var members: [String]
    }

    /// Maximum number of people and conversations remembered, and maximum number of members of one conversation.
    private static let limit = 500_000
    private static let memberLimit = 10_000

    private var people: [String: Person] = [:]
    /// Conversations by scope and name, or by scope and id.
    private var conversations: [String: Conversation] = [:]
    private var channelNames: [String: String] = [:]
    /// The people who are in all direct messages of a scope.
    private var common: [String: Set<String>] = [:]
    /// Ids of the accounts that the user says are theirs.
    private var own = Set<String>()
    private let said: OwnIdentities

    /// - Parameter said: the owner's handles, names, ids and email addresses.
    init(said: [String]) {
        self.said = OwnIdentities(said)
        people["USLACKBOT"] = Person(handle: "slackbot", name: "Slackbot", isBot: true)
    }

    // MARK: Lists

    mutating func add(person node: JSONNode) {
        guard let id = node["id"]?.identifier, people.count < Self.limit else { return }
        let person = Self.person(node, profile: node["profile"])
        people[id] = person
        guard !said.isEmpty else { return }
        // The email address is compared but not stored.
        let names = [id, person.handle, person.name, node["profile"]?["email"]?.string].compactMap { $0 }
        if names.contains(where: { said.contains($0) }) { own.insert(id) }
    }

    /// A person with the names from the account and its profile.
    static func person(_ node: JSONNode?, profile: JSONNode?) -> Person {
        func filled(_ node: JSONNode?) -> String? { node?.string.flatMap { $0.isEmpty ? nil : $0 } }
        var person = Person()
        person.handle = filled(node?["name"])
        person.name =
            filled(profile?["real_name"]) ?? filled(profile?["display_name"]) ?? filled(node?["real_name"])
        person.isBot = node?["is_bot"]?.bool ?? false
        return person
    }

    mutating func add(conversation node: JSONNode, type: String, scope: String) {
        guard let id = node["id"]?.identifier, conversations.count < Self.limit else { return }
        var seen = Set<String>()
        // A conversation with oneself lists its only member twice.
        let members = (node["members"]?.elements ?? []).prefix(Self.memberLimit).compactMap(\.identifier).filter {
            seen.insert($0).inserted
        }
        let name = node["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        let conversation = Conversation(id: id, name: name, type: type, members: members)
        conversations[Self.key(scope, id)] = conversation
        if let name {
            conversations[Self.key(scope, name)] = conversation
            channelNames[id] = name
        }
        if type == "dm", !members.isEmpty { common[scope] = common[scope]?.intersection(members) ?? Set(members) }
    }

    private static func key(_ scope: String, _ name: String) -> String { scope + "\n" + name }

    // MARK: Lookups

    func person(_ id: String) -> Person? { people[id] }

    func channelName(_ id: String) -> String? { channelNames[id] }

    /// - Parameter scopes: the scope of its folder, then other scopes that may have the list.
    func conversation(_ folder: String, in scopes: [String]) -> Conversation? {
        for scope in scopes {
            if let found = conversations[Self.key(scope, folder)] { return found }
        }
        return nil
    }

    /// Whether a person is the owner; nil: unknown.
    func isOwn(_ id: String?, in scopes: [String]) -> Bool? {
        guard said.isEmpty else { return own.isEmpty ? nil : id.map(own.contains) ?? false }
        return owner(in: scopes).map { $0 == id }
    }

    /// The person who is in all direct messages; nil: nobody, or more than one.
    private func owner(in scopes: [String]) -> String? {
        for scope in scopes {
            if let everywhere = common[scope] { return everywhere.count == 1 ? everywhere.first : nil }
        }
        return nil
    }

    /// The title of a conversation: its name, or the people in it.
    func title(of conversation: Conversation, in scopes: [String]) -> String? {
        if let name = conversation.name { return name }
        let owner = said.isEmpty ? owner(in: scopes).map { [$0] } ?? [] : own
        let others = conversation.members.filter { !owner.contains($0) }
        let names = (others.isEmpty ? conversation.members : others).map {
            people[$0]?.name ?? people[$0]?.handle ?? $0
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
