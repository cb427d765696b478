/// One run over a store, for its history.
package struct InboxRun: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Under way, or ended by something that lets nothing be written, such as `kill -9`.
        case running
        case done
        /// Ended by an error.
        case failed
        /// Ended by a signal, in order.
        case stopped
    }

    /// Given by the store when it begins.
    package var id: Int64 = 0
    /// Such as `sync`.
    package var command: String
    /// Seconds since 1970.
    package var started: Int64
    package var ended: Int64?
    package var state = State.running
    /// What the process exited with.
    package var exit: Int32?
    /// Version of the program.
    package var version: String
    /// Digest of the rules.
    package var rules: String
    /// Names of the inputs, a JSON array.
    package var inputs: String
    /// A JSON object.
    package var counts = "{}"
    /// What people are told of it, a JSON object; nil: it has none yet.
    package var summary: String?
    package var spend = InboxSpend()

    package init(command: String, started: Int64, version: String, rules: String, inputs: String) {
        self.command = command
        self.started = started
        self.version = version
        self.rules = rules
        self.inputs = inputs
    }
}
