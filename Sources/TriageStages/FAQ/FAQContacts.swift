import TriageCore

/// E-mail addresses that the creator's FAQ library gives for certain matters.
///
/// A draft directs deals, licence requests and trouble with orders to them, because the creator tells everybody to
/// write there.
package struct FAQContacts: Sendable, Equatable {
    /// An entry of the library that says where to write.
    package struct Contact: Sendable, Equatable {
        /// Index of the entry.
        package var entry: Int
        /// The first e-mail address of its answer.
        package var address: String
    }

    package var deals: Contact?
    /// For the use of the creator's work; nil: such requests go where deals go.
    package var licences: Contact?
    package var orders: Contact?

    /// Creates contacts for a library in which no entry says where to write.
    package init() {}

    /// Finds the contacts of a library.
    ///
    /// - Parameters:
    ///   - library: the creator's answers.
    ///   - topics: the topics of each entry's questions.
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

    /// Returns the first word of an answer that is an e-mail address: some text, an at sign, and a host with a dot.
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
