#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What comes of asking a listening socket for one more connection.
package enum Arrival {
    /// Not waited for, and not handed on to children; who takes it closes it.
    case connection(Int32)
    /// There is one, and no descriptor left for it: after one is closed it can be had.
    case noRoom
    case nobody

    package init(at listener: Int32) {
        while true {
            #if canImport(Glibc)
                let descriptor = Glibc.accept(listener, nil, nil)
            #else
                let descriptor = Darwin.accept(listener, nil, nil)
            #endif
            if descriptor < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                self = errno == EMFILE || errno == ENFILE ? .noRoom : .nobody
                return
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            #if canImport(Darwin)
                var yes: Int32 = 1
                setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
            #endif
            self = .connection(descriptor)
            return
        }
    }
}
