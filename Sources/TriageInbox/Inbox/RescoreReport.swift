package import TriageCore
import TriageFormats
import TriageLLM
package import TriageRun
package import TriageStore

/// Reports which messages change in a rescore, as text for people or as JSON lines.
package struct RescoreReport {
    package let format: RunsFormat
    /// The maximum number of messages shown.
    package let limit: Int
    private var messages = 0
    private var changed = 0
    /// Messages in which only details change, such as scores and reasons.
    private var refined = 0
    private var withModel = 0
    /// Records that could not be read again.
    package var skipped = 0
    private var byQuestion: [String: Int] = [:]
    private static let questions = [
        "category", "sentiment", "urgent", "opportunity", "faq", "injection", "priority", "draft",
    ]

    package init(format: RunsFormat, limit: Int) {
        self.format = format
        self.limit = limit
    }

    package mutating func add(_ old: InboxEntry, _ new: InboxMessage) throws {
        guard new.kind == .message else { return }
        messages += 1
        if old.message.facts != nil { withModel += 1 }
        let changes = AnswerChange.all(from: old.message, to: new)
        guard !changes.isEmpty else {
            if !old.message.record.elementsEqual(new.record) { refined += 1 }
            return
        }
        changed += 1
        for change in changes { byQuestion[change.question, default: 0] += 1 }
        guard changed <= limit else { return }
        try CheckedWriter.standardOutput.write((format == .jsonl ? json(old, changes) : line(old, changes)) + "\n")
    }

    private func line(_ entry: InboxEntry, _ changes: [AnswerChange]) -> String {
        let words = changes.map { "\($0.question) \($0.from ?? "none") → \($0.to ?? "none")" }.joined(separator: ", ")
        return TerminalText.line(
            "No \(entry.number)  \(entry.message.id)  \(words)", columns: max(200, Terminal.width(1)))
    }

    private func json(_ entry: InboxEntry, _ changes: [AnswerChange]) -> String {
        var all = JSONObjectText()
        for change in changes {
            var one = JSONObjectText()
            one.add(raw: "from", change.from.map { JSONObjectText.string($0) } ?? "null")
            one.add(raw: "to", change.to.map { JSONObjectText.string($0) } ?? "null")
            all.add(raw: change.question, one.text)
        }
        var out = JSONObjectText()
        out.add("number", Int(entry.number))
        out.add("key", entry.message.key.hex)
        out.add("id", entry.message.id)
        out.add(raw: "changes", all.text)
        return out.text
    }

    /// The counts as a JSON object, for the run history.
    package var counts: String {
        var out = JSONObjectText()
        out.add("messages", messages)
        out.add("changed", changed)
        out.add("refined", refined)
        for question in Self.questions { out.add(question, byQuestion[question]) }
        return out.text
    }

    /// Prints the summary to stderr.
    package func finish(isWritten: Bool, missing: Int, hasModel: Bool) throws {
        var words = "triage: \(MoneyText.count(changed)) of \(messages.of("message")) "
        words += changed == 1 ? "changes" : "change"
        let parts = Self.questions.compactMap { question in byQuestion[question].map { "\(question) \($0)" } }
        if !parts.isEmpty { words += ": " + parts.joined(separator: ", ") }
        words += "\n"
        if changed > limit {
            words += "        \(MoneyText.count(changed - limit)) more not shown; --limit N shows more\n"
        }
        if refined > 0 {
            words += "        in \(refined.of("more message", "more messages")) only scores or reasons change\n"
        }
        if skipped > 0 {
            words += "        \(skipped.of("record")) could not be read and "
            words += skipped == 1 ? "stays unchanged\n" : "stay unchanged\n"
        }
        if missing > 0 {
            words += "        \(missing.of("message")) \(missing == 1 ? "was" : "were") never sent to the LLM; "
            words += missing == 1 ? "it has only offline answers\n" : "they have only offline answers\n"
        }
        if !hasModel, withModel > 0 {
            words += "        \(withModel.of("message")) had LLM answers, but no LLM is configured now: "
            words += "these answers are ignored\n"
        }
        if !isWritten, changed + refined > 0 { words += "        nothing was saved; use --write to save\n" }
        if isWritten { words += "        saved: \(MoneyText.count(changed + refined))\n" }
        try CheckedWriter.standardError.write(words)
    }
}

/// One changed answer of a message.
struct AnswerChange: Equatable {
    var question: String
    /// The old answer; nil: there was none.
    var from: String?
    var to: String?

    /// All changes that people would notice; confidence and reasons do not count.
    static func all(from old: InboxMessage, to new: InboxMessage) -> [AnswerChange] {
        guard !old.record.elementsEqual(new.record) else { return [] }
        var found: [AnswerChange] = []
        func compare(_ question: String, _ from: String?, _ to: String?) {
            if from != to { found.append(AnswerChange(question: question, from: from, to: to)) }
        }
        compare("category", old.category, new.category)
        compare("sentiment", old.sentiment, new.sentiment)
        compare("urgent", old.isUrgent ? "yes" : "no", new.isUrgent ? "yes" : "no")
        compare("opportunity", old.score.map { "\($0)" }, new.score.map { "\($0)" })
        compare("faq", entry(old), entry(new))
        compare("injection", old.isInjection ? "yes" : "no", new.isInjection ? "yes" : "no")
        compare("priority", old.priority.map { "\($0)" }, new.priority.map { "\($0)" })
        let drafts = (draft(old), draft(new))
        if drafts.0 != drafts.1 {
            // `show` prints the texts.
            found.append(
                AnswerChange(
                    question: "draft", from: drafts.0 == nil ? nil : "a draft",
                    to: drafts.1 == nil ? nil : drafts.0 == nil ? "a draft" : "another draft"))
        }
        return found
    }

    private static func entry(_ message: InboxMessage) -> String? {
        message.faq.map { $0 + (message.faqMatch == "possible" ? " ?" : "") }
    }

    private static func draft(_ message: InboxMessage) -> String? {
        message.hasDraft ? StoredRecord(message.record).answer("draft", "text")?.string : nil
    }
}

/// Answers all stored messages again, and saves the new answers if it has a lock.
package struct Rescoring {
    package let store: InboxStore
    package let replay: Replay
    /// Held while the new answers are written; nil: nothing is saved.
    package let lock: RunLock?

    package init(store: InboxStore, replay: Replay, lock: RunLock?) {
        self.store = store
        self.replay = replay
        self.lock = lock
    }

    /// Processes all messages.
    ///
    /// - Parameters:
    ///   - report: receives every message.
    ///   - stopped: called after each batch; a returned status ends the run.
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
                    // Messages that an earlier version stored have no sketch yet.
                    if let likeness = answer.likeness { commit.likenesses.append((old.message.key, likeness)) }
                }
                if let lock, !commit.messages.isEmpty || !commit.likenesses.isEmpty {
                    commit.run = (run.id, report.counts)
                    // Keep the run: otherwise the next sync would report these messages as never reported.
                    commit.keepsRuns = true
                    try lock.confirm()
                    try store.commit(commit)
                }
                if let status = stopped() { throw RunEnded(status: status) }
            }
            if let lock {
                // Save these only at the end: after half a replay, conversations would go back in time.
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
