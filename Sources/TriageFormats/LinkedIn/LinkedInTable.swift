/// One of the tables of a LinkedIn export, told by its header alone: other exports use the same file names.
struct LinkedInTable {
    enum Kind {
        case messages
        /// Requests to connect; some have words with them.
        case invitations
        /// Says what the owner is called.
        case profile
        /// Belongs to an export and has no messages.
        case other
    }

    let kind: Kind
    let table: NamedTable

    init?(_ opening: Opening) {
        guard let found = NamedTable.find(opening, Self.kind(of:)) else { return nil }
        (kind, table) = found
    }

    private static func kind(of names: Set<String>) -> Kind? {
        if names.isSuperset(of: ["from", "to", "date", "content"]),
            !names.isDisjoint(with: ["conversation id", "direction", "folder"])
        {
            return .messages
        }
        if names.isSuperset(of: ["from", "to", "sent at", "message", "direction"]) { return .invitations }
        if names.isSuperset(of: ["first name", "last name", "headline"]) { return .profile }
        if names.isSuperset(of: ["first name", "last name", "connected on"]) { return .other }
        return nil
    }

    /// Whether people can be told apart by more than their names.
    var hasAddresses: Bool { table.has("sender profile url") }

    /// What stands in the address of a person or page; nil when there is none.
    static func slug(_ address: String) -> String? {
        var path = Substring(address.trimmingBlanks())
        if let end = path.firstIndex(where: { $0 == "?" || $0 == "#" }) { path = path[..<end] }
        let parts = path.split(separator: "/")
        if let mark = parts.firstIndex(of: "in"), mark + 1 < parts.count { return String(parts[mark + 1]) }
        return parts.count > 2 ? parts.last.map(String.init) : nil
    }
}
