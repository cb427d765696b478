internal import ShippedLanguages
package import TriageCore

/// What a draft needs to know of who wrote.
struct ReplySender: Sendable {
    /// By byte, of the words that say that replies are not read: which of them begin with it (low half), and which may
    /// go on with it behind their first letter (high half).
    private let openings: [UInt8]

    /// First words of names that are no first names.
    private let notNames = WordSet(
        ShippedLanguages.entries(of: "not_names").flatMap(\.values).joined(separator: " "),
        by: { GrowingHash.of($0) })

    init() {
        var openings = [UInt8](repeating: 0, count: 256)
        for (bit, letters) in [("n", "oae"), ("d", "o"), ("m", "a"), ("k", "e")].enumerated() {
            for letter in letters.0.utf8 {
                for byte in [letter, letter & ~0x20] { openings[Int(byte)] |= 1 << UInt8(bit) }
            }
            for letter in letters.1.utf8 {
                for byte in [letter, letter & ~0x20] { openings[Int(byte)] |= 0x10 << UInt8(bit) }
            }
            for byte in "-_.".utf8 { openings[Int(byte)] |= 0x10 << UInt8(bit) }
        }
        self.openings = openings
    }

    /// Whether the sender's address or handle says that replies are not read.
    @inline(__always)
    func takesNoReplies(_ record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>) -> Bool {
        isDead(record.pointee.fields.senderHandle, arena) || isDead(record.pointee.fields.senderID, arena)
    }

    private func isDead(_ span: Span32, _ arena: UnsafeBufferPointer<UInt8>) -> Bool {
        guard span.count >= 7, span.count <= 320 else { return false }
        let text = UnsafeBufferPointer(rebasing: arena[span.range])
        guard Self.mayBeDead(text) else { return false }
        return openings.withUnsafeBufferPointer { openings in
            var begun: UInt8 = 0
            for i in 0..<text.count {
                let opening = openings[Int(text[i])]
                if begun & opening >> 4 != 0, Self.saysDead(text, i &- 1) { return true }
                begun = opening & 0x0F
            }
            return false
        }
    }

    /// Whether a text has an n, an o, an e and an r, which all of the words have.
    ///
    /// One pass without a branch, which nearly all addresses end with. Of a byte only five bits are asked, so that
    /// capitals count, and a few marks as well.
    @inline(__always)
    private static func mayBeDead(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        func bit(_ byte: UInt8) -> UInt32 { 1 &<< UInt32(byte & 31) }
        var found: UInt32 = 0
        for byte in text { found |= bit(byte) }
        let all = bit(UInt8(ascii: "n")) | bit(UInt8(ascii: "o")) | bit(UInt8(ascii: "e")) | bit(UInt8(ascii: "r"))
        return found & all == all
    }

    private static func saysDead(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        switch text[start] | 0x20 {
        case UInt8(ascii: "n"):
            matches("noreply", text, start) || matches("noresponder", text, start)
                || matches("naoresponder", text, start) || matches("naoresponda", text, start)
                || matches("nepasrepondre", text, start)
        case UInt8(ascii: "d"): matches("donotreply", text, start) || matches("dontreply", text, start)
        case UInt8(ascii: "m"): matches("mailerdaemon", text, start)
        case UInt8(ascii: "k"): matches("keineantwort", text, start)
        default: false
        }
    }

    /// Whether letters of the text from `start` on spell a word, other characters between them aside.
    private static func matches(_ word: StaticString, _ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        var k = 0
        var i = start
        while k < word.utf8CodeUnitCount, i < text.count {
            let byte = text[i] | 0x20
            if byte == word.utf8Start[k] {
                k += 1
            } else if text[i] != 0x2D, text[i] != 0x5F, text[i] != 0x2E {
                return false
            }
            i += 1
        }
        return k == word.utf8CodeUnitCount
    }

    static func isEmail(_ record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>) -> Bool {
        let platform = record.pointee.fields.platform
        return platform.count == 5 && arena[platform.range].elementsEqual("email".utf8)
    }

    /// The sender's first name where it is plainly one: a capital and small letters, of a fan, or of somebody whose
    /// address holds it or the last name.
    func firstName(
        _ record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8>? {
        let span = record.pointee.fields.senderName
        guard span.count >= 2, span.count <= 120 else { return nil }
        let whole = UnsafeBufferPointer(rebasing: arena[span.range])
        var count = 0
        while count < whole.count, whole[count] != 0x20, whole[count] != 0x2C { count &+= 1 }
        let name = UnsafeBufferPointer(rebasing: whole[..<count])
        guard count >= 2, count <= 24, let hash = Self.nameHash(name), !notNames.contains(hash: hash) else {
            return nil
        }
        // Brands write under a brand's name, so an offer has to show that it is a person's.
        if record.pointee.category?.label == .fan { return name }
        if Self.isBesideCompany(whole, after: count) { return name }
        let address = record.pointee.fields.senderHandle
        guard address.count <= 320 else { return nil }
        let bytes = UnsafeBufferPointer(rebasing: arena[address.range])
        let text = UnsafeBufferPointer(rebasing: arena[record.pointee.fields.text.range])
        // A company signs with its name as well, and has it in its handle or its domain.
        let isShort = whole.count { $0 == 0x20 } <= 1
        if isShort, Self.isSigned(name, text), !Self.letters(bytes).contains(Self.letters(name)) { return name }
        if Self.addressHolds(name, bytes) { return name }
        let behind = UnsafeBufferPointer(rebasing: whole[min(count + 1, whole.count)...])
        let last = UnsafeBufferPointer(
            rebasing: behind[..<(behind.firstIndex { $0 == 0x20 || $0 == 0x2C } ?? behind.count)])
        return last.count >= 4 && Self.nameHash(last) != nil && Self.addressHolds(last, bytes) ? name : nil
    }

    /// What stands between a person's name and their company's: "Imogen Farrow, Kiln & Cork", "Marta · Picorzo".
    private static let companySigns = [", ", " · ", " @ ", " at ", " | ", " – ", " - ", " (", " / "].map {
        Array($0.utf8)
    }

    /// Whether a company follows a first name, or a first and a last name.
    private static func isBesideCompany(_ whole: UnsafeBufferPointer<UInt8>, after first: Int) -> Bool {
        func follows(_ place: Int) -> Bool {
            companySigns.contains { whole[place...].starts(with: $0) && whole.count > place + $0.count }
        }
        if follows(first) { return true }
        guard first < whole.count, whole[first] == 0x20 else { return false }
        let rest = whole[(first + 1)...]
        let end = rest.firstIndex { $0 == 0x20 || $0 == 0x2C } ?? rest.endIndex
        return nameHash(UnsafeBufferPointer(rebasing: whole[(first + 1)..<end])) != nil && follows(end)
    }

    /// The ASCII letters of a text, in small ones.
    private static func letters(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        bytes.compactMap { (0x61...0x7A).contains($0 | 0x20) ? $0 | 0x20 : nil }
    }

    /// Bytes at the end of a text in which a name is that of who signs: "Mads", "Un saludo, Raquel".
    private static let signature = 24

    /// Whether a text ends with a name.
    private static func isSigned(_ name: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = max(0, text.count - signature)
        let words = text[start...].split { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }
        // A name that the whole text consists of signs nothing, and one that is cut is none.
        guard start > 0, words.count > 1 else { return false }
        return words.last.map { $0.elementsEqual(name) } ?? false
    }

    /// Whether a name stands before the @ of an address, in ASCII.
    private static func addressHolds(
        _ name: UnsafeBufferPointer<UInt8>, _ address: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let at = address.firstIndex(of: UInt8(ascii: "@")), at >= name.count else { return false }
        for start in 0...(at - name.count) {
            var k = 0
            while k < name.count, address[start + k] < 0x80, address[start + k] | 0x20 == name[k] | 0x20 { k += 1 }
            if k == name.count { return true }
        }
        return false
    }

    /// The hash of a name in small letters; nil for what is not one Latin capital letter and small ones behind it.
    private static func nameHash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
        var hash = GrowingHash()
        var i = 0
        var letters = 0
        while i < bytes.count {
            let isFirst = letters == 0
            let byte = bytes[i]
            hash.add(byte | 0x20)
            if byte >= 0x80 {
                guard isLatin(byte, i + 1 < bytes.count ? bytes[i + 1] : 0, isFirst) else { return nil }
                i += 2
            } else {
                guard isFirst ? byte &- 0x41 < 26 : byte &- 0x61 < 26 else { return nil }
                i += 1
            }
            letters += 1
        }
        return letters >= 2 ? hash.value : nil
    }

    /// Whether two bytes are a Latin letter with a mark, a capital one if it is the first.
    private static func isLatin(_ lead: UInt8, _ next: UInt8, _ isFirst: Bool) -> Bool {
        switch lead {
        case 0xC3: isFirst ? next &- 0x80 <= 0x1E && next != 0x97 : next &- 0x9F <= 0x20 && next != 0xB7
        // Latin Extended-A: capitals are mostly even; which one it is does not matter here.
        case 0xC4, 0xC5: next &- 0x80 <= 0x3F
        default: false
        }
    }
}

/// Puts the sender's first name into a draft that was written without knowing it.
package struct ReplyNaming: Sendable {
    private let sender = ReplySender()
    private let writesSmall: Bool

    /// - Parameter writesSmall: whether the creator's sentences begin with small letters.
    package init(writesSmall: Bool) { self.writesSmall = writesSmall }

    /// The draft with the sender's first name in place of each `{name}`; without `{name}`, and the comma beside it, where no
    /// first name is plainly known.
    package func named(_ draft: String, _ record: Record, in batch: borrowing Batch) -> String {
        guard draft.contains("{name}") else { return draft }
        let name = batch.arena.withUnsafeBufferPointer { arena in
            withUnsafePointer(to: record) { record in
                sender.firstName(record, in: arena).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        if let name { return draft.replacing("{name}", with: name) }
        var text = draft
        while text.contains("{name}") { text = OwnReplies.nameless(text, writesSmall) }
        return text
    }
}
