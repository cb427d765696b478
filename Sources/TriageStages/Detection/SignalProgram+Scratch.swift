internal import TriageCore

extension SignalProgram {
    /// What one call of the stage uses from message to message: the program's tables, with room for what is noted.
    ///
    /// In plain memory, for it is touched with every hit.
    struct Scratch: ~Copyable {
        /// Number of the message in hand.
        fileprivate(set) var message: UInt32 = 0
        /// One for each signal.
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
        /// Composites to be looked at.
        let candidates: UnsafeMutableBufferPointer<UInt64>
        /// Numbers of kept hits that feed sentiment, in order.
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

        /// Forgets the message before.
        ///
        /// - Parameter matches: how many hits the matcher found.
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

    /// What is in it.
    var hits: UnsafeMutableBufferPointer<SignalHit> { UnsafeMutableBufferPointer(start: base, count: count) }

    /// Room for so many hits more, to be filled from its beginning; ``add(_:)`` takes them in.
    @inline(__always)
    mutating func room(for more: Int) -> UnsafeMutablePointer<SignalHit> {
        if capacity &- count < more { grow(by: more) }
        return base + count
    }

    /// Takes in hits that were put into ``room(for:)``.
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

/// Where detectors fired, for the few that have a place.
struct DetectorPlaces {
    typealias Place = (start: UInt32, end: UInt32)

    /// Places that ``init(_:)`` wants room for.
    static let room = 64

    /// Detectors that have one.
    private var bits: UInt64 = 0
    /// A place of each detector.
    private let places: UnsafeMutablePointer<Place>

    /// - Parameter memory: with ``room``, for as long as this is used.
    init(_ memory: UnsafeMutablePointer<Place>) { places = memory }

    /// Notes where a detector fired, unless it has a place already.
    mutating func set(_ mask: UInt64, _ range: Range<Int>) {
        guard !range.isEmpty, bits & mask == 0 else { return }
        bits |= mask
        places[mask.trailingZeroBitCount & (Self.room - 1)] = (
            UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound)
        )
    }

    /// The hit of a detector's signal, with its place if there is one.
    @inline(__always)
    func hit(_ signal: UInt16, of detector: Int) -> SignalHit {
        guard bits &>> UInt64(detector) & 1 != 0 else { return SignalHit(signal: signal) }
        let place = places[detector]
        return SignalHit(signal: signal, start: place.start, end: place.end)
    }
}
