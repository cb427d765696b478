import Synchronization

/// Does the same work once for all who ask for it at the same time.
///
/// What looks the result up in a cache, and what keeps it there, belongs inside the work: between a look outside and the
/// work there is time for another to finish it.
public final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Flight {
        var id: Int
        var task: Task<Void, Never>?
        var waiters: [Int: Waiter] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var nextID = 0

        mutating func makeID() -> Int {
            nextID += 1
            return nextID
        }
    }

    private let state = Mutex(State())

    public init() {}

    /// Keys that are being worked on.
    public var count: Int { state.withLock { $0.flights.count } }

    /// The result of `work`, or of the same work that another task has begun under the same key.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled. The work goes on for the others; it is cancelled
    ///   with the last of them.
    public func value(for key: Key, _ work: @escaping @Sendable () async -> Value) async throws -> Value {
        let id = state.withLock { $0.makeID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    if state.flights[key] == nil {
                        let flight = state.makeID()
                        state.flights[key] = Flight(id: flight)
                        state.flights[key]?.task = Task {
                            let value = await work()
                            self.finish(key, flight, with: value)
                        }
                    }
                    state.flights[key]?.waiters[id] = continuation
                }
                // The handler may have run before there was anything to remove.
                if Task.isCancelled { leave(key, id) }
            }
        } onCancel: {
            leave(key, id)
        }
    }

    private func finish(_ key: Key, _ flight: Int, with value: Value) {
        let waiters = state.withLock { state -> [Int: Waiter] in
            guard let found = state.flights[key], found.id == flight else { return [:] }
            state.flights[key] = nil
            return found.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: value) }
    }

    private func leave(_ key: Key, _ id: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[key]?.waiters.removeValue(forKey: id) else { return (nil, nil) }
            guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            // Who comes next begins anew: this work is being given up.
            return (waiter, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }
}
