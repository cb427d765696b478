import TriageConfig
package import TriageCore

/// Profiles and FAQ libraries of the creators in an evaluation set.
///
/// They are `creators.json` and `faq-<id>.json` in one folder, or the same as YAML.
package struct ProfileFolder {
    private let path: String
    private var creators: [String: (profile: CreatorProfile, library: FAQLibrary)] = [:]

    /// The paths in the folders of a file with this name, if it is one that would be read.
    package static func files(in folders: [String], called path: String?) -> [String] {
        let name = path?.split(separator: "/").last.map(String.init) ?? ""
        guard name.hasPrefix("creators.") || name.hasPrefix("faq-") else { return [] }
        return folders.map { ConfigurationFile.resolve(name, in: $0) }
    }

    /// Reads several folders as one; nil without any folder.
    ///
    /// - Throws: ``TriageErrors`` with every fault of every file.
    package init?(paths: [String]) throws {
        guard let first = paths.first else { return nil }
        try self.init(path: first)
        for path in paths.dropFirst() {
            creators.merge(try ProfileFolder(path: path).creators) { known, _ in known }
        }
    }

    /// - Throws: ``TriageErrors`` with every fault of every file.
    package init(path: String) throws {
        self.path = path
        let faults = FaultCollector()
        guard let list = Self.find("creators", in: path) else {
            throw TriageError(
                "evaluate.no-creators", "the folder contains no creators.json", at: path,
                remedy: "write a list of creators to \(ConfigurationFile.resolve("creators.json", in: path))",
                exit: .badConfiguration)
        }
        let profiles = CreatorFile.readAll(name: list, bytes: try ConfigurationFile.read(list), faults: faults)
        for profile in profiles {
            guard !profile.id.isEmpty, !profile.id.contains("/") else {
                faults.add(
                    "creator.no-id", "a creator has no id", at: list,
                    remedy: "add the id that records use as 'creator'")
                continue
            }
            var library = FAQLibrary()
            if let faq = Self.find("faq-\(profile.id)", in: path) {
                library = FAQFile.read(name: faq, bytes: try ConfigurationFile.read(faq), faults: faults)
            }
            creators[profile.id] = (profile, library)
        }
        try faults.throwIfAny()
    }

    /// - Throws: ``TriageError`` `evaluate.no-creator` or `evaluate.unknown-creator` (exit 65).
    package func creator(_ id: String?, at place: String) throws -> (profile: CreatorProfile, library: FAQLibrary) {
        guard let id else {
            throw TriageError(
                "evaluate.no-creator", "a record does not name its creator", at: place,
                remedy: "add 'creator', or omit --profiles", exit: .badData)
        }
        guard let found = creators[id] else {
            let known = creators.keys.sorted().joined(separator: ", ")
            throw TriageError(
                "evaluate.unknown-creator", "\(path) has no creator '\(id.prefix(60))'", at: place,
                remedy: "add it to creators.json, or correct the record; known creators: \(known)", exit: .badData)
        }
        return found
    }

    private static func find(_ name: String, in folder: String) -> String? {
        ["json", "yaml", "yml"].map { ConfigurationFile.resolve("\(name).\($0)", in: folder) }
            .first { ConfigurationFile.exists($0) }
    }
}
