import TriageCore

/// The patterns of a rule set, folded, deduplicated and numbered.
///
/// Words are for ``WordIndex`` and literals for Vectorscan; regexes are for ``RegexMachine`` where it accepts them,
/// otherwise for Vectorscan.
struct PatternTable: Sendable {
    /// The signals that each pattern of one engine raises.
    struct Owners: Sendable {
        /// The signals of pattern `i` are `signals[starts[i]..<starts[i + 1]]`.
        var starts: [UInt32] = [0]
        var signals: [UInt16] = []

        init(_ owners: [[UInt16]] = []) {
            for list in owners {
                signals += list
                starts.append(UInt32(signals.count))
            }
        }
    }

    /// Words and phrases.
    var words: WordIndex
    var wordOwners: Owners
    /// Lengths of the literals that Vectorscan matches, and whether each must be a whole word.
    var literalLengths: [UInt32]
    var literalIsWord: [UInt8]
    var literalOwners: Owners
    var regexOwners: Owners
    /// What a text must contain before the regexes of a group are tried on it; the first group requires nothing.
    var gates: [RegexGate] = [RegexGate()]
    /// For each literal of the gates, the groups that it admits, as bits; their pattern numbers follow those of
    /// ``literals``.
    var gateBits: [Groups] = []
    var gateLengths: [UInt32] = []
    /// Groups whose gates have no literals, as bits.
    var groupsWithoutLiterals: Groups = 0
    /// Regexes that run without Vectorscan, sorted by group.
    var machines: [RegexMachine] = []
    /// Used only for compiling; empty when loaded from a cache.
    var literals: [[UInt8]] = []
    var gateLiterals: [[UInt8]] = []
    var regexes: [String] = []
    var regexGroups: [Int] = []
    var regexPlaces: [String] = []
    var slowRegexes: [SlowRegex] = []

    init(_ rules: RuleSet) {
        var words = Numbering()
        var literals = Numbering()
        var isWord: [UInt8] = []
        var regexes = Numbering()
        let folder = TextFolder.shared
        for (index, signal) in rules.signals.enumerated() {
            guard case .patterns(let patterns) = signal.trigger else { continue }
            for pattern in patterns {
                if pattern.kind == .regex {
                    if regexes.add(Array(pattern.text.utf8), UInt16(index)) { regexPlaces.append(pattern.place) }
                    continue
                }
                var bytes = folder.fold(pattern.text)
                while bytes.last == 0x20 { bytes.removeLast() }
                guard !bytes.isEmpty else { continue }
                if pattern.kind == .word, WordIndex.takes(bytes) {
                    _ = words.add(bytes, UInt16(index))
                } else if literals.add(bytes, UInt16(index), kind: pattern.kind == .word ? 1 : 0) {
                    isWord.append(pattern.kind == .word ? 1 : 0)
                }
            }
        }
        self.words = WordIndex(words.patterns.enumerated().map { (bytes: $1, pattern: $0) })
        wordOwners = Owners(words.owners)
        self.literals = literals.patterns
        literalLengths = literals.patterns.map { UInt32($0.count) }
        literalIsWord = isWord
        literalOwners = Owners(literals.owners)
        self.regexes = regexes.patterns.map { String(decoding: $0, as: UTF8.self) }
        regexOwners = Owners(regexes.owners)
        for (pattern, regex) in self.regexes.enumerated() {
            let gate = RegexGate(regex)
            let group = group(of: gate)
            regexGroups.append(group)
            let place = regexPlaces[pattern]
            if gate.isOpen { slowRegexes.append(SlowRegex(place: place, cause: .isTriedOnEveryText)) }
            guard group > 0, let tree = RegexTree(regex) else { continue }
            let literals = RegexLiterals(tree)
            let isSigns = gate.literals.isEmpty
            if let machine = RegexMachine(tree, literals, isSigns: isSigns, pattern: pattern, group: group) {
                machines.append(machine)
            } else if RegexMachine.suits(tree, literals, isSigns: isSigns) {
                slowRegexes.append(SlowRegex(place: place, cause: .hasTooManyStates))
            }
        }
        machines.sort { ($0.group, $0.pattern) < ($1.group, $1.pattern) }
        for (group, gate) in gates.enumerated() {
            if gate.literals.isEmpty { groupsWithoutLiterals |= 1 << Groups(group) }
            for literal in gate.literals {
                if let index = gateLiterals.firstIndex(of: literal) {
                    gateBits[index] |= 1 << Groups(group)
                } else {
                    gateLiterals.append(literal)
                    gateBits.append(1 << Groups(group))
                    gateLengths.append(UInt32(literal.count))
                }
            }
        }
    }

    /// A set of regex groups, one bit each.
    typealias Groups = UInt128

    /// Maximum number of regex groups.
    static let groupLimit = Groups.bitWidth

    /// Returns the group of regexes with this gate, creating it if needed.
    ///
    /// When the limit is reached, the last group takes all remaining gates: its regexes are tried wherever a literal of
    /// any of them occurs. Gates without literals would then be tried on every text anyway, so they go to the first
    /// group.
    private mutating func group(of gate: RegexGate) -> Int {
        if let group = gates.firstIndex(of: gate) { return group }
        let last = Self.groupLimit - 1
        if gates.count < last {
            gates.append(gate)
            return gates.count - 1
        }
        guard !gate.literals.isEmpty else { return 0 }
        if gates.count == last { gates.append(RegexGate()) }
        gates[last].widen(by: gate)
        return last
    }

    /// Assigns a number to each distinct pattern and collects its signals.
    private struct Numbering {
        var patterns: [[UInt8]] = []
        var owners: [[UInt16]] = []
        private var numbers: [Key: Int] = [:]

        private struct Key: Hashable {
            var bytes: [UInt8]
            var kind: UInt8
        }

        /// Adds a pattern with its signal.
        ///
        /// - Returns: whether the pattern is new.
        mutating func add(_ bytes: [UInt8], _ signal: UInt16, kind: UInt8 = 0) -> Bool {
            let key = Key(bytes: bytes, kind: kind)
            if let number = numbers[key] {
                if owners[number].last != signal { owners[number].append(signal) }
                return false
            }
            numbers[key] = patterns.count
            patterns.append(bytes)
            owners.append([signal])
            return true
        }
    }
}

extension PatternTable {
    /// Returns everything that matching needs, as flat blocks.
    func encoded() -> [[UInt8]] {
        func raw<T>(_ array: [T]) -> [UInt8] { array.withUnsafeBytes { Array($0) } }
        var blocks = words.encoded()
        blocks += [raw(literalLengths), literalIsWord]
        for owners in [wordOwners, literalOwners, regexOwners] { blocks += [raw(owners.starts), raw(owners.signals)] }
        blocks += [raw(gateBits), raw([groupsWithoutLiterals])]
        blocks.append(raw(gates.flatMap { [UInt64($0.masks.count)] + $0.masks }))
        blocks += [raw(gateLengths), raw(machines.flatMap { $0.words() })]
        return blocks
    }

    /// Number of blocks that ``encoded()`` returns.
    static let blockCount = 17

    /// Restores a table; nil when the blocks are inconsistent.
    ///
    /// - Parameters:
    ///   - blocks: as returned by ``encoded()``.
    ///   - signalCount: number of signals in the rule set.
    init?(encoded blocks: [ArraySlice<UInt8>], signalCount: Int) {
        guard blocks.count == Self.blockCount, let words = WordIndex(encoded: blocks[0..<4]) else { return nil }
        func array<T: BitwiseCopyable>(_ raw: ArraySlice<UInt8>, of type: T.Type) -> [T] {
            raw.withUnsafeBytes { source in
                let count = source.count / MemoryLayout<T>.stride
                return [T](unsafeUninitializedCapacity: count) { buffer, filled in
                    UnsafeMutableRawBufferPointer(buffer).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: source[..<(count * MemoryLayout<T>.stride)]))
                    filled = count
                }
            }
        }
        self.words = words
        literalLengths = array(blocks[4], of: UInt32.self)
        literalIsWord = Array(blocks[5])
        func owners(_ index: Int) -> Owners? {
            var owners = Owners()
            owners.starts = array(blocks[index], of: UInt32.self)
            owners.signals = array(blocks[index + 1], of: UInt16.self)
            guard owners.starts.first == 0, owners.starts.last == UInt32(owners.signals.count),
                zip(owners.starts, owners.starts.dropFirst()).allSatisfy({ $0 <= $1 }),
                owners.signals.allSatisfy({ Int($0) < signalCount })
            else { return nil }
            return owners
        }
        guard let wordOwners = owners(6), let literalOwners = owners(8), let regexOwners = owners(10),
            literalLengths.count == literalIsWord.count, literalOwners.starts.count == literalLengths.count + 1,
            words.highestPattern < wordOwners.starts.count - 1
        else { return nil }
        var gates: [RegexGate] = []
        var rest = array(blocks[14], of: UInt64.self)[...]
        while let count = rest.popFirst() {
            guard count <= UInt64(rest.count), gates.count < Self.groupLimit else { return nil }
            gates.append(RegexGate(masks: Array(rest.prefix(Int(count)))))
            rest = rest.dropFirst(Int(count))
        }
        guard gates.first == RegexGate() else { return nil }
        gateBits = array(blocks[12], of: Groups.self)
        gateLengths = array(blocks[15], of: UInt32.self)
        guard gateBits.count == gateLengths.count else { return nil }
        var words32 = array(blocks[16], of: UInt32.self)[...]
        while !words32.isEmpty {
            guard let machine = RegexMachine(words: &words32), Int(machine.group) < gates.count,
                Int(machine.pattern) < regexOwners.starts.count - 1
            else { return nil }
            machines.append(machine)
        }
        groupsWithoutLiterals = array(blocks[13], of: Groups.self).first ?? .max
        self.gates = gates
        self.wordOwners = wordOwners
        self.literalOwners = literalOwners
        self.regexOwners = regexOwners
    }
}

extension PatternTable {
    /// Finds the words and phrases in texts; borrows the tables of a ``PatternTable`` for one batch.
    struct WordFinder {
        fileprivate let index: WordIndex.Tables
        fileprivate let starts: UnsafeBufferPointer<UInt32>
        fileprivate let signals: UnsafeBufferPointer<UInt16>

        /// Adds the hits of one text, stopping at about the limit per text.
        ///
        /// - Parameter tokens: the words of the text.
        @inline(never)
        func find(
            in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<Token>, into hits: inout HitBuffer
        ) {
            index.scan(text, tokens) { pattern, start, end in
                guard hits.count < Int(PatternScanStage.limitPerText) else { return }
                var s = Int(starts[pattern])
                let last = Int(starts[pattern &+ 1])
                while s < last {
                    hits.append(
                        SignalHit(
                            signal: signals[s], start: UInt32(truncatingIfNeeded: start),
                            end: UInt32(truncatingIfNeeded: end)))
                    s &+= 1
                }
            }
        }
    }

    /// Calls `body` with a finder, which must not outlive the call.
    func withWords(_ body: (WordFinder) -> Void) {
        words.withTables { index in
            wordOwners.starts.withUnsafeBufferPointer { starts in
                wordOwners.signals.withUnsafeBufferPointer { signals in
                    body(WordFinder(index: index, starts: starts, signals: signals))
                }
            }
        }
    }
}

/// A regex that costs more than necessary.
package struct SlowRegex: Sendable, Hashable {
    /// File and line.
    package var place: String
    package var cause: Cause

    package enum Cause: Sendable, Hashable {
        /// It contains no required text that could rule out texts in advance.
        case isTriedOnEveryText
        /// Choices and gaps multiply its states: it is slow to compile, and Vectorscan tries it on each text that
        /// contains its words.
        case hasTooManyStates
    }
}
