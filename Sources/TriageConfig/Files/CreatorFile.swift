package import TriageCore

/// Reads `creator.yaml`: the profile of the creator.
package enum CreatorFile {
    static let keys = [
        "id", "name", "handle", "handles", "platforms", "audience", "followers", "niches", "excluded_topics",
        "languages", "voice", "contact", "rates", "rates_note", "works", "timezone", "version",
    ]

    /// The profile.
    ///
    /// Faults go to `faults`. A list that holds exactly one creator is accepted.
    package static func read(name: String, bytes: [UInt8], faults: FaultCollector) -> CreatorProfile {
        guard let root = ConfigDocument(name: name, bytes: bytes, faults: faults).root,
            let node = onlyCreator(root, name, faults)
        else { return CreatorProfile() }
        return profile(of: node, name: name, faults: faults)
    }

    /// The profile of one creator in a file.
    static func profile(of node: ConfigNode, name: String, faults: FaultCollector) -> CreatorProfile {
        var profile = CreatorProfile()
        let reader = MappingReader(node, in: name, subject: "a creator", keys: keys, faults: faults)
        reader.checkVersion()
        profile.id = reader.string("id") ?? ""
        profile.name = reader.string("name") ?? ""
        for (first, second) in [("handle", "handles"), ("audience", "followers"), ("rates", "rates_note")]
        where reader.node(first) != nil && reader.node(second) != nil {
            faults.add(
                "config.both-given", "'\(first)' and '\(second)' mean the same", at: reader.place(second),
                remedy: "keep one of the two")
        }
        profile.handles = (texts("handle", reader) + texts("handles", reader)).map(withoutAt)
        profile.platforms = texts("platforms", reader)
        profile.audience = reader.int("audience", in: 0...Int.max) ?? reader.int("followers", in: 0...Int.max)
        profile.niches = texts("niches", reader)
        profile.excludedTopics = texts("excluded_topics", reader)
        profile.languages = languages(reader)
        profile.voice = reader.string("voice") ?? ""
        profile.contact = contact(reader)
        profile.rates = (texts("rates", reader) + texts("rates_note", reader)).joined(separator: "\n")
        profile.works = texts("works", reader)
        profile.timezone = timezone(reader)
        return profile
    }

    private static func onlyCreator(_ root: ConfigNode, _ name: String, _ faults: FaultCollector) -> ConfigNode? {
        guard case .sequence(let items) = root.value else { return root }
        if items.count == 1 { return items[0] }
        faults.add(
            "creator.not-one", "the file has \(items.count) creators; it must have one", at: "\(name):\(root.line)",
            remedy: "put each creator in a separate file")
        return nil
    }

    /// The address for offers: some text, an at sign, and a host with a dot, without blanks.
    private static func contact(_ reader: MappingReader) -> String {
        guard let contact = reader.string("contact"), !contact.isEmpty, let node = reader.node("contact") else {
            return ""
        }
        let parts = contact.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].dropFirst().dropLast().contains("."),
            contact.utf8.count <= 254,
            contact.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}") })
        else {
            reader.fault(
                "creator.bad-contact", "'contact' is not an e-mail address", at: node,
                remedy: "write an address such as deals@mara.example")
            return ""
        }
        return contact
    }

    private static func texts(_ key: String, _ reader: MappingReader) -> [String] {
        (reader.strings(key) ?? []).map(\.text).filter { !$0.isEmpty }
    }

    private static func withoutAt(_ handle: String) -> String {
        handle.hasPrefix("@") ? String(handle.dropFirst()) : handle
    }

    private static func languages(_ reader: MappingReader) -> [String] {
        (reader.strings("languages") ?? []).compactMap { tag, node in
            let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
            let isTag =
                (2...3).contains(primary.count) && tag.utf8.count <= 35
                && tag.utf8.allSatisfy {
                    (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                }
            guard isTag else {
                reader.fault(
                    "creator.bad-language", "'\(tag.prefix(40))' is not a language tag", at: node,
                    remedy: "write tags such as en, es, pt-BR")
                return nil
            }
            return tag
        }
    }

    private static func timezone(_ reader: MappingReader) -> String {
        guard let zone = reader.string("timezone"), let node = reader.node("timezone") else { return "" }
        if TimeZoneName.isKnown(zone) { return zone }
        reader.fault(
            "creator.unknown-timezone", "'\(zone.prefix(60))' is not a time zone", at: node,
            remedy: TimeZoneName.remedy(for: zone))
        return ""
    }
}

extension CreatorFile {
    /// Reads a list of creators, as used beside evaluation sets.
    ///
    /// Faults go to `faults`.
    package static func readAll(name: String, bytes: [UInt8], faults: FaultCollector) -> [CreatorProfile] {
        guard let root = ConfigDocument(name: name, bytes: bytes, faults: faults).root else { return [] }
        guard case .sequence(let items) = root.value else { return [profile(of: root, name: name, faults: faults)] }
        return items.map { profile(of: $0, name: name, faults: faults) }
    }
}

/// Time zone names, as people write them.
package enum TimeZoneName {
    /// Where the system keeps its zones.
    private static let database = "/usr/share/zoneinfo"

    /// Whether a zone has this name.
    ///
    /// If the machine has no zone files, a name that looks right is accepted.
    package static func isKnown(_ name: String) -> Bool {
        let isName =
            !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix("/")
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || [0x2B, 0x2D, 0x2F, 0x5F].contains($0)
            }
        guard isName else { return false }
        guard ConfigurationFile.exists("\(database)/UTC") else { return true }
        // The folder contains subfolders and lists too.
        let bytes = try? ConfigurationFile.read("\(database)/\(name)", limit: 4)
        return bytes?.starts(with: Array("TZif".utf8)) ?? false
    }

    /// A suggestion for an unknown zone name.
    package static func remedy(for name: String) -> String {
        if let hours = wholeHours(name) {
            // POSIX counts westward: https://data.iana.org/time-zones/theory.html
            let zone = hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
            return "write \(zone) for this offset, or a zone name such as Europe/Lisbon"
        }
        let city = name.lowercased().replacing(" ", with: "_")
        let known = names
        let named = known.first { $0.lowercased().split(separator: "/").last.map(String.init) == city }
        if let best = named ?? Suggestion.closest(to: name, among: known) { return "did you mean '\(best)'?" }
        return "write a zone name such as Europe/Lisbon or America/Sao_Paulo"
    }

    /// The zones that the system lists by place.
    private static var names: [String] {
        let list = (try? ConfigurationFile.read("\(database)/zone.tab")) ?? []
        return list.split(separator: 0x0A).compactMap { line in
            let cells = line.split(separator: 0x09)
            return line.first == UInt8(ascii: "#") || cells.count < 3 ? nil : String(decoding: cells[2], as: UTF8.self)
        }
    }

    /// The hours east of UTC in `+02:00`, `UTC+2` and similar; nil when it is not a whole-hour offset that has a zone.
    private static func wholeHours(_ name: String) -> Int? {
        var rest = name.uppercased()[...]
        for prefix in ["UTC", "GMT"] where rest.hasPrefix(prefix) { rest = rest.dropFirst(3) }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        var digits = rest.dropFirst().filter { $0 != ":" }
        if digits.count == 4, digits.hasSuffix("00") { digits = String(digits.dropLast(2)) }
        guard (1...2).contains(digits.count), let hours = Int(digits), sign == "+" ? hours <= 14 : hours <= 12 else {
            return nil
        }
        return sign == "+" ? hours : -hours
    }
}
