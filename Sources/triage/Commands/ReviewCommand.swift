import ArgumentParser
import Synchronization
import TriageCore
import TriageStore

/// The inbox of a store as a page in a browser.
struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Serves a store as a page to decide in, to a browser on this machine only.",
        discussion: """
            EXAMPLES
              triage review --store inbox.db
              triage review --store inbox.db --creator creator.yaml --faq faq.yaml
              triage review --store inbox.db --port 8090 --open

            Prints a link that is good for one browser, once; the page stays usable until the command ends. Decisions are
            kept as `triage feedback` keeps them, also while a sync runs. Nothing here sends a message: you copy a draft.

            EXIT CODES
              64 usage · 66 there is no such store · 74 it is damaged
              75 the port is taken, the store is locked, or no more files may be open · 78 it is of a later version, or no store
              130 interrupted · 143 terminated: both are the way to end it
            """)

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("The store; default: that of triage.yaml.", valueName: "file"))
    var store: String?

    @Option(help: ArgumentHelp("Port on 127.0.0.1; 0: any that is free.", valueName: "n"))
    var port: UInt16 = 0

    @Flag(
        name: .customLong("open"), inversion: .prefixedNo,
        help: "Open the link in the browser of the desktop.")
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
