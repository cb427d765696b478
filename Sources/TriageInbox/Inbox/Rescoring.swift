package import TriageCore
import TriageRun
package import TriageStore

/// Answers what lies in a store anew, and with a lock has it so.
package struct Rescoring {
    package let store: InboxStore
    package let replay: Replay
    /// Held while the new answers are written; nil: nothing is changed.
    package let lock: RunLock?

    package init(store: InboxStore, replay: Replay, lock: RunLock?) {
        self.store = store
        self.replay = replay
        self.lock = lock
    }

    /// Goes through all messages.
    ///
    /// - Parameters:
    ///   - report: told of every message.
    ///   - stopped: asked after each portion whether to end, and with which status.
    /// - Throws: ``TriageError``; ``RunEnded`` when it was stopped.
    package func run(_ report: inout RescoreReport, stopped: () -> ExitStatus?) async throws {
        var run = InboxRun(
            command: "rescore", started: UTCTime.now, version: Version.current, rules: replay.rules, inputs: "[]")
        if lock != nil { run.id = try store.begin(run) }
        do {
            report.skipped = try await replay.run { answered in
                var commit = InboxCommit()
                for answer in answered {
                    let (old, new) = (answer.old, answer.new)
                    try report.add(old, new)
                    if !old.message.record.elementsEqual(new.record) { commit.messages.append(new) }
                    // Of what an earlier version put there nothing was compared.
                    if let likeness = answer.likeness { commit.likenesses.append((old.message.key, likeness)) }
                }
                if let lock, !commit.messages.isEmpty || !commit.likenesses.isEmpty {
                    commit.run = (run.id, report.counts)
                    // Or the next sync would take them for messages that nobody was told of.
                    commit.keepsRuns = true
                    try lock.confirm()
                    try store.commit(commit)
                }
                if let status = stopped() { throw RunEnded(status: status) }
            }
            if let lock {
                // Only now: half of a replay would have conversations go back in time.
                var commit = InboxCommit()
                commit.conversations = replay.conversations.map { (key: $0.key, state: $0.value) }
                try lock.confirm()
                try store.commit(commit)
            }
            run.state = .done
            run.exit = 0
        } catch {
            run.state = error is RunEnded ? .stopped : .failed
            run.exit = (error as? RunEnded)?.status.rawValue ?? (error as? TriageError)?.exit.rawValue
            try end(run, report)
            throw error
        }
        try end(run, report)
    }

    private func end(_ run: InboxRun, _ report: RescoreReport) throws {
        guard lock != nil else { return }
        var run = run
        run.ended = UTCTime.now
        run.counts = report.counts
        try store.end(run)
    }
}
