/// A regex of bounded length as a table of states: from one place in a text it finds all ends of matches; run by
/// ``RegexSearch``.
///
/// Vectorscan reads a text from its first byte to its last, some twenty instructions a byte, because it has to find out
/// where a match starts. Where a literal of the regex stands is known here, and a match starts a few bytes before it at
/// most: the few places are tried one by one, and most of them fail at once.
struct RegexMachine: Sendable {
    /// The longest match; longer ones are left to Vectorscan.
    static let widthLimit = 255
    /// Signs that a search looks for at once; regexes that start at more are left to Vectorscan too.
    static let signLimit = 4
    /// States of what stands before a literal: it only saves tries, so that many cost more than they are worth.
    private static let frontLimit = 512

    /// Number of the regex.
    var pattern: UInt32
    /// Group of the regex in ``PatternTable/gates``.
    var group: UInt32
    /// Bytes of a match that stand before its literal, at most.
    private(set) var before: UInt32
    /// What they are among, and what the last of them is among.
    private(set) var frontBytes: ByteSet
    private(set) var frontLast: ByteSet
    /// Signs of which each match has one at that place; when empty, one of the gate's literals stands there.
    private(set) var signs: [UInt8]

    /// The states of the whole regex.
    private(set) var whole: RegexStates
    /// Those of what stands from its literal on; nil where no match starts before it.
    ///
    /// Where that is not there, no start before the literal needs to be tried.
    private(set) var ahead: RegexStates?
    /// Those of what stands before its literal, read backwards; nil where that may be nothing, or has too many.
    private(set) var front: RegexStates?

    /// - Parameters:
    ///   - tree: the regex.
    ///   - literals: those of the regex.
    ///   - isSigns: whether its gate asks for signs, so that nobody looks for the literals.
    init?(_ tree: RegexTree, _ literals: RegexLiterals, isSigns: Bool, pattern: Int, group: Int) {
        guard Self.suits(tree, literals, isSigns: isSigns), let before = literals.front.width,
            let whole = RegexStates(tree)
        else { return nil }
        if before > 0 {
            guard let ahead = RegexStates(literals.ahead) else { return nil }
            self.ahead = ahead
        }
        self.pattern = UInt32(pattern)
        self.group = UInt32(group)
        self.before = UInt32(before)
        frontBytes = literals.front.bytes
        // A match that starts with its literal asks nothing of what stands before it.
        frontLast = literals.front.mayBeEmpty ? .all : literals.front.last
        signs = isSigns ? literals.literals.map { $0[0] } : []
        self.whole = whole
        front =
            literals.front.mayBeEmpty
            ? nil : RegexStates(literals.front.tree.reversed, stateLimit: Self.frontLimit)
    }
}

extension RegexMachine {
    /// Whether a regex can be a machine if it has few enough states.
    static func suits(_ tree: RegexTree, _ literals: RegexLiterals, isSigns: Bool) -> Bool {
        guard !tree.hasBoundary, let width = tree.width, width <= widthLimit, literals.front.width != nil,
            !literals.literals.isEmpty
        else { return false }
        return !isSigns || literals.literals.count <= signLimit
    }
}

// MARK: - Flat bytes

extension RegexMachine {
    /// The machine as flat words; see ``init(words:)``.
    func words() -> [UInt32] {
        var words = [pattern, group, before, UInt32(signs.count)]
        for set in [frontBytes, frontLast] {
            for lane in 0..<4 { words += [UInt32(truncatingIfNeeded: set.bits[lane]), UInt32(set.bits[lane] >> 32)] }
        }
        words += signs.map { UInt32($0) } + whole.words()
        for part in [ahead, front] { words += [part == nil ? 0 : 1] + (part?.words() ?? []) }
        return words
    }

    /// - Parameter words: of ``words()``, taken from the front; nil comes of anything that does not fit together.
    init?(words: inout ArraySlice<UInt32>) {
        guard words.count >= 20 else { return nil }
        let head = Array(words.prefix(20))
        words = words.dropFirst(20)
        func set(_ from: Int) -> ByteSet {
            var bits = SIMD4<UInt64>()
            for lane in 0..<4 { bits[lane] = UInt64(head[from + 2 * lane]) | UInt64(head[from + 2 * lane + 1]) << 32 }
            return ByteSet(bits: bits)
        }
        (frontBytes, frontLast) = (set(4), set(12))
        (pattern, group, before) = (head[0], head[1], head[2])
        guard before <= UInt32(Self.widthLimit), head[3] <= UInt32(Self.signLimit), head[3] <= UInt32(words.count)
        else { return nil }
        signs = words.prefix(Int(head[3])).map { UInt8(truncatingIfNeeded: $0) }
        words = words.dropFirst(Int(head[3]))
        guard let whole = RegexStates(words: &words) else { return nil }
        self.whole = whole
        for part in [\RegexMachine.ahead, \RegexMachine.front] {
            guard let isThere = words.popFirst() else { return nil }
            guard isThere != 0 else { continue }
            guard let states = RegexStates(words: &words) else { return nil }
            self[keyPath: part] = states
        }
    }
}
