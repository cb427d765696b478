package import ArgumentParser
import TriageCore

/// How the work of a run is cut up, and how much is said of it.
package struct WorkOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Workers; default: one per processor.", valueName: "n"))
    package var jobs: Int?

    @Flag(name: [.customShort("q"), .long], help: "Print no summary and no notices.")
    package var quiet = false

    @Option(help: ArgumentHelp("Messages per batch.", visibility: .hidden))
    package var batchSize: Int?

    package mutating func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs must be from 1 to 1024.") }
        if let batchSize, !(1...65_536).contains(batchSize) {
            throw ValidationError("--batch-size must be from 1 to 65536.")
        }
    }

    package init() {}
}

/// Where a run puts what is no answer.
package struct OutcomeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File for rejected records, with --on-error skip.", valueName: "file"))
    package var rejects: String?

    @Option(
        help: ArgumentHelp(
            "Write counts and digests of input and output as JSON at the end; a file or fd:3.", valueName: "file"))
    package var summary: String?

    package init() {}
}

/// How long a command waits for a store that another run holds.
package struct PatienceOptions: ParsableArguments {
    @Option(
        defaultAsFlag: 86_400,
        help: ArgumentHelp("Wait for another run to end, at most this long.", valueName: "seconds"))
    package var wait: Int?

    package mutating func validate() throws {
        if let wait, !(0...604_800).contains(wait) {
            throw ValidationError("--wait must be at most 604800 seconds.")
        }
    }

    package init() {}
}
