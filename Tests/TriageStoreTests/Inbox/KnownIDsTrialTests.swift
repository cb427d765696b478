import Foundation
import Testing
import TriageStore

/// Ten million ids in one store; not part of every run: `TRIAGE_TRIAL_IDS=10000000 swift test --filter 'ids known'`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["TRIAGE_TRIAL_IDS"] != nil))
struct `Trial of ids known` {
    @Test func `opening, looking up and room`() throws {
        let count = Int(ProcessInfo.processInfo.environment["TRIAGE_TRIAL_IDS"] ?? "") ?? 1000
        let scratch = Scratch()
        let path = scratch.path("inbox.db")
        let clock = ContinuousClock()
        var store = try InboxStore(path: path, mode: .readWrite)
        // As many in a commit as a run has in a batch of its own would take hours; pages are as full either way.
        let portion = 250_000
        let filled = try clock.measure {
            for start in stride(from: 0, to: count, by: portion) {
                var commit = InboxCommit()
                commit.known = (start..<min(count, start + portion)).map { .init(identity: Self.identity($0)) }
                try store.commit(commit)
            }
        }
        store.close()
        let opened = try clock.measure {
            store = try InboxStore(path: path, mode: .readWrite)
            #expect(try store.acquaintance(with: [Self.identity(0)]) == [.known])
        }
        let news = min(1_000_000, count)
        var found = 0
        let looked = try clock.measure {
            for start in stride(from: 0, to: news, by: 2000) {
                let asked = (start..<start + 2000).map { Self.identity(count + $0) }
                found += try store.acquaintance(with: asked).count { $0 != .new }
            }
        }
        store.close()
        var info = stat()
        stat(path, &info)
        #expect(found == 0)
        print("ids \(count): filled in \(filled), opened in \(opened), \(news) new ones looked up in \(looked),")
        print("\(Double(info.st_size) / Double(count)) bytes an id")
    }

    /// Bits of a mixer: in no order, as those of a hash.
    private static func identity(_ number: Int) -> RecordIdentity {
        func mix(_ value: UInt64) -> UInt64 {
            var z = value &* 0x9E37_79B9_7F4A_7C15
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        let seed = UInt64(number) &* 2 &+ 1
        return RecordIdentity(key: RecordKey(high: mix(seed), low: mix(seed &+ 1)), digest: mix(seed ^ 0xABCD))
    }
}
