/// A text made comparable: lower case, no diacritics, plain widths, hidden characters out, blanks collapsed.
///
/// Rules match on it; ``FoldMark``s lead back to the bytes the sender wrote.
public struct FoldedText: Sendable {
    /// Where the folded bytes lie in ``Batch/folded``.
    public var span = Span32(start: 0, count: 0)
    /// Its marks in ``Batch/marks``.
    public var marks = 0..<0
    /// Its words in ``Batch/tokens``.
    public var tokens = 0..<0
    public var shape = TextShape()

    public init() {}
}

/// From this folded offset on, decoded offset = folded offset + delta.
public struct FoldMark: Sendable, Equatable {
    /// Offset in the folded text of this message.
    public var folded: UInt32
    public var delta: Int32

    public init(folded: UInt32, delta: Int32) {
        self.folded = folded
        self.delta = delta
    }
}

/// A word: a run of letters and digits of the folded text.
public struct Token: Sendable {
    /// Offset in the message's folded text.
    public var start: UInt32
    public var count: UInt16
    public var flags: Flags
    /// ``TextFolder/hash(_:)`` of the folded bytes.
    public var hash: UInt64

    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt16
        // Asked of every word: a stored constant of another module costs a call each time.
        @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
        @inlinable public static var digits: Flags { Flags(rawValue: 1 << 0) }
        @inlinable public static var letters: Flags { Flags(rawValue: 1 << 1) }
        /// Has a letter that was not ASCII before folding.
        @inlinable public static var marked: Flags { Flags(rawValue: 1 << 2) }
        /// First word behind a sentence end or line break.
        @inlinable public static var startsSentence: Flags { Flags(rawValue: 1 << 3) }
    }

    public init(start: UInt32, count: UInt16, flags: Flags, hash: UInt64) {
        self.start = start
        self.count = count
        self.flags = flags
        self.hash = hash
    }
}

/// Counts taken while folding, in one pass over the text.
public struct TextShape: Sendable, Equatable {
    public var letters: UInt32 = 0
    public var upper: UInt32 = 0
    public var digits: UInt32 = 0
    /// Longest run of digits.
    public var longestDigits: UInt32 = 0
    public var emoji: UInt32 = 0
    public var questionMarks: UInt32 = 0
    public var exclamations: UInt32 = 0
    public var lineBreaks: UInt32 = 0
    public var blankLines: UInt32 = 0
    public var currencySymbols: UInt32 = 0
    public var atSigns: UInt32 = 0
    public var dots: UInt32 = 0
    public var slashes: UInt32 = 0
    /// Which ASCII digits and punctuation marks the folded text has; see ``bit(of:)``.
    public var marks: UInt64 = 0
    /// Zero-width, bidi, tag and other invisible characters.
    public var hidden: UInt32 = 0
    /// Hidden characters between two letters, bidi overrides and tag characters: never there by accident.
    public var suspiciousHidden: UInt32 = 0
    /// Full-width, mathematical and enclosed letters.
    public var fancyLetters: UInt32 = 0
    /// Words that mix Latin with Cyrillic or Greek letters.
    public var mixedScriptWords: UInt32 = 0
    /// Letters by script, for language identification.
    public var latin: UInt32 = 0
    public var cyrillic: UInt32 = 0
    public var greek: UInt32 = 0
    public var arabic: UInt32 = 0
    public var hebrew: UInt32 = 0
    public var devanagari: UInt32 = 0
    public var thai: UInt32 = 0
    public var kana: UInt32 = 0
    public var han: UInt32 = 0
    public var hangul: UInt32 = 0
    public var otherScript: UInt32 = 0
    /// Whether every byte is ASCII.
    public var isASCII = true

    /// Letters of scripts that set no blank between words: they make no ``Token``s.
    @inlinable public var literals: UInt32 { kana &+ han &+ thai }
    /// Whether there is any letter, of whatever script.
    @inlinable public var hasLetters: Bool { letters | literals | hangul | devanagari | otherScript > 0 }
    /// Whether the text was longer than ``TextFolder/limit`` and only its beginning was read.
    public var isCut = false

    public init() {}

    /// The bit of ``marks`` that stands for an ASCII byte that is no letter; a few rare ones share theirs.
    @inline(__always)
    public static func bit(of byte: UInt8) -> UInt64 {
        1 << UInt64((byte < 0x60 ? byte &- 0x20 : byte &- 0x40) & 63)
    }
}
