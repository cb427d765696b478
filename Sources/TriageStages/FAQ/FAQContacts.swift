import TriageCore

/// E-mail addresses that the creator's library gives for a matter.
///
/// A draft sends a deal, a licence request or trouble with an order there, because the creator tells everybody to.
package struct FAQContacts: Sendable, Equatable {
    /// An entry of the library that says where to write.
    package struct Contact: Sendable, Equatable {
        /// Index of the entry.
        package var entry: Int
        /// The first e-mail address of its answer.
        package var address: String
    }

    package var deals: Contact?
    /// For the use of the creator's work; nil: those go where deals go.
    package var licences: Contact?
    package var orders: Contact?

    /// No entry says where to write.
    package init() {}

    /// - Parameters:
    ///   - library: the creator's answers.
    ///   - topics: what the questions of each entry speak of.
    init(_ library: FAQLibrary, topics: [FAQTerms.Topics]) {
        let addresses = library.entries.map { Self.address(in: $0.answer) }
        let hasAddress = addresses.map { $0 != nil }
        func contact(_ matter: FAQTerms.Topics) -> Contact? {
            guard let entry = FAQTerms.contact(among: topics, hasAddress: hasAddress, for: matter),
                let address = addresses[entry]
            else { return nil }
            return Contact(entry: entry, address: address)
        }
        deals = contact([.sponsor, .collab, .rates])
        licences = contact(.licence)
        orders = contact([.order, .return])
    }

    /// The first word of an answer that is an e-mail address: something, an at sign, and a host with a dot.
    static func address(in answer: String) -> String? {
        for word in answer.split(whereSeparator: \.isWhitespace) {
            let word = String(
                word.drop { !$0.isLetter && !$0.isNumber }.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
            let parts = word.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1].dropFirst().dropLast().contains(".") else { continue }
            return word.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 } ? word : nil
        }
        return nil
    }
}
