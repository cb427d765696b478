/// Escapes strangers' text for HTML and SVG: it never acts as markup, and nothing in it stays hidden.
///
/// Characters that are invisible or change the text direction are shown by their number, such as `[U+202E]`.
enum PageText {
    /// For use inside an element; hidden characters are highlighted.
    static func html(_ text: String) -> String {
        written(text) { "<span class=\"mark\">\($0)</span>" }
    }

    /// For use inside an attribute, or an element that takes only text.
    static func plain(_ text: String) -> String { written(text) { $0 } }

    /// The most combining marks kept on one letter; taller stacks would run over other lines.
    private static let mostMarks = 4

    private static func written(_ text: String, _ mark: (String) -> String) -> String {
        let scalars = Array(text.unicodeScalars)
        var out = ""
        var marks = 0
        var at = 0
        while at < scalars.count {
            let scalar = scalars[at]
            let category = scalar.properties.generalCategory
            marks = category == .nonspacingMark || category == .enclosingMark ? marks + 1 : 0
            let before = at > 0 ? scalars[at - 1] : nil
            let after = at + 1 < scalars.count ? scalars[at + 1] : nil
            if marks > mostMarks || isHidden(scalar, category, between: before, after) {
                var count = 1
                while at + count < scalars.count, scalars[at + count] == scalar { count += 1 }
                out += mark(count == 1 ? "[\(name(scalar))]" : "[\(name(scalar)) ×\(count)]")
                at += count
                continue
            }
            append(scalar, to: &out)
            at += 1
        }
        return out
    }

    private static func append(_ scalar: Unicode.Scalar, to out: inout String) {
        switch scalar {
        case "&": out += "&amp;"
        case "<": out += "&lt;"
        case ">": out += "&gt;"
        case "\"": out += "&quot;"
        case "'": out += "&#39;"
        case "\n", "\r", "\t": out += " "
        default: out.unicodeScalars.append(scalar)
        }
    }

    private static func isHidden(
        _ scalar: Unicode.Scalar, _ category: Unicode.GeneralCategory, between before: Unicode.Scalar?,
        _ after: Unicode.Scalar?
    ) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: return false
        // Letters by category, but blank.
        case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x2800, 0x3164, 0xFFA0: return true
        // Joiners connect the letters of some scripts, and the parts of some emoji.
        case 0x200C, 0x200D: return !(isJoined(before) && isJoined(after))
        // Variation selectors choose between two forms of the character before them.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: return !takesVariation(before)
        default: break
        }
        switch category {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    private static func isJoined(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        switch scalar.value {
        case 0x0600...0x08FF, 0x0900...0x0DFF, 0x0F00...0x109F, 0x1780...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFE,
            0x1F3FB...0x1F3FF, 0xFE0F:
            return true
        default: return scalar.value > 0xFF && scalar.properties.isEmoji
        }
    }

    private static func takesVariation(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar.properties.isEmoji || scalar.properties.isIdeographic || (0x2000...0x2BFF).contains(scalar.value)
            || (0x1800...0x18AF).contains(scalar.value)
    }

    private static func name(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
