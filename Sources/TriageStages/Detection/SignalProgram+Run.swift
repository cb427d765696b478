internal import TriageCore

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
            // Each of these has one at least, and most have no more.
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

/// The state of the pass over one message, over borrowed buffers.
private struct Pass {
    typealias Entry = SignalProgram.Entry

    private let entries: UnsafeMutableBufferPointer<Entry>
    private let completes: UnsafeMutablePointer<UInt64>?
    private let fired: UnsafeMutablePointer<UInt64>
    private let candidates: UnsafeMutablePointer<UInt64>
    private let compositeWords: Int
    private let language: UInt64
    private let message: UInt32
    /// The message's hits.
    private let hits: UnsafeMutablePointer<SignalHit>
    private(set) var count = 0
    /// Tags of what fired.
    private(set) var facts: UInt64 = 0
    /// Numbers of kept hits that feed sentiment.
    private let feelings: UnsafeMutablePointer<UInt32>
    private(set) var feelingCount = 0
    /// Whether hits changed their places since they were numbered.
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

    /// The entry of a signal that is open to the message's language; nil: it is not.
    @inline(__always)
    private func open(_ signal: UInt16) -> UnsafeMutablePointer<Entry>? {
        guard Int(signal) < entries.count else { return nil }
        let entry = entries.baseAddress.unsafelyUnwrapped + Int(signal)
        return entry.pointee.languages &>> language & 1 != 0 ? entry : nil
    }

    /// Keeps a match if its signal may count once more; of overlapping ones of a signal the longest.
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
        // As bytes: member by member it is more than twice the work.
        UnsafeMutableRawPointer(hits + count).copyMemory(from: hit, byteCount: MemoryLayout<SignalHit>.size)
        count &+= 1
    }

    @inline(__always)
    private mutating func append(_ hit: SignalHit) {
        (hits + count).initialize(to: hit)
        count &+= 1
    }

    /// Puts a match in place of the one of its signal that it overlaps, if it is longer.
    @inline(never)
    private static func lengthen(
        _ hit: SignalHit, _ entry: UnsafeMutablePointer<Entry>, _ hits: UnsafeMutablePointer<SignalHit>, _ count: Int
    ) {
        // Ends come in order: the later one that starts no later holds the earlier one.
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

    /// Notes that a signal fired, and which composites it may complete.
    @inline(__always)
    private mutating func note(_ entry: UnsafeMutablePointer<Entry>, _ signal: UInt16) {
        facts |= entry.pointee.facts
        fired[Int(entry.pointee.memberWord)] |= entry.pointee.memberBit
        candidates[Int(entry.pointee.compositeWord)] |= entry.pointee.compositeBits
        if entry.pointee.completesMore, let completes {
            for word in 0..<compositeWords { candidates[word] |= completes[Int(signal) &* compositeWords &+ word] }
        }
    }

    /// Marks sentiment hits that lie wholly inside a longer sentiment hit.
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

    /// Hits come in order of their ends, so that one walk from the back with the smallest start seen suffices.
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
            // Among hits with one end the longer hides the shorter.
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
            // One that fires may add candidates behind it, in this word or a later one: rules come in order.
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

    /// The first match of the composite's first signal that has the others near it; nil: they stand far away.
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

    /// Whether a match of a signal lies no more than so many bytes before or behind a hit.
    private func stands(_ signal: UInt16, near hit: SignalHit, _ bytes: UInt32) -> Bool {
        for i in 0..<count where hits[i].signal == signal && hits[i].hasPlace {
            if hits[i].start <= hit.end &+ bytes, hit.start <= hits[i].end &+ bytes { return true }
        }
        return false
    }
}
