internal import TriageCore

/// Where detectors fired, for the few that have a place.
struct DetectorPlaces: ~Copyable {
    private typealias Place = (start: UInt32, end: UInt32)

    /// Detectors that have one.
    private var bits: UInt64 = 0
    /// Room for a place of each detector.
    private let places = UnsafeMutablePointer<Place>.allocate(capacity: 64)

    init() { places.initialize(repeating: (start: 1, end: 0), count: 64) }

    deinit { places.deallocate() }

    /// Forgets the message before.
    mutating func clear() { bits = 0 }

    /// Notes where a detector fired, unless it has a place already.
    mutating func set(_ mask: UInt64, _ range: Range<Int>) {
        guard !range.isEmpty, bits & mask == 0 else { return }
        bits |= mask
        places[mask.trailingZeroBitCount & 63] = (
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
