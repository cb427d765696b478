/// A run of bytes inside one of a batch's buffers.
///
/// Messages are never copied into strings on the hot path: a field is a span of the batch's arena.
package struct Span32: Sendable, Equatable {
    /// Offset of the first byte in the buffer.
    package var start: UInt32
    /// Number of bytes; 0 with ``absent`` start means that there is no value.
    package var count: UInt32

    @inlinable
    package init(start: Int, count: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    /// No value, as opposed to an empty one.
    @inlinable package static var absent: Span32 { Span32(start: Int(UInt32.max), count: 0) }

    /// Whether there is a value, be it empty.
    @inlinable
    package var isPresent: Bool { start != UInt32.max }

    /// The same run as offsets.
    @inlinable
    package var range: Range<Int> { isPresent ? Int(start)..<(Int(start) + Int(count)) : 0..<0 }
}
