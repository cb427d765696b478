#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What went wrong, where, and how to fix it; never with message text, names or keys.
public struct TriageError: Error, Sendable, CustomStringConvertible {
    /// Stable and safe as a label, such as `config.unknown-key`.
    public var code: String
    /// What was found and what was expected.
    public var what: String
    /// `file:line`, a configuration key, or a path.
    public var at: String?
    /// What the reader can do now.
    public var remedy: String?
    /// What the process exits with when this ends the run.
    package var exit: ExitStatus

    package init(
        _ code: String, _ what: String, at: String? = nil, remedy: String? = nil, exit: ExitStatus = .internalError
    ) {
        self.code = code
        self.what = what
        self.at = at
        self.remedy = remedy
        self.exit = exit
    }

    /// Three lines at most: what, where, how to fix it.
    public var description: String {
        var lines = "\(what) [\(code)]"
        if let at { lines += "\n  where: \(at)" }
        if let remedy { lines += "\n  fix:   \(remedy)" }
        return lines
    }
}

/// Several faults reported together, as in a configuration with three wrong keys.
public struct TriageErrors: Error, Sendable, CustomStringConvertible {
    public var all: [TriageError]

    package init(_ all: [TriageError]) { self.all = all }

    public var description: String { all.map(\.description).joined(separator: "\n") }
}

/// What a run ends with; sysexits numbers where there is one.
///
/// Callers and schedulers rely on them.
package enum ExitStatus: Int32, Sendable {
    case success = 0
    case finding = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case internalError = 70
    case cannotCreate = 73
    case ioError = 74
    case temporary = 75
    case badConfiguration = 78
    case hangup = 129
    case interrupted = 130
    case readerGone = 141
    case terminated = 143
}

/// What a failed call to the system means to whoever runs the program, wherever it failed.
///
/// A scheduler decides by the exit code whether to try again, so the same fault has the same code in every command: a disk
/// that is full or broken is 74, something that passes by itself is 75.
package enum SystemFault {
    /// What a run ends with.
    ///
    /// - Parameters:
    ///   - code: as `errno` holds it.
    ///   - otherwise: for all faults that depend on what was to be done, such as a name that is not there.
    package static func exit(_ code: Int32, otherwise: ExitStatus) -> ExitStatus {
        switch code {
        case ENOSPC, EDQUOT, EFBIG, EIO: .ioError
        case EMFILE, ENFILE, ENOMEM, EAGAIN, ENOBUFS: .temporary
        default: otherwise
        }
    }

    /// What can be done about it.
    ///
    /// - Parameter otherwise: for all faults that depend on what was to be done.
    package static func remedy(_ code: Int32, otherwise: String?) -> String? {
        switch code {
        case ENOSPC, EDQUOT: "free disk space and run again"
        case EFBIG: "allow larger files (ulimit -f) and run again"
        case EMFILE: "allow more open files (ulimit -n 256) and run again"
        case ENFILE, ENOMEM, EAGAIN, ENOBUFS: "run again when the machine is less busy"
        default: otherwise
        }
    }

    /// Makes sure that files can be opened at all, before anything is begun.
    ///
    /// Where none can, libraries that a program stands on end it without a word, or leave their work half done.
    ///
    /// - Throws: ``TriageError`` `system.no-descriptors` (exit 75).
    package static func checkDescriptors() throws(TriageError) {
        guard let code = missingDescriptors(wanted) else { return }
        // What the administrator allows at most, the caller may have lowered.
        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        if getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur + rlim_t(wanted), 256))
            if setrlimit(kind, &limit) == 0, missingDescriptors(wanted) == nil { return }
        }
        throw TriageError(
            "system.no-descriptors", "too few file descriptors: \(String(cString: strerror(code)))",
            remedy: remedy(code, otherwise: nil), exit: .temporary)
    }

    /// So many files a command may have open at a time without a language model.
    private static let wanted = 24

    /// Why there are not so many descriptors left; nil: there are.
    private static func missingDescriptors(_ count: Int) -> Int32? {
        var taken: [Int32] = []
        defer { for descriptor in taken { close(descriptor) } }
        while taken.count < count {
            let descriptor = fcntl(2, F_DUPFD_CLOEXEC, 3)
            if descriptor < 0 {
                let code = errno
                // Without standard error nothing can be tried, and `StandardDescriptors` has seen to it that there is one,
                // unless there are no descriptors at all.
                return code == EBADF || code == EINVAL ? EMFILE : code
            }
            taken.append(descriptor)
        }
        return nil
    }
}
