import TriageCore

/// The latest messages of an event stream, held for a while because later events change them.
///
/// Memory is bounded: at most ``maximumMessages`` messages and ``maximumBytes`` are held, and ``maximumIDs`` ids are
/// remembered to leave out repeated deliveries.
final class WebhookWindow {
    static let maximumMessages = 1024
    static let maximumBytes = 8 << 20
    static let maximumIDs = 1 << 18
    /// Maximum number of reactions to one message; each costs a comparison with all others.
    static let maximumReactions = 500

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
    /// Number of slots that were emitted but are still in the array.
    private var gone = 0
    private var held = 0
    private var places: [String: Int] = [:]
    private var ids = Set<MessageDigest>()
    private var idOrder: [MessageDigest] = []
    private var nextID = 0
    /// Number of duplicate messages left out.
    private(set) var repeated = 0

    init(_ context: ReadingContext) { self.context = context }

    /// Adds a message with an id, unless it is a duplicate.
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
        try append(.message(message), number: number, weight: Self.weight(of: message))
        return true
    }

    /// Whether a message with that id came before.
    func knows(_ id: String) -> Bool { ids.contains(Self.digest(id)) }

    /// Changes a message that is held.
    ///
    /// - Parameter change: returns false if it changes nothing.
    /// - Returns: whether the message was changed; false too if it is not, or no longer, held.
    func update(_ id: String, _ change: (inout Message) -> Bool) throws -> Bool {
        guard let place = places[id], place >= first + gone, case .message(var message) = slots[place - first].item,
            change(&message)
        else { return false }
        let weight = Self.weight(of: message)
        held += weight - slots[place - first].weight
        slots[place - first].item = .message(message)
        slots[place - first].weight = weight
        while held > Self.maximumBytes { try release() }
        return true
    }

    /// Approximate size of a message in bytes.
    private static func weight(of message: Message) -> Int {
        var weight = 1024 + message.text.utf8.count + message.reactions.count * 64
        for text in [message.id, message.conversationID, message.sender.id, message.sender.name, message.replyTo] {
            weight += text?.utf8.count ?? 0
        }
        for attachment in message.attachments {
            weight += 64 + (attachment.url?.utf8.count ?? 0) + (attachment.name?.utf8.count ?? 0)
        }
        for case (_, .string(let text)) in message.raw { weight += text.utf8.count }
        return weight
    }

    /// Adds an unreadable record in its place among the messages.
    func reject(_ reason: RejectReason, raw: UnsafeBufferPointer<UInt8>? = nil, number: Int, offset: Int) throws {
        let kept = raw.flatMap { $0.count <= 1 << 16 ? Array($0) : nil }
        try append(.reject(reason, kept, offset: offset), number: number, weight: (kept?.count ?? 0) + 256)
    }

    /// Emits everything that is held.
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
        // Compact only occasionally, so that each slot is moved once.
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

    /// Remembers an id, forgetting the oldest one if necessary.
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
