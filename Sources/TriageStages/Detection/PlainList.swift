/// A list in memory that somebody else made large enough.
///
/// Unlike an array it asks neither who owns it nor, at every element, whether there is room.
struct PlainList<Element: BitwiseCopyable> {
    private let base: UnsafeMutablePointer<Element>
    private(set) var count = 0

    /// - Parameter room: for all elements that there can be, and one more.
    init(_ room: UnsafeMutablePointer<Element>) { base = room }

    /// Adds an element if a condition holds: it is written anyway, and the next one over it, which needs no branch.
    @inline(__always)
    mutating func append(_ element: Element, if condition: Bool) {
        base[count] = element
        count &+= condition ? 1 : 0
    }

    var elements: UnsafeBufferPointer<Element> {
        @inline(__always) get { UnsafeBufferPointer(start: base, count: count) }
    }

    /// The first elements, no more than `limit`.
    func prefix(_ limit: Int) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: base, count: min(count, limit))
    }
}
