/// One run over a store, for its history.
public struct InboxRun: Sendable, Equatable {
    public enum State: String, Sendable {
        /// Under way, or ended by something that lets nothing be written, such as `kill -9`.
        case running
        case done
        /// Ended by an error.
        case failed
        /// Ended by a signal, in order.
        case stopped
    }

    /// Given by the store when it begins.
    public var id: Int64 = 0
    /// Such as `sync`.
    public var command: String
    /// Seconds since 1970.
    public var started: Int64
    public var ended: Int64?
    public var state = State.running
    /// What the process exited with.
    public var exit: Int32?
    /// Version of the program.
    public var version: String
    /// Digest of the rules.
    public var rules: String
    /// Names of the inputs, a JSON array.
    public var inputs: String
    /// A JSON object.
    public var counts = "{}"
    /// What people are told of it, a JSON object; nil: it has none yet.
    public var summary: String?
    public var spend = InboxSpend()

    public init(command: String, started: Int64, version: String, rules: String, inputs: String) {
        self.command = command
        self.started = started
        self.version = version
        self.rules = rules
        self.inputs = inputs
    }
}
