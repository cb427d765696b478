internal import TriageCore

/// A rule set compiled for the pass over hits: gates, limits, covers, detectors and composites by index.
struct SignalProgram: Sendable {
    /// A signal made of others: three runs of ``members``, back to back.
    private struct Composite: Sendable {
        var signal: UInt16
        var all: Int32
        var any: Int32
        var none: Int32
        var end: Int32
    }

    /// What the pass needs of a signal, in one place of memory.
    private struct Entry: Sendable {
        /// Languages it is gated to, one bit each; 0: all.
        var languages: UInt64
        var facts: UInt64
        /// Composites that it may complete, as a range of ``dependents``.
        var firstDependent: Int32 = 0
        var lastDependent: Int32 = 0
        var repeats: UInt8
        /// Feeds sentiment: a longer one hides a shorter one inside it.
        var isSentiment: Bool
    }

    private var entries: [Entry]
    var count: Int { entries.count }
    /// Signals of each detector, in the order of ``DetectorName/allCases``.
    let detectors: [[UInt16]]
    private let composites: [Composite]
    private let members: [UInt16]
    private let dependents: [UInt16]
    /// Composites that ask only what is absent.
    private let unconditional: [UInt16]

    init(_ rules: RuleSet) {
        // Hits name signals in 16 bits; the loader refuses more.
        let signals = rules.signals.prefix(Int(UInt16.max))
        entries = signals.map { signal in
            var mask: UInt64 = 0
            for tag in signal.onlyIn {
                if let index = LanguageTable.index(of: tag), index < 64 { mask |= 1 << UInt64(index) }
            }
            let feeds = signal.feeds
            // What takes feeling away is context: it counts once, and neither hides other matches nor is hidden.
            let isFeeling = feeds.feedsSentiment && feeds.positive >= 0 && feeds.negative >= 0
            let isSentiment = isFeeling || feeds.modifier != .none
            // Every word of feeling counts, with less and less weight; its own stage bounds them.
            let isOnlySentiment = isSentiment && !feeds.feedsCategory && feeds.urgent == 0 && feeds.injection == 0
            return Entry(
                languages: mask, facts: feeds.facts,
                repeats: isOnlySentiment ? 64 : UInt8(clamping: max(1, signal.repeatLimit)), isSentiment: isSentiment)
        }
        var byDetector = [[UInt16]](repeating: [], count: DetectorName.allCases.count)
        let detectorIndex = Dictionary(
            uniqueKeysWithValues: DetectorName.allCases.enumerated().map { ($1.rawValue, $0) })
        let names = Dictionary(
            signals.enumerated().map { ($1.name, UInt16($0)) }, uniquingKeysWith: { first, _ in first })
        var made: [Composite] = []
        var members: [UInt16] = []
        for (index, signal) in signals.enumerated() {
            switch signal.trigger {
            case .detector(let name):
                if let detector = detectorIndex[name] { byDetector[detector].append(UInt16(index)) }
            case .composite(let all, let any, let none):
                // A name that is not there can never fire: the loader reports it, and here it only keeps `all` from firing.
                let wanted = all.compactMap { names[$0] }
                guard wanted.count == all.count else { continue }
                let start = Int32(members.count)
                members += wanted
                let anyStart = Int32(members.count)
                members += any.compactMap { names[$0] }
                let noneStart = Int32(members.count)
                members += none.compactMap { names[$0] }
                made.append(
                    Composite(
                        signal: UInt16(index), all: start, any: anyStart, none: noneStart, end: Int32(members.count)))
            case .patterns: break
            }
        }
        detectors = byDetector
        composites = made
        self.members = members
        var lists = [[UInt16]](repeating: [], count: signals.count)
        var free: [UInt16] = []
        for (index, composite) in made.enumerated() {
            let wanted = members[Int(composite.all)..<Int(composite.none)]
            for member in Set(wanted) { lists[Int(member)].append(UInt16(index)) }
            if wanted.isEmpty { free.append(UInt16(index)) }
        }
        unconditional = free
        var flat: [UInt16] = []
        for (signal, list) in lists.enumerated() {
            entries[signal].firstDependent = Int32(flat.count)
            flat += list
            entries[signal].lastDependent = Int32(flat.count)
        }
        dependents = flat
    }

    /// What one worker reuses from message to message; in plain memory, for it is touched with every hit.
    struct Scratch: ~Copyable {
        /// Kept matches of a signal in this message, and where the last of them ended.
        struct State {
            var kept: UInt8 = 0
            var lastEnd: UInt32 = 0
        }

        /// One for each signal.
        let states: UnsafeMutableBufferPointer<State>
        /// Signals whose state is not fresh; each is there once.
        private let touched: UnsafeMutableBufferPointer<UInt16>
        private var touchedCount = 0
        /// Composites to be looked at, one bit each.
        let candidates: UnsafeMutableBufferPointer<UInt64>

        /// Whether a signal fired in this message.
        @inline(__always)
        func has(_ signal: UInt16) -> Bool { states[Int(signal)].kept != 0 }

        @inline(__always)
        mutating func touch(_ signal: UInt16) {
            touched[touchedCount] = signal
            touchedCount &+= 1
        }

        mutating func reset() {
            for i in 0..<touchedCount { states[Int(touched[i])].kept = 0 }
            touchedCount = 0
        }

        init(_ program: SignalProgram) {
            states = .allocate(capacity: program.count)
            states.initialize(repeating: State())
            touched = .allocate(capacity: program.count)
            touched.initialize(repeating: 0)
            candidates = .allocate(capacity: (program.composites.count + 63) / 64)
            candidates.initialize(repeating: 0)
        }

        deinit {
            states.deallocate()
            touched.deallocate()
            candidates.deallocate()
        }
    }

    /// Refines the raw hits of one message and adds those of detectors and composites.
    ///
    /// - Parameters:
    ///   - raw: the matcher's hits, in order of their ends.
    ///   - language: index of the detected language; 0: undetermined.
    ///   - detectors: detectors that fired.
    ///   - places: where detectors fired.
    ///   - output: gets the hits.
    /// - Returns: the `fact.*` tags of the signals that fired.
    func run(
        _ raw: UnsafeBufferPointer<SignalHit>, language: UInt8, detectors fired: DetectorBits,
        places: DetectorPlaces, into output: inout HitList, _ scratch: inout Scratch
    ) -> UInt64 {
        var result: UInt64 = 0
        let first = output.count
        for hit in raw where isOpen(Int(hit.signal), language) {
            keep(hit, into: &output, &scratch, &result, floor: first)
        }
        cover(from: first, in: &output)
        var bits = fired.bits
        while bits != 0 {
            let index = bits.trailingZeroBitCount
            bits &= bits - 1
            for signal in detectors[index] where isOpen(Int(signal), language) {
                fire(places.hit(signal, of: index), into: &output, &scratch, &result)
            }
        }
        if !composites.isEmpty { runComposites(language: language, into: &output, &scratch, &result) }
        scratch.reset()
        return result
    }

    @inline(__always)
    private func isOpen(_ signal: Int, _ language: UInt8) -> Bool {
        guard signal < entries.count else { return false }
        let mask = entries[signal].languages
        return mask == 0 || language == 0 || mask >> UInt64(language) & 1 != 0
    }

    /// Keeps a match if its signal may count once more; of overlapping ones of a signal the longest.
    private func keep(
        _ hit: SignalHit, into output: inout HitList, _ scratch: inout Scratch, _ result: inout UInt64, floor: Int
    ) {
        let signal = Int(hit.signal)
        let kept = scratch.states[signal].kept
        if kept > 0, hit.start < scratch.states[signal].lastEnd {
            // Ends come in order: the later one that starts no later holds the earlier one.
            var i = output.count - 1
            let hits = output.hits
            while i >= floor, hits[i].signal != hit.signal { i -= 1 }
            if i >= floor, hit.start <= hits[i].start {
                output.remove(at: i)
                output.append(hit)
                scratch.states[signal].lastEnd = hit.end
            }
            return
        }
        guard kept < entries[signal].repeats else { return }
        if kept == 0 {
            scratch.touch(hit.signal)
            result |= entries[signal].facts
            mark(signal, &scratch)
        }
        scratch.states[signal].kept = kept + 1
        scratch.states[signal].lastEnd = hit.end
        output.append(hit)
    }

    private func fire(
        _ hit: SignalHit, into output: inout HitList, _ scratch: inout Scratch, _ result: inout UInt64
    ) {
        let signal = Int(hit.signal)
        guard scratch.states[signal].kept == 0 else { return }
        scratch.touch(hit.signal)
        scratch.states[signal].kept = 1
        result |= entries[signal].facts
        mark(signal, &scratch)
        output.append(hit)
    }

    /// Notes the composites that a signal may complete.
    @inline(__always)
    private func mark(_ signal: Int, _ scratch: inout Scratch) {
        for i in Int(entries[signal].firstDependent)..<Int(entries[signal].lastDependent) {
            let composite = Int(dependents[i])
            scratch.candidates[composite >> 6] |= 1 << (UInt64(composite) & 63)
        }
    }

    private func runComposites(
        language: UInt8, into output: inout HitList, _ scratch: inout Scratch, _ result: inout UInt64
    ) {
        for composite in unconditional { scratch.candidates[Int(composite) >> 6] |= 1 << (UInt64(composite) & 63) }
        var word = 0
        while word < scratch.candidates.count {
            // One that fires may add candidates behind it, in this word or a later one: rules come in order.
            let bits = scratch.candidates[word]
            guard bits != 0 else {
                word += 1
                continue
            }
            let bit = bits.trailingZeroBitCount
            scratch.candidates[word] &= bits - 1
            let composite = composites[word << 6 | bit]
            guard isOpen(Int(composite.signal), language), holds(composite, scratch) else { continue }
            fire(SignalHit(signal: composite.signal), into: &output, &scratch, &result)
        }
    }

    private func holds(_ composite: Composite, _ scratch: borrowing Scratch) -> Bool {
        var i = Int(composite.all)
        while i < Int(composite.any) {
            if !scratch.has(members[i]) { return false }
            i += 1
        }
        var anyFired = composite.any == composite.none
        while i < Int(composite.none) {
            if scratch.has(members[i]) { anyFired = true }
            i += 1
        }
        guard anyFired else { return false }
        while i < Int(composite.end) {
            if scratch.has(members[i]) { return false }
            i += 1
        }
        return true
    }

    /// Marks sentiment hits that lie wholly inside a longer sentiment hit.
    ///
    /// Hits come in order of their ends, so that one walk from the back with the smallest start seen suffices.
    private func cover(from first: Int, in output: inout HitList) {
        let hits = output.hits
        var smallest = UInt32.max
        var i = hits.count - 1
        while i >= first {
            // A block of hits with one end: among them the longer hides the shorter.
            let end = hits[i].end
            var block = i
            var blockSmallest = UInt32.max
            while block >= first, hits[block].end == end {
                if entries[Int(hits[block].signal)].isSentiment {
                    blockSmallest = min(blockSmallest, hits[block].start)
                }
                block -= 1
            }
            for j in (block + 1)...i where entries[Int(hits[j].signal)].isSentiment {
                if smallest <= hits[j].start || blockSmallest < hits[j].start { hits[j].isCovered = true }
            }
            smallest = min(smallest, blockSmallest)
            i = block
        }
    }
}
