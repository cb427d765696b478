internal import ShippedLanguages
internal import TriageCore

/// How a message addresses its reader, as far as its words show it: du or Sie, tú or usted, tu or vous.
struct AddressForm: Sendable {
    /// Which wordings of a situation are taken; raw values are places behind each other in ``ReplyBook/choices``.
    enum Form: Int, CaseIterable {
        /// As the creator does, else as the words come.
        case habit
        /// du, tú, tu, and Sie, usted, vous.
        case near, polite
    }

    /// Words of a language, by ``GrowingHash`` of their bytes: formal ones as they are written, others in small letters.
    private struct Words {
        let formal, near: WordSet
    }

    /// By place in ``ReplyTemplates/languages``; nil: the language has no two forms, or nobody has listed them.
    private let words: [Words?]

    /// Bytes of a text that are looked at.
    private static let limit = 1500

    init() {
        var lists: [String: [String]] = [:]
        for entry in ShippedLanguages.entries(of: "own_replies") {
            lists["\(entry.language) \(entry.key)", default: []] += entry.values
        }
        words = ReplyTemplates.languages.map { language in
            guard let formal = lists["\(language) formal"], let near = lists["\(language) informal"] else { return nil }
            func set(_ words: [String]) -> WordSet { WordSet(words.joined(separator: " ")) { GrowingHash.of($0) } }
            return Words(formal: set(formal), near: set(near))
        }
    }

    /// What the text shows; nil: nothing, or both.
    ///
    /// - Parameter place: of the text's language in ``ReplyTemplates/languages``.
    func form(of text: UnsafeBufferPointer<UInt8>, place: Int) -> Form? {
        guard words.indices.contains(place), let words = words[place] else { return nil }
        var (isFormal, isNear) = (false, false)
        var (written, small) = (GrowingHash(), GrowingHash())
        var count = 0
        // Whether a word begins a sentence: a capital says nothing there.
        var (begins, isFirst) = (true, true)
        func close() {
            guard count > 0 else { return }
            if !isFirst, words.formal.contains(hash: written.value) { isFormal = true }
            if words.near.contains(hash: small.value) { isNear = true }
            (written, small, count) = (GrowingHash(), GrowingHash(), 0)
            begins = false
        }
        var before: UInt8 = 0
        // Bytes of a mark of several bytes that are still to come.
        var ofMark = 0
        for byte in text.prefix(Self.limit) {
            // Marks such as ¿ and », and dashes and quotes such as „ and ’.
            if byte == 0xC2 { ofMark = 2 } else if before == 0xE2, byte == 0x80 { ofMark = 2 }
            let isLetter = ofMark == 0 && byte != 0xE2 && (byte >= 0x80 || (byte | 0x20) &- 0x61 < 26)
            if ofMark > 0 { ofMark -= 1 }
            before = byte
            if isLetter {
                if count == 0 { isFirst = begins }
                written.add(byte)
                small.add(byte &- 0x41 < 26 ? byte | 0x20 : byte)
                count += 1
            } else {
                close()
                if [0x2E, 0x21, 0x3F, 0x3A, 0x0A].contains(byte) { begins = true }
            }
        }
        close()
        return isFormal == isNear ? nil : isFormal ? .polite : .near
    }
}
