/// Says in a sentence why a message has no draft.
enum NoDraftWords {
    /// - Parameter reason: as the output has it under `no_draft`.
    static func sentence(for reason: String) -> String {
        switch reason {
        case "joke": "It reads like a joke; a serious reply would be out of place."
        case "abuse": "It reads like abuse; a reply would gain nothing."
        case "nothing-to-answer": "It asks for nothing."
        case "needs-a-fact": "It asks something that neither your FAQ nor your profile answers."
        default: "It is not clear enough what the sender wants."
        }
    }
}
