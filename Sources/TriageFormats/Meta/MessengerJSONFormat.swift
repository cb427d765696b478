/// Conversations of Messenger out of a Facebook export in JSON, as a folder, a zip or several, or one of its files.
///
/// Where neither paths nor content tell it from Instagram, it counts as Messenger, and each message says that this is a
/// guess.
struct MessengerJSONFormat: ExportFormat {
    let name = "messenger-json"
    let summary = "messages of a Facebook export (JSON), as folder, zip or one message_1.json"
    var readsFilesAlone: Bool { false }

    /// Said of every export, because its history just stops.
    static let missingEncrypted =
        "encrypted Messenger chats, most since late 2023, are not in a Facebook export; "
        + "download them separately from messenger.com and name both"

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
        if seen.members.contains("profile_v2") {
            return Detection(format: name, reason: "a profile of the owner", hasMessages: false)
        }
        guard seen.first == nil, !seen.members.isEmpty,
            seen.members.allSatisfy(Self.isSetting) || Self.isLabeled(seen.members)
        else { return nil }
        return Detection(format: name, reason: "Meta settings", hasMessages: false)
    }

    /// Lists beside the conversations bear the names of their files, with a version behind.
    private static func isSetting(_ name: String) -> Bool {
        settings.contains { name.hasPrefix($0) } || (name.hasPrefix("messenger_") && name.contains("_settings"))
    }

    /// Newer ones are a list of labels with the number of an object and nothing else.
    private static func isLabeled(_ members: Set<String>) -> Bool {
        members.isSuperset(of: ["label_values", "fbid"])
            && members.isSubset(of: ["label_values", "fbid", "media", "timestamp", "ent_name", "title"])
    }

    private static let settings = [
        "autofill_information", "chat_invites_received", "community_chats_settings", "encrypted_messaging_backup_",
        "information_about_your_devices", "messaging_settings", "secret_conversations",
        "support_messages", "your_chat_settings_on_web", "your_end-to-end_encryption_enabled_",
        "your_messenger_app_install_information", "your_responsiveness_in_messaging_threads",
    ]

    func claim(_ paths: [String]) -> Claim? {
        guard var claim = MetaClaim.threads(in: paths, of: .messenger, format: name) else { return nil }
        let hasEncrypted = claim.passes.joined().contains(where: EncryptedEntry.isPath)
        claim.detection.missing = hasEncrypted ? [] : [Self.missingEncrypted]
        return claim
    }

    /// What has the name of an encrypted chat may be anything.
    func isUnsure(of path: String) -> Bool { EncryptedEntry.isPath(path) }

    func reads(_ other: any ExportFormat) -> Bool { other.name == name || other.name == MessengerE2EEFormat().name }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, otherwise: .messenger) }
}
