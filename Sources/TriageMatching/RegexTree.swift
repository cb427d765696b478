/// The syntax tree of a regex, with the meaning that Vectorscan gives it, limited to what is a matter of bytes.
///
/// Lazy quantifiers are treated as greedy ones, because all match ends are wanted anyway.
indirect enum RegexTree {
    /// One byte of a set.
    case byte(ByteSet)
    case sequence([RegexTree])
    case choice([RegexTree])
    /// `most` is nil when the repetition is unbounded.
    case repeated(RegexTree, least: Int, most: Int?)
    /// `^`: the text or a line starts here.
    case lineStart
    /// `$`: the text or a line ends here.
    case lineEnd
    /// `\b` or `\B`: depends on the characters on both sides.
    case boundary

    /// Parses a regex; nil for syntax that is not supported.
    ///
    /// - Parameter regex: Vectorscan syntax.
    init?(_ regex: String) {
        var parser = Parser(bytes: Array(regex.utf8))
        guard let tree = parser.choice(depth: 0), parser.isAtEnd else { return nil }
        self = tree
    }

    /// Maximum number of bytes that it matches; nil: unbounded, or beyond any practical limit.
    var width: Int? {
        switch self {
        case .byte: return 1
        case .lineStart, .lineEnd, .boundary: return 0
        case .sequence(let parts):
            var sum = 0
            for part in parts {
                guard let width = part.width else { return nil }
                sum += width
            }
            return sum <= Self.widthLimit ? sum : nil
        case .choice(let parts):
            var most = 0
            for part in parts {
                guard let width = part.width else { return nil }
                most = max(most, width)
            }
            return most
        case .repeated(let part, _, let most):
            guard let width = part.width, let most else { return nil }
            return width * most <= Self.widthLimit ? width * most : nil
        }
    }

    /// Whether it contains a word boundary.
    var hasBoundary: Bool {
        switch self {
        case .boundary: true
        case .byte, .lineStart, .lineEnd: false
        case .sequence(let parts), .choice(let parts): parts.contains(where: \.hasBoundary)
        case .repeated(let part, _, _): part.hasBoundary
        }
    }

    /// The expression that matches the same bytes in reverse order; line starts, line ends and boundaries are dropped.
    var reversed: RegexTree {
        switch self {
        case .byte: return self
        case .lineStart, .lineEnd, .boundary: return .sequence([])
        case .sequence(let parts): return .sequence(parts.reversed().map(\.reversed))
        case .choice(let parts): return .choice(parts.map(\.reversed))
        case .repeated(let part, let least, let most): return .repeated(part.reversed, least: least, most: most)
        }
    }

    /// The set of bytes that a match may end with, and whether it may be empty.
    var last: (bytes: ByteSet, mayBeEmpty: Bool) {
        switch self {
        case .byte(let set): return (set, false)
        case .lineStart, .lineEnd, .boundary: return (ByteSet(), true)
        case .sequence(let parts): return Self.last(of: parts[...])
        case .choice(let parts):
            var all = (bytes: ByteSet(), mayBeEmpty: false)
            for part in parts {
                let last = part.last
                all.bytes.formUnion(last.bytes)
                all.mayBeEmpty = all.mayBeEmpty || last.mayBeEmpty
            }
            return all
        case .repeated(let part, let least, _):
            let last = part.last
            return (last.bytes, last.mayBeEmpty || least == 0)
        }
    }

    /// The same for consecutive parts.
    static func last(of parts: ArraySlice<RegexTree>) -> (bytes: ByteSet, mayBeEmpty: Bool) {
        var bytes = ByteSet()
        for part in parts.reversed() {
            let last = part.last
            bytes.formUnion(last.bytes)
            if !last.mayBeEmpty { return (bytes, false) }
        }
        return (bytes, true)
    }

    /// All bytes that a match may contain.
    var bytes: ByteSet {
        switch self {
        case .byte(let set): return set
        case .lineStart, .lineEnd, .boundary: return ByteSet()
        case .repeated(let part, _, _): return part.bytes
        case .sequence(let parts), .choice(let parts):
            return parts.reduce(into: ByteSet()) { $0.formUnion($1.bytes) }
        }
    }

    /// Far larger than any useful width, and small enough not to overflow.
    private static let widthLimit = 1 << 20

    /// The longest repetition that is expanded; it bounds the cost of compiling a regex.
    private static let repeatLimit = 256

    private struct Parser {
        let bytes: [UInt8]
        var i = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { i >= bytes.count }
        private var byte: UInt8 { bytes[i] }

        /// Parses alternatives separated by bars, up to a closing parenthesis or the end.
        mutating func choice(depth: Int) -> RegexTree? {
            guard depth < 16 else { return nil }
            var sequences: [RegexTree] = []
            while true {
                guard let sequence = sequence(depth: depth) else { return nil }
                sequences.append(sequence)
                guard !isAtEnd, byte == UInt8(ascii: "|") else { break }
                i += 1
            }
            return sequences.count == 1 ? sequences[0] : .choice(sequences)
        }

        private mutating func sequence(depth: Int) -> RegexTree? {
            var parts: [RegexTree] = []
            while !isAtEnd, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
                guard let atom = atom(depth: depth) else { return nil }
                guard let (last, least, most) = quantifier() else { return nil }
                // A multi-byte character is repeated as a whole.
                if last { parts.append(atom) } else { parts.append(.repeated(atom, least: least, most: most)) }
            }
            return .sequence(parts)
        }

        private mutating func atom(depth: Int) -> RegexTree? {
            switch byte {
            case UInt8(ascii: "("):
                i += 1
                if !isAtEnd, byte == UInt8(ascii: "?") {
                    guard i + 1 < bytes.count, bytes[i + 1] == UInt8(ascii: ":") else { return nil }
                    i += 2
                }
                guard let inner = choice(depth: depth + 1), !isAtEnd, byte == UInt8(ascii: ")") else { return nil }
                i += 1
                return inner
            case UInt8(ascii: "["): return set().map { .byte($0) }
            case UInt8(ascii: "."):
                i += 1
                return .byte(ByteSet(0x0A).inverted)
            case UInt8(ascii: "^"):
                i += 1
                return .lineStart
            case UInt8(ascii: "$"):
                i += 1
                return .lineEnd
            case UInt8(ascii: "\\"): return escape()
            default:
                guard !"*+?{".utf8.contains(byte) else { return nil }
                var character: [RegexTree] = [.byte(ByteSet(byte))]
                i += 1
                // Without Vectorscan's UTF-8 mode a quantifier applies only to the last byte.
                while !isAtEnd, byte & 0xC0 == 0x80 {
                    character.append(.byte(ByteSet(byte)))
                    i += 1
                }
                if character.count > 1, !isAtEnd, "*+?{".utf8.contains(byte) { return nil }
                return character.count == 1 ? character[0] : .sequence(character)
            }
        }

        private mutating func escape() -> RegexTree? {
            guard i + 1 < bytes.count else { return nil }
            let escaped = bytes[i + 1]
            i += 2
            if escaped == UInt8(ascii: "b") || escaped == UInt8(ascii: "B") { return .boundary }
            if let members = ByteSet(class: escaped) { return .byte(members) }
            // Escapes of other letters are not supported here.
            guard ByteSet.isSign(escaped) else { return nil }
            return .byte(ByteSet(escaped))
        }

        /// Parses a bracketed set of ASCII characters.
        private mutating func set() -> ByteSet? {
            i += 1
            var members = ByteSet()
            var isNegated = false
            if !isAtEnd, byte == UInt8(ascii: "^") {
                isNegated = true
                i += 1
            }
            var isFirst = true
            while !isAtEnd {
                if byte == UInt8(ascii: "]"), !isFirst {
                    i += 1
                    return isNegated ? members.inverted : members
                }
                isFirst = false
                // Named classes such as `[:alpha:]` are not supported.
                guard byte < 0x80, byte != UInt8(ascii: "[") else { return nil }
                if byte == UInt8(ascii: "\\") {
                    guard i + 1 < bytes.count else { return nil }
                    if let inner = ByteSet(class: bytes[i + 1]) {
                        members.formUnion(inner)
                        i += 2
                        continue
                    }
                }
                guard let lower = member() else { return nil }
                var upper = lower
                if i + 1 < bytes.count, byte == UInt8(ascii: "-"), bytes[i + 1] != UInt8(ascii: "]") {
                    i += 1
                    guard byte < 0x80, byte != UInt8(ascii: "["), let last = member() else { return nil }
                    upper = last
                }
                guard lower <= upper else { return nil }
                for member in lower...upper { members.insert(member) }
            }
            return nil
        }

        private mutating func member() -> UInt8? {
            guard byte == UInt8(ascii: "\\") else {
                i += 1
                return bytes[i - 1]
            }
            guard i + 1 < bytes.count, ByteSet.isSign(bytes[i + 1]) else { return nil }
            i += 2
            return bytes[i - 1]
        }

        /// Parses the quantifier at this position, including lazy and possessive ones; `isOnce` when there is none.
        private mutating func quantifier() -> (isOnce: Bool, least: Int, most: Int?)? {
            guard !isAtEnd else { return (true, 1, 1) }
            var result: (isOnce: Bool, least: Int, most: Int?)
            switch byte {
            case UInt8(ascii: "?"): result = (false, 0, 1)
            case UInt8(ascii: "*"): result = (false, 0, nil)
            case UInt8(ascii: "+"): result = (false, 1, nil)
            case UInt8(ascii: "{"):
                i += 1
                guard let least = number(), !isAtEnd else { return nil }
                var most: Int? = least
                if byte == UInt8(ascii: ",") {
                    i += 1
                    most = number()
                }
                guard !isAtEnd, byte == UInt8(ascii: "}"), most.map({ $0 >= least && $0 > 0 }) ?? true else {
                    return nil
                }
                result = (false, least, most)
            default: return (true, 1, 1)
            }
            i += 1
            // Possessive quantifiers are not supported: they keep what a greedy one might give back.
            if !isAtEnd, byte == UInt8(ascii: "+") { return nil }
            if !isAtEnd, byte == UInt8(ascii: "?") { i += 1 }
            return result
        }

        private mutating func number() -> Int? {
            var value: Int?
            while !isAtEnd, (0x30...0x39).contains(byte) {
                value = (value ?? 0) * 10 + Int(byte - 0x30)
                guard let value, value <= RegexTree.repeatLimit else { return nil }
                i += 1
            }
            return value
        }
    }
}
