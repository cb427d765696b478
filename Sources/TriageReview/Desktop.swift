import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The desktop that a person sits at.
enum Desktop {
    /// Asks the desktop to show a page; whether it does is not known.
    ///
    /// - Parameter link: one of ours.
    static func open(_ link: String) {
        #if canImport(Darwin)
            let name = "open"
        #else
            let name = "xdg-open"
        #endif
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(name), strdup(link), nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        // No shell has a part in it.
        guard posix_spawnp(&process, name, nil, nil, &arguments, environ) == 0 else { return }
        let child = process
        startBlockingThread {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
    }
}
