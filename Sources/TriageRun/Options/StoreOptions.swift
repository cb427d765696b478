package import ArgumentParser
import TriageConfig
package import TriageCore
package import TriageStore

/// Selects the store that a command works on.
package struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The store; default: the one in triage.yaml.", valueName: "file"))
    package var store: String?

    @Option(help: ArgumentHelp("Settings; default: triage.yaml in the current folder.", valueName: "file"))
    package var config: String?

    /// Path of the store; nil if nothing names one.
    ///
    /// - Throws: ``TriageError`` `store.unnamed` (exit 64) for an empty name; ``TriageErrors`` with the faults of the
    ///   settings.
    package func pathIfNamed() throws -> String? {
        if let store {
            guard !store.isEmpty else { throw Self.unnamed }
            return store
        }
        // A fault in a file that the command does not read must not hide the store.
        let loaded = try LoadedConfiguration.loadSettings(.ofProcess(config: config))
        TrustNotice.tell(loaded.withheld, asks: false)
        return loaded.models.store
    }

    /// Path of the store.
    ///
    /// - Throws: ``TriageError`` `store.unnamed` (exit 64); ``TriageErrors`` with the faults of the settings.
    package func path() throws -> String {
        guard let path = try pathIfNamed() else { throw Self.unnamed }
        return path
    }

    /// The store and the settings that may name it.
    ///
    /// - Throws: ``TriageErrors`` with the faults of the settings.
    package func files() throws -> [String] {
        try [pathIfNamed()].compactMap(\.self) + ConfigurationRequest.ofProcess(config: config).files
    }

    package static let unnamed = TriageError(
        "store.unnamed", "no store is named", at: "--store",
        remedy: "add --store inbox.db, or add store: inbox.db to triage.yaml; `triage init` creates a folder with it",
        exit: .usage)

    /// Opens the store, which must exist.
    ///
    /// - Throws: ``TriageError``, such as `store.missing` (exit 66).
    package func open(_ mode: InboxStore.Mode = .readOnly) throws -> InboxStore {
        try InboxStore(path: try path(), mode: mode)
    }

    package init() {}
}

/// Selects the one message that a command is about.
package struct MessageOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Number in the store, id, or first digits of the key.", valueName: "id"))
    package var id: String

    /// The message.
    ///
    /// - Throws: ``TriageError`` `store.no-message` (66), `store.many-messages` (64).
    package func entry(in store: InboxStore) throws -> InboxEntry { try Self.entry(id, in: store) }

    /// The message that a number, an id or the first digits of a key name.
    ///
    /// - Throws: as ``entry(in:)``.
    package static func entry(_ id: String, in store: InboxStore) throws -> InboxEntry {
        let found = try store.find(id)
        if found.count == 1 { return found[0] }
        guard let first = found.first else {
            throw TriageError(
                "store.no-message", "no message has this number, id or key", at: store.path,
                remedy: "see the numbers with: triage list --view all", exit: .noInput)
        }
        let numbers = found.map { "no:\($0.number)" }.joined(separator: ", ")
        throw TriageError(
            "store.many-messages", "\(found.count) messages match: \(numbers)", at: store.path,
            remedy: "use a number, such as no:\(first.number)", exit: .usage)
    }

    package init() {}
}
