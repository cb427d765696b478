import TriageCore

/// What a draft needs to know of who wrote.
enum ReplySender {
    /// Whether the sender's address or handle says that replies are not read.
    static func takesNoReplies(_ fields: borrowing RecordFields, in arena: [UInt8]) -> Bool {
        if holdsDeadAddress(fields.senderHandle, arena) { return true }
        return holdsDeadAddress(fields.senderID, arena)
    }

    private static func holdsDeadAddress(_ span: Span32, _ arena: [UInt8]) -> Bool {
        guard span.count >= 7, span.count <= 320 else { return false }
        return arena.withUnsafeBufferPointer { arena in
            let text = UnsafeBufferPointer(rebasing: arena[span.range])
            for start in 0..<text.count {
                switch text[start] | 0x20 {
                case UInt8(ascii: "n"):
                    if matches("noreply", text, start) || matches("noresponder", text, start)
                        || matches("naoresponder", text, start) || matches("naoresponda", text, start)
                        || matches("nepasrepondre", text, start)
                    {
                        return true
                    }
                case UInt8(ascii: "d"):
                    if matches("donotreply", text, start) || matches("dontreply", text, start) { return true }
                case UInt8(ascii: "m"): if matches("mailerdaemon", text, start) { return true }
                case UInt8(ascii: "k"): if matches("keineantwort", text, start) { return true }
                default: break
                }
            }
            return false
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

    static func isEmail(_ fields: borrowing RecordFields, in arena: [UInt8]) -> Bool {
        guard fields.platform.count == 5 else { return false }
        return arena[fields.platform.range].elementsEqual("email".utf8)
    }

    /// First words of names that are no first names.
    private static let notNames: Set<String> = [
        "the", "team", "support", "official", "admin", "info", "shop", "studio", "brand", "mr", "mrs", "ms", "dr",
        "fan",
        "your", "my", "im", "its", "best", "free", "help", "service", "media", "user", "anonymous", "unknown", "de",
        "la",
        "el", "le", "der", "die", "das", "don", "miss", "sir", "new", "real", "just", "hello", "instagram", "youtube",
    ]

    /// The sender's first name where it is plainly one: a capital and small letters, of a fan, or of somebody whose
    /// address begins with it.
    static func firstName(_ record: Record, in arena: [UInt8]) -> Range<Int>? {
        let span = record.fields.senderName
        guard span.count >= 2, span.count <= 120 else { return nil }
        let range = span.range
        var end = range.lowerBound
        while end < range.upperBound, arena[end] != 0x20 { end += 1 }
        let name = range.lowerBound..<end
        guard (2...24).contains(name.count), isName(arena[name]) else { return nil }
        let folded = String(decoding: arena[name], as: UTF8.self).lowercased()
        if notNames.contains(folded) { return nil }
        // Brands write under a brand's name, so an offer has to show that it is a person's.
        let isPerson = record.category?.label == .fan || addressHolds(arena[name], record.fields.senderHandle, arena)
        return isPerson ? name : nil
    }

    /// Whether a name stands before the @ of an address, in ASCII.
    private static func addressHolds(_ name: ArraySlice<UInt8>, _ address: Span32, _ arena: [UInt8]) -> Bool {
        guard address.count <= 320 else { return false }
        let address = arena[address.range]
        guard let at = address.firstIndex(of: UInt8(ascii: "@")), at > address.startIndex else { return false }
        let local = address[..<at]
        guard local.count >= name.count else { return false }
        return (local.startIndex...(local.endIndex - name.count)).contains { start in
            zip(local[start...], name).allSatisfy { $0 < 0x80 && $0 | 0x20 == $1 | 0x20 }
        }
    }

    /// One Latin capital letter and small ones behind it.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var i = bytes.startIndex
        var letters = 0
        while i < bytes.endIndex {
            let isFirst = letters == 0
            let next = i + 1 < bytes.endIndex ? bytes[i + 1] : 0
            switch bytes[i] {
            case 0x41...0x5A where isFirst: i += 1
            case 0x61...0x7A where !isFirst: i += 1
            case 0xC3 where isFirst && (0x80...0x9E).contains(next) && next != 0x97: i += 2
            case 0xC3 where !isFirst && (0x9F...0xBF).contains(next) && next != 0xB7: i += 2
            case 0xC4, 0xC5:
                // Latin Extended-A: capitals are mostly even; which one it is does not matter here.
                guard (0x80...0xBF).contains(next) else { return false }
                i += 2
            default: return false
            }
            letters += 1
        }
        return letters >= 2
    }
}
