import Testing
import TriageCore

@testable import TriageStages

struct EvidenceCollectorTests {
    private struct Offer {
        var hit: SignalHit
        var weight: Float
    }

    /// Reasons of few different weights, so that many are equally strong, and some too weak.
    private static func offers(_ count: Int, seed: UInt64) -> [Offer] {
        var numbers = SeededNumbers(seed: seed)
        func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &numbers) }
        return (0..<count).map { _ in
            let start = UInt32(next(40))
            return Offer(
                hit: SignalHit(signal: UInt16(next(6)), start: start, end: start + 1),
                weight: Float(next(13) - 6) / 4)
        }
    }

    /// The strongest first, then the nearest to the beginning, then by signal; of those that weigh enough.
    ///
    /// The first one that speaks for the answer stands in front of those against it.
    private static func wanted(_ offers: [Offer], atLeast least: Float, limit: Int) -> [Offer] {
        let strong = offers.filter { $0.weight.magnitude >= least }
        let sorted = strong.sorted {
            ($1.weight.magnitude, $0.hit.start, $0.hit.signal) < ($0.weight.magnitude, $1.hit.start, $1.hit.signal)
        }
        var kept = Array(sorted.prefix(limit))
        if let first = kept.firstIndex(where: { $0.weight > 0 }) { kept.insert(kept.remove(at: first), at: 0) }
        return kept
    }

    @Test(arguments: [0, 1, 3, 8, 40])
    func `the strongest reasons are kept, however many are offered at once`(limit: Int) {
        // What stands at a folded offset stands at the same one of the text: there are no marks.
        let text = [UInt8](repeating: 0x61, count: 64)
        text.withUnsafeBufferPointer { text in
            let places = MessagePlaces(marks: UnsafeBufferPointer(start: nil, count: 0), text: text)
            for (seed, count) in [0, 1, 2, 7, 8, 9, 30, 300, 1_000].enumerated() {
                var collector = EvidenceCollector(limit: limit)
                collector.begin(after: 0)
                // In two parts, as signals and words come.
                let offers = Self.offers(count, seed: UInt64(seed + 1))
                for part in [offers.prefix(count / 3), offers.dropFirst(count / 3)] {
                    let part = Array(part)
                    collector.add(part.count, atLeast: 0.5, weight: { part[$0].weight }, hit: { part[$0].hit })
                }
                let range = collector.finish(places)
                var evidence: [Evidence] = []
                collector.end(into: &evidence)
                let wanted = Self.wanted(offers, atLeast: 0.5, limit: limit)
                #expect(range == 0..<wanted.count, "\(count)")
                #expect(evidence.map(\.weight.magnitude) == wanted.map(\.weight.magnitude), "\(count)")
                #expect(evidence.map(\.start) == wanted.map { Int32($0.hit.start) }, "\(count)")
                #expect(evidence.map(\.signal) == wanted.map(\.hit.signal), "\(count)")
            }
        }
    }
}
