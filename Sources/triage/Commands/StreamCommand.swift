import ArgumentParser
import TriageCore
import TriageFormats
import TriageRun

/// Stream mode: one line in, one line out, each as soon as it is ready.
struct StreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: "Annotates records as they arrive, each one at once.",
        discussion: """
            EXAMPLES
              tail -F messages.jsonl | triage stream | jq -c .triage.category
              triage stream --follow messages.jsonl --from-end --deadline 2
              triage stream --listen 127.0.0.1:8080 --spool webhooks.jsonl \\
                --app-secret-file secret

            Reads one record per line and writes one record per line, in the same order,
            at once when no more input is waiting. Unreadable lines are answered in place.
            If the output is read slowly, the input is read slowly too.

            --follow reads a growing file, even if it is renamed, truncated, replaced or
            missing at first. --listen receives Meta webhooks behind your own proxy; a
            delivery is on disk in the spool before it is acknowledged.

            EXIT CODES
              0 the input ended, and everything was answered and written · 64 usage
              65 bad data (--on-error fail) · 66 input not readable · 74 I/O error
              75 no input for --idle-timeout, the spool or the address is in use, or too
                  many open files: try again · 78 bad configuration · 129 hangup
              130 interrupted · 141 reader went away · 143 terminated

            After a signal, everything read is answered first; a second signal ends the
            run at once.

            ENVIRONMENT
              TRIAGE_META_APP_SECRET    the secret of Meta's webhooks, if not in a file
              TRIAGE_META_VERIFY_TOKEN  the token of the handshake, if not in a file
            """)

    @Option(help: ArgumentHelp("Read this file as it grows.", valueName: "file"))
    var follow: String?

    @Flag(help: ArgumentHelp("With --follow or --listen: start with what is in the file (default for --follow)."))
    var fromStart = false

    @Flag(help: ArgumentHelp("With --follow or --listen: only read what is new (default for --listen)."))
    var fromEnd = false

    @Option(help: ArgumentHelp("Receive webhooks here, such as 127.0.0.1:8080.", valueName: "address"))
    var listen: String?

    @Option(help: ArgumentHelp("File for deliveries, written to disk before they are acknowledged.", valueName: "file"))
    var spool: String?

    @Option(help: ArgumentHelp("File with only the app secret, mode 0600.", valueName: "file"))
    var appSecretFile: String?

    @Option(help: ArgumentHelp("File with only the verify token, mode 0600.", valueName: "file"))
    var verifyTokenFile: String?

    @Flag(help: "Allow connections from other machines. There is no TLS here: use a proxy.")
    var allowRemote = false

    @Option(help: ArgumentHelp("Seconds from a connection to the end of its request.", visibility: .hidden))
    var requestTimeout: Double = 15

    @Option(help: ArgumentHelp("Bytes of the largest delivery.", visibility: .hidden))
    var maxBody: Int = 1 << 20

    @Option(
        help: ArgumentHelp(
            "Answer each record within this time, without the LLM if necessary.", valueName: "seconds"))
    var deadline: Double?

    @Option(help: ArgumentHelp("Exit with 75 after this time without input.", valueName: "seconds"))
    var idleTimeout: Double?

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "LLM") var asking: LLMOptions

    @OptionGroup var selection: QuestionOptions

    @Option(
        help: ArgumentHelp(
            "pass: answer rejected records in place; skip: leave them out; fail: stop.", valueName: "policy"))
    var onError: RejectPolicy = .pass

    @OptionGroup var outcome: OutcomeOptions

    @OptionGroup var work: WorkOptions

    mutating func validate() throws {
        _ = try selection.questions()
        for (name, seconds) in [("--deadline", deadline), ("--idle-timeout", idleTimeout)] {
            if let seconds, !(seconds > 0 && seconds <= 86_400) {
                throw ValidationError("\(name) must be a number of seconds, such as 2 or 0.5, at most a day.")
            }
        }
        if !(requestTimeout > 0 && requestTimeout <= 3600) {
            throw ValidationError("--request-timeout must be a number of seconds, at most an hour.")
        }
        if !(1...(64 << 20)).contains(maxBody) { throw ValidationError("--max-body must be at most 64 MiB.") }
        if !input.paths.isEmpty, input.paths != ["-"] {
            throw ValidationError("triage stream reads stdin; for a file use --follow, or triage run.")
        }
        if follow != nil, listen != nil { throw ValidationError("--follow and --listen cannot be combined.") }
        if fromStart, fromEnd { throw ValidationError("--from-start and --from-end cannot be combined.") }
        if fromStart || fromEnd, follow == nil, listen == nil {
            throw ValidationError("--from-start and --from-end need --follow or --listen.")
        }
        if (listen == nil) != (spool == nil) { throw ValidationError("--listen and --spool need each other.") }
        if let listen {
            guard let address = ListenAddress(listen) else {
                throw ValidationError("--listen must be a numeric address and a port, such as 127.0.0.1:8080.")
            }
            if !address.isLoopback, !allowRemote {
                throw ValidationError(
                    "--listen \(Terminal.harmless(listen)) can be reached from other machines; "
                        + "put a proxy in front of a loopback address, or add --allow-remote.")
            }
        }
    }

    private func source() throws -> LiveRequest.Input {
        if let follow { return .file(follow, fromEnd: fromEnd) }
        guard let listen, let spool, let address = ListenAddress(listen) else { return .standardInput }
        var settings = DeliverySettings(
            address: address, spool: spool,
            secret: try DeliverySettings.secret(file: appSecretFile, variable: MetaDelivery.secretVariable),
            token: try DeliverySettings.secret(file: verifyTokenFile, variable: "TRIAGE_META_VERIFY_TOKEN"))
        guard !settings.secret.isEmpty else {
            throw TriageError(
                "webhook.no-secret", "there is no app secret, so forged deliveries could not be detected",
                at: "--listen",
                remedy: "put it in a file for --app-secret-file, or in \(MetaDelivery.secretVariable)",
                exit: .badConfiguration)
        }
        settings.requestTime = .milliseconds(Int(requestTimeout * 1000))
        settings.bodyLimit = maxBody
        return .deliveries(settings, fromEnd: !fromStart)
    }

    func run() async throws {
        if follow == nil, listen == nil, Terminal.isTerminal(0) { throw Self.helped() }
        let onError = onError
        var request = RunRequest(input: input, configuration: configuration) { loaded, sources in
            loaded.encoder(.jsonl, rejects: onError, sources: sources, color: .never, toTerminal: true)
        }
        request.asking = asking
        request.rejects = outcome.rejects
        request.onError = onError
        request.questions = try selection.questions()
        request.summary = outcome.summary
        request.jobs = work.jobs
        request.batchSize = work.batchSize ?? 256
        request.isQuiet = work.quiet
        request.writesForPeople = true
        request.live = LiveRequest(
            input: try source(), deadline: deadline.map { .milliseconds(Int($0 * 1000)) },
            idleLimit: idleTimeout.map { .milliseconds(Int($0 * 1000)) })
        let status = try await RunSession(request: request).run()
        if status != .success { throw RunEnded(status: status) }
    }
}
