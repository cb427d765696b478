/// A list that is emptied for every message and keeps its memory.
///
/// Unlike an array it asks neither who owns it nor, at every element, whether there is room: that is made before.
struct PlainList<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 256) {
        self.capacity = max(1, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// Empties it and makes room for so many elements.
    @inline(__always)
    mutating func clear(room: Int) {
        count = 0
        if room > capacity { replace(room) }
    }

    @inline(never)
    private mutating func replace(_ room: Int) {
        base.deallocate()
        capacity = room * 2
        base = .allocate(capacity: capacity)
    }

    /// Takes in what was put behind the elements, where ``clear(room:)`` made room.
    @inline(__always)
    mutating func setCount(_ count: Int) { self.count = min(count, capacity) }

    var elements: UnsafeBufferPointer<Element> {
        @inline(__always) get { UnsafeBufferPointer(start: base, count: count) }
    }
}
