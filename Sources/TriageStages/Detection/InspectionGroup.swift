internal import TriageCore

/// A few messages that take each step of their inspection together.
///
/// All steps together are more code than a processor keeps at hand. One message at a time, nearly every step would have
/// to be fetched again for every message; a few at a time share what was fetched.
struct InspectionGroup: ~Copyable {
    static let size = 16

    let members: UnsafeMutablePointer<Inspection>
    private(set) var count = 0
    private let shapes: UnsafeMutablePointer<TextShape>
    private let places: UnsafeMutablePointer<DetectorPlaces.Place>
    /// Room for as many words as the messages have in one list of each kind.
    private var candidates: UnsafeMutablePointer<Int32>
    private var countables: UnsafeMutablePointer<Int32>
    private var marks: UnsafeMutablePointer<CreatorWords.Mark>
    /// Room for as many numbers as a message has words.
    private(set) var picked: UnsafeMutablePointer<Int32>
    private var capacity = 4096

    init() {
        members = .allocate(capacity: Self.size)
        shapes = .allocate(capacity: Self.size)
        shapes.initialize(repeating: TextShape(), count: Self.size)
        places = .allocate(capacity: Self.size * DetectorPlaces.room)
        places.initialize(repeating: (start: 1, end: 0), count: Self.size * DetectorPlaces.room)
        candidates = .allocate(capacity: capacity)
        countables = .allocate(capacity: capacity)
        marks = .allocate(capacity: capacity)
        picked = .allocate(capacity: capacity)
    }

    deinit {
        members.deinitialize(count: count)
        members.deallocate()
        shapes.deallocate()
        places.deallocate()
        candidates.deallocate()
        countables.deallocate()
        marks.deallocate()
        picked.deallocate()
    }

    /// Takes up the next messages in place of those before.
    ///
    /// - Parameters:
    ///   - records: from which they are taken, those that are asked; the others get no signals.
    ///   - next: the first record that is not taken yet.
    mutating func fill(
        from records: UnsafeMutableBufferPointer<Record>, next: inout Int, _ buffers: MessageBuffers,
        words: WordIndex, masks: InspectionMasks
    ) {
        members.deinitialize(count: count)
        count = 0
        guard let first = records.baseAddress else { return }
        // No list has more elements than words, but the place behind the last one is written as well.
        var room = 0
        var end = next
        var taken = 0
        while end < records.count, taken < Self.size {
            if first[end].isAsked {
                taken += 1
                room += first[end].folded.tokens.count + 1
            } else {
                first[end].hits = 0..<0
            }
            end += 1
        }
        if room > capacity { grow(to: room) }
        var used = 0
        for index in next..<end where first[index].isAsked {
            (members + count).initialize(
                to: Inspection(
                    first + index, buffers,
                    Inspection.Room(
                        shape: shapes + count, places: places + count * DetectorPlaces.room,
                        candidates: candidates + used, countables: countables + used, marks: marks + used),
                    words: words, masks: masks))
            used += first[index].folded.tokens.count + 1
            count += 1
        }
        next = end
    }

    private mutating func grow(to room: Int) {
        capacity = room * 2
        candidates.deallocate()
        countables.deallocate()
        marks.deallocate()
        picked.deallocate()
        candidates = .allocate(capacity: capacity)
        countables = .allocate(capacity: capacity)
        marks = .allocate(capacity: capacity)
        picked = .allocate(capacity: capacity)
    }
}
