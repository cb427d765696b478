package import TriageCore

/// Edits a creator's file, and keeps comments and unchanged parts as they are.
package struct CreatorEditor {
    package let path: String
    /// The profile in the file; an empty one if the file does not exist.
    package let profile: CreatorProfile
    private let original: [UInt8]
    private let exists: Bool

    /// A part of a profile: the names it may have in a file, the usual one last, and how it is written.
    private struct Member {
        var keys: [String]
        /// Lines of YAML; empty if there is nothing to write.
        var lines: [String]
        /// The part as JSON; nil if there is nothing to write.
        var json: String?
        var isChanged: Bool
    }

    /// Reads a file; a missing file counts as empty.
    ///
    /// - Throws: `TriageErrors` with every fault of the file, because a broken file is not overwritten.
    package init(path: String) throws {
        self.path = path
        exists = ConfigurationFile.exists(path)
        do {
            original = exists ? try ConfigurationFile.read(path) : []
        } catch {
            throw TriageErrors([error])
        }
        let faults = FaultCollector()
        profile = original.isEmpty ? CreatorProfile() : CreatorFile.read(name: path, bytes: original, faults: faults)
        try faults.throwIfAny()
    }

    /// The bytes of the file with the wanted profile.
    ///
    /// - Throws: `TriageErrors` with every fault that the new file would have.
    package func rendered(_ wanted: CreatorProfile) throws -> [UInt8] {
        var wanted = wanted
        // Nobody said whose a new address is.
        if wanted.contact != profile.contact { wanted.hasManager = false }
        let isJSON = original.first { $0 > 0x20 } == UInt8(ascii: "{") || (original.isEmpty && path.hasSuffix(".json"))
        let members = Self.members(of: wanted, comparedTo: profile)
        let whole = Array((isJSON ? Self.json(members) : Self.yaml(members)).utf8)
        let faults = FaultCollector()
        let meant = CreatorFile.read(name: path, bytes: whole, faults: faults)
        try faults.throwIfAny()
        if isJSON { return whole }
        // Replacing lines fails for unusual YAML layouts; then the whole file is rewritten.
        let edited = Array(edited(members).utf8)
        let doubts = FaultCollector()
        let result = CreatorFile.read(name: path, bytes: edited, faults: doubts)
        return doubts.isEmpty && result == meant ? edited : whole
    }

    /// Replaces the file with the changed one, completely or not at all.
    ///
    /// - Throws: `TriageErrors` with every fault that the new file would have; `TriageError` when it cannot be written,
    ///   is a symbolic link, or was changed by somebody else in the meantime.
    package func save(_ wanted: CreatorProfile) throws {
        let bytes = try rendered(wanted)
        let isThere = ConfigurationFile.exists(path)
        let now = isThere ? try ConfigurationFile.read(path) : []
        guard isThere == exists, now == original else {
            throw TriageError(
                "creator.changed-meanwhile", "another program changed the file in the meantime", at: path,
                remedy: "reload it, then repeat the change", exit: .temporary)
        }
        if bytes != original { try AtomicReplacement.replace(path, with: bytes) }
    }

    // MARK: - Text

    /// The text of the file, with the lines of changed members replaced.
    private func edited(_ members: [Member]) -> String {
        let text = String(decoding: original, as: UTF8.self)
        let newline = text.contains("\r\n") ? "\r\n" : "\n"
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasSuffix("\r") ? String(line.dropLast()) : String(line)
        }
        if lines.last == "" { lines.removeLast() }
        for member in members where member.isChanged {
            var place: Int?
            for key in member.keys {
                guard let start = lines.firstIndex(where: { $0.hasPrefix("\(key):") }) else { continue }
                var end = start + 1
                // A member ends where the next unindented line begins; but the items of a list may be unindented too.
                while end < lines.count, Self.isInside(lines[end]) { end += 1 }
                while end > start + 1, lines[end - 1].isEmpty { end -= 1 }
                lines.removeSubrange(start..<end)
                place = min(place ?? start, start)
            }
            lines.insert(contentsOf: member.lines, at: place ?? lines.count)
        }
        return lines.map { $0 + newline }.joined()
    }

    private static func isInside(_ line: String) -> Bool {
        line.isEmpty || line.hasPrefix(" ") || line.hasPrefix("\t") || line.hasPrefix("- ") || line == "-"
    }

    private static func yaml(_ members: [Member]) -> String {
        members.flatMap(\.lines).map { $0 + "\n" }.joined()
    }

    private static func json(_ members: [Member]) -> String {
        let all = members.compactMap { member in
            member.json.map { "  \(quoted(member.keys[member.keys.count - 1])): \($0)" }
        }
        return "{\n" + all.joined(separator: ",\n") + "\n}\n"
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func members(of new: CreatorProfile, comparedTo old: CreatorProfile) -> [Member] {
        func text(_ keys: [String], _ path: KeyPath<CreatorProfile, String>) -> Member {
            let value = new[keyPath: path]
            return Member(
                keys: keys, lines: value.isEmpty ? [] : YAMLText.member(keys[keys.count - 1], value, indent: 0),
                json: value.isEmpty ? nil : quoted(value), isChanged: value != old[keyPath: path])
        }
        func list(_ keys: [String], _ path: KeyPath<CreatorProfile, [String]>) -> Member {
            let values = new[keyPath: path]
            let lines = ["\(keys[keys.count - 1]):"] + values.map { "  - \(YAMLText.scalar($0))" }
            return Member(
                keys: keys, lines: values.isEmpty ? [] : lines,
                json: values.isEmpty ? nil : "[\(values.map(quoted).joined(separator: ", "))]",
                isChanged: values != old[keyPath: path])
        }
        let audience = new.audience.map { "\($0)" }
        return [
            text(["id"], \.id), text(["name"], \.name), list(["handle", "handles"], \.handles),
            list(["platforms"], \.platforms),
            Member(
                keys: ["followers", "audience"], lines: audience.map { ["audience: \($0)"] } ?? [], json: audience,
                isChanged: new.audience != old.audience),
            list(["niches"], \.niches), list(["excluded_topics"], \.excludedTopics), list(["languages"], \.languages),
            text(["voice"], \.voice),
            text(new.hasManager ? ["contact", "manager"] : ["manager", "contact"], \.contact),
            text(["rates", "rates_note"], \.rates),
            text(["minimum_fee"], \.minimumFee),
            list(["works"], \.works),
            text(["timezone"], \.timezone),
        ]
    }
}
