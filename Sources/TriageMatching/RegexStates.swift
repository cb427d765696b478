/// A regex of bounded length as a state table: each byte of a text leads from one state to the next.
///
/// A wide gap creates hundreds of states, one for each byte that may still come. State sets are therefore bit sets:
/// several thousand states take a few milliseconds to make.
struct RegexStates: Sendable {
    private static let stateLimit = 2048
    private static let nodeLimit = 20_000
    /// Maximum number of words and steps examined while making the states; it bounds what a rule costs at start.
    private static let workLimit = 8_000_000

    /// Flag of a state: a match ends here.
    static let ends: UInt8 = 1
    /// Flag of a state: a match ends here if the text or a line does.
    static let endsBeforeBreak: UInt8 = 2

    /// The kind of each byte; bytes of one kind have the same transitions.
    private(set) var kinds: [UInt8] = []
    private(set) var kindCount = 1
    /// State `s` goes to `next[s * kindCount + k]` for kind `k`; state 0 has no way on.
    private(set) var next: [UInt16] = []
    private(set) var flags: [UInt8] = []
    /// The start states: inside a line, and at the start of a line.
    private(set) var start: UInt16 = 0
    private(set) var lineStart: UInt16 = 0

    /// Builds the table; nil for a regex that is unbounded, uses unsupported syntax, needs too many states, or matches
    /// the empty string.
    ///
    /// - Parameter stateLimit: maximum number of states; at most 2,048.
    init?(_ tree: RegexTree, stateLimit: Int = Self.stateLimit) {
        guard let steps = RegexSteps(tree, nodeLimit: Self.nodeLimit, workLimit: Self.workLimit) else { return nil }
        let examples = makeKinds(steps)
        var maker = Maker(steps, examples: examples, kinds: kinds, workLeft: Self.workLimit)
        guard maker.makeStates(limit: min(stateLimit, Self.stateLimit)) else { return nil }
        next = maker.next
        flags = maker.flags
        start = maker.start
        lineStart = maker.lineStart
    }

    /// Groups bytes that no step distinguishes into one kind; returns an example of each kind.
    private mutating func makeKinds(_ steps: RegexSteps) -> [UInt8] {
        let all = Array(Set(steps.bytes + [ByteSet(0x0A)]))
        var numbers: [[Bool]: UInt8] = [:]
        var examples: [UInt8] = []
        for byte in 0...UInt8.max {
            let members = all.map { $0.contains(byte) }
            if let kind = numbers[members] {
                kinds.append(kind)
            } else {
                let kind = UInt8(examples.count)
                numbers[members] = kind
                examples.append(byte)
                kinds.append(kind)
            }
        }
        kindCount = examples.count
        return examples
    }
}

// MARK: - States from steps

extension RegexStates {
    /// Makes one state for each set of steps that a text can lead to.
    private struct Maker {
        private let steps: RegexSteps
        private let kindCount: Int
        /// The kind of the line break, which it shares with no other byte.
        private let lineBreak: Int
        /// The kinds of bytes that each step accepts.
        private let kindsOfSteps: [[Int]]
        private var workLeft: Int

        private(set) var next: [UInt16] = []
        private(set) var flags: [UInt8] = []
        private(set) var start: UInt16 = 0
        private(set) var lineStart: UInt16 = 0

        /// The step sets of the states, one after another.
        private var sets: [UInt64] = []
        private var count = 0
        /// Hash table with open addressing from step sets to state numbers plus one; 0: free.
        private var places = [UInt16](repeating: 0, count: 1 << 14)

        init(_ steps: RegexSteps, examples: [UInt8], kinds: [UInt8], workLeft: Int) {
            self.steps = steps
            self.workLeft = workLeft
            kindCount = examples.count
            lineBreak = Int(kinds[0x0A])
            kindsOfSteps = steps.bytes.map { bytes in examples.indices.filter { bytes.contains(examples[$0]) } }
        }

        /// Makes all states; returns false when there are too many.
        mutating func makeStates(limit: Int) -> Bool {
            let width = steps.width
            var reached = [UInt64](repeating: 0, count: kindCount * width)
            _ = number(of: reached[..<width])
            start = number(of: steps.first[...])
            lineStart = number(of: steps.firstOfLine[...])
            var done = 0
            while done < count {
                guard count <= limit, workLeft > 0 else { return false }
                let set = sets[(done * width)..<((done + 1) * width)]
                let isEmptyLine = done == Int(lineStart) && lineStart != start
                let beforeBreak = beforeBreak(set, isEmptyLine: isEmptyLine)
                var flag: UInt8 = 0
                if Self.contains(beforeBreak[...], steps.goal) { flag = RegexStates.endsBeforeBreak }
                if Self.contains(set, steps.goal) { flag = RegexStates.ends }
                // A regex that matches the empty string is left to Vectorscan, which rejects it.
                if flag != 0, done == Int(start) || done == Int(lineStart) { return false }
                flags.append(flag)
                follow(set, beforeBreak, into: &reached)
                for kind in 0..<kindCount { next.append(number(of: reached[(kind * width)..<((kind + 1) * width)])) }
                done += 1
            }
            return true
        }

        private static func contains(_ set: ArraySlice<UInt64>, _ step: Int) -> Bool {
            set[set.startIndex + step >> 6] >> UInt64(step & 63) & 1 != 0
        }

        /// Returns a set extended by what follows the end of a line.
        private func beforeBreak(_ set: ArraySlice<UInt64>, isEmptyLine: Bool) -> [UInt64] {
            var all = Array(set)
            for end in 0..<steps.lineEnds where Self.contains(set, steps.bytes.count + end) {
                let after = isEmptyLine ? steps.afterEmptyLine : steps.afterLineEnd
                for word in all.indices { all[word] |= after[end * all.count + word] }
            }
            return all
        }

        /// Computes where each kind of byte leads.
        private mutating func follow(
            _ set: ArraySlice<UInt64>, _ beforeBreak: [UInt64], into reached: inout [UInt64]
        ) {
            let width = steps.width
            for index in reached.indices { reached[index] = 0 }
            func add(_ source: [UInt64], _ step: Int, _ kind: Int) {
                for word in 0..<width { reached[kind * width + word] |= source[step * width + word] }
                workLeft -= width
            }
            for step in byteSteps(in: set) {
                for kind in kindsOfSteps[step] where kind != lineBreak { add(steps.after, step, kind) }
            }
            for step in byteSteps(in: beforeBreak[...]) where steps.bytes[step].contains(0x0A) {
                add(steps.afterBreak, step, lineBreak)
            }
        }

        private func byteSteps(in set: ArraySlice<UInt64>) -> [Int] {
            var found: [Int] = []
            for (index, word) in set.enumerated() {
                var rest = word
                while rest != 0 {
                    let step = index * 64 + rest.trailingZeroBitCount
                    rest &= rest - 1
                    if step < steps.bytes.count { found.append(step) }
                }
            }
            return found
        }

        /// Returns the number of the state for a set, creating it if needed.
        private mutating func number(of set: ArraySlice<UInt64>) -> UInt16 {
            var hash: UInt64 = 0
            for word in set { hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15 ^ hash >> 29 }
            workLeft -= set.count
            var place = Int(hash >> 50)
            while places[place] != 0 {
                let number = Int(places[place]) - 1
                if sets[(number * set.count)..<((number + 1) * set.count)] == set { return UInt16(number) }
                place = (place + 1) & (places.count - 1)
            }
            // A state beyond the limit is never looked up again.
            guard count <= RegexStates.stateLimit else { return 0 }
            count += 1
            places[place] = UInt16(count)
            sets += set
            return UInt16(count - 1)
        }
    }
}

// MARK: - Flat bytes

extension RegexStates {
    /// Returns the states as flat words; see ``init(words:)``.
    func words() -> [UInt32] {
        [UInt32(kindCount), UInt32(flags.count), UInt32(start), UInt32(lineStart)] + Self.packed(kinds)
            + Self.packed(flags) + Self.packed(next)
    }

    /// Restores a table; nil when the words are inconsistent.
    ///
    /// - Parameter words: as returned by ``words()``; consumed from the front.
    init?(words: inout ArraySlice<UInt32>) {
        let head = Array(words.prefix(4))
        words = words.dropFirst(4)
        guard head.count == 4, (1...256).contains(head[0]), (1...UInt32(Self.stateLimit)).contains(head[1]),
            head[2] < head[1], head[3] < head[1], let kinds = Self.taken(256, of: UInt8.self, from: &words),
            let flags = Self.taken(Int(head[1]), of: UInt8.self, from: &words),
            let next = Self.taken(Int(head[0] * head[1]), of: UInt16.self, from: &words),
            kinds.max() ?? 0 < head[0], next.max() ?? 0 < head[1]
        else { return nil }
        self.kinds = kinds
        self.flags = flags
        self.next = next
        kindCount = Int(head[0])
        start = UInt16(head[2])
        lineStart = UInt16(head[3])
    }

    /// Packs numbers one after another into as few words as possible.
    private static func packed<Number: BitwiseCopyable>(_ numbers: [Number]) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: wordCount(numbers.count, of: Number.self))
        words.withUnsafeMutableBytes { target in numbers.withUnsafeBytes { target.copyMemory(from: $0) } }
        return words
    }

    private static func taken<Number: BitwiseCopyable & ExpressibleByIntegerLiteral>(
        _ count: Int, of type: Number.Type, from words: inout ArraySlice<UInt32>
    ) -> [Number]? {
        let taken = words.prefix(wordCount(count, of: type))
        guard taken.count == wordCount(count, of: type) else { return nil }
        words = words.dropFirst(taken.count)
        var numbers = [Number](repeating: 0, count: count)
        numbers.withUnsafeMutableBytes { target in
            taken.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<target.count])) }
        }
        return numbers
    }

    private static func wordCount<Number>(_ count: Int, of type: Number.Type) -> Int {
        (count * MemoryLayout<Number>.stride + 3) / 4
    }
}
