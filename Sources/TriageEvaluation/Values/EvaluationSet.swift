/// Records with their labels, and what every method answered: all that a report is made of.
public struct EvaluationSet: Sendable {
    /// Ids in the order of the records, cut to 200 bytes.
    public private(set) var ids: [String] = []
    public private(set) var golds: [Gold] = []
    public var names = Names()
    public var runs: [MethodRun] = []
    private var places: [ExactText: Int32] = [:]
    private var clusters: [ExactText: UInt32] = [:]
    private var loneClusters: UInt32 = 0

    public init() {}

    public var clusterCount: Int { clusters.count + Int(loneClusters) }
    public var isLabelled: Bool { golds.contains { $0.isLabelled } }

    /// The place of a record; nil when there is none of that id.
    public func place(of id: String) -> Int? { places[ExactText(Self.key(id))].map { Int($0) } }

    /// Adds a record.
    ///
    /// - Returns: its place; nil when there is one of that id already.
    public mutating func add(id: String, _ gold: Gold) -> Int? {
        let key = ExactText(Self.key(id))
        guard places[key] == nil else { return nil }
        places[key] = Int32(golds.count)
        ids.append(key.text)
        golds.append(gold)
        return golds.count - 1
    }

    /// The number of a conversation; one for every record that has none, and the same for its changed copies.
    ///
    /// - Parameters:
    ///   - conversation: what names it among all records.
    ///   - id: of the record.
    ///   - original: the id of the record that it is a changed copy of; nil: it is none.
    public mutating func cluster(
        _ conversation: String?, id: String? = nil, copyOf original: String? = nil
    ) -> UInt32 {
        if conversation == nil, let original {
            if let place = place(of: original) { return golds[Int(place)].cluster }
            return cluster(Self.copies(of: original))
        }
        // Its copies came before it.
        if conversation == nil, let id, let known = clusters[ExactText(Self.copies(of: id))] { return known }
        let key = conversation.map(ExactText.init)
        if let key, let known = clusters[key] { return known }
        let number = UInt32(clusterCount)
        if let key { clusters[key] = number } else { loneClusters += 1 }
        return number
    }

    /// Stands for the conversation of copies whose original was not read yet; no conversation is called so.
    private static func copies(of id: String) -> String { "copies\u{0}\(key(id))" }

    /// What a record is known by: its id, of which the middle is a digest where it is longer than 200 bytes.
    public static func key(_ id: String) -> String {
        id.utf8.count <= 200 ? id : String(decoding: id.utf8.prefix(120), as: UTF8.self) + "…" + hash(id)
    }

    private static func hash(_ id: String) -> String { String(TextDigest.of(id), radix: 16) }
}

/// 64 bits that stand for a text (FNV-1a); not against an adversary.
public enum TextDigest {
    public static func of(_ text: String) -> UInt64 { of(bytes: text.utf8) }

    public static func of(bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
