/// How far a batch is.
public struct BatchState: Sendable, Equatable {
    public enum Phase: String, Sendable {
        case running
        /// Done, expired or cancelled: there may be results, not always for all.
        case ended
        /// Refused as a whole: there are none.
        case failed
    }

    /// To ask again by: `[A-Za-z0-9_-]`.
    public var id: String
    public var phase: Phase
    /// Names of files with answers and with failures, where results are files.
    public var files: [String]
    /// Questions with an answer so far and in all, if the server tells; Anthropic tells at the end.
    public var done: Int?
    public var total: Int?
    /// Numbers of the lines that a server refused, from 1.
    public var badLines: [Int]

    public init(
        id: String, phase: Phase, files: [String] = [], done: Int? = nil, total: Int? = nil, badLines: [Int] = []
    ) {
        self.id = id
        self.phase = phase
        self.files = files
        self.done = done
        self.total = total
        self.badLines = badLines
    }
}
