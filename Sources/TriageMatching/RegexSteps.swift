/// An expression as a list of steps, each with the set of steps that may follow it, as bits.
///
/// A step accepts a byte or requires the end of a line; the last step is the goal, which accepts nothing.
struct RegexSteps {
    /// The bytes accepted by each step that accepts a byte.
    private(set) var bytes: [ByteSet] = []
    /// Number of steps that require the end of a line; they come after the byte steps.
    private(set) var lineEnds = 0
    /// Number of 64-bit words in a set of steps.
    private(set) var width = 1
    /// The steps that may come first, inside a line and at the start of a line.
    private(set) var first: [UInt64] = []
    private(set) var firstOfLine: [UInt64] = []
    /// The steps that may follow each step, ``width`` words each: generally, and after a line break.
    private(set) var after: [UInt64] = []
    private(set) var afterBreak: [UInt64] = []
    /// The steps that may follow each line-end step: generally, and at the end of an empty line.
    private(set) var afterLineEnd: [UInt64] = []
    private(set) var afterEmptyLine: [UInt64] = []

    /// Number of the goal step.
    var goal: Int { bytes.count + lineEnds }

    /// Lists the steps; nil for expressions that cannot be represented or have too many steps.
    init?(_ tree: RegexTree, nodeLimit: Int, workLimit: Int) {
        guard let nodes = Nodes(tree, limit: nodeLimit) else { return nil }
        var targets: [Int] = []
        var lineEndTargets: [Int] = []
        // The step number of each node; at most one of a node's ways is a step.
        var numbers = [Int](repeating: -1, count: nodes.ways.count)
        for (node, ways) in nodes.ways.enumerated() {
            for case .byte(let set, let to) in ways {
                numbers[node] = bytes.count
                bytes.append(set)
                targets.append(to)
            }
        }
        for (node, ways) in nodes.ways.enumerated() {
            for case .lineEnd(let to) in ways {
                numbers[node] = bytes.count + lineEndTargets.count
                lineEndTargets.append(to)
            }
        }
        lineEnds = lineEndTargets.count
        numbers[nodes.goal] = goal
        width = (goal + 64) / 64
        var walk = Walk(nodes: nodes, numbers: numbers, width: width, workLeft: workLimit)
        func sets(_ nodes: [Int], atLineStart: Bool, atLineEnd: Bool = false) -> [UInt64] {
            nodes.flatMap { walk.steps(from: $0, atLineStart: atLineStart, atLineEnd: atLineEnd) }
        }
        first = sets([0], atLineStart: false)
        firstOfLine = sets([0], atLineStart: true)
        after = sets(targets, atLineStart: false)
        afterBreak = sets(targets, atLineStart: true)
        afterLineEnd = sets(lineEndTargets, atLineStart: false, atLineEnd: true)
        afterEmptyLine = sets(lineEndTargets, atLineStart: true, atLineEnd: true)
        guard walk.workLeft > 0 else { return nil }
    }

    /// Finds the steps that can be reached from a node without consuming a byte.
    private struct Walk {
        let nodes: Nodes
        let numbers: [Int]
        let width: Int
        var workLeft: Int
        private var seen: [Int]
        private var round = 0

        init(nodes: Nodes, numbers: [Int], width: Int, workLeft: Int) {
            self.nodes = nodes
            self.numbers = numbers
            self.width = width
            self.workLeft = workLeft
            seen = [Int](repeating: 0, count: nodes.ways.count)
        }

        mutating func steps(from node: Int, atLineStart: Bool, atLineEnd: Bool) -> [UInt64] {
            // A set is charged by its words; otherwise a large expression would fill the memory with empty sets.
            workLeft -= width
            guard workLeft > 0 else { return [] }
            var steps = [UInt64](repeating: 0, count: width)
            round += 1
            seen[node] = round
            var open = [node]
            while workLeft > 0, let node = open.popLast() {
                if numbers[node] >= 0 { steps[numbers[node] >> 6] |= 1 << UInt64(numbers[node] & 63) }
                workLeft -= 1 + nodes.ways[node].count
                for way in nodes.ways[node] {
                    var to: Int?
                    switch way {
                    case .byte: break
                    case .free(let node): to = node
                    case .lineStart(let node): to = atLineStart ? node : nil
                    case .lineEnd(let node): to = atLineEnd ? node : nil
                    }
                    guard let to, seen[to] != round else { continue }
                    seen[to] = round
                    open.append(to)
                }
            }
            return steps
        }
    }

    /// The expression as a graph of nodes and ways, by Thompson's construction.
    private struct Nodes {
        enum Way {
            case byte(ByteSet, Int)
            case free(Int)
            case lineStart(Int)
            case lineEnd(Int)
        }

        private(set) var ways: [[Way]] = [[]]
        private(set) var goal = 0
        private let limit: Int

        /// Builds the graph; nil for expressions that cannot be represented, or too many nodes.
        init?(_ tree: RegexTree, limit: Int) {
            self.limit = limit
            guard let last = add(tree, from: 0), let goal = step(last, { .free($0) }) else { return nil }
            self.goal = goal
        }

        private mutating func node() -> Int? {
            guard ways.count < limit else { return nil }
            ways.append([])
            return ways.count - 1
        }

        /// Adds an expression after a node; returns the node at its end.
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
    }
}
