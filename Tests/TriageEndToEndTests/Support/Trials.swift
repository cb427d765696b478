import Foundation

/// How much the longest tests do.
///
/// A run of all tests on two slow cores has to end in a quarter of an hour. `TRIAGE_TRIALS=full` lets them do all: every
/// message, every frozen run with one job and with two, more moments at which a run is killed.
enum Trials {
    static let areFull = ProcessInfo.processInfo.environment["TRIAGE_TRIALS"] == "full"
}
