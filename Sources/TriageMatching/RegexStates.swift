/// A regex of bounded length as a table of states: each byte of a text leads from one to the next.
///
/// A wide gap makes hundreds of states, one for each byte that may still come, so that they are made of bits: some
/// thousand take a few milliseconds.
struct RegexStates: Sendable {
    private static let stateLimit = 2048
    private static let nodeLimit = 20_000
    /// Words and steps that are looked at to make the states; a bound for what a rule costs at start.
    private static let workLimit = 8_000_000

    /// What a state says besides where it leads.
    static let ends: UInt8 = 1
    /// A match ends here if the text or a line does.
    static let endsBeforeBreak: UInt8 = 2

    /// Kind of each byte; bytes of one kind lead to the same states.
    private(set) var kinds: [UInt8] = []
    private(set) var kindCount = 1
    /// Where state `s` goes with kind `k`: `next[s * kindCount + k]`; 0 is the state without a way on.
    private(set) var next: [UInt16] = []
    private(set) var flags: [UInt8] = []
    /// The states to start in: inside a line, and where one starts.
    private(set) var start: UInt16 = 0
    private(set) var lineStart: UInt16 = 0

    /// Nil comes of what has no bound, more syntax or too many states, and of what matches nothing at all.
    ///
    /// - Parameter stateLimit: states it may have; 2,048 at most.
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

    /// Gives the bytes that no step tells apart one kind; an example of each.
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
    /// Makes one state of each set of steps that a text can lead to.
    private struct Maker {
        private let steps: RegexSteps
        private let kindCount: Int
        /// Kind of the line break, which no other byte shares.
        private let lineBreak: Int
        /// The kinds of byte that each step takes.
        private let kindsOfSteps: [[Int]]
        private var workLeft: Int

        private(set) var next: [UInt16] = []
        private(set) var flags: [UInt8] = []
        private(set) var start: UInt16 = 0
        private(set) var lineStart: UInt16 = 0

        /// The sets of the states, one behind the other.
        private var sets: [UInt64] = []
        private var count = 0
        /// Numbers of the states plus one at places that their sets tell, by open addressing; 0: free.
        private var places = [UInt16](repeating: 0, count: 1 << 14)

        init(_ steps: RegexSteps, examples: [UInt8], kinds: [UInt8], workLeft: Int) {
            self.steps = steps
            self.workLeft = workLeft
            kindCount = examples.count
            lineBreak = Int(kinds[0x0A])
            kindsOfSteps = steps.bytes.map { bytes in examples.indices.filter { bytes.contains(examples[$0]) } }
        }

        /// False when there are too many.
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
                // What matches nothing at all is for Vectorscan to refuse.
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

        /// A set with what comes behind the end of a line.
        private func beforeBreak(_ set: ArraySlice<UInt64>, isEmptyLine: Bool) -> [UInt64] {
            var all = Array(set)
            for end in 0..<steps.lineEnds where Self.contains(set, steps.bytes.count + end) {
                let after = isEmptyLine ? steps.afterEmptyLine : steps.afterLineEnd
                for word in all.indices { all[word] |= after[end * all.count + word] }
            }
            return all
        }

        /// Where each kind of byte leads.
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

        /// The number of the state of a set, made when there is none.
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
            // More than the limit is never asked for again.
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
    /// The states as flat words; see ``init(words:)``.
    func words() -> [UInt32] {
        [UInt32(kindCount), UInt32(flags.count), UInt32(start), UInt32(lineStart)] + Self.packed(kinds)
            + Self.packed(flags) + Self.packed(next)
    }

    /// - Parameter words: of ``words()``, taken from the front; nil comes of anything that does not fit together.
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

    /// Numbers one behind the other, as many in a word as fit.
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
