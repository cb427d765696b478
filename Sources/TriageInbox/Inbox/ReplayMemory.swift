import Synchronization
import TriageStages

/// Remembers all conversations of a replay: what a store remembers of them, from the first message on.
final class ReplayMemory: ConversationMemory, CampaignMemory {
    private let states = Mutex<[UInt64: [UInt8]]>([:])

    /// What is remembered now.
    var all: [UInt64: [UInt8]] { states.withLock { $0 } }

    func recall(_ keys: [UInt64]) -> [UInt64: [UInt8]] {
        states.withLock { states in
            var found: [UInt64: [UInt8]] = [:]
            for key in keys { found[key] = states[key] }
            return found
        }
    }

    func keep(_ states: [UInt64: [UInt8]], past: [Int: [UInt8]], of sequence: Int) {
        self.states.withLock { $0.merge(states) { _, new in new } }
    }

    /// None: a replay begins with the first text.
    func recallTexts(limit: Int) -> [RememberedText] { [] }

    func isRepeated(_ index: Int, of sequence: Int) -> Bool { false }

    func past(_ index: Int, of sequence: Int) -> [UInt8]? { nil }
}
