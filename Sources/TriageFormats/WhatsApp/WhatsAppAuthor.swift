/// Who speaks in a line: what stands behind its header up to a colon.
struct WhatsAppAuthor {
    /// Without marks and with plain blanks, as all comparisons take it.
    var name: String
    /// Bytes behind the header that are not text.
    var length: Int

    /// Bytes in which the name must end.
    private static let limit = 160

    /// Takes the author off what follows a header; nil: nobody speaks, WhatsApp does.
    ///
    /// - Parameter known: names that were seen; of those that fit, the longest is taken, for names may hold colons.
    static func split(_ rest: UnsafeBufferPointer<UInt8>, known: Set<String>) -> WhatsAppAuthor? {
        let end = min(rest.firstIndex(of: 0x0A) ?? rest.count, rest.count)
        var line = end
        while line > 0, rest[line - 1] == 0x0D || rest[line - 1] == 0x20 { line -= 1 }
        var first: (at: Int, length: Int)?
        var best: WhatsAppAuthor?
        for at in 0..<min(line, limit) where rest[at] == UInt8(ascii: ":") {
            let isFull = at + 1 == line || rest[at + 1] == 0x20
            let length = at + 1 < end && rest[at + 1] == 0x20 ? at + 2 : at + 1
            if isFull, first == nil { first = (at, length) }
            guard !known.isEmpty else {
                if first != nil { break }
                continue
            }
            let name = WhatsAppMarks.plain(rest[..<at])
            if known.contains(name) { best = WhatsAppAuthor(name: name, length: length) }
        }
        if let best { return best }
        guard let first else { return nil }
        let name = WhatsAppMarks.plain(rest[..<first.at])
        return name.isEmpty ? nil : WhatsAppAuthor(name: name, length: first.length)
    }

    /// Somebody who is not in the contacts of the phone: `~ Zoë`.
    static func isUnsaved(_ name: String) -> Bool { name.hasPrefix("~") }

    /// The number, digits with a plus, of somebody who is shown as one; nil: it is a name.
    static func number(_ name: String) -> String? {
        var digits = "+"
        for scalar in name.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.unicodeScalars.append(scalar)
            case "+", " ", "-", "(", ")", ".", "/", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}": break
            default: return nil
            }
        }
        return digits.utf8.count >= 8 && digits.utf8.count <= 21 ? digits : nil
    }
}
