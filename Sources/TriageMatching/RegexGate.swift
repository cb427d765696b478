import TriageCore

/// What a text must contain before a regex can match: digits, punctuation or literals that every match has.
///
/// Most regexes need a digit, a punctuation mark or a word that most texts lack, and are not tried on those texts.
struct RegexGate: Sendable, Hashable {
    /// The text's ``TextShape/marks`` must share a bit with each of these masks.
    private(set) var masks: [UInt64] = []
    /// The text must contain one of these; if empty, nothing is required.
    ///
    /// See ``RegexLiterals``.
    private(set) var literals: [[UInt8]] = []

    /// Whether a text with these marks may match, judging by the marks alone.
    @inline(__always)
    func admits(_ marks: UInt64) -> Bool {
        for mask in masks where marks & mask == 0 { return false }
        return true
    }

    /// Creates a gate that requires only these masks, or nothing.
    init(masks: [UInt64] = []) { self.masks = masks }

    /// Widens the gate so that it also admits the texts that `other`, which has literals, would.
    mutating func widen(by other: RegexGate) {
        masks = []
        literals += other.literals.filter { !literals.contains($0) }
    }

    /// Whether it requires nothing at all.
    var isOpen: Bool { masks.isEmpty && literals.isEmpty }

    /// Derives the gate from a regex.
    ///
    /// - Parameter regex: Vectorscan syntax. Syntax that is not understood makes the gate less strict, never stricter.
    init(_ regex: String) {
        var unique: [UInt64] = []
        var signs: UInt64 = 0
        let needed = RegexLiterals(regex).literals
        for literal in needed { signs |= literal.count == 1 ? Scan.mask(of: literal[0], isEscaped: true) : 0 }
        if !needed.isEmpty, needed.allSatisfy({ $0.count == 1 && Scan.mask(of: $0[0], isEscaped: true) != 0 }) {
            // The text's marks tell whether it has a sign, so no search is needed.
            unique.append(signs)
        } else {
            literals = needed
        }
        var scan = Scan(Array(regex.utf8))
        for mask in scan.required() ?? [] where mask != 0 && !unique.contains(mask) { unique.append(mask) }
        masks = unique.sorted()
    }

    /// Reads the top level of an expression.
    private struct Scan {
        let bytes: [UInt8]
        var i = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// Returns the masks of the atoms that every match contains; nil when the top level is a choice.
        mutating func required() -> [UInt64]? {
            var masks: [UInt64] = []
            while i < bytes.count {
                let byte = bytes[i]
                var mask: UInt64 = 0
                switch byte {
                case UInt8(ascii: "|"): return nil
                case UInt8(ascii: "("):
                    guard skipGroup() else { return [] }
                case UInt8(ascii: "["):
                    guard let found = set() else { return [] }
                    mask = found
                case UInt8(ascii: "\\"):
                    // Numeric escapes are longer than two bytes.
                    guard i + 1 < bytes.count, !"xcopPQ0123456789".utf8.contains(bytes[i + 1]) else { return [] }
                    mask = Self.mask(of: bytes[i + 1], isEscaped: true)
                    i += 2
                case UInt8(ascii: "."), UInt8(ascii: "^"): i += 1
                default:
                    mask = Self.mask(of: byte, isEscaped: false)
                    i += 1
                }
                if !isOptional() { masks.append(mask) }
            }
            return masks
        }

        /// Returns the bit of a byte that stands for itself; 0 for letters, blanks, non-ASCII bytes and classes.
        static func mask(of byte: UInt8, isEscaped: Bool) -> UInt64 {
            let isDigit = (0x30...0x39).contains(byte)
            let isLetter = (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
            if byte <= 0x20 || byte >= 0x7F || isLetter { return 0 }
            if isEscaped, isDigit { return 0 }
            if !isEscaped, byte == UInt8(ascii: "$") { return 0 }
            return TextShape.bit(of: byte)
        }

        private mutating func skipGroup() -> Bool {
            var depth = 0
            while i < bytes.count {
                switch bytes[i] {
                case UInt8(ascii: "\\"): i += 1
                case UInt8(ascii: "["):
                    guard set() != nil else { return false }
                    continue
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"):
                    depth -= 1
                    if depth == 0 {
                        i += 1
                        return true
                    }
                default: break
                }
                i += 1
            }
            return false
        }

        /// Returns the bits of a bracketed set; 0 when it contains a letter, a class or a negation; nil when it is not
        /// closed.
        private mutating func set() -> UInt64? {
            i += 1
            var mask: UInt64 = 0
            var isPlain = true
            if i < bytes.count, bytes[i] == UInt8(ascii: "^") {
                isPlain = false
                i += 1
            }
            var isFirst = true
            while i < bytes.count {
                var byte = bytes[i]
                if byte == UInt8(ascii: "]"), !isFirst {
                    i += 1
                    return isPlain ? mask : 0
                }
                isFirst = false
                if byte == UInt8(ascii: "\\") {
                    i += 1
                    guard i < bytes.count else { return nil }
                    byte = bytes[i]
                    if (0x30...0x39).contains(byte) || byte == UInt8(ascii: "d") { isPlain = false }
                }
                var upper = byte
                if i + 2 < bytes.count, bytes[i + 1] == UInt8(ascii: "-"), bytes[i + 2] != UInt8(ascii: "]") {
                    upper = bytes[i + 2]
                    i += 2
                }
                if byte > upper || upper >= 0x7F { isPlain = false }
                if isPlain {
                    for member in byte...upper {
                        let isLetter = (0x61...0x7A).contains(member) || (0x41...0x5A).contains(member)
                        if member <= 0x20 || isLetter { isPlain = false } else { mask |= TextShape.bit(of: member) }
                    }
                }
                i += 1
            }
            return nil
        }

        /// Reads the quantifier at this position, including lazy and possessive ones; returns whether the atom is
        /// optional.
        private mutating func isOptional() -> Bool {
            guard i < bytes.count else { return false }
            var isOptional = false
            switch bytes[i] {
            case UInt8(ascii: "?"), UInt8(ascii: "*"): isOptional = true
            case UInt8(ascii: "+"): break
            case UInt8(ascii: "{"):
                isOptional = i + 1 < bytes.count && (bytes[i + 1] == 0x30 || bytes[i + 1] == UInt8(ascii: ","))
                while i < bytes.count, bytes[i] != UInt8(ascii: "}") { i += 1 }
            default: return false
            }
            i += 1
            if i < bytes.count, bytes[i] == UInt8(ascii: "?") || bytes[i] == UInt8(ascii: "+") { i += 1 }
            return isOptional
        }
    }
}
