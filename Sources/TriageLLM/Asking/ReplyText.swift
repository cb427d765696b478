/// What the bytes of a reply are before anybody asks what they say.
enum ReplyText {
    /// The one object of an answer, or what is wrong with it.
    ///
    /// An object that ends in its middle counts as cut whatever the server says: servers say `stop` for cut answers.
    static func object(in reply: ChatReply) -> Result<JSONValue, AskingFault> {
        let blanks = reply.text.count { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if blanks == reply.text.count { return fault(.empty, "the answer is empty") }
        do throws(JSONFault) {
            return .success(try StrictJSON.answer(in: reply.text))
        } catch {
            // Some models fall into blanks until the allowance is used up.
            if blanks * 10 > reply.text.count * 9 { return fault(.whitespace, "the answer is nearly all blanks") }
            switch error.kind {
            case .unexpectedEnd: return fault(.truncated, "the JSON object has no end")
            case .severalObjects: return fault(.notJSON, "there is more than one JSON object")
            case .duplicateKey: return fault(.notJSON, "a key stands twice in one JSON object")
            default: return fault(.notJSON, "the answer is not one JSON object by RFC 8259")
            }
        }
    }

    /// Whether the run's private word is in it, in any case and however spaced: the instructions were told to somebody.
    static func leaks(_ canary: Canary, in reply: ChatReply) -> Bool {
        Text.contains(
            Text.skeleton(String(decoding: reply.text, as: UTF8.self)), Array(canary.word.unicodeScalars))
    }

    private static func fault(_ kind: CallFailure.BadOutput, _ error: String) -> Result<JSONValue, AskingFault> {
        .failure(AskingFault(.badOutput(kind), errors: [error]))
    }
}
