internal import TriageCore

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
