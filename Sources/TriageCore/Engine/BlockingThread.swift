import Platform

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Runs a blocking `body` on its own thread, so that it does not hold a worker of the task pool.
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
        // No thread is available (a process limit): a task is the next best thing.
        let body = box.takeRetainedValue().body
        Task.detached { body() }
    }
}
