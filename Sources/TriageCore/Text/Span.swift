/// A range of bytes in one of a batch's buffers.
///
/// On the hot path messages are never copied into strings: a field is a span of the batch's arena.
package struct Span32: Sendable, Equatable {
    /// Offset of the first byte in the buffer.
    package var start: UInt32
    /// Number of bytes; 0 if the span is ``absent``.
    package var count: UInt32

    @inlinable
    package init(start: Int, count: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    /// A missing value, as opposed to an empty one.
    @inlinable package static var absent: Span32 { Span32(start: Int(UInt32.max), count: 0) }

    /// Whether there is a value, even an empty one.
    @inlinable
    package var isPresent: Bool { start != UInt32.max }

    /// The same bytes as a range of offsets; empty if absent.
    @inlinable
    package var range: Range<Int> { isPresent ? Int(start)..<(Int(start) + Int(count)) : 0..<0 }
}
