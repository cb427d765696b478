import TriageCore
import TriageInbox
import TriageRun
import TriageStore

/// What the page shows of the store as a whole.
struct ReviewState {
    let inbox: ReviewInbox
    let setup: ReviewSetup
    let rescore: ReviewRescore

    func json() throws -> String {
        let (counts, change) = try inbox.counts()
        var out = JSONObjectText()
        out.add("version", Version.current)
        out.add(raw: "store", "{\"name\":\(JSONObjectText.string(setup.storeName))}")
        out.add("change", change)
        out.add("undo", try ReviewDecisions(inbox: inbox).undoable())
        out.add(raw: "counts", Self.json(counts))
        out.add(raw: "sync", try sync())
        out.add(raw: "rescore", rescore.json)
        out.add(raw: "settings", setup.json)
        return out.text
    }

    private static func json(_ counts: ReviewIndex.Counts) -> String {
        var out = JSONObjectText()
        out.add("all", counts.all)
        out.add("fan", counts.fan)
        out.add("business", counts.business)
        out.add("spam", counts.spam)
        out.add("priority", counts.priority)
        out.add("priority_open", counts.priorityOpen)
        out.add("offers", counts.offers)
        out.add("decided", counts.decided)
        return out.text
    }

    private func sync() throws -> String {
        var out = JSONObjectText()
        let last = try inbox.store.runs(limit: 20).first { $0.command == "sync" }
        out.add(raw: "last", last.map(Self.json) ?? "null")
        // What is answered anew for the page holds the lock, too.
        let isRunning = !rescore.isRunning && RunLock.isTaken(store: inbox.store.path)
        out.add(raw: "running", isRunning ? "true" : "false")
        out.add("owed", try inbox.store.owedCount())
        return out.text
    }

    private static func json(_ run: InboxRun) -> String {
        var out = JSONObjectText()
        out.add("id", Int(run.id))
        out.add("started", UTCTime.text(run.started))
        out.add("ended", run.ended.map { UTCTime.text($0) })
        out.add("state", run.state.rawValue)
        // Written by this program, as an object.
        out.add(raw: "counts", StoredRecord(Array(run.counts.utf8)).value == nil ? "{}" : run.counts)
        return out.text
    }
}
