import TriageCore

/// Meta's webhook deliveries for Instagram, Messenger, comments and WhatsApp, one document per line or file.
///
/// A document may be wrapped in an envelope `{"headers":{…},"body":"…"}` with its unmodified body, so that its
/// signature can be verified. ``MetaWebhookReader`` explains how events are read.
struct MetaWebhookFormat: ExportFormat {
    let name = "meta-webhook"
    let summary = "Meta webhook deliveries (Instagram, Messenger, comments, WhatsApp), one per line or file"

    func detect(_ opening: Opening) -> Detection? {
        let outline = JSONOutline(opening, texts: ["object", "body"])
        for place in ["", "[]."] {
            if let reason = Self.reason(outline, place) { return Detection(format: name, reason: reason) }
        }
        return nil
    }

    private static func reason(_ outline: JSONOutline, _ place: String) -> String? {
        if let object = outline.texts[place + "object"], WebhookEntry.objects.contains(object),
            outline.kinds[place + "entry"] == .array
        {
            return "a Meta webhook object: '\(object)' with 'entry'"
        }
        if outline.kinds[place + "field"] == .scalar, outline.kinds[place + "value"] == .object,
            ["sender", "from", "messaging_product"].contains(where: { outline.has(place + "value." + $0) })
        {
            return "a change of Meta's webhooks: 'field' and 'value'"
        }
        guard outline.kinds[place + "headers"] == .object else { return nil }
        let reason = "an envelope with 'headers' and the 'body' of a Meta webhook"
        if let object = outline.texts[place + "body.object"], WebhookEntry.objects.contains(object) { return reason }
        guard outline.kinds[place + "body"] == .scalar else { return nil }
        if let body = outline.texts[place + "body"] {
            return isDelivery(JSONNode(Array(body.utf8))) ? reason : nil
        }
        // The opening ends within the body; the name of the header is sufficient.
        let headers = place + "headers."
        let isSigned = outline.kinds.keys.contains {
            $0.hasPrefix(headers) && $0.dropFirst(headers.count).lowercased().hasPrefix("x-hub-signature")
        }
        return isSigned ? reason : nil
    }

    private static func isDelivery(_ body: JSONNode?) -> Bool {
        guard let first = body?.elements.first ?? body else { return false }
        if let object = first["object"]?.string {
            return WebhookEntry.objects.contains(object) && first["entry"] != nil
        }
        return first["field"]?.string != nil && first["value"]?.isObject == true
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader {
        MetaWebhookReader(context, secret: WebhookSignature.secretOfEnvironment())
    }
}

/// Reads Meta's webhook deliveries in the order in which they arrived.
///
/// - Messages of a repeated delivery are emitted once.
/// - Reactions, edits and withdrawals are applied to their message while it is held (``WebhookWindow``); later they
///   become separate records that are not triaged.
/// - If a secret is set, a delivery with a wrong or missing signature is rejected as `webhook.signature`.
final class MetaWebhookReader: ExportReader {
    /// Maximum bytes of one delivery; Meta's stay under one MiB.
    static let maximumLength = 4 << 20

    private let context: ReadingContext
    private let secret: [UInt8]?
    private let window: WebhookWindow
    private var documents: JSONDocuments?
    private var file = ""
    private var line = 1
    private var saidUnchecked = false
    /// Number of events without a message, by kind.
    private var notices: [String: Int] = [:]
    private var tests = 0

    init(_ context: ReadingContext, secret: [UInt8]?) {
        self.context = context
        self.secret = secret
        window = WebhookWindow(context)
    }

    func begin(_ member: Member, opening: Opening) throws {
        try window.flush()
        context.assembler.beginSource(member.source)
        try context.assembler.useTextKey(nil)
        file = member.path
        documents = JSONDocuments(
            opening, maximumLength: min(Self.maximumLength, context.options.maximumLine)
        ) { path, kind in path.isEmpty && kind == .array ? .enter : .take }
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try documents?.feed(bytes, take)
        return true
    }

    func idle() throws { try window.flush() }

    func end(fault: RejectReason?) throws {
        if let fault {
            try window.reject(fault, number: line + 1, offset: -1)
        } else {
            try documents?.finish(take)
        }
        try window.flush()
    }

    func finish() throws {
        if tests > 0 {
            context.notices(
                tests == 1
                    ? "1 delivery from the dashboard's test button was skipped"
                    : "\(tests) deliveries from the dashboard's test button were skipped")
        }
        if window.repeated > 0 {
            context.notices("repeated messages skipped: \(window.repeated)")
        }
        guard !notices.isEmpty else { return }
        let kinds = notices.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        context.notices("events without a message were skipped: " + kinds.joined(separator: ", "))
    }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .value(_, let bytes, let offset, let line):
            self.line = line
            try delivery(bytes, offset)
        case .opened, .closed: break
        case .tooLong(_, let offset, let line):
            self.line = line
            let reason = RejectReason(code: "input.line-too-long", reason: "the delivery is too long (--max-line)")
            try window.reject(reason, number: line, offset: offset)
        case .fault(let reason, let offset, let line):
            self.line = line
            try window.reject(reason, number: line, offset: offset)
        }
    }

    private func delivery(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) throws {
        func refuse(_ code: String, _ words: String) throws {
            try window.reject(RejectReason(code: code, reason: words), raw: bytes, number: line, offset: offset)
        }
        guard let node = JSONNode(bytes, limit: Self.maximumLength), node.isObject else {
            return try refuse("json.syntax", "the delivery is not a JSON object")
        }
        let isEnvelope = node["body"] != nil && node["entry"] == nil && node["field"] == nil
        if let secret {
            let body = isEnvelope ? node["body"]?.string : nil
            if let fault = WebhookSignature.fault(of: body, headers: node["headers"], secret: secret) {
                return try window.reject(fault, raw: bytes, number: line, offset: offset)
            }
        } else if !saidUnchecked, !context.options.trustsDeliveries {
            saidUnchecked = true
            context.notices(
                "signatures were not checked: \(WebhookSignature.variable) is not set")
        }
        guard isEnvelope else {
            if try !handle(node) { try refuse("webhook.unknown", "the object is not a Meta webhook delivery") }
            return
        }
        var body = node["body"]
        if let text = body?.string {
            body = Array(text.utf8).withUnsafeBufferPointer { JSONNode($0, limit: Self.maximumLength) }
        }
        guard let body else { return try refuse("json.syntax", "the delivery's body is not JSON") }
        for document in body.isObject ? [body] : body.elements where try !handle(document) {
            return try refuse("webhook.unknown", "the body is not a Meta webhook delivery")
        }
    }

    /// - Returns: whether it is a delivery.
    private func handle(_ node: JSONNode) throws -> Bool {
        var shared = WebhookEntry()
        shared.file = file
        shared.line = line
        shared.object = node["object"]?.string ?? ""
        if let field = node["field"]?.string, let value = node["value"] {
            try apply(shared.change(field, value), of: value)
            return true
        }
        guard case .array(let entries)? = node["entry"] else {
            guard node.members.contains(where: { $0.key.hasPrefix("hub.") }) else { return false }
            note("subscription")
            return true
        }
        for item in entries {
            if !item.isObject, item.hasWords { context.unread.note(file) }
            var entry = shared
            // The dashboard's test button sends 0.
            entry.owner = item["id"]?.identifier.flatMap { $0 == "0" ? nil : $0 }
            entry.time = item["time"]
            for event in item["messaging"]?.elements ?? [] { try apply([entry.messaging(event)], of: event) }
            for event in item["standby"]?.elements ?? [] {
                try apply([entry.messaging(event, isStandby: true)], of: event)
            }
            for change in item["changes"]?.elements ?? [] {
                guard let field = change["field"]?.string, let value = change["value"] else {
                    if change.hasWords { context.unread.note(file) }
                    continue
                }
                try apply(entry.change(field, value), of: value)
            }
            if let field = item["field"]?.string, let value = item["value"] {
                try apply(entry.change(field, value), of: value)
            }
            let lists = ["messaging", "standby", "changes"]
            let isOther = lists.contains { item[$0]?.elements.isEmpty == true && item[$0]?.hasWords == true }
            if isOther || item.hidesWords
                || item.without("messaging", "standby", "changes", "field", "value").hasStrayWords
            {
                context.unread.note(file)
            }
        }
        return true
    }

    /// Applies the events of a delivery's part, and reports text in it that is in no message.
    private func apply(_ events: [WebhookEvent], of node: JSONNode) throws {
        let texts = events.compactMap { event in
            if case .message(let message) = event { return message.text }
            return nil
        }
        if !texts.isEmpty, node.hasWords(besides: texts.joined()) { context.unread.note(file) }
        for event in events { try apply(event) }
    }

    private func apply(_ event: WebhookEvent) throws {
        switch event {
        case .message(let message): try window.add(message, number: line)
        case .reaction(let target, let reaction, let isRemoved, let message):
            let isHeld = try window.update(target) { held in
                guard isRemoved || held.reactions.count < WebhookWindow.maximumReactions else { return false }
                held.reactions.removeAll { $0.by == reaction.by && (isRemoved || $0.emoji == reaction.emoji) }
                if !isRemoved { held.reactions.append(reaction) }
                return true
            }
            if !isHeld { try window.add(message, number: line) }
        case .edit(let target, var message):
            let isHeld = try window.update(target) { held in
                held.text = message.text
                held.mark("edited", .bool(true))
                return true
            }
            if isHeld { return }
            if window.knows(target) {
                // The message was already emitted with its first text; the edit is context.
                message.setKind("edit")
                message.replyTo = target
                message.id = WebhookEntry.made(message, target, "edit")
            }
            try window.add(message, number: line)
        case .withdrawal(let target, let message):
            let isHeld = try window.update(target) { held in
                held.setKind("unsent")
                return true
            }
            if !isHeld { try window.add(message, number: line) }
        case .notice(let kind): note(kind)
        case .test: tests += 1
        }
    }

    /// Counts a notice; kinds that a sender could make up are counted as `other`.
    private func note(_ kind: String) {
        let isName = kind.utf8.count <= 32 && kind.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
        let name = isName && (notices[kind] != nil || notices.count < 16) ? kind : "other"
        notices[name, default: 0] += 1
    }
}
