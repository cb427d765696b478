/// Names of time zones, as people write them.
package enum TimeZoneName {
    /// Where the system keeps its zones.
    private static let database = "/usr/share/zoneinfo"

    /// Whether a zone has this name.
    ///
    /// Where the machine has no zone files nothing can be said about a name that looks right.
    package static func isKnown(_ name: String) -> Bool {
        let isName =
            !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix("/")
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || [0x2B, 0x2D, 0x2F, 0x5F].contains($0)
            }
        guard isName else { return false }
        guard ConfigurationFile.exists("\(database)/UTC") else { return true }
        // Folders and lists lie beside the zones.
        let bytes = try? ConfigurationFile.read("\(database)/\(name)", limit: 4)
        return bytes?.starts(with: Array("TZif".utf8)) ?? false
    }

    /// What can be written in place of a name that is none.
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

    /// Those that the system lists, a place each.
    private static var names: [String] {
        let list = (try? ConfigurationFile.read("\(database)/zone.tab")) ?? []
        return list.split(separator: 0x0A).compactMap { line in
            let cells = line.split(separator: 0x09)
            return line.first == UInt8(ascii: "#") || cells.count < 3 ? nil : String(decoding: cells[2], as: UTF8.self)
        }
    }

    /// The hours east of UTC of `+02:00`, `UTC+2` and the like; nil when it is no offset of whole hours that has a zone.
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
