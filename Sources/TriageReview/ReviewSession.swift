import Platform
import Synchronization
package import TriageCore
import TriageInbox
package import TriageRun
package import TriageStore

/// Serves a store until a signal comes.
package struct ReviewSession {
    package let store: InboxStore
    package let configuration: ConfigurationOptions
    package let port: UInt16
    package let opens: Bool

    package init(store: InboxStore, configuration: ConfigurationOptions, port: UInt16, opens: Bool) {
        self.store = store
        self.configuration = configuration
        self.port = port
        self.opens = opens
    }

    /// How the server ended by itself; the stream carries at most one value.
    private typealias End = TriageError?

    /// - Returns: the exit status of the process.
    /// - Throws: ``TriageError``.
    package func run() async throws -> ExitStatus {
        guard let address = ListenAddress("127.0.0.1:\(port)") else { return .internalError }
        let setup = ReviewSetup(
            storePath: store.path,
            storeName: store.path.split(separator: "/").last.map(String.init) ?? store.path,
            configuration: configuration)
        let signals = LazySignalWords(setup.request)
        let inbox = try ReviewInbox(store: store)
        defer { inbox.close() }
        let server = try ReviewServer(address: address)
        let gate = ReviewGate(port: server.port)
        let rescore = ReviewRescore(store: store, configuration: configuration) { inbox.touch() }
        let api = ReviewAPI(
            inbox: inbox, setup: setup, rescore: rescore,
            library: ReviewLibrary(store: store, setup: setup, rescore: rescore), signals: signals)
        // Loads the descriptions before they are needed, without delaying the link.
        let reading = Task.detached { _ = try? signals() }

        let interrupts = await Shutdown.trap()
        let shutdown = Shutdown { _ in server.stop() }
        let listening = Task { await shutdown.listen(to: interrupts) }
        let watching = Task { await watch(inbox, server, api) }
        defer {
            listening.cancel()
            reading.cancel()
            watching.cancel()
        }
        let (ends, continuation) = AsyncStream<End>.makeStream()
        server.start(
            gate: { gate.refusal(of: $0) }, handler: { api.answer($0) },
            onEnd: { failure in
                continuation.yield(failure)
                continuation.finish()
            })
        let link = "http://127.0.0.1:\(server.port)/?token=\(gate.token)"
        try CheckedWriter.standardError.write("triage: the inbox is at \(link)\n        press Ctrl-C to stop\n")
        if opens { Desktop.open(link) }
        var failure: TriageError?
        for await end in ends { failure = end }
        await rescore.stop()
        if let failure { throw failure }
        return shutdown.status ?? .success
    }

    /// Tells the page what others write to the store.
    private func watch(_ inbox: ReviewInbox, _ server: ReviewServer, _ api: ReviewAPI) async {
        var told = inbox.change
        var wasTaken = RunLock.isTaken(store: store.path)
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(500))
            guard server.hasListeners else { continue }
            let start = ContinuousClock.now
            // What cannot be read now is read at the next turn.
            _ = try? inbox.reload()
            let isTaken = RunLock.isTaken(store: store.path)
            if inbox.change != told || isTaken != wasTaken {
                (told, wasTaken) = (inbox.change, isTaken)
                server.broadcast(api.event())
            }
            // Sleeps as long as the turn took, so that at most half of the time goes into it, however large the store
            // is.
            try? await Task.sleep(for: ContinuousClock.now - start)
        }
    }
}

/// Opens a link on the user's desktop.
enum Desktop {
    /// Asks the desktop to open a page; whether it does is not known.
    ///
    /// - Parameter link: a link made by this program.
    static func open(_ link: String) {
        #if canImport(Darwin)
            let name = "open"
        #else
            let name = "xdg-open"
        #endif
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(name), strdup(link), nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        // Started without a shell.
        guard posix_spawnp(&process, name, nil, nil, &arguments, environ) == 0 else { return }
        let child = process
        startBlockingThread {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
    }
}
