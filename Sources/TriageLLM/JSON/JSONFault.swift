/// Why bytes are not the JSON that was wanted; holds none of them.
public struct JSONFault: Error, Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// The text stops in mid-value: cut rather than wrong.
        case unexpectedEnd
        case unexpectedByte, badNumber, badEscape, controlCharacter, invalidUTF8, byteOrderMark, trailingBytes
        /// Half of a surrogate pair, where that is not repaired.
        case loneSurrogate
        /// Two members of an object have one name once escapes are read.
        case duplicateKey
        case tooLarge, tooDeep, tooManyValues
        /// Prose without an object.
        case noObject
        /// More than one object: which one is meant is not ours to guess.
        case severalObjects
    }

    public var kind: Kind
    /// Index of the first byte that is wrong; of a string with invalid UTF-8 and a doubled key its first byte.
    public var offset: Int

    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
