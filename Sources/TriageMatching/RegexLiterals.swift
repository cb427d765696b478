/// Literals of which every match of a regex holds one, found by reading the regex.
///
/// Vectorscan looks for thousands of literals in one pass, and a regex is tried only on texts that hold one of its own:
/// what `grep` and its kin do, for many expressions at once.
struct RegexLiterals {
    /// At most so many; more are no filter.
    private static let limit = 64

    /// One of these is in every match; empty: nothing could be said.
    let literals: [[UInt8]]
    /// At most so many bytes of a match stand before the literal; nil: no bound.
    let before: Int?

    /// - Parameter regex: Vectorscan syntax. What this does not understand gives no literals.
    init(_ regex: String) { self.init(RegexTree(regex)) }

    /// - Parameter tree: nil gives no literals.
    init(_ tree: RegexTree?) {
        guard let tree, let best = Self.best(of: tree) else {
            literals = []
            before = nil
            return
        }
        literals = Set(best.literals).sorted { $0.lexicographicallyPrecedes($1) }
        before = best.before
    }

    /// Literals that stand for a part of a regex, one of them in each of its matches.
    fileprivate struct Found {
        var literals: [[UInt8]]
        var before: Int?

        /// How good a filter they are: the shortest counts, and signs are rarer than letters.
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

    /// The best literals of an expression; nil when it has none.
    private static func best(of tree: RegexTree) -> Found? {
        guard case .choice(let sequences) = tree else { return best(of: [tree]) }
        var all = Found(literals: [], before: 0)
        for sequence in sequences {
            guard let found = best(of: [sequence]) else { return nil }
            all.literals += found.literals
            if let most = all.before, let before = found.before {
                all.before = max(most, before)
            } else {
                all.before = nil
            }
            if all.literals.count > limit { return nil }
        }
        return all
    }

    /// The best literals of parts that stand one behind the other.
    private static func best(of parts: [RegexTree]) -> Found? {
        var best: Found?
        // A set of signs is better than nothing: commas and quotes are everywhere.
        var signs: Found?
        func offer(_ found: Found) {
            guard found.worth >= 3 else { return }
            // Of equals the earlier and the smaller set.
            if best.map({ found.worth > $0.worth }) ?? true { best = found }
        }
        var run: [UInt8] = []
        // Where the run starts, and the part that comes next.
        var start: Int? = 0
        var position: Int? = 0
        func ended() {
            if !run.isEmpty { offer(Found(literals: [run], before: start)) }
            run = []
        }
        for part in flat(parts) {
            switch part {
            case .byte(let set):
                if let byte = set.only {
                    if run.isEmpty { start = position }
                    run.append(byte)
                } else {
                    ended()
                    if signs == nil, let few = set.fewSigns {
                        signs = Found(literals: few.map { [$0] }, before: position)
                    }
                }
            case .repeated(let inner, let least, _) where least > 0:
                if case .byte(let set) = inner, let byte = set.only {
                    if run.isEmpty { start = position }
                    run.append(byte)
                    ended()
                } else {
                    ended()
                    if let found = Self.best(of: inner) { offer(found.behind(position)) }
                }
            case .choice:
                ended()
                if let found = Self.best(of: part) { offer(found.behind(position)) }
            case .repeated, .lineStart, .lineEnd, .boundary, .sequence: ended()
            }
            if let reached = position, let width = part.width { position = reached + width } else { position = nil }
        }
        ended()
        return best ?? signs
    }

    /// Parts without the sequences in them.
    private static func flat(_ parts: [RegexTree]) -> [RegexTree] {
        parts.flatMap { part -> [RegexTree] in
            if case .sequence(let inner) = part { flat(inner) } else { [part] }
        }
    }
}

extension RegexLiterals.Found {
    /// The same behind other bytes; nil: no bound of their number.
    fileprivate func behind(_ position: Int?) -> Self {
        var moved = self
        if let position, let before { moved.before = position + before } else { moved.before = nil }
        return moved
    }
}

extension ByteSet {
    /// Its one member; nil when it has none or more.
    fileprivate var only: UInt8? {
        let members = members
        return members.count == 1 ? members[0] : nil
    }

    /// Its members when they are few, and signs all of them.
    fileprivate var fewSigns: [UInt8]? {
        let members = members
        return !members.isEmpty && members.count <= 4 && members.allSatisfy(ByteSet.isSign) ? members : nil
    }
}
