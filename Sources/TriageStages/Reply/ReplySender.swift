import TriageCore

/// What a draft needs to know of who wrote.
struct ReplySender: Sendable {
    /// By byte, of the words that say that replies are not read: which of them begin with it (low half), and which may
    /// go on with it behind their first letter (high half).
    private let openings: [UInt8]
    /// By byte: which pairs of ``mayBeDead(_:)`` it may end (low half), and which it begins (high half).
    private let signs: [UInt8]

    /// First words of names that are no first names.
    private let notNames = WordSet(
        "the team support official admin info shop studio brand mr mrs ms dr fan your my im its best free help service "
            + "media user anonymous unknown de la el le der die das don miss sir new real just hello instagram youtube",
        by: { GrowingHash.of($0) })

    init() {
        openings = Self.pairs([("n", "oae"), ("d", "o"), ("m", "a"), ("k", "e")])
        signs = Self.pairs([("p", "lo"), ("d", "a"), ("t", "w")]).map { $0 << 4 | $0 >> 4 }
    }

    /// By byte, of pairs of letters, in capitals or not, that marks may part: which of them it begins (low half), and
    /// which it goes on with (high half).
    private static func pairs(_ pairs: [(first: String, second: String)]) -> [UInt8] {
        var table = [UInt8](repeating: 0, count: 256)
        for (bit, pair) in pairs.enumerated() {
            for letter in pair.first.utf8 {
                for byte in [letter, letter & ~0x20] { table[Int(byte)] |= 1 << UInt8(bit) }
            }
            for letter in pair.second.utf8 {
                for byte in [letter, letter & ~0x20] { table[Int(byte)] |= 0x10 << UInt8(bit) }
            }
            for byte in "-_.".utf8 { table[Int(byte)] |= 0x10 << UInt8(bit) }
        }
        return table
    }

    /// Whether the sender's address or handle says that replies are not read.
    @inline(__always)
    func takesNoReplies(_ record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>) -> Bool {
        isDead(record.pointee.fields.senderHandle, arena) || isDead(record.pointee.fields.senderID, arena)
    }

    private func isDead(_ span: Span32, _ arena: UnsafeBufferPointer<UInt8>) -> Bool {
        guard span.count >= 7, span.count <= 320 else { return false }
        let text = UnsafeBufferPointer(rebasing: arena[span.range])
        return openings.withUnsafeBufferPointer { openings in
            guard mayBeDead(text) else { return false }
            var begun: UInt8 = 0
            for i in 0..<text.count {
                let opening = openings[Int(text[i])]
                if begun & opening >> 4 != 0, Self.saysDead(text, i &- 1) { return true }
                begun = opening & 0x0F
            }
            return false
        }
    }

    /// Whether two letters stand side by side of which every one of the words has some: "pl", "po", "da" or "tw".
    ///
    /// One pass without a branch, which nearly all addresses end with.
    @inline(__always)
    private func mayBeDead(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        signs.withUnsafeBufferPointer { signs in
            var begun: UInt8 = 0
            var found: UInt8 = 0
            for byte in text {
                let sign = signs[Int(byte)]
                found |= begun & sign
                begun = sign >> 4
            }
            return found != 0
        }
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
    /// address begins with it.
    func firstName(
        _ record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8>? {
        let span = record.pointee.fields.senderName
        guard span.count >= 2, span.count <= 120 else { return nil }
        let whole = UnsafeBufferPointer(rebasing: arena[span.range])
        var count = 0
        while count < whole.count, whole[count] != 0x20 { count &+= 1 }
        let name = UnsafeBufferPointer(rebasing: whole[..<count])
        guard count >= 2, count <= 24, let hash = Self.nameHash(name), !notNames.contains(hash: hash) else {
            return nil
        }
        // Brands write under a brand's name, so an offer has to show that it is a person's.
        if record.pointee.category?.label == .fan { return name }
        let address = record.pointee.fields.senderHandle
        guard address.count <= 320 else { return nil }
        return Self.addressHolds(name, UnsafeBufferPointer(rebasing: arena[address.range])) ? name : nil
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
