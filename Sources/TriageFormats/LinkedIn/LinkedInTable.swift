/// One of the tables of a LinkedIn data export.
enum LinkedInTable: Equatable {
    case messages(NamedTable)
    /// The owner's own name.
    case profile(NamedTable)
    /// Invitations, sent and received.
    case invitations(NamedTable)
    /// Contacts.
    case other

    /// nil: the opening is of something else.
    init?(_ opening: Opening) {
        if let table = NamedTable(opening, Self.isMessages) {
            self = .messages(table)
        } else if let table = NamedTable(
            opening, { $0.isSuperset(of: ["first name", "last name", "headline", "geo location"]) })
        {
            self = .profile(table)
        } else if let table = NamedTable(opening, { $0.isSuperset(of: ["from", "to", "sent at", "direction"]) }) {
            self = .invitations(table)
        } else if NamedTable(opening, { $0.isSuperset(of: ["first name", "last name", "connected on"]) }) != nil {
            self = .other
        } else {
            return nil
        }
    }

    private static func isMessages(_ names: Set<String>) -> Bool {
        names.isSuperset(of: ["from", "to", "date", "content"])
            && !names.isDisjoint(with: ["conversation id", "direction", "folder"])
    }

    var hasMessages: Bool {
        if case .messages = self { true } else { false }
    }

    var table: NamedTable? {
        switch self {
        case .messages(let table), .profile(let table), .invitations(let table): table
        case .other: nil
        }
    }
}
