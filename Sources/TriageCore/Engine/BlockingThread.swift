#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Runs `body` on a thread of its own, because it blocks, and blocking must not hold a worker of the task pool.
package func startBlockingThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        if status == 0, let thread { pthread_detach(thread) }
    #else
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        if status == 0 { pthread_detach(thread) }
    #endif
    if status != 0 {
        // No thread to be had (a process limit): a task is second best.
        let body = box.takeRetainedValue().body
        Task.detached { body() }
    }
}
