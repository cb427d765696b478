/// Knows which characters are invisible, and where they are legitimate.
///
/// Joiners and selectors have a meaning in emoji and in some scripts, but elsewhere they may carry a payload, so each
/// is judged by its neighbors. Those that are kept between letters could still carry about a bit per letter: too little
/// to say anything in a message of a few kilobytes, and no model reads it.
enum HiddenText {
    /// Whether a scalar is invisible by itself: joiners, selectors, bidirectional controls, tags, fillers.
    static func isInvisible(_ value: UInt32) -> Bool {
        switch value {
        case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x3164, 0xFFA0, 0xFEFF: true
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFFF0...0xFFFB: true
        case 0xE0000...0xE0FFF, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: true
        default: false
        }
    }

    /// Control characters other than tab and line break, and noncharacters.
    static func isControl(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0...0x1F, 0x7F...0x9F: true
        case 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether the invisible scalar at `index` is legitimate there.
    ///
    /// - Parameters:
    ///   - index: the index of an invisible scalar in `scalars`.
    ///   - previous: the last scalar that was kept.
    static func belongs(_ scalars: [Unicode.Scalar], at index: Int, after previous: Unicode.Scalar?) -> Bool {
        guard let before = previous?.value else { return false }
        let after = index + 1 < scalars.count ? scalars[index + 1].value : 0
        switch scalars[index].value {
        case 0x200D:
            if isJoining(before) { return !isInvisible(after) }
            return isPictogram(before) && isEmoji(after)
        case 0x200C: return isJoining(before) && !isInvisible(after)
        case 0x200B: return isUnspaced(before) && isUnspaced(after)
        case 0xFE0E, 0xFE0F: return before > 0x7F ? isEmoji(before) : after == 0x20E3 && isEmoji(before)
        case 0xFE00...0xFE0D: return isHan(before) || (0x2200...0x22FF).contains(before) || isMyanmar(before)
        case 0xE0100...0xE01EF: return isHan(before)
        case 0x180B...0x180D, 0x180F: return (0x1820...0x18AA).contains(before)
        case 0x115F, 0x1160: return (0x1100...0x11FF).contains(before) || (0x1100...0x11FF).contains(after)
        default: return false
        }
    }

    /// The length of a flag's tag sequence (only England, Scotland and Wales exist) after the black flag, else 0.
    static func flagTags(_ scalars: [Unicode.Scalar], from index: Int) -> Int {
        for code in ["gbeng", "gbsct", "gbwls"] {
            let tags = code.unicodeScalars.map { $0.value + 0xE0000 } + [0xE007F]
            if index + tags.count <= scalars.count, scalars[index..<index + tags.count].map(\.value) == tags {
                return tags.count
            }
        }
        return 0
    }

    private static func isEmoji(_ value: UInt32) -> Bool { Unicode.Scalar(value)?.properties.isEmoji ?? false }

    /// An emoji, or what may follow one in a joined sequence.
    private static func isPictogram(_ value: UInt32) -> Bool { value == 0xFE0F || value > 0xFF && isEmoji(value) }

    /// Scripts whose letters join, or whose conjuncts are controlled by joiners.
    private static func isJoining(_ value: UInt32) -> Bool {
        switch value {
        case 0x600...0x7FF, 0x8A0...0xDFF, 0x1000...0x109F, 0x1780...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFE: true
        default: false
        }
    }

    /// Scripts without blanks between words, which use a zero-width one where a line may break.
    private static func isUnspaced(_ value: UInt32) -> Bool {
        (0xE00...0x109F).contains(value) || (0x1780...0x17FF).contains(value)
    }

    private static func isMyanmar(_ value: UInt32) -> Bool { (0x1000...0x109F).contains(value) }

    private static func isHan(_ value: UInt32) -> Bool {
        switch value {
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}
