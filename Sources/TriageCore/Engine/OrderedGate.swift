import Synchronization

/// Lets tasks through one at a time, in the order of their numbers.
///
/// Used where work that ran in parallel has to come back into the order of the input.
public final class OrderedGate: Sendable {
    private struct State {
        var next = 0
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    public init() {}

    /// Waits for `turn`; every number from 0 has to ``leave()`` once.
    ///
    /// - Returns: false when the gate was closed: stop, without leaving.
    public func enter(_ turn: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let isOpen: Bool? = state.withLock { state in
                if state.isClosed { return false }
                if state.next == turn { return true }
                state.waiting[turn] = continuation
                return nil
            }
            if let isOpen { continuation.resume(returning: isOpen) }
        }
    }

    /// Lets the next number through.
    public func leave() {
        let next = state.withLock { state in
            state.next += 1
            return state.waiting.removeValue(forKey: state.next)
        }
        next?.resume(returning: true)
    }

    /// Turns everybody away, for good.
    public func close() {
        let all = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in all { continuation.resume(returning: false) }
    }
}
