/// What of a found `triage.yaml` does not count, because nobody allowed its folder.
///
/// Whatever sends messages out counts only from a file that the user named, from the user's own folder, or from one that
/// was allowed. The rest of the file decides about nothing but the answers.
public struct Withheld: Sendable, Equatable {
    /// The `triage.yaml`, as it was found.
    public var path: String
    /// What is known of it.
    public var standing: TrustedFolders.Standing
    /// Whether it has a language model.
    public var hasLLM = false
    /// Whether it has an embedding model.
    public var hasEmbeddings = false
    /// Keys that name files outside its folder.
    public var outside: [String] = []

    public init(path: String, standing: TrustedFolders.Standing) {
        self.path = path
        self.standing = standing
    }

    /// Whether it would have sent anything.
    public var asks: Bool { hasLLM || hasEmbeddings }

    /// What would have sent messages out, and why it does not.
    public var ignoredModels: String {
        let part =
            switch (hasLLM, hasEmbeddings) {
            case (true, true): "the LLM and embeddings part"
            case (false, true): "the embeddings part"
            default: "the LLM part"
            }
        let reason =
            switch standing {
            case .changed: "it changed since you allowed it"
            case .unsafe: "other users can change it or its trust record"
            default: "you have not allowed this folder to send messages out"
            }
        return "\(part) is ignored: \(reason)"
    }

    /// Which files do not count, and why.
    public var ignoredFiles: String {
        let keys = outside.map { "'\($0)'" }.joined(separator: ", ")
        let verb = outside.count == 1 ? "names a file" : "name files"
        return
            "\(keys) \(verb) outside a folder you have not allowed, and \(outside.count == 1 ? "is" : "are") ignored"
    }

    /// How to make it count.
    public var remedy: String {
        let folder = ConfigurationFile.folder(of: path)
        return "read it, then allow it with: triage trust\(folder.isEmpty ? "" : " \(Self.quoted(folder))")"
    }

    /// How to name it, which needs no allowance.
    public var flag: String { "--config \(Self.quoted(path))" }

    /// A word as a POSIX shell reads it back.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x2B...0x3A).contains($0) || $0 == UInt8(ascii: "_")
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
