import ArgumentParser
import TriageCore

/// How the work of a run is cut up, and how much is said of it.
struct WorkOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Workers; default: one per processor.", valueName: "n"))
    var jobs: Int?

    @Flag(name: [.customShort("q"), .long], help: "No summary and no notices.")
    var quiet = false

    @Option(help: ArgumentHelp("Messages in a batch.", visibility: .hidden))
    var batchSize: Int?

    mutating func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs wants a number from 1 to 1024.") }
        if let batchSize, !(1...65_536).contains(batchSize) {
            throw ValidationError("--batch-size wants a number from 1 to 65536.")
        }
    }
}

/// Where a run puts what is no answer.
struct OutcomeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where rejected records go, with --on-error skip.", valueName: "file"))
    var rejects: String?

    @Option(
        help: ArgumentHelp(
            "Counts and digests of what came and went, as JSON, written last; a file or fd:3.", valueName: "file"))
    var summary: String?
}

/// How long a command waits for a store that another run holds.
struct PatienceOptions: ParsableArguments {
    @Option(
        defaultAsFlag: 86_400,
        help: ArgumentHelp("Wait for another run to end, so long at most.", valueName: "seconds"))
    var wait: Int?

    mutating func validate() throws {
        if let wait, !(0...604_800).contains(wait) {
            throw ValidationError("--wait wants a number of seconds up to 604800, or none.")
        }
    }
}
