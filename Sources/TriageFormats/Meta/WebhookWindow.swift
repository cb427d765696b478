import TriageCore

/// The last messages of a stream of events, held a while because later events change them.
///
/// Bounded: what is held are ``maximumMessages`` messages and ``maximumBytes``, what is remembered to leave out repeated
/// deliveries are ``maximumIDs`` ids.
final class WebhookWindow {
    static let maximumMessages = 1024
    static let maximumBytes = 8 << 20
    static let maximumIDs = 1 << 18

    private enum Item {
        case message(Message)
        case reject(RejectReason, [UInt8]?, offset: Int)
    }

    private struct Slot {
        var item: Item
        var number: Int
        var weight: Int
    }

    private let context: ReadingContext
    private var slots: [Slot] = []
    /// Number of the first slot.
    private var first = 0
    /// Slots that went out already but are still in the array.
    private var gone = 0
    private var held = 0
    private var places: [String: Int] = [:]
    private var ids = Set<MessageDigest>()
    private var idOrder: [MessageDigest] = []
    private var nextID = 0
    /// Messages that were left out because they came before.
    private(set) var repeated = 0

    init(_ context: ReadingContext) { self.context = context }

    /// Takes a message with an id, unless it came before.
    ///
    /// - Returns: whether it was new.
    @discardableResult
    func add(_ message: Message, number: Int) throws -> Bool {
        let id = message.id ?? ""
        let digest = Self.digest(id)
        guard ids.insert(digest).inserted else {
            repeated += 1
            return false
        }
        remember(digest)
        places[id] = first + slots.count
        try append(.message(message), number: number, weight: message.text.utf8.count + 1024)
        return true
    }

    /// Whether a message of that id came before.
    func knows(_ id: String) -> Bool { ids.contains(Self.digest(id)) }

    /// Changes a message that is held.
    ///
    /// - Returns: false: it is not, or no longer.
    func update(_ id: String, _ change: (inout Message) -> Void) -> Bool {
        guard let place = places[id], place >= first + gone, case .message(var message) = slots[place - first].item
        else {
            return false
        }
        change(&message)
        slots[place - first].item = .message(message)
        return true
    }

    /// Takes what cannot be read, in its place among the messages.
    func reject(_ reason: RejectReason, raw: UnsafeBufferPointer<UInt8>? = nil, number: Int, offset: Int) throws {
        let kept = raw.flatMap { $0.count <= 1 << 16 ? Array($0) : nil }
        try append(.reject(reason, kept, offset: offset), number: number, weight: (kept?.count ?? 0) + 256)
    }

    /// Hands on everything that is held.
    func flush() throws {
        while gone < slots.count { try release() }
        first += slots.count
        gone = 0
        slots = []
        places = [:]
    }

    private func append(_ item: Item, number: Int, weight: Int) throws {
        slots.append(Slot(item: item, number: number, weight: weight))
        held += weight
        while slots.count - gone > Self.maximumMessages || held > Self.maximumBytes { try release() }
        // Moved together now and then, so that each slot is moved once.
        guard gone > Self.maximumMessages else { return }
        slots.removeFirst(gone)
        first += gone
        gone = 0
    }

    private func release() throws {
        let slot = slots[gone]
        slots[gone].item = .reject(RejectReason(code: "", reason: ""), nil, offset: 0)
        gone += 1
        held -= slot.weight
        switch slot.item {
        case .message(let message):
            if let id = message.id { places[id] = nil }
            try context.assembler.append(message, number: slot.number)
        case .reject(let reason, let raw, let offset):
            guard let raw else {
                return try context.assembler.append(reject: reason, number: slot.number, offset: offset)
            }
            try raw.withUnsafeBufferPointer {
                try context.assembler.append(reject: reason, raw: $0, number: slot.number, offset: offset)
            }
        }
    }

    /// The oldest id makes room for a new one.
    private func remember(_ digest: MessageDigest) {
        if idOrder.count < Self.maximumIDs { return idOrder.append(digest) }
        ids.remove(idOrder[nextID])
        idOrder[nextID] = digest
        nextID = (nextID + 1) % Self.maximumIDs
    }

    private static func digest(_ id: String) -> MessageDigest {
        MessageDigest(platform: "meta", conversation: "", time: "", sender: "", text: id, ordinal: 0)
    }
}
