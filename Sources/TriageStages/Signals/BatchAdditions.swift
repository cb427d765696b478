/// Elements that a stage adds to one of a batch's arrays, kept in separate memory until all messages are processed.
///
/// An array checks for sharing and capacity at every append, and cannot grow while other parts of the batch are
/// borrowed.
struct BatchAdditions<Element>: ~Copyable {
    private var elements: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0
    /// Number of elements that the batch already has.
    private var first: Int

    init(after first: Int = 0) {
        self.first = first
        // Batches have thousands of elements, and unused room costs nothing.
        capacity = max(256, 65_536 / MemoryLayout<Element>.stride)
        elements = .allocate(capacity: capacity)
    }

    deinit {
        elements.deinitialize(count: count)
        elements.deallocate()
    }

    /// Index in the batch's array of the next element to be appended.
    var end: Int {
        @inline(__always) get { first &+ count }
    }

    /// The appended elements; valid until the next append.
    var appended: UnsafeBufferPointer<Element> {
        @inline(__always) get { UnsafeBufferPointer(start: elements, count: count) }
    }

    /// Starts over after a given number of elements.
    mutating func restart(after first: Int) {
        elements.deinitialize(count: count)
        count = 0
        self.first = first
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        (elements + count).initialize(to: element)
        count &+= 1
    }

    @inline(__always)
    mutating func append(contentsOf source: UnsafeBufferPointer<Element>) {
        guard let start = source.baseAddress, !source.isEmpty else { return }
        if capacity - count < source.count { grow(by: source.count) }
        (elements + count).initialize(from: start, count: source.count)
        count &+= source.count
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        capacity = 2 * capacity + more
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: elements, count: count)
        elements.deallocate()
        elements = larger
    }

    /// Appends the elements to the batch's array.
    mutating func finish(into array: inout [Element]) {
        array.append(contentsOf: UnsafeBufferPointer(start: elements, count: count))
        elements.deinitialize(count: count)
        count = 0
    }
}
