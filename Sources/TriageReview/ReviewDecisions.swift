import TriageCore
import TriageInbox
import TriageLLM
import TriageRun
import TriageStore

/// Stores what a person decides on the page: one row per decision, on disk before the page is told.
struct ReviewDecisions {
    let inbox: ReviewInbox

    /// The source that the rows name.
    static let source = "review"
    /// The most decisions that the page is told it can undo; there may be more.
    static let undoLimit = 1000
    /// The most similar messages that one decision applies to; the rest stay in a row of their own.
    static let mostAlike = 5000

    /// Stores a decision; a repeated request with the same name is not stored again.
    func decide(_ body: JSONValue) throws -> WebAnswer {
        guard let request = Self.request(body), let key = body["key"]?.string, let field = body["field"]?.string,
            let decision = Self.decision(field, body)
        else {
            return .refused(422, "review.bad-decision", "a decision needs request, key, field and a valid value")
        }
        guard let entry = try Self.entry(key, inbox.store) else { return Self.noMessage }
        let (note, words) = (body["note"]?.string, body["text"]?.string)
        guard note?.utf8.count ?? 0 <= Decision.noteLimit, words?.utf8.count ?? 0 <= Decision.textLimit else {
            return .refused(
                422, "review.too-long",
                "a note can have up to \(Decision.noteLimit) bytes, and a reply up to \(Decision.textLimit)")
        }
        var rows = [
            try decision.row(
                on: entry, source: Self.source, request: request, note: note?.isEmpty == true ? nil : note, text: words)
        ]
        // A repeated request is about the same messages as the first time, and those already have the decision.
        if body["alike"]?.bool == true, Self.isOfMany(decision), try !inbox.store.isKept(request: request) {
            let numbers = inbox.alike(entry.number).prefix(Self.mostAlike)
            for (place, other) in try inbox.store.entries(numbers: Array(numbers)).enumerated() {
                rows.append(try decision.row(on: other, source: Self.source, request: "\(request)/\(place + 1)"))
            }
        }
        for row in try inbox.store.keep(rows).dropFirst() { try refresh(row.key.hex) }
        try refresh(key)
        return .json("{\"ok\":true,\"key\":\"\(key)\",\"undo\":\(try undoable()),\"change\":\(inbox.change)}")
    }

    /// Undoes the last decision made on the page.
    func undo(_ body: JSONValue) throws -> WebAnswer {
        guard let request = Self.request(body) else {
            return .refused(422, "review.bad-undo", "an undo needs a request")
        }
        let undone = try inbox.store.undoLast(source: Self.source, at: UTCTime.now, request: request)
        guard let last = undone.first else {
            return .refused(409, "review.nothing-to-undo", "there is nothing left to undo")
        }
        for row in undone { try refresh(row.key.hex) }
        var out = JSONObjectText()
        out.add(raw: "ok", "true")
        out.add("key", last.key.hex)
        out.add("field", last.field.rawValue)
        out.add("value", last.value)
        out.add("undo", try undoable())
        out.add("change", inbox.change)
        return .json(out.text)
    }

    func undoable() throws -> Int { try inbox.store.undoable(source: Self.source, limit: Self.undoLimit) }

    static let noMessage = WebAnswer.refused(404, "store.no-message", "no message has this key")

    /// The message with this key of 32 hex digits.
    static func entry(_ key: String, _ store: InboxStore) throws -> InboxEntry? {
        guard key.utf8.count == 32, key.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return try store.find("key:\(key)", limit: 1).first
    }

    /// Updates the lists with the message.
    private func refresh(_ key: String) throws {
        if let entry = try Self.entry(key, inbox.store) { inbox.take(entry) }
    }

    /// Whether the decision can apply to many messages at once; one about a draft or an offer cannot.
    private static func isOfMany(_ decision: Decision) -> Bool {
        switch decision {
        case .category, .sentiment, .urgent, .seen: true
        default: false
        }
    }

    /// The name that the page gave its request; nil if it is not valid.
    static func request(_ body: JSONValue) -> String? {
        guard let name = body["request"]?.string, (8...100).contains(name.utf8.count),
            name.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x5F
            })
        else { return nil }
        return name
    }

    private static func decision(_ field: String, _ body: JSONValue) -> Decision? {
        let text = body["value"]?.string
        let flag = body["value"]?.bool ?? text.flatMap { Bool($0) }
        switch field {
        case "category": return Category.allCases.first { $0.name == text }.map { .category($0) }
        case "sentiment": return Sentiment.allCases.first { $0.name == text }.map { .sentiment($0) }
        case "urgent": return flag.map { .urgent($0) }
        case "faq":
            // Naming the right entry says that the entry that was found is wrong.
            if let entry = body["entry"]?.string {
                return entry.isEmpty || entry.utf8.count > 100 ? nil : .faqEntry(entry == "none" ? nil : entry)
            }
            return text == "right" ? .faqIsRight(true) : text == "wrong" ? .faqIsRight(false) : nil
        case "draft": return text.flatMap { Decision.Fate(rawValue: $0) }.map { .draft($0) }
        case "draft_rating": return text == "good" ? .draftIsGood(true) : text == "bad" ? .draftIsGood(false) : nil
        case "opportunity": return text == "dismissed" ? .dismissedOffer : nil
        case "seen": return flag == true ? .seen : nil
        default: return nil
        }
    }
}
