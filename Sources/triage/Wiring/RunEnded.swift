import TriageCore

/// A run that said all it had to say and ends with a code other than 0.
struct RunEnded: Error {
    var status: ExitStatus
}
