/// A text made safe for a model: nothing in it is invisible, and nothing can imitate the frame around it.
package struct NeutralText: Sendable, Equatable {
    package var text: String
    /// The number of removed invisible characters, which were not legitimate where they were.
    package var hidden = 0
    /// The number of removed control characters.
    package var controls = 0
    /// The number of chat template tokens that were broken up.
    package var tokens = 0
    /// The number of removed flood characters: endless repetitions, blanks, or piles of combining marks.
    package var flooded = 0
    /// Whether the end was cut off.
    package var isCut = false

    init(_ text: String) { self.text = text }
}

/// Removes what a model would read but a person would not see from a stranger's text, and limits its cost.
///
/// Ordinary text in any script is kept byte for byte; line ends become `\n`. Takes linear time; beyond one scan, only
/// text up to the limit is processed.
package struct Neutralizer: Sendable, Equatable {
    /// The maximum number of UTF-8 bytes that are kept, without the cut mark.
    ///
    /// 4,000 bytes hold about 1,100 tokens. Longer messages to creators are e-mails whose first page says what they are
    /// about.
    package var limit: Int

    /// Appended to a text that was cut.
    package static let cutMark = "\n[cut here]"

    /// The number of equal consecutive characters that are kept; further laughter adds no information.
    static let runLimit = 40
    /// The number of combining marks kept on one letter; Hebrew with all its points and accents has 4.
    static let markLimit = 8

    package init(limit: Int = 4_000) { self.limit = max(16, limit) }

    /// The neutralized text.
    package func neutralized(_ text: String) -> NeutralText {
        var result = NeutralText("")
        let visible = visible(in: text, into: &result)
        let (scalars, tokens) = RoleTokens.broken(visible)
        result.tokens = tokens
        result.text = Text.string(scalars)
        if result.text.utf8.count > limit {
            result.text = Self.cut(result.text, to: limit)
            result.isCut = true
        }
        if result.isCut { result.text += Self.cutMark }
        return result
    }

    private func visible(in text: String, into result: inout NeutralText) -> [Unicode.Scalar] {
        let scalars = Array(text.unicodeScalars)
        var out: [Unicode.Scalar] = []
        out.reserveCapacity(min(scalars.count, limit))
        var bytes = 0
        var run = 0
        var marks = 0
        var blanks = 0
        var index = 0
        while index < scalars.count {
            defer { index += 1 }
            var scalar = scalars[index]
            switch scalar.value {
            case 0x0D:
                if index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
                scalar = "\n"
            case 0x85, 0x2028, 0x2029: scalar = "\n"
            default: break
            }
            if HiddenText.isControl(scalar.value) {
                result.controls += 1
                continue
            }
            if scalar.value > 0x7F, HiddenText.isInvisible(scalar.value) {
                if out.last?.value == 0x1F3F4 {
                    let tags = HiddenText.flagTags(scalars, from: index)
                    if tags > 0 {
                        out += scalars[index..<index + tags]
                        index += tags - 1
                        continue
                    }
                }
                guard HiddenText.belongs(scalars, at: index, after: out.last) else {
                    result.hidden += 1
                    continue
                }
            }
            run = scalar == out.last ? run + 1 : 1
            marks = Self.isMark(scalar) ? marks + 1 : 0
            blanks = Text.isBlank(scalar) ? blanks + 1 : 0
            if run > Self.runLimit || marks > Self.markLimit || blanks > Self.runLimit {
                result.flooded += 1
                continue
            }
            out.append(scalar)
            bytes += UTF8.width(scalar)
            // What follows would be cut anyway.
            if bytes > limit { break }
        }
        return out
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// The longest prefix of whole characters within `limit` bytes; of whole scalars if a single character is longer.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.startIndex
        var bytes = 0
        for index in text.indices {
            let width = text[index].utf8.count
            guard bytes + width <= limit else { break }
            bytes += width
            end = text.index(after: index)
        }
        if bytes > 0 { return String(text[..<end]) }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard bytes + UTF8.width(scalar) <= limit else { break }
            bytes += UTF8.width(scalar)
            scalars.append(scalar)
        }
        return String(scalars)
    }
}
