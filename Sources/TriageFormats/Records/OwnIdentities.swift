/// The creator's own handles, names and addresses (`--me`), compared ignoring case and `@`.
struct OwnIdentities {
    private let ascii: [[UInt8]]
    private let others: [String]

    init(_ identities: [String]) {
        var ascii: [[UInt8]] = []
        var others: [String] = []
        for identity in identities {
            let bytes = Array(identity.utf8)
            let trimmed = bytes.drop { $0 == 0x20 || $0 == 0x09 }.drop { $0 == 0x40 }
            let end = trimmed.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? trimmed.startIndex
            let name = trimmed[..<end]
            guard !name.isEmpty else { continue }
            if name.allSatisfy({ $0 < 0x80 }) {
                ascii.append(name.map(Self.lower))
            } else {
                others.append(String(decoding: name, as: UTF8.self).lowercased())
            }
        }
        self.ascii = ascii
        self.others = others
    }

    var isEmpty: Bool { ascii.isEmpty && others.isEmpty }

    /// Whether a record's handle, name or id is one of them.
    func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var bytes = name[...]
        if bytes.first == 0x40 { bytes = bytes.dropFirst() }
        guard !bytes.isEmpty else { return false }
        for identity in ascii where identity.count == bytes.count {
            var isSame = true
            for (a, b) in zip(identity, bytes) where a != Self.lower(b) {
                isSame = false
                break
            }
            if isSame { return true }
        }
        // Only names with non-ASCII characters need Unicode's case tables.
        guard !others.isEmpty, bytes.contains(where: { $0 >= 0x80 }) else { return false }
        return others.contains(String(decoding: bytes, as: UTF8.self).lowercased())
    }

    func contains(_ name: String) -> Bool {
        var copy = name
        return copy.withUTF8 { contains($0) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}

/// Counts the conversations that each name takes part in, to find the owner of an export.
///
/// Memory is bounded: beyond ``limit`` pairs of name and conversation, it learns nothing more.
struct NameTally {
    private static let limit = 500_000

    private var conversations: [String: UInt32] = [:]
    private var names: [String: UInt32] = [:]
    private var counts: [Int] = []
    private var seen = Set<UInt64>()

    /// Counts a name once per conversation.
    mutating func add(_ name: String, in conversation: String) {
        guard seen.count < Self.limit else { return }
        let place = conversations[conversation] ?? UInt32(conversations.count)
        conversations[conversation] = place
        let number = names[name] ?? UInt32(names.count)
        if number == counts.count {
            names[name] = number
            counts.append(0)
        }
        if seen.insert(UInt64(place) << 32 | UInt64(number)).inserted { counts[Int(number)] += 1 }
    }

    /// The name that is in (nearly) all conversations, at least two; nil if there is none, or more than one.
    ///
    /// Being the most frequent is not enough: in rooms where the owner only reads, somebody else writes the most.
    var most: String? {
        let needed = max(2, (conversations.count * 9 + 9) / 10)
        let everywhere = names.filter { counts[Int($0.value)] >= needed }
        guard let most = everywhere.values.map({ counts[Int($0)] }).max() else { return nil }
        let first = everywhere.filter { counts[Int($0.value)] == most }
        return first.count == 1 ? first.first?.key : nil
    }
}
