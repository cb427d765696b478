/// Detects text in disguises that a person or a machine can read but a word list misses.
enum InjectionDisguise {
    // MARK: Digits for letters

    private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s",
    ]

    /// The text with digits replaced by letters in words such as "1gn0r3"; nil unless at least two words mix both.
    static func unleeted(_ text: String) -> String? {
        guard mayBeLeeted(text) else { return nil }
        var out = String.UnicodeScalarView()
        var word: [Unicode.Scalar] = []
        var turned = 0
        func close() {
            // "v2", "8k" and "90s" are not disguised: a digit must be between letters, or two digits must be apart.
            let digits = word.count { letters[$0] != nil }
            let inside = word.indices.dropFirst().dropLast().contains {
                letters[word[$0]] != nil && Text.isASCIILetter(word[$0 - 1]) && Text.isASCIILetter(word[$0 + 1])
            }
            if inside && word.count > 3 || digits >= 2 && 2 * digits < word.count {
                turned += 1
                out.append(contentsOf: word.map { letters[$0] ?? $0 })
            } else {
                out.append(contentsOf: word)
            }
            word = []
        }
        for scalar in text.unicodeScalars {
            if Text.isASCIILetter(scalar) || letters[scalar] != nil {
                word.append(scalar)
            } else {
                close()
                out.append(scalar)
            }
        }
        close()
        return turned >= 2 ? String(out) : nil
    }

    /// Whether a digit is next to a letter at least twice.
    ///
    /// Otherwise no two words mix both; for most messages, the search ends here.
    private static func mayBeLeeted(_ text: String) -> Bool {
        var last: UInt8 = 0x20
        var borders = 0
        for byte in text.utf8 {
            if isLetter(byte) && isDigit(last) || isDigit(byte) && isLetter(last) { borders += 1 }
            last = byte
        }
        return borders >= 2
    }

    /// One of ``letters``, or another digit.
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || byte == 0x40 || byte == 0x24 }

    // MARK: Styled letters

    /// Whether the text uses a dozen letters of decorative alphabets.
    ///
    /// These are mathematical, circled, small capital and flag letters, and letters that are struck through.
    static func isStyled(_ text: String) -> Bool {
        var styled = 0
        var struck = 0
        var flags = 0
        for scalar in text.unicodeScalars where scalar.value > 0x7F {
            switch scalar.value {
            case 0x1D400...0x1D7FF, 0x24B6...0x24E9, 0x1F110...0x1F189, 0x1D00...0x1D2B, 0xFF21...0xFF3A,
                0xFF41...0xFF5A:
                styled += 1
            case 0x299, 0x262, 0x29C, 0x26A, 0x29F, 0x274, 0x280, 0x28F, 0x493, 0x1EB, 0xA730, 0xA731: styled += 1
            case 0x1F1E6...0x1F1FF: flags += 1
            case 0x335...0x338, 0x20D0...0x20FF: struck += 1
            default: break
            }
        }
        // A flag consists of two letters, and people seldom send twelve flags.
        return styled >= 12 || struck >= 6 || flags >= 24
    }

    // MARK: Codes

    private static let common = [
        "this", "the", "and", "you", "your", "for", "with", "message", "business", "urgent", "answer", "label",
        "ignore", "esto", "este", "como", "negocio", "isto", "comme", "diese", "nachricht", "instructions", "score",
        "classify", "say",
    ]
    private static let backward = Set(common.map { String($0.reversed()) })
    private static let rotated = Set(
        common.map { word in
            String(
                String.UnicodeScalarView(
                    word.unicodeScalars.compactMap { Unicode.Scalar(($0.value - 0x61 + 13) % 26 + 0x61) }))
        })

    /// Whether at least two words are written backwards or with rotated letters.
    static func isTurned(_ words: [String]) -> Bool {
        var (back, turned) = (0, 0)
        for word in words {
            if backward.contains(word) { back += 1 }
            if rotated.contains(word) { turned += 1 }
        }
        return back >= 2 || turned >= 2
    }

    /// Whether letters are encoded as `%61`, `&#97;`, `\u0061`, `01100001` or Morse code.
    static func isCoded(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var escapes = 0
        var groups = 0
        var dashes = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            // An escape in an address for a character that needs none.
            if byte == 0x25, index + 2 < bytes.count, let code = hex(bytes[index + 1], bytes[index + 2]), isLetter(code)
            {
                escapes += 1
                index += 3
                continue
            }
            if byte == 0x26, index + 1 < bytes.count, bytes[index + 1] == 0x23 { escapes += 1 }
            if byte == 0x5C, index + 1 < bytes.count, bytes[index + 1] == 0x75 || bytes[index + 1] == 0x78 {
                escapes += 1
            }
            var end = index
            while end < bytes.count, bytes[end] == 0x30 || bytes[end] == 0x31 { end += 1 }
            if end - index == 7 || end - index == 8 || end - index >= 32 { groups += end - index >= 32 ? 4 : 1 }
            if end > index {
                index = end
                continue
            }
            while end < bytes.count, end - index < 6, bytes[end] == 0x2E || bytes[end] == 0x2D { end += 1 }
            if end > index {
                // Morse code such as ". -. .-", separated by single blanks.
                dashes = end < bytes.count && bytes[end] == 0x20 ? dashes + 1 : 0
                if dashes >= 8 { return true }
                index = end + 1
                continue
            }
            if byte != 0x2F && byte != 0x20 { dashes = 0 }
            index += 1
        }
        return escapes >= 4 || groups >= 4
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func hex(_ high: UInt8, _ low: UInt8) -> UInt8? {
        func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x41...0x46: byte - 0x37
            case 0x61...0x66: byte - 0x57
            default: nil
            }
        }
        guard let high = digit(high), let low = digit(low) else { return nil }
        return high << 4 | low
    }

    // MARK: Words in pieces

    /// Long words used in orders, by their first letter.
    private static let long = Dictionary(
        grouping: [
            "classify", "business", "sponsorship", "commercial", "partnership", "instructions", "assistant", "category",
            "priority", "important", "sentiment", "opportunity", "disregard", "previous", "legitimate", "clasifica",
            "classifique", "klassifiziere", "instrucciones", "instrucoes", "anweisungen", "negocio", "assistente",
            "asistente", "prioridad", "prioridade", "geschaftlich", "urgente", "urgent", "ignore", "treatment",
        ], by: { $0.utf8.first ?? 0 })

    /// Whether the text contains a long word in pieces, such as "busi-ness" and "as sis tant".
    static func isInPieces(_ words: [String]) -> Bool {
        for start in words.indices {
            guard let first = words[start].utf8.first else { continue }
            for target in long[first] ?? []
            where target.utf8.count > words[start].utf8.count && target.hasPrefix(words[start]) {
                var joined = words[start]
                var end = start + 1
                while end < words.count, joined.utf8.count < target.utf8.count {
                    joined += words[end]
                    end += 1
                }
                // An ending may follow, but not a whole word: "ur gentle" does not contain "urgent".
                if joined.hasPrefix(target), joined.utf8.count <= target.utf8.count + 2 { return true }
            }
        }
        return false
    }
}
