/// Finds out which of the people in a LinkedIn export is the one it belongs to.
///
/// In this order: who sent the invitations, the one with the name of the profile, the one who is in nearly all
/// conversations. Where nothing tells, nobody is the owner.
struct LinkedInOwner {
    private var profileName: String?
    private var inviter: String?
    private var common = NameTally()
    /// Addresses of those who have the name of the profile, once it is known, else of everybody.
    private var named: [String: Set<String>] = [:]
    private static let limit = 100_000

    private(set) var slug: String?
    private(set) var name: String?
    private(set) var isSettled = false

    mutating func add(profile name: String) { if !name.isEmpty { profileName = name } }

    mutating func add(inviter slug: String) { inviter = inviter ?? slug }

    mutating func add(sender: String, slug: String) {
        guard named.count < Self.limit else { return }
        named[sender, default: []].insert(slug)
    }

    mutating func add(_ slugs: Set<String>, to conversation: String) {
        for slug in slugs { common.add(slug, in: conversation) }
    }

    /// Decides by what is known; later calls change nothing.
    mutating func settle() {
        guard !isSettled else { return }
        isSettled = true
        name = profileName
        if let inviter {
            slug = inviter
        } else if let own = profileName.flatMap({ named[$0] }), own.count == 1 {
            slug = own.first
        } else {
            let found = common.most
            // Somebody else's name would be a contradiction.
            if let found, let own = profileName.flatMap({ named[$0] }), !own.contains(found) { return }
            slug = found
        }
    }

    /// Whether a message is the owner's; nil: unknown.
    func isOwn(_ sender: (name: String?, slug: String?), hasAddresses: Bool) -> Bool? {
        if let own = slug, let other = sender.slug { return own == other }
        if sender.slug == nil, let name, let other = sender.name, !hasAddresses { return name == other }
        // Who has no address any more is not the owner, who has one.
        if slug != nil, hasAddresses { return false }
        return nil
    }
}
