/// The classes of scalars used in ``FoldTable``.
enum ScalarKind: UInt8 {
    case other = 0
    case letter = 1
    case digit = 2
    /// Zero-width, combining and bidi characters; dropped.
    case hidden = 3
    case blank = 4
    case currency = 5
    /// Han, kana, Thai and other letters of scripts that put no blank between words.
    case ideograph = 6
    case emoji = 7
}

/// What a non-ASCII scalar folds to, and how it is counted.
struct ScalarFold: Sendable {
    /// The script under which a letter is counted.
    enum Script: UInt8 {
        case none, latin, cyrillic, greek, hebrew, arabic, devanagari, thai, kana, han, hangul
        /// Full-width, mathematical and enclosed Latin letters.
        case fancy
        case other
    }

    /// The folded scalar, or an index into ``expansions`` if ``isExpansion``.
    let folded: UInt32
    let kind: ScalarKind
    let script: Script
    /// Whether it is a capital letter that folds to a different scalar.
    let isUpper: Bool
    /// Whether it folds to more than one character.
    let isExpansion: Bool

    static let expansions: [[UInt8]] = FoldTable.expansions.map { Array($0.utf8) }

    private init(computed scalar: UInt32) {
        let (folded, kind) = Self.classify(scalar)
        let script = kind == .letter || kind == .ideograph ? Self.script(of: scalar) : .none
        self.init(scalar, folded, kind, script)
    }

    private init(_ scalar: UInt32, _ folded: UInt32, _ kind: ScalarKind, _ script: Script) {
        self.kind = kind
        self.script = script
        isUpper = kind == .letter && folded != scalar && Unicode.Scalar(scalar)?.properties.isUppercase ?? false
        // Private-use characters have the same numbers but fold to themselves.
        isExpansion = folded != scalar && folded >= 0xE000 && folded < 0xF000
        self.folded = isExpansion ? folded - 0xE000 : folded
    }

    /// The folds of U+0000…U+07FF; the ASCII part is only used for invalid UTF-8.
    static let low = (0..<0x800).map { ScalarFold(computed: $0) }
    /// U+2000…U+2BFF: punctuation, currencies and symbols.
    private static let symbols = (0x2000..<0x2C00).map { ScalarFold(computed: $0) }

    /// Returns the fold of a scalar that is not in ``low``.
    @inline(never)
    static func beyond(_ scalar: UInt32) -> ScalarFold {
        // The most frequent ranges come first.
        switch scalar {
        case 0x2000..<0x2C00: symbols[Int(scalar - 0x2000)]
        case 0x4E00...0x9FFF: ScalarFold(scalar, scalar, .ideograph, .han)
        case 0x3040...0x30FF: ScalarFold(scalar, scalar, .ideograph, .kana)
        case 0xAC00...0xD7A3: ScalarFold(scalar, scalar, .letter, .hangul)
        case 0x1F400...0x1FAFF, 0x1F300...0x1F3FA: ScalarFold(scalar, scalar, .emoji, .none)
        case 0xFE0F: ScalarFold(scalar, 0, .hidden, .none)
        default: ScalarFold(computed: scalar)
        }
    }
}

// MARK: - Classes

extension ScalarFold {
    /// Returns the folded scalar (or `0xE000 + n` for an expansion) and its kind.
    private static func classify(_ s: UInt32) -> (UInt32, ScalarKind) {
        switch s {
        case 0..<0x80: return (s, .other)
        case 0x80..<0x800:
            let i = Int(s) - 0x80
            return (UInt32(FoldTable.twoByte[i]), ScalarKind(rawValue: FoldTable.twoByteKinds[i]) ?? .other)
        case 0x1E00...0x1FFF:
            let i = Int(s) - 0x1E00
            return (
                UInt32(FoldTable.latinExtended[i]), ScalarKind(rawValue: FoldTable.latinExtendedKinds[i]) ?? .other
            )
        case 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x1680: return (0x20, .blank)
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xE0000...0xE01EF,
            0x180B...0x180F,
            0x20D0...0x20F0, 0x302A...0x302F, 0x3164, 0xFFA0, 0x115F, 0x1160, 0xFFF9...0xFFFB:
            return (0, .hidden)
        case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D: return (0x2D, .other)
        case 0x2018...0x201B, 0x2032, 0xFF07: return (0x27, .other)
        case 0x201C...0x201F, 0x2033, 0xFF02: return (0x22, .other)
        case 0x20A0...0x20C0: return (s, .currency)
        case 0x2070, 0x2074...0x2079: return (0x30 + (s - 0x2070), .digit)
        case 0x2080...0x2089: return (0x30 + (s - 0x2080), .digit)
        case 0x2100...0x218F:
            let i = Int(s) - 0x2100
            return (
                UInt32(FoldTable.letterlike[i]), ScalarKind(rawValue: FoldTable.letterlikeKinds[i]) ?? .other
            )
        case 0x2460...0x2468: return (0x31 + (s - 0x2460), .digit)
        case 0x249C...0x24B5: return (0x61 + (s - 0x249C), .letter)
        case 0x24B6...0x24CF: return (0x61 + (s - 0x24B6), .letter)
        case 0x24D0...0x24E9: return (0x61 + (s - 0x24D0), .letter)
        case 0x2190...0x2BFF: return (s, isEmojiSymbol(s) ? .emoji : .other)
        case 0x3001...0x303F: return (s, .other)
        case 0x0E01...0x0E7F where isThaiMark(s): return (s, .ideograph)
        case 0x0E00...0x0EFF, 0x3040...0x30FF, 0x3100...0x312F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0x20000...0x3FFFF, 0x1000...0x109F, 0x1780...0x17FF, 0xFF66...0xFF9D:
            return (s, .ideograph)
        case 0xFF01...0xFF5E:
            let ascii = s - 0xFEE0
            let lowered = (0x41...0x5A).contains(ascii) ? ascii + 0x20 : ascii
            let byte = UInt8(lowered)
            if (0x61...0x7A).contains(byte) { return (lowered, .letter) }
            if (0x30...0x39).contains(byte) { return (lowered, .digit) }
            return (lowered, byte == 0x24 ? .currency : .other)
        case 0xFFE0, 0xFFE1, 0xFFE5, 0xFFE6:
            return (s == 0xFFE0 ? 0xA2 : s == 0xFFE1 ? 0xA3 : s == 0xFFE5 ? 0xA5 : 0x20A9, .currency)
        case 0x1D400...0x1D6A3: return (0x61 + (s - 0x1D400) % 26, .letter)
        case 0x1D7CE...0x1D7FF: return (0x30 + (s - 0x1D7CE) % 10, .digit)
        case 0x1F130...0x1F149: return (0x61 + (s - 0x1F130), .letter)
        case 0x1F150...0x1F169: return (0x61 + (s - 0x1F150), .letter)
        case 0x1F170...0x1F189: return (0x61 + (s - 0x1F170), .letter)
        case 0x1F1E6...0x1F1FF: return (s, .emoji)
        case 0x1F3FB...0x1F3FF: return (0, .hidden)
        case 0x1F000...0x1FAFF: return (s, .emoji)
        default:
            guard let scalar = Unicode.Scalar(s) else { return (s, .other) }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
                return (s, .letter)
            case .nonspacingMark, .spacingMark, .enclosingMark: return (s, .letter)
            case .decimalNumber:
                if let value = scalar.properties.numericValue { return (0x30 + UInt32(value), .digit) }
                return (s, .digit)
            case .format, .control: return (0, .hidden)
            case .spaceSeparator, .lineSeparator, .paragraphSeparator: return (0x20, .blank)
            case .currencySymbol: return (s, .currency)
            default: return (s, .other)
            }
        }
    }

    private static func isThaiMark(_ s: UInt32) -> Bool {
        s == 0xE31 || (0xE34...0xE3A).contains(s) || (0xE47...0xE4E).contains(s)
    }

    private static func isEmojiSymbol(_ s: UInt32) -> Bool {
        switch s {
        case 0x231A...0x23FF, 0x25AA...0x25FE, 0x2600...0x27BF, 0x2934...0x2935, 0x2B05...0x2B55: true
        default: false
        }
    }

    /// Whether a hidden scalar is a format character that somebody typed on purpose, rather than a diacritic of a
    /// letter.
    static func isHiddenFormat(_ s: UInt32) -> Bool {
        switch s {
        case 0xAD, 0x200B, 0x200C, 0x200D, 0x2060...0x2064, 0xFEFF, 0x180E, 0x202A...0x202E, 0x2066...0x2069,
            0xE0000...0xE007F, 0x115F, 0x1160, 0x3164, 0xFFA0:
            return true
        default: return false
        }
    }

    private static func script(of s: UInt32) -> Script {
        switch s {
        case 0x80...0x24F, 0x1E00...0x1EFF: .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
        case 0x400...0x52F: .cyrillic
        case 0x590...0x5FF: .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0xFB50...0xFEFC: .arabic
        case 0x900...0x97F: .devanagari
        case 0xE00...0xE7F: .thai
        case 0x3040...0x30FF, 0xFF66...0xFF9D: .kana
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: .han
        case 0x1100...0x11FF, 0xAC00...0xD7AF: .hangul
        case 0x1D400...0x1D7FF, 0xFF21...0xFF5A, 0x2460...0x24FF, 0x1F130...0x1F189, 0x2100...0x214F: .fancy
        default: .other
        }
    }
}
