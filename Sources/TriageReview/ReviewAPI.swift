import ShippedPages
import TriageCore
import TriageInbox
import TriageLLM
import TriageRun
import TriageStore

/// Answers the requests of the page, by path.
struct ReviewAPI: Sendable {
    let inbox: ReviewInbox
    let setup: ReviewSetup
    let rescore: ReviewRescore
    let library: ReviewLibrary
    let signals: LazySignalWords

    /// Limits on the bytes, depth and values of a body.
    private static let limits = JSONLimits(bytes: ReviewServer.bodyLimit, depth: 8, values: 4096)

    /// Answers a request that passed the gate; may block.
    func answer(_ request: WebRequest) -> WebAnswer {
        // Paths are compared undecoded: a path that is written differently is not found.
        let path = String(decoding: request.target.prefix { $0 != 0x3F }, as: UTF8.self)
        let method = String(decoding: request.method, as: UTF8.self)
        do {
            return method == "GET" ? try get(path, request) : try change(method, path, request)
        } catch {
            return ReviewFault.answer(error)
        }
    }

    private func get(_ path: String, _ request: WebRequest) throws -> WebAnswer {
        guard let parameters = request.parameters else { return Self.badQuery }
        switch path {
        case "/": return page()
        case "/review.css": return WebAnswer(200, type: "text/css", body: Self.bytes(shipped_review_css))
        case "/review.js": return WebAnswer(200, type: "text/javascript", body: Self.bytes(shipped_review_js))
        case "/api/state": return .json(try ReviewState(inbox: inbox, setup: setup, rescore: rescore).json())
        case "/api/messages":
            guard let query = ReviewQuery(parameters) else { return Self.badQuery }
            return try list(query)
        case "/api/faq": return try library.list()
        case "/api/profile": return try ReviewProfile(setup: setup, rescore: rescore).show()
        case "/api/settings": return .json(try setup.settings())
        case "/api/events": return events()
        default:
            let head = "/api/messages/"
            if path.hasPrefix(head) { return try message(String(path.dropFirst(head.count))) }
            return Self.notFound
        }
    }

    private func change(_ method: String, _ path: String, _ request: WebRequest) throws -> WebAnswer {
        guard !request.target.contains(0x3F) else { return Self.badQuery }
        let body: JSONValue
        do {
            body = try StrictJSON.parse(request.body, limits: Self.limits)
        } catch {
            return .refused(400, "http.bad-json", "the body is not valid JSON")
        }
        switch (method, path) {
        case ("POST", "/api/decisions"): return try ReviewDecisions(inbox: inbox).decide(body)
        case ("POST", "/api/undo"): return try ReviewDecisions(inbox: inbox).undo(body)
        case ("POST", "/api/faq"): return try library.change(body)
        case ("PUT", "/api/profile"): return try ReviewProfile(setup: setup, rescore: rescore).change(body)
        default: return Self.notFound
        }
    }

    private func list(_ query: ReviewQuery) throws -> WebAnswer {
        let (entries, window, change) = try inbox.page(query)
        let signals = try signals()
        var head = "{\"total\":\(window.total),\"offset\":\(query.offset),\"change\":\(change)"
        head += ",\"newest\":\(window.newest),\"newer\":\(window.newer)"
        head += ",\"first_newer\":\(window.firstNewer.map(String.init) ?? "null"),\"places\":["
        head += window.places.map { $0.map(String.init) ?? "null" }.joined(separator: ",")
        var body = Array((head + "],\"items\":[").utf8)
        for (place, entry) in entries.enumerated() {
            if place > 0 { body.append(UInt8(ascii: ",")) }
            var item = ReviewItem(entry, signals)
            // A message that was forgotten a moment ago has no row.
            if let row = window.numbers.firstIndex(of: entry.number) { item.alike = window.alike[row] }
            body += Array(item.json.utf8)
        }
        return .json(body + Array("]}".utf8))
    }

    private func message(_ key: String) throws -> WebAnswer {
        guard let entry = try ReviewDecisions.entry(key, inbox.store) else { return ReviewDecisions.noMessage }
        let (before, after) = try inbox.store.conversation(around: entry, before: 30, after: 10)
        let message = ReviewMessage(
            entry: entry, before: before, after: after, feedback: try inbox.store.feedback(on: entry.message.key),
            signals: try signals(), alike: try alike(to: entry))
        return .json(message.json)
    }

    /// The messages that the row of a message stands for: their number, and the first of them.
    private func alike(to entry: InboxEntry) throws -> (count: Int, entries: [InboxEntry]) {
        let numbers = inbox.alike(entry.number)
        return (numbers.count, try inbox.store.entries(numbers: Array(numbers.prefix(ReviewMessage.alikeShown))))
    }

    // MARK: - Events

    private func events() -> WebAnswer {
        var answer = WebAnswer(200, type: "text/event-stream", body: Array("retry: 2000\n\n".utf8) + event())
        answer.isStream = true
        return answer
    }

    /// The event that reports a change.
    func event() -> [UInt8] {
        // If the store cannot be read at the moment, the next change triggers another read.
        guard let state = try? ReviewState(inbox: inbox, setup: setup, rescore: rescore).json() else {
            return Array(": busy\n\n".utf8)
        }
        return Array("event: change\ndata: {\"change\":\(inbox.change),\"state\":\(state)}\n\n".utf8)
    }

    // MARK: - Pages

    private func page() -> WebAnswer {
        var system = SystemRandomNumberGenerator()
        let nonce = String(system.next() as UInt64, radix: 36) + String(system.next() as UInt64, radix: 36)
        let page = Self.bytes(shipped_review_html)
        let marks = [(Array("{{nonce}}".utf8), nonce), (Array("{{store}}".utf8), setup.storeMark)]
        var body: [UInt8] = []
        body.reserveCapacity(page.count + 64)
        var place = 0
        while place < page.count {
            if page[place] == UInt8(ascii: "{"),
                let (mark, words) = marks.first(where: { page[place...].starts(with: $0.0) })
            {
                body += Array(words.utf8)
                place += mark.count
            } else {
                body.append(page[place])
                place += 1
            }
        }
        var answer = WebAnswer(200, type: "text/html", body: body)
        answer.nonce = nonce
        return answer
    }

    private static func bytes(_ page: shipped_page) -> [UInt8] {
        Array(UnsafeBufferPointer(start: page.bytes, count: page.count))
    }

    private static let notFound = WebAnswer.refused(404, "http.not-found", "not found")
    private static let badQuery = WebAnswer.refused(400, "http.bad-query", "the query has an unknown or invalid part")
}

/// Turns a failure into the answer that the page gets.
enum ReviewFault {
    static func answer(_ error: any Error) -> WebAnswer {
        switch error {
        case let error as TriageError: answer([error])
        case let errors as TriageErrors: answer(errors.all)
        default: .refused(500, "review.failed", "the program failed; earlier decisions are saved")
        }
    }

    private static func answer(_ errors: [TriageError]) -> WebAnswer {
        guard let first = errors.first else { return .refused(500, "review.failed", "the program failed") }
        let status =
            switch first.exit {
            case .temporary: first.code == "store.busy" || first.code == "store.locked" ? 423 : 409
            case .ioError, .cannotCreate: 503
            case .noInput: 404
            default: 422
            }
        var error = JSONObjectText()
        error.add("code", first.code)
        error.add("message", first.what)
        error.add("where", first.at)
        error.add("remedy", first.remedy)
        let all = errors.map { one -> String in
            var fault = JSONObjectText()
            fault.add("code", one.code)
            fault.add("message", one.what)
            fault.add("where", one.at)
            fault.add("remedy", one.remedy)
            return fault.text
        }
        error.add(raw: "faults", "[\(all.joined(separator: ","))]")
        return .json("{\"error\":\(error.text)}", status: status)
    }
}

/// What the page shows about the store as a whole.
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
        // Rescoring for the page holds the lock as well.
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
        // Written by this program as a JSON object.
        out.add(raw: "counts", StoredRecord(Array(run.counts.utf8)).value == nil ? "{}" : run.counts)
        return out.text
    }
}
