import ArgumentParser
import Synchronization
import TriageCore
import TriageReview
import TriageRun
import TriageStore

/// Opens the inbox of a store as a page in a browser.
struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Serves a store as an inbox page to a browser on this machine only.",
        discussion: """
            EXAMPLES
              triage review --store inbox.db
              triage review --store inbox.db --creator creator.yaml --faq faq.yaml
              triage review --store inbox.db --port 8090 --open

            Prints a link that works once, in one browser; the page stays usable until the
            command ends. Decisions are stored as with `triage feedback`, even while a
            sync runs. It never sends a message: you copy a draft.

            EXIT CODES
              64 usage · 66 no such store · 74 it is damaged
              75 the port is taken, the store is locked, or too many open files
              78 not a store, or from a newer version
              130 interrupted · 143 terminated: the normal ways to end it
            """)

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("The store; default: the one in triage.yaml.", valueName: "file"))
    var store: String?

    @Option(help: ArgumentHelp("Port on 127.0.0.1; 0: any free port.", valueName: "n"))
    var port: UInt16 = 0

    @Flag(
        name: .customLong("open"), inversion: .prefixedNo,
        help: "Open the link in the default browser.")
    var opens = false

    func run() async throws {
        var options = StoreOptions()
        options.store = store
        options.config = configuration.config
        let inbox = try options.open(.existing)
        defer { inbox.close() }
        let status = try await ReviewSession(store: inbox, configuration: configuration, port: port, opens: opens).run()
        throw RunEnded(status: status)
    }
}
