import Foundation
import Synchronization
import Testing
import TriageCore

@testable import TriageStages

/// What conversations said goes on from run to run, as if all had been one.
struct ConversationMemoryTests {
    /// A memory as a store is: what is kept lasts, whoever keeps it.
    private final class Shelf: ConversationMemory {
        private let states = Mutex<[UInt64: [UInt8]]>([:])
        private let recalled = Mutex(0)

        var recalls: Int { recalled.withLock { $0 } }

        func recall(_ keys: [UInt64]) -> [UInt64: [UInt8]] {
            recalled.withLock { $0 += keys.count }
            return states.withLock { states in states.filter { keys.contains($0.key) } }
        }
        func keep(_ states: [UInt64: [UInt8]], past: [Int: [UInt8]], of sequence: Int) {
            self.states.withLock { $0.merge(states) { $1 } }
        }
        func isRepeated(_ index: Int, of sequence: Int) -> Bool { false }
        func past(_ index: Int, of sequence: Int) -> [UInt8]? { nil }
    }

    /// Leaves every category as it is.
    private struct Keeping: CategoryDecider {
        func decide(
            _ index: Int, in batch: inout Batch, _ collector: inout EvidenceCollector, extra: [SignalHit]
        ) {}
    }

    @Test func `an entry comes back as it was kept, and nothing else does`() throws {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<2000 {
            let entry = Self.entry(&numbers)
            let kept = entry.kept
            #expect(kept.count <= 40)
            let read = try #require(ConversationEntry(kept: kept))
            #expect(read.labels == entry.labels && read.age == entry.age)
            #expect(read.points == entry.points && read.budget == entry.budget)
            #expect(ConversationEntry(kept: kept + [0]) == nil)
            for cut in kept.indices { #expect(ConversationEntry(kept: Array(kept[..<cut])) == nil) }
            // Damaged in any way: refused, or read as another entry, but never a crash.
            var damaged = kept
            damaged[Int.random(in: kept.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            _ = ConversationEntry(kept: damaged)
        }
    }

    private static func entry(_ numbers: inout SeededNumbers) -> ConversationEntry {
        var entry = ConversationEntry()
        for _ in 0..<Int.random(in: 0..<40, using: &numbers) {
            if Int.random(in: 0..<8, using: &numbers) == 0 {
                var points = RubricPoints()
                points.monetary = Int8.random(in: 0...40, using: &numbers)
                points.urgency = Int8.random(in: 0...10, using: &numbers)
                entry.points = points
                entry.age = 0
                entry.budget =
                    Bool.random(using: &numbers)
                    ? MoneyAmount(amount: 12.5, currency: Currency("EUR"), usd: 13.75, start: 3, end: 9) : nil
            }
            entry.push(Category.allCases.randomElement(using: &numbers))
        }
        return entry
    }

    /// Runs messages through new stages that share a memory, each stage seeing one part of them.
    private func run(
        _ messages: [(conversation: Int, label: TriageCore.Category, points: Int8)], cuts: [Int], capacity: Int,
        memory: (any ConversationMemory)?
    ) -> [String] {
        var seen: [String] = []
        var start = 0
        for end in cuts + [messages.count] {
            let table = ConversationStage([[], [], []], 8, decider: Keeping(), memory: memory, capacity: capacity)
            for from in stride(from: start, to: end, by: 7) {
                var batch = Batch()
                batch.input.sequence = from
                for message in messages[from..<min(end, from + 7)] {
                    var record = Record()
                    let id = Array("c\(message.conversation)".utf8)
                    record.fields.conversationID = Span32(start: batch.arena.count, count: id.count)
                    record.fields.text = .absent
                    batch.arena += id
                    record.category = CategoryAnswer(
                        label: message.label, scores: .zero, level: .low, by: .categoryRules, because: 0..<0)
                    record.facts.points.monetary = message.points
                    batch.records.append(record)
                }
                table.annotate(&batch)
                seen += batch.records.map {
                    "\($0.thread.isFollowUp) \($0.thread.fan) \($0.thread.business) \($0.thread.spam) \(String(describing: $0.thread.points))"
                }
            }
            start = end
        }
        return seen
    }

    @Test(arguments: 1...20)
    func `many runs say what one says, wherever they are cut and however little fits into a table`(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed) &* 77)
        let messages = (0..<400).map { _ in
            (
                conversation: Int.random(in: 0..<40, using: &numbers),
                label: Category.allCases.randomElement(using: &numbers) ?? .fan,
                points: Int8.random(in: 0...40, using: &numbers)
            )
        }
        let whole = run(messages, cuts: [], capacity: 1000, memory: nil)
        let cuts = (0..<Int.random(in: 1...12, using: &numbers)).map { _ in Int.random(in: 0...400, using: &numbers) }
            .sorted()
        let shelf = Shelf()
        #expect(run(messages, cuts: cuts, capacity: 1000, memory: shelf) == whole)
        #expect(shelf.recalls > 0)
        // Three fit: nearly every message finds its conversation gone from the table, often within its own batch.
        #expect(run(messages, cuts: cuts, capacity: 3, memory: Shelf()) == whole)
    }
}
