/// Measures text for a terminal, and removes everything that could control the terminal.
///
/// Not for the hot path: it works on scalars and queries the Unicode tables of the standard library.
package enum TerminalText {
    /// Maximum combining marks per letter; stacks of them would overlap other lines.
    private static let marksKept = 2

    /// The number of columns that a sanitized text takes.
    package static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// One line without line breaks, control characters, direction overrides or hidden characters.
    ///
    /// It is at most `columns` wide; a longer text ends with `…`.
    package static func line(_ text: String, columns: Int) -> String {
        guard columns > 0 else { return "" }
        var out: [Unicode.Scalar] = []
        var used = 0
        // Where to cut to leave one column for the ellipsis.
        var cut = 0
        var marks = 0
        var lastIsBlank = true
        for scalar in text.unicodeScalars {
            guard let shown = harmless(scalar) else { continue }
            if shown == " ", lastIsBlank { continue }
            lastIsBlank = shown == " "
            let columnsNeeded = width(shown)
            if columnsNeeded == 0 {
                marks += 1
                if marks > marksKept { continue }
            } else {
                marks = 0
            }
            if used + columnsNeeded > columns {
                out.removeSubrange(cut...)
                while out.last == " " { out.removeLast() }
                return string(out) + "…"
            }
            out.append(shown)
            used += columnsNeeded
            if used <= columns - 1 { cut = out.count }
        }
        while out.last == " " { out.removeLast() }
        return string(out)
    }

    private static func string(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The text padded with trailing spaces to `columns`.
    package static func padded(_ text: String, columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// The text padded with leading spaces to `columns`.
    package static func paddedBefore(_ text: String, columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - width(text))) + text
    }

    /// What to show for a scalar; nil: nothing.
    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0x2028, 0x2029: return " "
        // Symbols that depict control characters.
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: return "\u{2421}"
        case 0x80..<0xA0: return "\u{FFFD}"
        // Direction marks and overrides.
        case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: return "\u{FFFD}"
        // Skin tone modifiers: without joiners they would be shown as separate squares.
        case 0x1F3FB...0x1F3FF: return nil
        case 0xFFF9...0xFFFB: return nil
        default: break
        }
        switch scalar.properties.generalCategory {
        case .format, .surrogate, .privateUse, .unassigned: return nil
        case .spaceSeparator: return " "
        default: return isVariation(scalar.value) ? nil : scalar
        }
    }

    private static func isVariation(_ value: UInt32) -> Bool {
        (0xFE00...0xFE0F).contains(value) || (0xE0100...0xE01EF).contains(value) || value == 0x20E3
    }

    /// Columns of one scalar: 0, 1 or 2.
    package static func width(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Medial vowels and final consonants of decomposed Korean syllables.
        if (0x1160...0x11FF).contains(value) { return 0 }
        var low = 0
        var high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value) ? 2 : 1
    }

    /// Scalars that take two columns: East Asian wide and full-width ones, and emojis shown as pictures.
    ///
    /// Regional indicators count as one each, so that a flag counts as two.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
        0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
        0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
        0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
        0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF,
        0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F265,
        0x1F300...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
        0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
        0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
        0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
        0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0,
        0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
