import Synchronization

/// What each stage cost, summed over workers.
public final class StageTimings: Sendable {
    /// Stages in order, reading and encoding included.
    public let names: [String]
    private let sums: Mutex<[Duration]>

    init(names: [String]) {
        self.names = names
        sums = Mutex(Array(repeating: .zero, count: names.count))
    }

    func add(_ spent: [Duration]) {
        sums.withLock { sums in
            for index in sums.indices where index < spent.count { sums[index] += spent[index] }
        }
    }

    /// Time of each of ``names`` so far.
    public var spent: [Duration] { sums.withLock { $0 } }
}
