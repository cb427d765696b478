/// A text normalised for matching: lower case, no diacritics, normal widths, no hidden characters, collapsed blanks.
///
/// Rules match on it; ``FoldMark``s map positions back to the bytes that the sender wrote.
package struct FoldedText: Sendable {
    /// The position of the folded bytes in ``Batch/folded``.
    package var span = Span32(start: 0, count: 0)
    /// Its marks in ``Batch/marks``.
    package var marks = 0..<0
    /// Its words in ``Batch/tokens``.
    package var tokens = 0..<0
    package var shape = TextShape()

    package init() {}
}

/// From this folded offset on: decoded offset = folded offset + delta.
package struct FoldMark: Sendable, Equatable {
    /// Offset in the folded text of this message.
    package var folded: UInt32
    package var delta: Int32
}

/// A word: a run of letters and digits in the folded text.
package struct Token: Sendable {
    /// Offset in the message's folded text.
    package var start: UInt32
    package var count: UInt16
    package var flags: Flags
    /// ``TextFolder/hash(_:)`` of the folded bytes.
    package var hash: UInt64

    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt16
        // Computed, because it is used for every word: a stored constant in another module would cost a call each time.
        @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }
        @inlinable package static var digits: Flags { Flags(rawValue: 1 << 0) }
        @inlinable package static var letters: Flags { Flags(rawValue: 1 << 1) }
        /// Contains a letter that was not ASCII before folding.
        @inlinable package static var marked: Flags { Flags(rawValue: 1 << 2) }
        /// First word after the end of a sentence or a line break.
        @inlinable package static var startsSentence: Flags { Flags(rawValue: 1 << 3) }
    }

    package init(start: UInt32, count: UInt16, flags: Flags, hash: UInt64) {
        self.start = start
        self.count = count
        self.flags = flags
        self.hash = hash
    }
}

/// Counts collected during folding, in one pass over the text.
package struct TextShape: Sendable, Equatable {
    package var letters: UInt32 = 0
    package var upper: UInt32 = 0
    package var digits: UInt32 = 0
    /// Longest run of digits.
    package var longestDigits: UInt32 = 0
    package var emoji: UInt32 = 0
    package var questionMarks: UInt32 = 0
    package var exclamations: UInt32 = 0
    package var lineBreaks: UInt32 = 0
    package var blankLines: UInt32 = 0
    package var currencySymbols: UInt32 = 0
    package var atSigns: UInt32 = 0
    package var dots: UInt32 = 0
    package var slashes: UInt32 = 0
    /// The ASCII digits and punctuation marks that occur in the folded text; see ``bit(of:)``.
    package var marks: UInt64 = 0
    /// Zero-width, bidi, tag and other invisible characters.
    package var hidden: UInt32 = 0
    /// Hidden characters between two letters, bidi overrides and tag characters, which never occur by accident.
    package var suspiciousHidden: UInt32 = 0
    /// Full-width, mathematical and enclosed letters.
    package var fancyLetters: UInt32 = 0
    /// Words that mix Latin with Cyrillic or Greek letters.
    package var mixedScriptWords: UInt32 = 0
    /// Letters by script, for language identification.
    package var latin: UInt32 = 0
    package var cyrillic: UInt32 = 0
    package var greek: UInt32 = 0
    package var arabic: UInt32 = 0
    package var hebrew: UInt32 = 0
    package var devanagari: UInt32 = 0
    package var thai: UInt32 = 0
    package var kana: UInt32 = 0
    package var han: UInt32 = 0
    package var hangul: UInt32 = 0
    package var otherScript: UInt32 = 0
    /// Whether every byte is ASCII.
    package var isASCII = true

    /// Number of letters of scripts that put no blank between words; they make no ``Token``s.
    @inlinable package var literals: UInt32 { kana &+ han &+ thai }
    /// Whether there is any letter of any script.
    @inlinable package var hasLetters: Bool { letters | literals | hangul | devanagari | otherScript > 0 }
    /// Whether the text was longer than ``TextFolder/limit``, so that only its beginning was read.
    package var isCut = false

    package init() {}

    /// The bit in ``marks`` for an ASCII byte that is not a letter; a few rare bytes share a bit.
    @inline(__always)
    package static func bit(of byte: UInt8) -> UInt64 {
        1 << UInt64((byte < 0x60 ? byte &- 0x20 : byte &- 0x40) & 63)
    }
}
