package import TriageCore

/// A run that said all it had to say and ends with a code other than 0.
package struct RunEnded: Error {
    package var status: ExitStatus

    package init(status: ExitStatus) {
        self.status = status
    }
}
