/// Records with their labels, and what every method answered: all that a report is made of.
package struct EvaluationSet: Sendable {
    /// Ids in the order of the records, cut to 200 bytes.
    package private(set) var ids: [String] = []
    package private(set) var golds: [Gold] = []
    package var names = Names()
    package var runs: [MethodRun] = []
    private var places: [ExactText: Int32] = [:]
    private var clusters: [ExactText: UInt32] = [:]
    private var loneClusters: UInt32 = 0

    package init() {}

    package var clusterCount: Int { clusters.count + Int(loneClusters) }
    package var isLabelled: Bool { golds.contains { $0.isLabelled } }

    /// The place of a record; nil when there is none of that id.
    package func place(of id: String) -> Int? { places[ExactText(Self.key(id))].map { Int($0) } }

    /// Adds a record.
    ///
    /// - Returns: its place; nil when there is one of that id already.
    package mutating func add(id: String, _ gold: Gold) -> Int? {
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
    package mutating func cluster(
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
    package static func key(_ id: String) -> String {
        id.utf8.count <= 200 ? id : String(decoding: id.utf8.prefix(120), as: UTF8.self) + "…" + hash(id)
    }

    private static func hash(_ id: String) -> String { String(TextDigest.of(id), radix: 16) }
}

/// 64 bits that stand for a text (FNV-1a); not against an adversary.
package enum TextDigest {
    package static func of(_ text: String) -> UInt64 { of(bytes: text.utf8) }

    package static func of(bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}

/// What one method answered for all records, and what that took.
package struct MethodRun: Sendable {
    /// As people called it.
    package var name: String
    /// In the order of the records.
    package var predictions: [Prediction]
    /// Processor time of reading and answering; nil where it is not known.
    package var seconds: Double?
    /// Tokens asked and answered; nil where no answer said.
    package var tokens: Double?
    /// In US dollars; nil where no answer said: unknown is not free.
    package var cost: Double?

    package init(name: String, predictions: [Prediction] = []) {
        self.name = name
        self.predictions = predictions
    }
}

/// A text that is equal to another when its bytes are: to Swift, `é` written as one scalar or as two is the same.
private struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Texts that many records share, each with a number.
package struct Names: Sendable {
    private var numbers: [String: UInt32] = [:]
    /// The texts by number; 0 stands for "none said".
    package private(set) var texts: [String] = [""]

    package init() {}

    /// The number of a text, new or known; what is longer than 200 bytes is cut.
    package mutating func number(_ text: String?) -> UInt32 {
        guard let text, !text.isEmpty else { return 0 }
        let name = text.utf8.count <= 200 ? text : String(text.prefix(60))
        if let known = numbers[name] { return known }
        let number = UInt32(texts.count)
        numbers[name] = number
        texts.append(name)
        return number
    }
}
