/// Conversations of Messenger out of a Facebook export in JSON, as a folder, a zip or several, or one of its files.
///
/// Where neither paths nor content tell it from Instagram, it counts as Messenger, and each message says that this is a
/// guess.
struct MessengerJSONFormat: ExportFormat {
    let name = "messenger-json"
    let summary = "the messages of a Facebook export (JSON), as folder, zip or one message_1.json"
    var readsFilesAlone: Bool { false }

    /// Said of every export, because its history just stops.
    static let missingEncrypted =
        "chats that Messenger encrypted, most since late 2023, are not in a Facebook export; "
        + "download them apart from messenger.com and give both"

    func detect(_ opening: Opening) -> Detection? {
        guard let seen = MetaOpening(opening) else { return nil }
        if seen.isThread {
            guard seen.signs.platform != .instagram else { return nil }
            return Detection(
                format: name,
                reason: seen.signs.platform == .messenger
                    ? "messages with 'sender_name' and 'timestamp_ms', with signs of Facebook"
                    : "messages with 'sender_name' and 'timestamp_ms'; nothing says whether Messenger or Instagram",
                missing: seen.signs.platform == .messenger ? [Self.missingEncrypted] : [])
        }
        guard seen.members.contains("profile_v2") else { return nil }
        return Detection(format: name, reason: "a profile of the owner", hasMessages: false)
    }

    func claim(_ paths: [String]) -> Claim? {
        guard var claim = MetaClaim.threads(in: paths, of: .messenger, format: name) else { return nil }
        claim.detection.missing = [Self.missingEncrypted]
        return claim
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, otherwise: .messenger) }
}
