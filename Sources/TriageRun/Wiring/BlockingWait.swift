import Dispatch
import Synchronization

/// Runs asynchronous work and blocks the calling thread until it is done.
///
/// For commands that are not asynchronous. Never call it on a thread of the task pool, which would wait for itself.
package func waitFor<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let result = WaitedFor<Value>()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        let value = await body()
        result.value.withLock { $0 = value }
        isDone.signal()
    }
    while true {
        isDone.wait()
        if let value = result.value.withLock({ $0 }) { return value }
    }
}

private final class WaitedFor<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
