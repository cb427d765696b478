import Synchronization
import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// Answers the messages of the store again after the library or the profile changed, in the background.
///
/// Only one rescore runs at a time; changes during it cause one more. If another run holds the store, it waits.
final class ReviewRescore: Sendable {
    enum State: String, Sendable { case idle, waiting, running, failed }

    private let store: InboxStore
    private let configuration: ConfigurationOptions
    private let onChange: @Sendable () -> Void
    private let status = Mutex(Status())

    private struct Status {
        var state = State.idle
        /// Why the last rescore failed.
        var fault: String?
        var isWanted = false
        var task: Task<Void, Never>?
        var isStopped = false
    }

    /// - Parameter onChange: called when the state, or an answer, may have changed.
    init(store: InboxStore, configuration: ConfigurationOptions, onChange: @escaping @Sendable () -> Void) {
        self.store = store
        self.configuration = configuration
        self.onChange = onChange
    }

    /// Whether it holds the store now.
    var isRunning: Bool { status.withLock { $0.state == .running } }

    var json: String {
        let (state, fault) = status.withLock { ($0.state, $0.fault) }
        var out = JSONObjectText()
        out.add("state", state.rawValue)
        out.add("message", fault)
        return out.text
    }

    /// Requests new answers.
    func start() {
        status.withLock { status in
            guard !status.isStopped else { return }
            status.isWanted = true
            if status.task == nil {
                status.state = .waiting
                status.task = Task.detached { [self] in await work() }
            }
        }
    }

    /// Stops the current rescore: what was written stays, and the next one does the rest.
    func stop() async {
        let task = status.withLock { status in
            status.isStopped = true
            status.task?.cancel()
            return status.task
        }
        await task?.value
    }

    private func work() async {
        while status.withLock({ status in
            defer { status.isWanted = false }
            if !status.isWanted || status.isStopped { status.task = nil }
            return status.task != nil
        }) {
            do {
                try await once()
                set(.idle)
            } catch {
                let fault = (error as? TriageError) ?? (error as? TriageErrors)?.all.first
                set(.failed, fault.map { "\($0.what) [\($0.code)]" })
            }
            onChange()
        }
    }

    private func set(_ state: State, _ fault: String? = nil) {
        status.withLock { ($0.state, $0.fault) = (state, fault) }
    }

    private func once() async throws {
        set(.waiting)
        let lock = try await RunLock.take(store: store.path, command: "triage review", patience: 86_400)
        set(.running)
        onChange()
        let replay = try Replay(store: store, configuration: configuration, me: [], notice: { _ in })
        var report = RescoreReport(format: .jsonl, limit: 0)
        try await Rescoring(store: store, replay: replay, lock: lock).run(&report) {
            Task.isCancelled ? .terminated : nil
        }
    }
}
