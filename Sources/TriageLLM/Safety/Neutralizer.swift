/// A text as it goes to a model: what cannot be seen is gone, and nothing in it can pass for the frame around it.
package struct NeutralText: Sendable, Equatable {
    package var text: String
    /// Invisible characters that did not belong where they stood.
    package var hidden = 0
    /// Control characters.
    package var controls = 0
    /// Tokens of chat templates that were broken up.
    package var tokens = 0
    /// Characters of floods (one character over and over, blanks without end, piles of marks).
    package var flooded = 0
    /// Whether the end was cut off.
    package var isCut = false

    init(_ text: String) { self.text = text }
}

/// Takes out of a stranger's text what a model would read and a person would not see, and bounds its cost.
///
/// Ordinary text in any script comes out byte for byte; line ends become `\n`. Linear in the text, and no more than
/// the limit is worked on beyond one scan.
package struct Neutralizer: Sendable, Equatable {
    /// Bytes of UTF-8 that are kept, without the mark of a cut; 4,000 hold about 1,100 tokens, and longer messages of
    /// creators' inboxes are mails whose first page says what they are.
    package var limit: Int

    /// Stands behind a text that was cut.
    package static let cutMark = "\n[cut here]"

    /// Equal characters in a row that are kept; nobody's laughter says more in the next hundred.
    static let runLimit = 40
    /// Marks on one letter; Hebrew with all its points and accents has 4.
    static let markLimit = 8

    package init(limit: Int = 4_000) { self.limit = max(16, limit) }

    /// The text, made harmless.
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
            // What follows is cut anyway.
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

    /// The longest beginning of whole characters within `limit` bytes; of whole scalars where one character is longer.
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
