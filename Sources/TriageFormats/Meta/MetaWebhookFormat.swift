import TriageCore

/// What Meta posts to a webhook: Instagram, Messenger, comments and WhatsApp, one document a line or a file.
///
/// A document may stand in an envelope `{"headers":{…},"body":"…"}` with its untouched body, so that its signature can be
/// checked. See ``MetaWebhookReader`` for what becomes of an event.
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
        // The opening ends inside the body; the name of the header leaves no doubt.
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
