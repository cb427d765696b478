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
