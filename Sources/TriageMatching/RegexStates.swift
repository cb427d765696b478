/// A regex of bounded length as a table of states: each byte of a text leads from one to the next.
struct RegexStates: Sendable {
    private static let stateLimit = 4096
    private static let nodeLimit = 20_000
    /// Nodes that are looked at to make the states; a bound for what a rule costs at start.
    private static let workLimit = 4_000_000

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
    init?(_ tree: RegexTree) {
        guard let nodes = Nodes(tree, limit: Self.nodeLimit), makeStates(nodes) else { return nil }
    }
}

// MARK: - States from nodes

extension RegexStates {
    /// The expression as nodes with ways between them, by Thompson's construction.
    fileprivate struct Nodes {
        enum Way {
            case byte(ByteSet, Int)
            case free(Int)
            case lineStart(Int)
            case lineEnd(Int)
        }

        private(set) var ways: [[Way]] = [[]]
        private(set) var goal = 0
        private let limit: Int

        /// Nil comes of what it cannot say, and of too many nodes.
        init?(_ tree: RegexTree, limit: Int) {
            self.limit = limit
            guard let last = add(tree, from: 0) else { return nil }
            goal = last
        }

        private mutating func node() -> Int? {
            guard ways.count < limit else { return nil }
            ways.append([])
            return ways.count - 1
        }

        /// Adds an expression behind a node; the node behind it.
        private mutating func add(_ tree: RegexTree, from: Int) -> Int? {
            switch tree {
            case .boundary: return nil
            case .byte(let set): return step(from) { .byte(set, $0) }
            case .lineStart: return step(from) { .lineStart($0) }
            case .lineEnd: return step(from) { .lineEnd($0) }
            case .sequence(let parts):
                var last = from
                for part in parts {
                    guard let end = add(part, from: last) else { return nil }
                    last = end
                }
                return last
            case .choice(let parts):
                guard let end = node() else { return nil }
                for part in parts {
                    guard let first = step(from, { .free($0) }), let last = add(part, from: first) else { return nil }
                    ways[last].append(.free(end))
                }
                return end
            case .repeated(let part, let least, let most):
                guard let most, let end = node() else { return nil }
                var last = from
                for round in 0..<most {
                    if round >= least { ways[last].append(.free(end)) }
                    guard let first = step(last, { .free($0) }), let reached = add(part, from: first) else {
                        return nil
                    }
                    last = reached
                }
                ways[last].append(.free(end))
                return end
            }
        }

        private mutating func step(_ from: Int, _ way: (Int) -> Way) -> Int? {
            guard let to = node() else { return nil }
            ways[from].append(way(to))
            return to
        }

        /// All nodes that can be reached without a byte, in order.
        func closure(_ nodes: [Int], atLineStart: Bool, atLineEnd: Bool) -> [Int] {
            var seen = Set(nodes)
            var open = nodes
            while let node = open.popLast() {
                for way in ways[node] {
                    var to: Int?
                    switch way {
                    case .byte: break
                    case .free(let node): to = node
                    case .lineStart(let node): to = atLineStart ? node : nil
                    case .lineEnd(let node): to = atLineEnd ? node : nil
                    }
                    if let to, seen.insert(to).inserted { open.append(to) }
                }
            }
            return seen.sorted()
        }
    }

    /// Makes one state of each set of nodes that a text can lead to; false when there are too many.
    fileprivate mutating func makeStates(_ nodes: Nodes) -> Bool {
        let examples = makeKinds(nodes)
        var numbers: [[Int]: UInt16] = [[]: 0]
        var sets: [[Int]] = [[]]
        func number(_ set: [Int]) -> UInt16 {
            if let number = numbers[set] { return number }
            let number = UInt16(truncatingIfNeeded: sets.count)
            numbers[set] = number
            sets.append(set)
            return number
        }
        start = number(nodes.closure([0], atLineStart: false, atLineEnd: false))
        lineStart = number(nodes.closure([0], atLineStart: true, atLineEnd: false))
        var done = 0
        var work = 0
        while done < sets.count {
            let set = sets[done]
            work += set.count * examples.count
            guard sets.count <= Self.stateLimit, work <= Self.workLimit else { return false }
            let isLineStart = done == Int(lineStart) && lineStart != start
            let beforeBreak = nodes.closure(set, atLineStart: isLineStart, atLineEnd: true)
            var flag: UInt8 = 0
            if beforeBreak.contains(nodes.goal) { flag = Self.endsBeforeBreak }
            if set.contains(nodes.goal) { flag = Self.ends }
            // What matches nothing at all is for Vectorscan to refuse.
            if flag != 0, done == Int(start) || done == Int(lineStart) { return false }
            flags.append(flag)
            for byte in examples {
                var reached: [Int] = []
                for node in byte == 0x0A ? beforeBreak : set {
                    for way in nodes.ways[node] {
                        if case .byte(let members, let to) = way, members.contains(byte) { reached.append(to) }
                    }
                }
                next.append(number(nodes.closure(reached, atLineStart: byte == 0x0A, atLineEnd: false)))
            }
            done += 1
        }
        return true
    }

    /// Gives the bytes that no node tells apart one kind; an example of each.
    private mutating func makeKinds(_ nodes: Nodes) -> [UInt8] {
        var sets: Set<ByteSet> = [ByteSet(0x0A)]
        for ways in nodes.ways {
            for way in ways { if case .byte(let set, _) = way { sets.insert(set) } }
        }
        let all = Array(sets)
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

// MARK: - Flat bytes

extension RegexStates {
    /// The states as flat words; see ``init(words:)``.
    func words() -> [UInt32] {
        var words = [UInt32(kindCount), UInt32(flags.count), UInt32(start), UInt32(lineStart)]
        for list in [kinds, flags] { words += list.map { UInt32($0) } }
        return words + next.map { UInt32($0) }
    }

    /// - Parameter words: of ``words()``, taken from the front; nil comes of anything that does not fit together.
    init?(words: inout ArraySlice<UInt32>) {
        func take(_ count: UInt32) -> ArraySlice<UInt32>? {
            guard Int(count) <= words.count else { return nil }
            defer { words = words.dropFirst(Int(count)) }
            return words.prefix(Int(count))
        }
        func bytes(_ count: UInt32) -> [UInt8]? { take(count)?.map { UInt8(truncatingIfNeeded: $0) } }
        guard let head = take(4).map(Array.init), (1...256).contains(head[0]),
            (1...UInt32(Self.stateLimit)).contains(head[1]), head[2] < head[1], head[3] < head[1],
            let kinds = bytes(256), let flags = bytes(head[1]), let next = take(head[0] * head[1]),
            kinds.allSatisfy({ UInt32($0) < head[0] }), next.allSatisfy({ $0 < head[1] })
        else { return nil }
        self.kinds = kinds
        self.flags = flags
        self.next = next.map { UInt16(truncatingIfNeeded: $0) }
        kindCount = Int(head[0])
        start = UInt16(truncatingIfNeeded: head[2])
        lineStart = UInt16(truncatingIfNeeded: head[3])
    }
}
