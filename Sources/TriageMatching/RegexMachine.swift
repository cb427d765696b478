/// A regex of bounded length as a state table that finds all match ends from a given start; run by ``RegexSearch``.
///
/// Vectorscan reads a text from the first byte to the last, at some twenty instructions per byte, because it has to
/// find out where a match starts. Here the places of the regex's literals are known, and a match starts at most a few
/// bytes before one. Those few starts are tried one by one, and most of them fail at once.
struct RegexMachine: Sendable {
    /// Maximum length of a match; longer regexes are left to Vectorscan.
    static let widthLimit = 255
    /// Maximum number of signs searched for at once; regexes that start at more are also left to Vectorscan.
    static let signLimit = 4
    /// Maximum number of states for the part before a literal: it only saves tries, so a large table costs more than it
    /// saves.
    private static let frontLimit = 512

    /// Pattern number of the regex.
    var pattern: UInt32
    /// Index of the regex's group in ``PatternTable/gates``.
    var group: UInt32
    /// Maximum number of bytes of a match before its literal.
    private(set) var before: UInt32
    /// Sets that contain all of these bytes, and the last of them.
    private(set) var frontBytes: ByteSet
    private(set) var frontLast: ByteSet
    /// Signs of which each match has one at the literal's position; if empty, one of the gate's literals is there.
    private(set) var signs: [UInt8]

    /// The state table of the whole regex.
    private(set) var whole: RegexStates
    /// The state table of the part from the literal on; nil where no match starts before the literal.
    ///
    /// If this part does not match, no start before the literal needs to be tried.
    private(set) var ahead: RegexStates?
    /// The state table of the part before the literal, read backwards; nil where that part may be empty or has too many
    /// states.
    private(set) var front: RegexStates?

    /// Builds the machine for a regex; nil when the regex does not suit or has too many states.
    ///
    /// - Parameters:
    ///   - tree: the parsed regex.
    ///   - literals: the literals of the regex.
    ///   - isSigns: whether its gate requires signs, so that Vectorscan does not search for the literals.
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
        // A match that starts with its literal requires nothing of the byte before it.
        frontLast = literals.front.mayBeEmpty ? .all : literals.front.last
        signs = isSigns ? literals.literals.map { $0[0] } : []
        self.whole = whole
        front =
            literals.front.mayBeEmpty
            ? nil : RegexStates(literals.front.tree.reversed, stateLimit: Self.frontLimit)
    }
}

extension RegexMachine {
    /// Whether a regex can become a machine, provided it has few enough states.
    static func suits(_ tree: RegexTree, _ literals: RegexLiterals, isSigns: Bool) -> Bool {
        guard !tree.hasBoundary, let width = tree.width, width <= widthLimit, literals.front.width != nil,
            !literals.literals.isEmpty
        else { return false }
        return !isSigns || literals.literals.count <= signLimit
    }
}

// MARK: - Flat bytes

extension RegexMachine {
    /// Returns the machine as flat words; see ``init(words:)``.
    func words() -> [UInt32] {
        var words = [pattern, group, before, UInt32(signs.count)]
        for set in [frontBytes, frontLast] {
            for lane in 0..<4 { words += [UInt32(truncatingIfNeeded: set.bits[lane]), UInt32(set.bits[lane] >> 32)] }
        }
        words += signs.map { UInt32($0) } + whole.words()
        for part in [ahead, front] { words += [part == nil ? 0 : 1] + (part?.words() ?? []) }
        return words
    }

    /// Restores a machine; nil when the words are inconsistent.
    ///
    /// - Parameter words: as returned by ``words()``; consumed from the front.
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
