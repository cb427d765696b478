/// A set of literals of which every match of a regex contains one, derived from the regex.
///
/// Vectorscan searches for thousands of literals in one pass, and a regex is tried only on texts that contain one of
/// its own. This is what `grep` and similar tools do, here for many expressions at once.
struct RegexLiterals {
    /// Maximum number of literals; more would not filter anything.
    private static let limit = 64

    /// Every match contains one of these; empty: none could be derived.
    let literals: [[UInt8]]
    /// The part of a match before the literal.
    let front: Front
    /// The part of a match from the literal on: the literal and everything after it.
    let ahead: RegexTree

    /// The part of a match before its literal.
    struct Front {
        /// Maximum length in bytes; nil: unbounded.
        var width: Int? = 0
        /// A set that contains all of its bytes.
        var bytes = ByteSet()
        /// A set that contains its last byte.
        var last = ByteSet()
        /// Whether a match may start with the literal.
        var mayBeEmpty = true
        var tree = RegexTree.sequence([])

        init() {}

        /// Creates the front that consists of these parts.
        fileprivate init(_ parts: ArraySlice<RegexTree>) {
            (last, mayBeEmpty) = RegexTree.last(of: parts)
            tree = .sequence(Array(parts))
            (width, bytes) = (tree.width, tree.bytes)
        }

        /// Returns this front with another one before it.
        fileprivate func behind(_ front: Front) -> Front {
            var both = self
            if let inner = width, let outer = front.width { both.width = inner + outer } else { both.width = nil }
            both.bytes.formUnion(front.bytes)
            if mayBeEmpty { both.last.formUnion(front.last) }
            both.mayBeEmpty = mayBeEmpty && front.mayBeEmpty
            both.tree = .sequence([front.tree, tree])
            return both
        }

        fileprivate mutating func formUnion(_ other: Front) {
            if let most = width, let width = other.width { self.width = max(most, width) } else { width = nil }
            bytes.formUnion(other.bytes)
            last.formUnion(other.last)
            mayBeEmpty = mayBeEmpty || other.mayBeEmpty
            tree = .choice([tree, other.tree])
        }
    }

    /// Derives the literals of a regex.
    ///
    /// - Parameter regex: Vectorscan syntax; syntax that is not understood gives no literals.
    init(_ regex: String) { self.init(RegexTree(regex)) }

    /// Derives the literals of a parsed regex.
    ///
    /// - Parameter tree: nil gives no literals.
    init(_ tree: RegexTree?) {
        guard let tree, let best = Self.best(of: tree) else {
            literals = []
            front = Front()
            ahead = .sequence([])
            return
        }
        literals = Set(best.literals).sorted { $0.lexicographicallyPrecedes($1) }
        front = best.front
        ahead = best.ahead
    }

    /// Literals found for a part of a regex; each of its matches contains one of them.
    private struct Found {
        var literals: [[UInt8]]
        var front: Front
        var ahead: RegexTree

        /// How well they filter: the shortest literal counts, and signs are rarer than letters.
        var worth: Int {
            literals.map { literal in
                literal.reduce(0) { sum, byte in
                    let isSign =
                        byte >= 0x80
                        || byte > 0x20 && !(0x61...0x7A).contains(byte) && !(0x30...0x39).contains(byte)
                    return sum + (isSign ? 3 : 1)
                }
            }.min() ?? 0
        }
    }

    /// Returns the best literals of an expression; nil when it has none.
    private static func best(of tree: RegexTree) -> Found? {
        guard case .choice(let sequences) = tree else { return best(of: [tree]) }
        var all = Found(literals: [], front: Front(), ahead: .choice([]))
        var aheads: [RegexTree] = []
        for (index, sequence) in sequences.enumerated() {
            guard let found = best(of: [sequence]) else { return nil }
            all.literals += found.literals
            aheads.append(found.ahead)
            if index == 0 { all.front = found.front } else { all.front.formUnion(found.front) }
            if all.literals.count > limit { return nil }
        }
        all.ahead = .choice(aheads)
        return all
    }

    /// Returns the best literals of consecutive parts.
    private static func best(of parts: [RegexTree]) -> Found? {
        var best: Found?
        // A set of signs is only a fallback, because commas and quotes are everywhere.
        var signs: Found?
        func offer(_ found: Found) {
            guard found.worth >= 3 else { return }
            // Among equals, the earlier one wins.
            if best.map({ found.worth > $0.worth }) ?? true { best = found }
        }
        let parts = flat(parts)
        var run: [UInt8] = []
        // The part at which the run starts.
        var start = 0
        func found(_ literals: [[UInt8]], at index: Int) -> Found {
            Found(literals: literals, front: Front(parts[..<index]), ahead: .sequence(Array(parts[index...])))
        }
        func ended() {
            if !run.isEmpty { offer(found([run], at: start)) }
            run = []
        }
        func lengthen(by byte: UInt8, at index: Int) {
            if run.isEmpty { start = index }
            run.append(byte)
        }
        /// Looks for literals inside a part.
        ///
        /// - Parameter again: what may follow when the part repeats.
        func look(into part: RegexTree, at index: Int, again: RegexTree = .sequence([])) {
            ended()
            guard var found = Self.best(of: part) else { return }
            found.front = found.front.behind(Front(parts[..<index]))
            found.ahead = .sequence([found.ahead, again] + parts[(index + 1)...])
            offer(found)
        }
        for (index, part) in parts.enumerated() {
            switch part {
            case .byte(let set):
                if let byte = set.only {
                    lengthen(by: byte, at: index)
                } else {
                    ended()
                    if signs == nil, let few = set.fewSigns {
                        signs = found(few.map { [$0] }, at: index)
                    }
                }
            case .repeated(let inner, let least, let most) where least > 0:
                if case .byte(let set) = inner, let byte = set.only {
                    lengthen(by: byte, at: index)
                    ended()
                } else {
                    look(into: inner, at: index, again: .repeated(inner, least: 0, most: most.map { $0 - 1 }))
                }
            case .choice: look(into: part, at: index)
            case .repeated, .lineStart, .lineEnd, .boundary, .sequence: ended()
            }
        }
        ended()
        return best ?? signs
    }

    /// Flattens nested sequences.
    private static func flat(_ parts: [RegexTree]) -> [RegexTree] {
        parts.flatMap { part -> [RegexTree] in
            if case .sequence(let inner) = part { flat(inner) } else { [part] }
        }
    }
}

extension ByteSet {
    /// The only member; nil when the set has none or several.
    fileprivate var only: UInt8? {
        let members = members
        return members.count == 1 ? members[0] : nil
    }

    /// The members if there are at most four and all of them are signs; otherwise nil.
    fileprivate var fewSigns: [UInt8]? {
        let members = members
        return !members.isEmpty && members.count <= 4 && members.allSatisfy(ByteSet.isSign) ? members : nil
    }
}
