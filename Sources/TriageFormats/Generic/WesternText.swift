/// Text of one byte a letter, as spreadsheets save it when they are not told otherwise: Windows-1252.
enum WesternText {
    /// 0x80–0x9F; 0 is not assigned.
    private static let upper: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// Bytes that stand for letters and signs of everyday writing: `€ ‚ „ … Š Œ Ž ' ' " " • – — š œ ž`, the inverted
    /// marks, quotes, `£ § ° ª º ·`, and letters but for those of Iceland, which more often are another code page.
    private static let isEveryday: [Bool] = (0...255).map { byte in
        switch byte {
        case 0x80, 0x82, 0x84, 0x85, 0x8A, 0x8C, 0x8E, 0x91...0x97, 0x9A, 0x9C, 0x9E: true
        case 0xA0, 0xA1, 0xA3, 0xA7, 0xAA, 0xAB, 0xB0, 0xB4, 0xB7, 0xBA, 0xBB, 0xBF: true
        case 0xC0...0xFC: ![0xD0, 0xD7, 0xDD, 0xDE, 0xF0, 0xF7].contains(byte)
        default: false
        }
    }

    /// Whether an opening is such text: bytes that are no UTF-8, all of them everyday ones, and few.
    ///
    /// A code page of another script has more of them than of plain letters, one of Central Europe some that are no letters
    /// here; and a stray byte in a table of plain words is a fault, no letter.
    static func looksWestern(_ opening: Opening) -> Bool {
        let bytes = opening.bytes
        guard bytes.contains(where: { $0 >= 0x80 }) else { return false }
        // A sequence that the opening cuts off is judged neither way.
        let end = opening.isWhole ? bytes.count : max(0, bytes.count - 3)
        var letters = 0
        var sequences = 0
        var others = 0
        var i = 0
        while i < end {
            let byte = bytes[i]
            if byte < 0x80 {
                letters += (byte | 0x20) &- 0x61 < 26 ? 1 : 0
                i += 1
            } else if let length = sequence(at: i, in: bytes) {
                sequences += 1
                i += length
            } else {
                guard isEveryday[Int(byte)] else { return false }
                others += 1
                i += 1
            }
        }
        // A quote behind a letter and a hard blank looks like a sequence, too.
        return others > 2 * sequences && others * 4 < letters
    }

    /// The length of the UTF-8 sequence at a byte beyond ASCII; nil: there is none.
    private static func sequence(at start: Int, in bytes: [UInt8]) -> Int? {
        let length =
            switch bytes[start] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard length > 0, start + length <= bytes.count else { return nil }
        return bytes[start + 1..<start + length].allSatisfy { $0 & 0xC0 == 0x80 } ? length : nil
    }

    static func string(_ bytes: ArraySlice<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let code = (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt16(byte)
            scalars.append(Unicode.Scalar(code == 0 ? 0xFFFD : code) ?? "\u{FFFD}")
        }
        return String(scalars)
    }
}

extension Opening {
    /// As UTF-8, where it is Western text of one byte a letter.
    var inUnicode: Opening {
        guard WesternText.looksWestern(self) else { return self }
        return Opening(bytes: Array(WesternText.string(bytes[...]).utf8), isWhole: isWhole, markLength: markLength)
    }
}
