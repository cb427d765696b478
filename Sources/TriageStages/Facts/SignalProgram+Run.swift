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
    func run(
        _ raw: UnsafeBufferPointer<SignalHit>, language: UInt8, detectors fired: DetectorBits,
        places: DetectorPlaces, into output: inout HitList, _ scratch: inout Scratch
    ) -> UInt64 {
        scratch.begin(self)
        // Signals of detectors and composites fire once.
        let hits = output.room(for: raw.count + detectorSignals.count + composites.count)
        let (message, states, members, candidates) = (
            scratch.message, scratch.states, scratch.fired, scratch.candidates
        )
        return entries.withUnsafeBufferPointer { entries in
            completes.withUnsafeBufferPointer { completes in
                var pass = Pass(
                    entries: entries, completes: completes, compositeWords: compositeWords, language: language,
                    message: message, states: states, fired: members, candidates: candidates, hits: hits)
                for hit in raw where pass.isOpen(hit.signal) { pass.keep(hit) }
                if pass.sentiments > 1 { pass.cover() }
                var bits = fired.bits
                while bits != 0 {
                    let index = bits.trailingZeroBitCount
                    bits &= bits &- 1
                    for place in detectorStarts[index]..<detectorStarts[index + 1] {
                        let signal = detectorSignals[place]
                        if pass.isOpen(signal) { pass.fire(places.hit(signal, of: index)) }
                    }
                }
                runComposites(&pass)
                output.add(pass.count)
                return pass.facts
            }
        }
    }

    private func runComposites(_ pass: inout Pass) {
        var word = 0
        while word < compositeWords {
            // One that fires may add candidates behind it, in this word or a later one: rules come in order.
            let bits = pass.candidates[word]
            guard bits != 0 else {
                word += 1
                continue
            }
            pass.candidates[word] = bits & (bits &- 1)
            let composite = composites[word << 6 | bits.trailingZeroBitCount]
            guard pass.isOpen(composite.signal), holds(composite, pass.fired) else { continue }
            pass.fire(SignalHit(signal: composite.signal))
        }
    }

    @inline(__always)
    private func holds(_ composite: Composite, _ fired: UnsafeMutableBufferPointer<UInt64>) -> Bool {
        conditions.withUnsafeBufferPointer { conditions in
            var against: UInt64 = 0
            var some: UInt64 = 0
            for index in composite.conditions {
                let condition = conditions[index]
                let fired = fired[condition.word]
                against |= condition.all & ~fired | condition.none & fired
                some |= condition.any & fired
            }
            return against == 0 && (some != 0 || !composite.asksAny)
        }
    }
}

/// The state of the pass over one message, over borrowed buffers.
private struct Pass {
    let entries: UnsafeBufferPointer<SignalProgram.Entry>
    let completes: UnsafeBufferPointer<UInt64>
    let compositeWords: Int
    let language: UInt8
    let message: UInt32
    let states: UnsafeMutableBufferPointer<SignalProgram.Scratch.State>
    let fired: UnsafeMutableBufferPointer<UInt64>
    let candidates: UnsafeMutableBufferPointer<UInt64>
    /// The message's hits.
    let hits: UnsafeMutablePointer<SignalHit>
    var count = 0
    /// Tags of what fired.
    var facts: UInt64 = 0
    /// Kept hits that feed sentiment.
    var sentiments = 0

    @inline(__always)
    func isOpen(_ signal: UInt16) -> Bool {
        Int(signal) < entries.count && entries[Int(signal)].languages &>> UInt64(language) & 1 != 0
    }

    /// Keeps a match if its signal may count once more; of overlapping ones of a signal the longest.
    @inline(__always)
    mutating func keep(_ hit: SignalHit) {
        let signal = Int(hit.signal)
        let state = states[signal]
        let kept = state.message == message ? state.kept : 0
        if kept > 0 {
            if hit.start < state.lastEnd { return lengthen(hit) }
            guard kept < entries[signal].repeats else { return }
        }
        states[signal] = SignalProgram.Scratch.State(message: message, lastEnd: hit.end, kept: kept &+ 1)
        sentiments &+= entries[signal].isSentiment ? 1 : 0
        note(signal)
        append(hit)
    }

    @inline(__always)
    private mutating func append(_ hit: SignalHit) {
        (hits + count).initialize(to: hit)
        count &+= 1
    }

    /// Puts a match in place of the one of its signal that it overlaps, if it is longer.
    @inline(never)
    private func lengthen(_ hit: SignalHit) {
        // Ends come in order: the later one that starts no later holds the earlier one.
        var i = count - 1
        while i >= 0, hits[i].signal != hit.signal { i -= 1 }
        guard i >= 0, hit.start <= hits[i].start else { return }
        while i < count - 1 {
            hits[i] = hits[i + 1]
            i += 1
        }
        hits[i] = hit
        states[Int(hit.signal)].lastEnd = hit.end
    }

    /// Adds a hit that counts once.
    @inline(__always)
    mutating func fire(_ hit: SignalHit) {
        let signal = Int(hit.signal)
        guard states[signal].message != message else { return }
        states[signal] = SignalProgram.Scratch.State(message: message, lastEnd: 0, kept: 1)
        note(signal)
        append(hit)
    }

    /// Notes that a signal fired, and which composites it may complete.
    @inline(__always)
    private mutating func note(_ signal: Int) {
        let entry = entries.baseAddress.unsafelyUnwrapped + signal
        facts |= entry.pointee.facts
        fired[Int(entry.pointee.memberWord)] |= entry.pointee.memberBit
        candidates[Int(entry.pointee.compositeWord)] |= entry.pointee.compositeBits
        if entry.pointee.completesMore {
            for word in 0..<compositeWords { candidates[word] |= completes[signal &* compositeWords &+ word] }
        }
    }

    /// Marks sentiment hits that lie wholly inside a longer sentiment hit.
    ///
    /// Hits come in order of their ends, so that one walk from the back with the smallest start seen suffices.
    func cover() {
        var smallest = UInt32.max
        var i = count - 1
        while i >= 0 {
            // A block of hits with one end: among them the longer hides the shorter.
            let end = hits[i].end
            var block = i
            var blockSmallest = UInt32.max
            while block >= 0, hits[block].end == end {
                let start = entries[Int(hits[block].signal)].isSentiment ? hits[block].start : .max
                blockSmallest = min(blockSmallest, start)
                block -= 1
            }
            if blockSmallest != .max {
                for j in (block + 1)...i where entries[Int(hits[j].signal)].isSentiment {
                    if smallest <= hits[j].start || blockSmallest < hits[j].start { hits[j].isCovered = true }
                }
            }
            smallest = min(smallest, blockSmallest)
            i = block
        }
    }
}
