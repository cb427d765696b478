import Platform
package import TriageCore

/// The folders whose `triage.yaml` may send messages out, as `triage trust` stores them: one file each, for its owner
/// only.
///
/// A folder is trusted as long as nothing changes that decides where messages go: its path, `triage.yaml`, and the
/// prompts and certificates that it names.
package struct TrustedFolders: Sendable {
    /// The folder where they are stored.
    package let place: String

    /// A folder that was allowed.
    package struct Entry: Sendable, Equatable {
        /// The absolute path of its `triage.yaml`.
        package var path: String
        package var standing: Standing
    }

    /// The trust status of a `triage.yaml`.
    package enum Standing: Sendable, Equatable {
        case trusted
        /// It has changed since it was allowed.
        case changed
        case unknown
        /// Others can write its stored record, so the record proves nothing.
        case unsafe
        /// It was allowed but no longer exists.
        case gone
    }

    /// - Parameter place: a folder, created when it is first needed.
    package init(place: String) { self.place = place }

    /// Uses `triage/trusted` in the user's state folder; nil when the environment names no such folder.
    package init?(environment: (String) -> String?) {
        // As in the XDG Base Directory specification, relative paths are ignored.
        func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard
            let base = absolute("XDG_STATE_HOME") ?? absolute("HOME").map({ "\($0)/.local/state" })
                ?? absolute("XDG_CONFIG_HOME")
        else { return nil }
        self.init(place: ConfigurationFile.resolve("triage/trusted", in: base))
    }

    /// The trust status of a folder whose `triage.yaml` has this content.
    package func standing(of folder: String, bytes: [UInt8], models: ModelSettings) -> Standing {
        guard let path = Self.path(of: folder) else { return .unknown }
        let record = record(of: path)
        guard ConfigurationFile.exists(record) else { return .unknown }
        guard isSafe(record) else { return .unsafe }
        guard let kept = read(record), kept.path == Self.text(path) else { return .unknown }
        return kept.digest == Self.digest(bytes, models) ? .trusted : .changed
    }

    /// Allows a folder in its current state.
    ///
    /// - Throws: ``TriageError`` (exit 73 or 74) when this cannot be stored.
    package func allow(_ folder: String, bytes: [UInt8], models: ModelSettings) throws(TriageError) {
        guard let path = Self.path(of: folder), let digest = Self.digest(bytes, models) else {
            throw TriageError(
                "trust.not-readable", "its prompts or certificates cannot be read", at: folder,
                remedy: "check llm.prompts and llm.ca_file", exit: .badConfiguration)
        }
        try makePlace()
        guard FilePlace.isOwn(place) else {
            throw TriageError(
                "trust.unsafe-place", "other users can write to the list of allowed folders", at: place,
                remedy: "chmod 700 \(place), and check its owner", exit: .cannotCreate)
        }
        var text = Array("{\"version\":1,\"path\":".utf8)
        JSONText.append(Self.text(path), to: &text)
        text += Array(",\"digest\":\"\(digest)\"}\n".utf8)
        let record = record(of: path)
        try AtomicReplacement.replace(record, with: text)
        // The file may have existed with another mode.
        chmod(record, 0o600)
    }

    /// Withdraws trust; returns false when there was none.
    ///
    /// - Parameter folder: the existing folder, or the path that ``entries()`` shows once it is gone.
    package func remove(_ folder: String) -> Bool {
        let path = Self.path(of: folder) ?? Array(ConfigurationFile.resolve(Self.fileName, in: folder).utf8)
        if unlink(record(of: path)) == 0 { return true }
        // A folder that no longer exists is found by the name that the list shows.
        let wanted = ConfigurationFile.resolve(Self.fileName, in: folder)
        for name in FilePlace.names(in: place) ?? [] {
            let record = ConfigurationFile.resolve(name, in: place)
            if let kept = read(record), kept.path == wanted { return unlink(record) == 0 }
        }
        return false
    }

    /// Every folder that was allowed, by path.
    package func entries() -> [Entry] {
        var entries: [Entry] = []
        for name in FilePlace.names(in: place) ?? [] {
            let record = ConfigurationFile.resolve(name, in: place)
            guard let kept = read(record) else { continue }
            guard let bytes = try? ConfigurationFile.read(kept.path) else {
                entries.append(Entry(path: kept.path, standing: .gone))
                continue
            }
            let models = SettingsFile(path: kept.path, bytes: bytes, faults: FaultCollector()).models
            entries.append(
                Entry(
                    path: kept.path,
                    standing: standing(of: ConfigurationFile.folder(of: kept.path), bytes: bytes, models: models)))
        }
        return entries.sorted { $0.path < $1.path }
    }

    // MARK: - Files

    private static let fileName = SettingsFile.defaultName

    /// The real path of a folder's `triage.yaml`; the file itself may be a link, because the files that it names are
    /// beside the link.
    private static func path(of folder: String) -> [UInt8]? {
        FilePlace.real(folder).map {
            $0 + ($0.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + Array(fileName.utf8)
        }
    }

    private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

    private func record(of path: [UInt8]) -> String {
        ConfigurationFile.resolve("\(SHA256.hex(path)).json", in: place)
    }

    private func isSafe(_ record: String) -> Bool {
        var info = stat()
        return lstat(record, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_mode & 0o022 == 0
            && FilePlace.isOwn(record) && FilePlace.isOwn(place)
    }

    private func read(_ record: String) -> (path: String, digest: String)? {
        guard FilePlace.isPlainFile(record), let bytes = try? ConfigurationFile.read(record, limit: 1 << 16) else {
            return nil
        }
        let root = ConfigDocument(name: record, bytes: bytes, faults: FaultCollector()).root
        guard case .scalar(let path, _)? = root?["path"]?.value, case .scalar(let digest, _)? = root?["digest"]?.value
        else { return nil }
        return (path, digest)
    }

    private func makePlace() throws(TriageError) {
        var path = ""
        for part in place.split(separator: "/") {
            path += "/\(part)"
            if mkdir(path, 0o700) != 0, errno != EEXIST, !ConfigurationFile.exists(path) {
                throw TriageError(
                    "output.cannot-create", "cannot create the folder: \(String(cString: strerror(errno)))", at: path,
                    remedy: "set XDG_STATE_HOME to a writable folder", exit: .cannotCreate)
            }
        }
    }

    // MARK: - Digest

    /// A digest of everything that decides what is sent where; nil when a part cannot be read.
    ///
    /// Keys are not included: they may change without messages going elsewhere.
    private static func digest(_ bytes: [UInt8], _ models: ModelSettings) -> String? {
        var hash = SHA256()
        func add(_ name: String, _ bytes: [UInt8]) {
            hash.update(Array("\(name.utf8.count):\(name):\(bytes.count):".utf8))
            hash.update(bytes)
        }
        add("triage.yaml", bytes)
        if let certificates = models.llm?.caFile {
            guard let bytes = plain(certificates) else { return nil }
            add("ca_file", bytes)
        }
        if let prompts = models.llm?.prompts {
            guard let folders = FilePlace.names(in: prompts), folders.count <= 1000 else { return nil }
            for folder in folders {
                let path = ConfigurationFile.resolve(folder, in: prompts)
                guard let files = FilePlace.names(in: path) else { continue }
                guard files.count <= 1000 else { return nil }
                for file in files where file.hasSuffix(".md") {
                    guard let bytes = plain(ConfigurationFile.resolve(file, in: path)) else { return nil }
                    add("prompts/\(folder)/\(file)", bytes)
                }
            }
        }
        return hash.hex()
    }

    private static func plain(_ path: String) -> [UInt8]? {
        FilePlace.isPlainFile(path) ? try? ConfigurationFile.read(path) : nil
    }
}

/// The parts of a found `triage.yaml` that are ignored, because nobody allowed its folder.
///
/// Settings that send messages out apply only in a file that the user named, in the user's own settings folder, or in a
/// folder that was allowed. The rest of the file only affects the answers.
package struct Withheld: Sendable, Equatable {
    /// The path of the `triage.yaml`, as it was found.
    package var path: String
    /// Its trust status.
    package var standing: TrustedFolders.Standing
    /// Whether it configures a language model.
    package var hasLLM = false
    /// Whether it configures an embedding model.
    package var hasEmbeddings = false
    /// Keys that name files outside its folder.
    package var outside: [String] = []

    package init(path: String, standing: TrustedFolders.Standing) {
        self.path = path
        self.standing = standing
    }

    /// Whether it would have sent anything.
    package var asks: Bool { hasLLM || hasEmbeddings }

    /// Says what would have sent messages out, and why it does not.
    package var ignoredModels: String {
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

    /// Says which files are ignored, and why.
    package var ignoredFiles: String {
        let keys = outside.map { "'\($0)'" }.joined(separator: ", ")
        let verb = outside.count == 1 ? "names a file" : "name files"
        return
            "\(keys) \(verb) outside a folder you have not allowed, and \(outside.count == 1 ? "is" : "are") ignored"
    }

    /// Says how to make the settings apply.
    package var remedy: String {
        let folder = ConfigurationFile.folder(of: path)
        return "read it, then allow it with: triage trust\(folder.isEmpty ? "" : " \(Self.quoted(folder))")"
    }

    /// The flag that names the file, which needs no trust.
    package var flag: String { "--config \(Self.quoted(path))" }

    /// A word quoted for a POSIX shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x2B...0x3A).contains($0) || $0 == UInt8(ascii: "_")
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
