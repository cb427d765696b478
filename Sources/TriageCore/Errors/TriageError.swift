import Platform

/// What went wrong, where, and how to fix it; never contains message text, names or keys.
public struct TriageError: Error, Sendable, CustomStringConvertible {
    /// Stable and safe as a label, such as `config.unknown-key`.
    public var code: String
    /// What was found and what was expected.
    public var what: String
    /// `file:line`, a configuration key, or a path.
    public var at: String?
    /// What the reader can do now.
    public var remedy: String?
    /// The exit status of the process when this error ends the run.
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

    /// At most three lines: what, where, how to fix it.
    public var description: String {
        var lines = "\(what) [\(code)]"
        if let at { lines += "\n  where: \(at)" }
        if let remedy { lines += "\n  fix:   \(remedy)" }
        return lines
    }
}

/// Several errors reported together, such as three wrong keys in one configuration.
public struct TriageErrors: Error, Sendable, CustomStringConvertible {
    public var all: [TriageError]

    package init(_ all: [TriageError]) { self.all = all }

    public var description: String { all.map(\.description).joined(separator: "\n") }
}

/// The exit status of a run; sysexits numbers where one fits.
///
/// Callers and schedulers rely on these numbers.
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

/// What a failed system call means to the person who runs the program, in every command alike.
///
/// A scheduler decides by the exit code whether to retry, so the same fault always has the same code: 74 for a full or
/// broken disk, 75 for something that passes by itself.
package enum SystemFault {
    /// Returns the exit status for a system error.
    ///
    /// - Parameters:
    ///   - code: an `errno` value.
    ///   - otherwise: for errors whose meaning depends on what was being done, such as a missing file.
    package static func exit(_ code: Int32, otherwise: ExitStatus) -> ExitStatus {
        switch code {
        case ENOSPC, EDQUOT, EFBIG, EIO: .ioError
        case EMFILE, ENFILE, ENOMEM, EAGAIN, ENOBUFS: .temporary
        default: otherwise
        }
    }

    /// Returns what can be done about a system error.
    ///
    /// - Parameter otherwise: for errors whose meaning depends on what was being done.
    package static func remedy(_ code: Int32, otherwise: String?) -> String? {
        switch code {
        case ENOSPC, EDQUOT: "free disk space and run again"
        case EFBIG: "raise the file size limit (ulimit -f) and run again"
        case EMFILE: "allow more open files (ulimit -n 256) and run again"
        case ENFILE, ENOMEM, EAGAIN, ENOBUFS: "close other programs, or run again later"
        default: otherwise
        }
    }

    /// Makes sure that files can be opened at all, before any work begins.
    ///
    /// Without free descriptors, libraries that a program depends on end it silently or leave their work half done.
    ///
    /// - Throws: ``TriageError`` `system.no-descriptors` (exit 75).
    package static func checkDescriptors() throws(TriageError) {
        guard let code = missingDescriptors(wanted) else { return }
        // The caller may have lowered the limit below what the administrator allows.
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

    /// The number of files that a command may have open at a time without a language model.
    private static let wanted = 24

    /// Returns why fewer than `count` descriptors are free; nil when there are enough.
    private static func missingDescriptors(_ count: Int) -> Int32? {
        var taken: [Int32] = []
        defer { for descriptor in taken { close(descriptor) } }
        while taken.count < count {
            let descriptor = fcntl(2, F_DUPFD_CLOEXEC, 3)
            if descriptor < 0 {
                let code = errno
                // The probe copies standard error. `StandardDescriptors` has made sure that it is open, unless there
                // are no descriptors at all.
                return code == EBADF || code == EINVAL ? EMFILE : code
            }
            taken.append(descriptor)
        }
        return nil
    }
}
