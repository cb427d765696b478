import Synchronization
import TriageConfig
import TriageCore
import TriageLLM
import TriageRun
import TriageStore

/// The creator's library of answers, shown and changed in the same way as by `triage faq`.
final class ReviewLibrary: Sendable {
    private let store: InboxStore
    private let setup: ReviewSetup
    private let rescore: ReviewRescore
    /// The answers to the latest requests, by request name; repeating a request does nothing.
    private let done = Mutex<[(request: String, answer: WebAnswer)]>([])
    private let editing = Mutex(())

    init(store: InboxStore, setup: ReviewSetup, rescore: ReviewRescore) {
        self.store = store
        self.setup = setup
        self.rescore = rescore
    }

    /// All entries, and how often each is used.
    func list() throws -> WebAnswer {
        var out = JSONObjectText()
        guard let path = try setup.path(.faq) else { return .json("{\"entries\":[],\"path\":null,\"writable\":false}") }
        let uses = Dictionary(try store.faqUse().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let entries = try FAQEditor(path: path, mayCreate: true).library.entries.map { entry in
            Self.json(entry, uses[entry.id] ?? .init(id: entry.id))
        }
        out.add(raw: "entries", "[\(entries.joined(separator: ","))]")
        out.add("path", path)
        out.add(raw: "writable", setup.isWritable(path) ? "true" : "false")
        return .json(out.text)
    }

    private static func json(_ entry: FAQEntry, _ use: InboxStatistics.FAQUse) -> String {
        var out = JSONObjectText()
        out.add("id", entry.id)
        out.add("category", entry.category)
        out.add("question", entry.question)
        out.add(raw: "also_asked", "[\(entry.alsoAsked.map(JSONObjectText.string).joined(separator: ","))]")
        out.add("answer", entry.answer)
        out.add(
            raw: "uses",
            "{\"high\":\(use.high),\"possible\":\(use.possible),\"right\":\(use.right),\"wrong\":\(use.wrong)}")
        return out.text
    }

    /// Adds, edits or removes an entry; then the messages are answered again.
    func change(_ body: JSONValue) throws -> WebAnswer {
        guard let request = ReviewDecisions.request(body), let action = body["action"]?.string else {
            return .refused(422, "review.bad-change", "a change needs request and action")
        }
        // One change at a time: two that read the same file would overwrite each other.
        return try editing.withLock { _ in
            if let known = done.withLock({ $0.first { $0.request == request } }) { return known.answer }
            guard let path = try setup.path(.faq) else {
                return .refused(
                    422, "faq.no-library", "no FAQ library is named",
                    remedy: "start triage review with --faq FILE, or in a folder with a triage.yaml")
            }
            var editor = try FAQEditor(path: path, mayCreate: true)
            guard let id = try Self.apply(action, body, &editor) else {
                return .refused(422, "review.bad-change", "action must be add, edit or remove, with its members")
            }
            try editor.save()
            let answer = WebAnswer.json("{\"ok\":true,\"id\":\(JSONObjectText.string(id))}")
            done.withLock { $0 = $0.suffix(199) + [(request, answer)] }
            rescore.start()
            return answer
        }
    }

    /// - Returns: the id of the entry; nil: the change is not understood.
    private static func apply(_ action: String, _ body: JSONValue, _ editor: inout FAQEditor) throws -> String? {
        let wordings = body["also_asked"]?.array?.compactMap(\.string).filter { !$0.isEmpty }
        let (question, answer, category) = (body["question"]?.string, body["answer"]?.string, body["category"]?.string)
        switch action {
        case "add":
            guard let question, let answer else { return nil }
            let id = body["id"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? editor.freeID(for: question)
            try editor.add(
                FAQEntry(
                    id: id, category: category ?? "", question: question, alsoAsked: wordings ?? [], answer: answer))
            return id
        case "edit":
            guard let id = body["id"]?.string else { return nil }
            var change = FAQEditor.Change()
            change.id = body["new_id"]?.string.flatMap { $0.isEmpty || $0 == id ? nil : $0 }
            change.question = question
            change.answer = answer
            change.category = category
            if let wordings {
                change.clearsAlsoAsked = true
                change.alsoAsked = wordings
            }
            guard !change.isEmpty else { return nil }
            try editor.edit(id, change)
            return change.id ?? id
        case "remove":
            guard let id = body["id"]?.string else { return nil }
            try editor.remove(id)
            return id
        default: return nil
        }
    }
}
