/// Literals of which every match of a regex holds one, found by reading the regex.
///
/// Vectorscan looks for thousands of literals in one pass, and a regex is tried only on texts that hold one of its own:
/// what `grep` and its kin do, for many expressions at once.
struct RegexLiterals {
    /// At most so many; more are no filter.
    private static let limit = 64

    /// One of these is in every match; empty: nothing could be said.
    let literals: [[UInt8]]

    /// - Parameter regex: Vectorscan syntax. What this does not understand gives no literals.
    init(_ regex: String) {
        var parser = Parser(Array(regex.utf8))
        guard let choice = parser.choice(depth: 0), parser.isAtEnd, let best = Self.best(of: choice) else {
            literals = []
            return
        }
        literals = Set(best).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// A piece of an expression that stands in every match of its sequence.
    private indirect enum Piece {
        case literal([UInt8])
        case choice([[Piece]])
    }

    /// How good a filter literals are: the shortest counts, and signs are rarer than letters.
    private static func worth(_ literals: [[UInt8]]) -> Int {
        literals.map { literal in
            literal.reduce(0) { sum, byte in
                sum
                    + (byte >= 0x80 || byte > 0x20 && !(0x61...0x7A).contains(byte) && !(0x30...0x39).contains(byte)
                        ? 3 : 1)
            }
        }.min() ?? 0
    }

    /// The best literals of a choice: the best of each of its sequences; nil when one of them has none.
    private static func best(of choice: [[Piece]]) -> [[UInt8]]? {
        var all: [[UInt8]] = []
        for sequence in choice {
            var found: [[UInt8]]?
            for piece in sequence {
                let candidate: [[UInt8]]? =
                    switch piece {
                    case .literal(let bytes): [bytes]
                    case .choice(let inner): best(of: inner)
                    }
                guard let candidate, worth(candidate) >= 3 else { continue }
                // Of equals the earlier and the smaller set.
                if found.map({ worth(candidate) > worth($0) }) ?? true { found = candidate }
            }
            guard let found else { return nil }
            all += found
            if all.count > limit { return nil }
        }
        return all
    }

    /// Reads an expression; nil: not understood.
    private struct Parser {
        let bytes: [UInt8]
        var i = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { i >= bytes.count }
        private var byte: UInt8 { bytes[i] }

        /// Sequences separated by bars, up to a closing parenthesis or the end.
        mutating func choice(depth: Int) -> [[Piece]]? {
            guard depth < 16 else { return nil }
            var sequences: [[Piece]] = []
            while true {
                guard let sequence = sequence(depth: depth) else { return nil }
                sequences.append(sequence)
                guard !isAtEnd, byte == UInt8(ascii: "|") else { return sequences }
                i += 1
            }
        }

        private mutating func sequence(depth: Int) -> [Piece]? {
            var pieces: [Piece] = []
            var run: [UInt8] = []
            func ended(_ run: inout [UInt8], _ pieces: inout [Piece]) {
                if !run.isEmpty { pieces.append(.literal(run)) }
                run = []
            }
            while !isAtEnd, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
                switch byte {
                case UInt8(ascii: "("):
                    ended(&run, &pieces)
                    i += 1
                    if !isAtEnd, byte == UInt8(ascii: "?") {
                        guard i + 1 < bytes.count, bytes[i + 1] == UInt8(ascii: ":") else { return nil }
                        i += 2
                    }
                    guard let inner = choice(depth: depth + 1), !isAtEnd, byte == UInt8(ascii: ")") else { return nil }
                    i += 1
                    guard let quantifier = quantifier() else { return nil }
                    if !quantifier.mayBeAbsent { pieces.append(.choice(inner)) }
                case UInt8(ascii: "["):
                    ended(&run, &pieces)
                    guard skipSet(), quantifier() != nil else { return nil }
                case UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "$"):
                    ended(&run, &pieces)
                    i += 1
                    guard quantifier() != nil else { return nil }
                default:
                    guard let (character, isLiteral) = character() else { return nil }
                    guard let quantifier = quantifier() else { return nil }
                    if !isLiteral || quantifier.mayBeAbsent {
                        ended(&run, &pieces)
                    } else {
                        run += character
                        if quantifier.mayRepeat { ended(&run, &pieces) }
                    }
                }
            }
            ended(&run, &pieces)
            return pieces
        }

        /// One character, all its bytes; whether it stands for itself.
        private mutating func character() -> (bytes: [UInt8], isLiteral: Bool)? {
            if byte == UInt8(ascii: "\\") {
                guard i + 1 < bytes.count else { return nil }
                let escaped = bytes[i + 1]
                i += 2
                let isSign = (0x21...0x7E).contains(escaped) && !isLetterOrDigit(escaped)
                // Classes and ends of words; other letters are more than is understood here.
                guard isSign || "dDwWsSbB".utf8.contains(escaped) else { return nil }
                return ([escaped], isSign)
            }
            guard !"*+?{".utf8.contains(byte) else { return nil }
            var character = [byte]
            i += 1
            while !isAtEnd, byte & 0xC0 == 0x80 {
                character.append(byte)
                i += 1
            }
            return (character, true)
        }

        private func isLetterOrDigit(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }

        private mutating func skipSet() -> Bool {
            i += 1
            if !isAtEnd, byte == UInt8(ascii: "^") { i += 1 }
            var isFirst = true
            while !isAtEnd {
                if byte == UInt8(ascii: "]"), !isFirst {
                    i += 1
                    return true
                }
                isFirst = false
                i += byte == UInt8(ascii: "\\") ? 2 : 1
            }
            return false
        }

        private mutating func quantifier() -> (mayBeAbsent: Bool, mayRepeat: Bool)? {
            guard !isAtEnd else { return (false, false) }
            var result = (mayBeAbsent: false, mayRepeat: false)
            switch byte {
            case UInt8(ascii: "?"): result = (true, false)
            case UInt8(ascii: "*"): result = (true, true)
            case UInt8(ascii: "+"): result = (false, true)
            case UInt8(ascii: "{"):
                let isZero = i + 1 < bytes.count && (bytes[i + 1] == 0x30 || bytes[i + 1] == UInt8(ascii: ","))
                while !isAtEnd, byte != UInt8(ascii: "}") { i += 1 }
                guard !isAtEnd else { return nil }
                result = (isZero, true)
            default: return result
            }
            i += 1
            if !isAtEnd, byte == UInt8(ascii: "?") || byte == UInt8(ascii: "+") { i += 1 }
            return result
        }
    }
}
