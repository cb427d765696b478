internal import TriageCore

/// A rule set compiled for the pass over hits: language conditions, limits, covers, detectors and composites, by index.
///
/// Signals that composites refer to are numbered as members. Which members fired, and which ones a composite needs, are
/// bits in a few words, so a composite is evaluated without looking at each of its members.
struct SignalProgram: Sendable {
    /// What the pass needs to know about a signal, stored together.
    struct Entry: Sendable {
        /// The languages in which it may fire, one bit each; bit 0: undetermined.
        var languages: UInt64
        var facts: UInt64
        /// Its bit among the members, and the word that holds it; 0 if it is not a member.
        var memberBit: UInt64 = 0
        var memberWord: UInt16 = 0
        /// A word of composites that it may complete, and their bits in it.
        var compositeWord: UInt16 = 0
        var compositeBits: UInt64 = 0
        /// Whether it may also complete composites in other words; ``completes`` lists all of them.
        var completesMore = false
        var repeats: UInt8
        /// Whether it feeds sentiment: a longer sentiment hit hides a shorter one inside it.
        var isSentiment: Bool
        /// How many of its matches were kept in the message numbered ``message``.
        var kept: UInt8 = 0
        /// The last message in which it fired; values noted for another message are void.
        var message: UInt32 = 0
        /// The end of the last match that was kept.
        var lastEnd: UInt32 = 0

        init(_ signal: Signal) {
            var mask: UInt64 = 0
            for tag in signal.onlyIn {
                if let index = LanguageTable.index(of: tag), index < 64 { mask |= 1 << UInt64(index) }
            }
            languages = mask == 0 ? .max : mask | 1
            let feeds = signal.feeds
            facts = feeds.facts
            // A signal that neutralises feeling is context: it counts once, and neither hides other matches nor is
            // hidden.
            let isFeeling = feeds.feedsSentiment && feeds.positive >= 0 && feeds.negative >= 0
            isSentiment = isFeeling || feeds.modifier != .none
            // Every word of feeling counts, with decreasing weight; the sentiment stage bounds the total.
            let isOnlySentiment =
                isSentiment && !feeds.feedsCategory && feeds.urgent == 0 && feeds.danger == 0
                && feeds.injection == 0
            repeats = isOnlySentiment ? 64 : UInt8(clamping: max(1, signal.repeatLimit))
        }
    }

    /// A signal composed of other signals.
    struct Composite: Sendable {
        var signal: UInt16
        /// Whether it lists signals of which at least one must have fired.
        var asksAny: Bool
        /// Its range in ``conditions``.
        var firstCondition: UInt32 = 0
        var endOfConditions: UInt32 = 0
        /// The maximum distance in bytes of the others from the first signal in `all`; 0: no limit.
        var near: UInt32 = 0
        /// Its range in ``members``: `all`, with its first signal in front, then `any`.
        var firstMember: UInt32 = 0
        var endOfAll: UInt32 = 0
        var endOfMembers: UInt32 = 0
    }

    /// Members in one word of which all, at least one, and none must have fired.
    struct Condition: Sendable {
        var word: Int
        var all: UInt64 = 0
        var any: UInt64 = 0
        var none: UInt64 = 0
    }

    let entries: [Entry]
    let composites: [Composite]
    /// Number of words that hold one bit for each member.
    let memberWords: Int
    /// Number of words that hold one bit for each composite.
    let compositeWords: Int
    /// For each composite, one condition for each word that contains members of it.
    let conditions: [Condition]
    /// Signals of the composites that limit the distance.
    let members: [UInt16]
    /// For each signal, the composites that it may complete, in ``compositeWords`` words.
    let completes: [UInt64]
    /// Composites that only require signals to be absent, in ``compositeWords`` words.
    let unconditional: [UInt64]
    /// Detectors that some signal uses, one bit each.
    let askedDetectors: UInt64
    /// Signals of detectors in the order of ``DetectorName/allCases``: those of detector `n` are
    /// `detectorStarts[n]..<detectorStarts[n + 1]`.
    let detectorSignals: [UInt16]
    let detectorStarts: [UInt16]

    init(_ rules: RuleSet) {
        // Hits store signals in 16 bits; the loader rejects larger rule sets.
        let signals = rules.signals.prefix(Int(UInt16.max))
        var entries = signals.map { Entry($0) }
        let names = Dictionary(
            signals.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var wants: [(all: [Int], any: [Int], none: [Int])] = []
        var composites: [Composite] = []
        var near: [UInt16] = []
        var byDetector: [String: [UInt16]] = [:]
        for (index, signal) in signals.enumerated() {
            switch signal.trigger {
            case .detector(let name): byDetector[name, default: []].append(UInt16(index))
            case .composite(let all, let any, let none):
                // A name that does not exist can never fire. The loader reports it; here it only keeps `all` from
                // firing.
                let wanted = all.compactMap { names[$0] }
                guard wanted.count == all.count else { continue }
                wants.append((wanted, any.compactMap { names[$0] }, none.compactMap { names[$0] }))
                var composite = Composite(signal: UInt16(index), asksAny: wants.last?.any.isEmpty == false)
                if signal.near > 0, !wanted.isEmpty {
                    composite.near = UInt32(clamping: signal.near)
                    composite.firstMember = UInt32(near.count)
                    near += wanted.map { UInt16($0) }
                    composite.endOfAll = UInt32(near.count)
                    near += any.compactMap { names[$0].map { UInt16($0) } }
                    composite.endOfMembers = UInt32(near.count)
                }
                composites.append(composite)
            case .patterns: break
            }
        }
        let asked = Set(wants.flatMap { $0.all + $0.any + $0.none }).sorted()
        for (number, member) in asked.enumerated() {
            entries[member].memberWord = UInt16(number / 64)
            entries[member].memberBit = 1 << UInt64(number % 64)
        }
        let memberWords = asked.count / 64 + 1
        let compositeWords = composites.count / 64 + 1
        var conditions: [Condition] = []
        var completes = [UInt64](repeating: 0, count: signals.count * compositeWords)
        var unconditional = [UInt64](repeating: 0, count: compositeWords)
        for (number, want) in wants.enumerated() {
            var words = (0..<memberWords).map { Condition(word: $0) }
            for member in want.all { words[Int(entries[member].memberWord)].all |= entries[member].memberBit }
            for member in want.any { words[Int(entries[member].memberWord)].any |= entries[member].memberBit }
            for member in want.none { words[Int(entries[member].memberWord)].none |= entries[member].memberBit }
            let first = conditions.count
            conditions += words.filter { $0.all | $0.any | $0.none != 0 }
            composites[number].firstCondition = UInt32(first)
            composites[number].endOfConditions = UInt32(conditions.count)
            let bit: UInt64 = 1 << UInt64(number % 64)
            for member in want.all + want.any { completes[member * compositeWords + number / 64] |= bit }
            if want.all.isEmpty, want.any.isEmpty { unconditional[number / 64] |= bit }
        }
        for signal in entries.indices {
            let words = completes[signal * compositeWords..<(signal + 1) * compositeWords]
            let word = words.firstIndex { $0 != 0 } ?? words.startIndex
            entries[signal].compositeWord = UInt16(word - words.startIndex)
            entries[signal].compositeBits = words[word]
            entries[signal].completesMore = words[(word + 1)...].contains { $0 != 0 }
        }
        let lists = DetectorName.allCases.map { byDetector[$0.rawValue] ?? [] }
        askedDetectors = lists.indices.reduce(0) { lists[$1].isEmpty ? $0 : $0 | 1 << UInt64($1) }
        detectorSignals = lists.flatMap { $0 }
        detectorStarts = lists.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt16($1.count)) }
        self.entries = entries
        self.composites = composites
        self.memberWords = memberWords
        self.compositeWords = compositeWords
        self.conditions = conditions
        members = near
        self.completes = completes
        self.unconditional = unconditional
    }
}

/// The pass over the hits of one message.
extension SignalProgram {
    /// Refines the raw hits of one message and adds those of detectors and composites.
    ///
    /// - Parameters:
    ///   - raw: the matcher's hits, in order of their ends.
    ///   - language: index of the detected language; 0: undetermined.
    ///   - detectors: detectors that fired.
    ///   - places: where detectors fired.
    ///   - output: gets the hits.
    /// - Returns: the `fact.*` tags of the signals that fired.
    // Apart from its caller: it needs the registers.
    @inline(never)
    func run(
        _ raw: UnsafeBufferPointer<SignalHit>, language: UInt8, detectors fired: DetectorBits,
        places: DetectorPlaces, into output: inout HitList, _ scratch: inout Scratch
    ) -> UInt64 {
        scratch.begin(matches: raw.count)
        // Signals of detectors and composites fire once.
        let hits = output.room(for: raw.count + detectorSignals.count + composites.count)
        var pass = Pass(scratch, language: language, hits: hits)
        if let first = raw.baseAddress {
            for index in 0..<raw.count { pass.keep(first + index) }
        }
        if pass.feelingCount > 1 { pass.cover() }
        var bits = fired.bits & askedDetectors
        while bits != 0 {
            let detector = bits.trailingZeroBitCount
            bits &= bits &- 1
            var place = Int(scratch.detectorStarts[detector])
            let end = Int(scratch.detectorStarts[detector &+ 1])
            // Each of these detectors has at least one signal, and most have only one.
            repeat {
                pass.fire(places.hit(scratch.detectorSignals[place], of: detector))
                place &+= 1
            } while place < end
        }
        pass.runComposites(scratch)
        output.add(pass.count)
        return pass.facts
    }
}

/// The state of the pass over one message, in borrowed buffers.
private struct Pass {
    typealias Entry = SignalProgram.Entry

    private let entries: UnsafeMutableBufferPointer<Entry>
    private let completes: UnsafeMutablePointer<UInt64>?
    private let fired: UnsafeMutablePointer<UInt64>
    private let candidates: UnsafeMutablePointer<UInt64>
    private let compositeWords: Int
    private let language: UInt64
    private let message: UInt32
    /// The hits of the message.
    private let hits: UnsafeMutablePointer<SignalHit>
    private(set) var count = 0
    /// The tags of the signals that fired.
    private(set) var facts: UInt64 = 0
    /// Indices of the kept hits that feed sentiment.
    private let feelings: UnsafeMutablePointer<UInt32>
    private(set) var feelingCount = 0
    /// Whether hits have moved since their indices were noted.
    private var isReordered = false

    @inline(__always)
    init(_ scratch: borrowing SignalProgram.Scratch, language: UInt8, hits: UnsafeMutablePointer<SignalHit>) {
        entries = scratch.entries
        completes = scratch.completes.baseAddress
        fired = scratch.fired.baseAddress.unsafelyUnwrapped
        candidates = scratch.candidates.baseAddress.unsafelyUnwrapped
        compositeWords = scratch.candidates.count
        self.language = UInt64(language)
        message = scratch.message
        self.hits = hits
        feelings = scratch.feelings
    }

    /// Returns the entry of a signal that may fire in the message's language; nil if it may not.
    @inline(__always)
    private func open(_ signal: UInt16) -> UnsafeMutablePointer<Entry>? {
        guard Int(signal) < entries.count else { return nil }
        let entry = entries.baseAddress.unsafelyUnwrapped + Int(signal)
        return entry.pointee.languages &>> language & 1 != 0 ? entry : nil
    }

    /// Keeps a match if its signal may count once more; of overlapping matches of one signal, the longest is kept.
    @inline(__always)
    mutating func keep(_ hit: UnsafePointer<SignalHit>) {
        guard let entry = open(hit.pointee.signal) else { return }
        if entry.pointee.message == message {
            if hit.pointee.start < entry.pointee.lastEnd {
                Self.lengthen(hit.pointee, entry, hits, count)
                isReordered = true
                return
            }
            guard entry.pointee.kept < entry.pointee.repeats else { return }
            entry.pointee.kept &+= 1
        } else {
            entry.pointee.message = message
            entry.pointee.kept = 1
            note(entry, hit.pointee.signal)
        }
        entry.pointee.lastEnd = hit.pointee.end
        feelings[feelingCount] = UInt32(truncatingIfNeeded: count)
        feelingCount &+= entry.pointee.isSentiment ? 1 : 0
        // Copied as bytes: copying member by member takes more than twice the work.
        UnsafeMutableRawPointer(hits + count).copyMemory(from: hit, byteCount: MemoryLayout<SignalHit>.size)
        count &+= 1
    }

    @inline(__always)
    private mutating func append(_ hit: SignalHit) {
        (hits + count).initialize(to: hit)
        count &+= 1
    }

    /// Replaces the overlapping match of the same signal with a longer one.
    @inline(never)
    private static func lengthen(
        _ hit: SignalHit, _ entry: UnsafeMutablePointer<Entry>, _ hits: UnsafeMutablePointer<SignalHit>, _ count: Int
    ) {
        // Ends are sorted, so a later match that does not start later contains the earlier one.
        var i = count - 1
        while i >= 0, hits[i].signal != hit.signal { i -= 1 }
        guard i >= 0, hit.start <= hits[i].start else { return }
        while i < count - 1 {
            hits[i] = hits[i + 1]
            i += 1
        }
        hits[i] = hit
        entry.pointee.lastEnd = hit.end
    }

    /// Adds a hit that counts once.
    @inline(__always)
    mutating func fire(_ hit: SignalHit) {
        guard let entry = open(hit.signal), entry.pointee.message != message else { return }
        entry.pointee.message = message
        note(entry, hit.signal)
        append(hit)
    }

    /// Records that a signal fired and which composites it may complete.
    @inline(__always)
    private mutating func note(_ entry: UnsafeMutablePointer<Entry>, _ signal: UInt16) {
        facts |= entry.pointee.facts
        fired[Int(entry.pointee.memberWord)] |= entry.pointee.memberBit
        candidates[Int(entry.pointee.compositeWord)] |= entry.pointee.compositeBits
        if entry.pointee.completesMore, let completes {
            for word in 0..<compositeWords { candidates[word] |= completes[Int(signal) &* compositeWords &+ word] }
        }
    }

    /// Marks sentiment hits that lie entirely inside a longer sentiment hit.
    @inline(__always)
    mutating func cover() {
        if isReordered {
            feelingCount = 0
            for i in 0..<count where entries[Int(hits[i].signal)].isSentiment {
                feelings[feelingCount] = UInt32(truncatingIfNeeded: i)
                feelingCount &+= 1
            }
        }
        Self.cover(hits, UnsafeBufferPointer(start: feelings, count: feelingCount))
    }

    /// Hits are sorted by their ends, so one walk from the back that tracks the smallest start is enough.
    private static func cover(_ hits: UnsafeMutablePointer<SignalHit>, _ feelings: UnsafeBufferPointer<UInt32>) {
        var smallest = UInt32.max
        var last = feelings.count - 1
        while last >= 0 {
            let end = hits[Int(feelings[last])].end
            var blockSmallest = hits[Int(feelings[last])].start
            var first = last
            while first > 0, hits[Int(feelings[first &- 1])].end == end {
                first &-= 1
                blockSmallest = min(blockSmallest, hits[Int(feelings[first])].start)
            }
            // Among hits with the same end, the longer hides the shorter.
            for i in first...last {
                let hit = hits + Int(feelings[i])
                hit.pointee.isCovered = smallest <= hit.pointee.start || blockSmallest < hit.pointee.start
            }
            smallest = min(smallest, blockSmallest)
            last = first &- 1
        }
    }

    @inline(__always)
    mutating func runComposites(_ scratch: borrowing SignalProgram.Scratch) {
        var word = 0
        while word < compositeWords {
            // A composite that fires may add candidates after it, in this word or a later one: rules are in order.
            let bits = candidates[word]
            guard bits != 0 else {
                word &+= 1
                continue
            }
            candidates[word] = bits & (bits &- 1)
            let composite = scratch.composites[word << 6 | bits.trailingZeroBitCount]
            var against: UInt64 = 0
            var some: UInt64 = composite.asksAny ? 0 : 1
            var index = Int(composite.firstCondition)
            while index < Int(composite.endOfConditions) {
                let condition = scratch.conditions[index]
                index &+= 1
                let fired = fired[condition.word]
                against |= condition.all & ~fired | condition.none & fired
                some |= condition.any & fired
            }
            guard against == 0, some != 0 else { continue }
            if composite.near == 0 {
                fire(SignalHit(signal: composite.signal))
            } else if let place = place(of: composite, scratch.members) {
                fire(SignalHit(signal: composite.signal, start: place.start, end: place.end))
            }
        }
    }

    /// Returns the first match of the composite's first signal with the others near it; nil when they are too far away.
    @inline(never)
    private func place(
        of composite: SignalProgram.Composite, _ members: UnsafeMutableBufferPointer<UInt16>
    ) -> SignalHit? {
        let (first, endOfAll) = (Int(composite.firstMember), Int(composite.endOfAll))
        for i in 0..<count where hits[i].signal == members[first] && hits[i].hasPlace {
            let others = first + 1..<endOfAll
            guard others.allSatisfy({ stands(members[$0], near: hits[i], composite.near) }) else { continue }
            let some = endOfAll..<Int(composite.endOfMembers)
            if some.isEmpty || some.contains(where: { stands(members[$0], near: hits[i], composite.near) }) {
                return hits[i]
            }
        }
        return nil
    }

    /// Whether a match of a signal is at most this many bytes before or after a hit.
    private func stands(_ signal: UInt16, near hit: SignalHit, _ bytes: UInt32) -> Bool {
        for i in 0..<count where hits[i].signal == signal && hits[i].hasPlace {
            if hits[i].start <= hit.end &+ bytes, hit.start <= hits[i].end &+ bytes { return true }
        }
        return false
    }
}

extension SignalProgram {
    /// What one call of the stage reuses from message to message: the program's tables, and room for notes.
    ///
    /// It is in plain memory because every hit touches it.
    struct Scratch: ~Copyable {
        /// Number of the current message.
        fileprivate(set) var message: UInt32 = 0
        /// One entry per signal.
        let entries: UnsafeMutableBufferPointer<Entry>
        let completes: UnsafeMutableBufferPointer<UInt64>
        let composites: UnsafeMutableBufferPointer<Composite>
        let conditions: UnsafeMutableBufferPointer<Condition>
        let members: UnsafeMutableBufferPointer<UInt16>
        let detectorSignals: UnsafeMutableBufferPointer<UInt16>
        let detectorStarts: UnsafeMutableBufferPointer<UInt16>
        private let unconditional: UnsafeMutableBufferPointer<UInt64>
        /// Members that fired.
        let fired: UnsafeMutableBufferPointer<UInt64>
        /// Composites still to be evaluated.
        let candidates: UnsafeMutableBufferPointer<UInt64>
        /// Indices of the kept hits that feed sentiment, in order.
        private(set) var feelings = UnsafeMutablePointer<UInt32>.allocate(capacity: 1024)
        private var feelingRoom = 1024

        init(_ program: SignalProgram) {
            func copy<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
                let plain = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
                _ = plain.initialize(from: elements)
                return plain
            }
            entries = copy(program.entries)
            completes = copy(program.completes)
            composites = copy(program.composites)
            conditions = copy(program.conditions)
            members = copy(program.members)
            detectorSignals = copy(program.detectorSignals)
            detectorStarts = copy(program.detectorStarts)
            unconditional = copy(program.unconditional)
            fired = copy([UInt64](repeating: 0, count: program.memberWords))
            candidates = copy([UInt64](repeating: 0, count: program.compositeWords))
        }

        deinit {
            entries.deallocate()
            completes.deallocate()
            composites.deallocate()
            conditions.deallocate()
            members.deallocate()
            detectorSignals.deallocate()
            detectorStarts.deallocate()
            unconditional.deallocate()
            fired.deallocate()
            candidates.deallocate()
            feelings.deallocate()
        }

        /// Clears the state of the previous message.
        ///
        /// - Parameter matches: number of hits that the pattern matcher found.
        @inline(__always)
        mutating func begin(matches: Int) {
            if message == .max {
                for i in entries.indices { entries[i].message = 0 }
                message = 0
            }
            message &+= 1
            for word in 0..<fired.count { fired[word] = 0 }
            for word in 0..<candidates.count { candidates[word] = unconditional[word] }
            if matches >= feelingRoom { makeRoom(matches) }
        }

        @inline(never)
        private mutating func makeRoom(_ matches: Int) {
            feelings.deallocate()
            feelingRoom = matches * 2
            feelings = .allocate(capacity: feelingRoom)
        }
    }
}

/// The hits of a batch as they grow, message by message.
struct HitList: ~Copyable {
    private var base: UnsafeMutablePointer<SignalHit>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// The hits added so far.
    var hits: UnsafeMutableBufferPointer<SignalHit> { UnsafeMutableBufferPointer(start: base, count: count) }

    /// Returns room for this many more hits, to be filled from its beginning; ``add(_:)`` commits them.
    @inline(__always)
    mutating func room(for more: Int) -> UnsafeMutablePointer<SignalHit> {
        if capacity &- count < more { grow(by: more) }
        return base + count
    }

    /// Commits hits that were written to ``room(for:)``.
    @inline(__always)
    mutating func add(_ more: Int) { count &+= more }

    @inline(never)
    private mutating func grow(by more: Int) {
        capacity = capacity * 2 + more
        let larger = UnsafeMutablePointer<SignalHit>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
    }
}

/// Where detectors fired, for the few that have a place in the text.
struct DetectorPlaces {
    typealias Place = (start: UInt32, end: UInt32)

    /// Number of places that ``init(_:)`` needs room for.
    static let room = 64

    /// Detectors that have a place.
    private var bits: UInt64 = 0
    /// One place per detector.
    private let places: UnsafeMutablePointer<Place>

    /// Creates an empty set of places.
    ///
    /// - Parameter memory: room for ``room`` places; must outlive this value.
    init(_ memory: UnsafeMutablePointer<Place>) { places = memory }

    /// Notes where a detector fired, unless it already has a place.
    mutating func set(_ mask: UInt64, _ range: Range<Int>) {
        guard !range.isEmpty, bits & mask == 0 else { return }
        bits |= mask
        places[mask.trailingZeroBitCount & (Self.room - 1)] = (
            UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound)
        )
    }

    /// Returns the hit of a detector's signal, with its place if there is one.
    @inline(__always)
    func hit(_ signal: UInt16, of detector: Int) -> SignalHit {
        guard bits &>> UInt64(detector) & 1 != 0 else { return SignalHit(signal: signal) }
        let place = places[detector]
        return SignalHit(signal: signal, start: place.start, end: place.end)
    }
}
