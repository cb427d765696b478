package import TriageCore

/// Reads `creator.yaml`: the profile of the creator.
package enum CreatorFile {
    static let keys = [
        "id", "name", "handle", "handles", "platforms", "audience", "followers", "niches", "excluded_topics",
        "languages", "voice", "contact", "manager", "rates", "rates_note", "minimum_fee", "works", "timezone",
        "version",
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
        profile.handles = (list("handle", reader) + list("handles", reader)).map(withoutAt)
        profile.platforms = list("platforms", reader)
        profile.audience = count("audience", reader) ?? count("followers", reader)
        profile.niches = list("niches", reader)
        profile.excludedTopics = list("excluded_topics", reader)
        profile.languages = languages(reader)
        profile.voice = reader.string("voice") ?? ""
        let (contact, manager) = (contact(reader), manager(reader))
        // Who has a manager does not answer offers alone.
        profile.contact = manager.isEmpty ? contact : manager
        profile.hasManager = !manager.isEmpty
        profile.rates = (rates(reader) + texts("rates_note", reader)).joined(separator: "\n")
        profile.minimumFee = reader.string("minimum_fee") ?? ""
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

    /// The address for offers.
    private static func contact(_ reader: MappingReader) -> String {
        guard let contact = reader.string("contact"), !contact.isEmpty, let node = reader.node("contact") else {
            return ""
        }
        return address(in: contact, "contact", node, reader)
    }

    /// The manager's address: `Jo Berg <jo@berg.example>`, or `{name: Jo Berg, email: jo@berg.example}`.
    private static func manager(_ reader: MappingReader) -> String {
        guard let node = reader.node("manager") else { return "" }
        guard case .mapping = node.value else {
            return reader.string("manager").map { address(in: $0, "manager", node, reader) } ?? ""
        }
        let manager = MappingReader(
            node, in: reader.document, subject: "'manager'", keys: ["name", "email"], faults: reader.faults)
        return address(in: manager.string("email") ?? "", "manager", node, reader)
    }

    /// An e-mail address, alone or in angle brackets behind a name: some text, an at sign, and a host with a dot, without blanks.
    private static func address(in text: String, _ key: String, _ node: ConfigNode, _ reader: MappingReader) -> String {
        var address = text[...]
        if let open = text.lastIndex(of: "<"), text.hasSuffix(">") {
            address = text[text.index(after: open)...].dropLast()
        }
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].dropFirst().dropLast().contains("."),
            address.utf8.count <= 254,
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}") })
        else {
            reader.fault(
                "creator.bad-contact", "'\(key)' is not an e-mail address", at: node,
                remedy: "write an address such as deals@mara.example, or a name with one: Jo Berg <jo@berg.example>")
            return ""
        }
        return String(address)
    }

    /// The rates: one text, a list of texts, or a mapping such as `{reel: 900 EUR}`.
    private static func rates(_ reader: MappingReader) -> [String] {
        guard let node = reader.node("rates"), case .mapping(let entries) = node.value else {
            return texts("rates", reader)
        }
        return entries.compactMap { entry in
            guard case .scalar(let text, _) = entry.value.value else {
                reader.fault(
                    "config.wrong-type", "a rate must be text, not \(entry.value.kind)", at: entry.value,
                    remedy: "write a sum, such as \(entry.key.prefix(40)): 900 EUR")
                return nil
            }
            return "\(entry.key): \(text)"
        }
    }

    /// A number of people, as it is written: `180000`, `180,000`, `180k` or `1.2M`.
    private static func count(_ key: String, _ reader: MappingReader) -> Int? {
        guard let node = reader.node(key), case .scalar(let text, _) = node.value,
            let factor = text.last.flatMap({ ["k": 1_000.0, "m": 1_000_000][$0.lowercased()] })
        else {
            if let node = reader.node(key), case .scalar(let text, _) = node.value, let number = grouped(text) {
                return number
            }
            return reader.int(key, in: 0...Int.max)
        }
        guard let number = Double(text.dropLast()), number >= 0, number < 10_000 else {
            return reader.int(key, in: 0...Int.max)
        }
        return Int((number * factor).rounded())
    }

    /// A whole number with a comma or a dot between its thousands; nil for another one.
    private static func grouped(_ text: String) -> Int? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard parts.count > 1, (1...3).contains(parts[0].count), parts.dropFirst().allSatisfy({ $0.count == 3 }),
            parts.count <= 5, parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(parts.joined())
    }

    /// A list of short texts; in a single text, commas separate them.
    private static func list(_ key: String, _ reader: MappingReader) -> [String] {
        guard let node = reader.node(key), case .scalar(let text, _) = node.value else { return texts(key, reader) }
        return text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
    }

    private static func texts(_ key: String, _ reader: MappingReader) -> [String] {
        (reader.strings(key) ?? []).map(\.text).filter { !$0.isEmpty }
    }

    private static func withoutAt(_ handle: String) -> String {
        handle.hasPrefix("@") ? String(handle.dropFirst()) : handle
    }

    private static func languages(_ reader: MappingReader) -> [String] {
        (reader.strings("languages") ?? []).flatMap { text, node in
            text.split(separator: ",").map { (tag: $0.trimmed, node: node) }
        }.compactMap { tag, node in
            let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
            let isTag =
                (2...3).contains(primary.count) && tag.utf8.count <= 35
                && tag.utf8.allSatisfy {
                    (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                }
            guard isTag else {
                reader.fault(
                    "creator.bad-language", "'\(tag.prefix(40))' is not a language tag", at: node,
                    remedy: LanguageNames.tag(of: String(tag.prefix(40))).map { "write its tag: \($0)" }
                        ?? "write tags such as en, es, pt-BR")
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

extension Substring {
    /// Without the spaces around it.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
