/// Learns from the mails of an export whose mailbox it is.
struct MailOwner {
    private let named: Set<String>
    private var delivered: [String: Int] = [:]
    private var deliveries = 0
    private var sent = Set<String>()

    /// - Parameter identities: what the user said of themselves; addresses among them settle it.
    init(identities: [String]) {
        named = Set(identities.filter { $0.contains("@") && $0.first != "@" }.map(Self.normalized))
    }

    /// Takes the evidence of one mail.
    mutating func learn(from: String?, deliveredTo: [String], isSent: Bool) {
        if isSent, let from { sent.insert(Self.normalized(from)) }
        guard !deliveredTo.isEmpty else { return }
        deliveries += 1
        for address in Set(deliveredTo.map(Self.normalized)) {
            // No mailbox has that many addresses; mails that were collected have.
            guard delivered[address] != nil || delivered.count < 10_000 else { continue }
            delivered[address, default: 0] += 1
        }
    }

    var isKnown: Bool { !named.isEmpty || !sent.isEmpty || !delivered.isEmpty }

    /// Whether an address is the owner's; nil: the owner is unknown.
    func isOwn(_ address: String?) -> Bool? {
        guard isKnown, let address else { return nil }
        let own = Self.normalized(address)
        if !named.isEmpty { return named.contains(own) }
        if sent.contains(own) { return true }
        // Lists deliver to themselves first, but not a tenth of all mail.
        return delivered[own].map { $0 * 10 >= deliveries } ?? false
    }

    /// In lower case; Gmail knows neither dots nor what follows a plus.
    static func normalized(_ address: String) -> String {
        let text = address.lowercased()
        guard let at = text.lastIndex(of: "@") else { return text }
        let domain = text[text.index(after: at)...]
        guard domain == "gmail.com" || domain == "googlemail.com" else { return text }
        return text[..<at].prefix { $0 != "+" }.filter { $0 != "." } + "@gmail.com"
    }
}
