public import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Makes the four files that a creator fills in; what is there already stays as it is.
public struct StarterFolder: Sendable {
    /// Empty: the current folder.
    public var path: String
    public var name = ""
    /// Without `@`.
    public var handle = ""

    /// What became of one file.
    public struct Outcome: Sendable, Equatable {
        public var path: String
        /// false: something of this name was there, and was not touched.
        public var isMade: Bool
    }

    public init(path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// Paths of the files that would be made, because nothing of their name is there.
    public var missing: [String] {
        files.map { ConfigurationFile.resolve($0.name, in: path) }.filter { !ConfigurationFile.exists($0) }
    }

    /// Makes the folder and the files, which only their owner may read.
    ///
    /// - Throws: ``TriageError`` `output.cannot-create` (exit 73) or `output.io` (exit 74).
    public func make() throws(TriageError) -> [Outcome] {
        if !path.isEmpty, mkdir(path, 0o755) != 0, errno != EEXIST {
            let code = errno
            throw TriageError(
                "output.cannot-create", "cannot create the folder: \(String(cString: strerror(code)))", at: path,
                remedy: SystemFault.remedy(code, otherwise: "create its parent folder first, or choose another place"),
                exit: SystemFault.exit(code, otherwise: .cannotCreate))
        }
        var outcomes: [Outcome] = []
        for file in files {
            let target = ConfigurationFile.resolve(file.name, in: path)
            outcomes.append(
                Outcome(path: target, isMade: try AtomicReplacement.create(target, with: Array(file.text.utf8))))
        }
        return outcomes
    }

    private var files: [(name: String, text: String)] {
        [
            ("triage.yaml", StarterText.settings),
            ("creator.yaml", StarterText.creator(name: name, handle: handle)),
            ("faq.yaml", StarterText.faq),
            ("rules.yaml", StarterText.rules),
        ]
    }
}
