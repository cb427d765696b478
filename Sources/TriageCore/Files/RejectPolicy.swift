/// What happens to records that are rejected.
public enum RejectPolicy: String, Sendable, CaseIterable {
    /// Answered in place in the output.
    case pass
    /// Left out of the output, written to the rejects.
    case skip
    /// The first one ends the run with exit 65.
    case fail
}
