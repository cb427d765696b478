package import TriageCore

/// A growing run of bytes for encoders.
///
/// `[UInt8]` costs several times as much per append (uniqueness, growth, generic copy). What is written often goes by a
/// ``JSONWriter``, which takes its room from here.
package struct OutputBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int
    private let numerals = Numerals.shared

    /// Bytes that ``JSONWriter/write(block:count:)`` may read from its source and write.
    static let blockSize = 64

    /// - Parameter capacity: bytes that will probably be written; more make it grow.
    package init(capacity: Int) {
        self.capacity = max(256, capacity)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    /// What was written, without copying it.
    package consuming func finish() -> ByteBlock {
        let block = ByteBlock(owning: base, count: count)
        discard self
        return block
    }

    /// What was written.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base.assumingMemoryBound(to: UInt8.self), count: count)
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let size = max(capacity * 2, count + extra)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        larger.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = larger
        capacity = size
    }

    /// A writer for at most `room` bytes behind what was written; nothing else is written until ``take(_:)``.
    @inline(__always)
    mutating func pen(room: Int) -> JSONWriter {
        if capacity &- count < room { grow(room) }
        return JSONWriter(at: base + count, numerals: numerals)
    }

    /// Counts what a writer has written.
    @inline(__always)
    mutating func take(_ pen: JSONWriter) { count = pen.place - base }

    /// Makes new room for a writer that goes on.
    @inline(__always)
    mutating func renew(_ pen: inout JSONWriter, room: Int) {
        take(pen)
        pen = self.pen(room: room)
    }

    @inline(__always)
    mutating func add(_ text: StaticString) {
        var pen = pen(room: text.utf8CodeUnitCount)
        pen.write(text)
        take(pen)
    }

    @inline(__always)
    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress else { return }
        let pen = pen(room: text.count)
        pen.place.copyMemory(from: source, byteCount: text.count)
        count &+= text.count
    }

    @inline(__always)
    mutating func add(_ array: [UInt8]) {
        array.withUnsafeBufferPointer { add($0) }
    }

    @inline(__always)
    mutating func add(byte: UInt8) {
        var pen = pen(room: 1)
        pen.write(byte: byte)
        take(pen)
    }

    /// A decimal integer.
    @inline(__always)
    mutating func add(_ value: Int) {
        var pen = pen(room: JSONWriter.numberRoom)
        pen.write(value)
        take(pen)
    }

    /// A number with at most `places` decimals (0–4), rounded half away from zero, without trailing zeros.
    ///
    /// What is not finite is written as 0.
    @inline(__always)
    mutating func add(_ value: Float, places: Int) {
        var pen = pen(room: JSONWriter.numberRoom)
        pen.write(value, places: places)
        take(pen)
    }

    /// A day as `YYYY-MM-DD`.
    mutating func add(_ date: CivilDate) {
        if date.year >= 0, date.year <= 9999 {
            var pen = pen(room: JSONWriter.numberRoom)
            pen.write(year: date.year, month: date.month, day: date.day)
            return take(pen)
        }
        var bytes: [UInt8] = []
        date.append(to: &bytes)
        add(bytes)
    }

    /// The name of a campaign: `c-` and 16 hex digits.
    mutating func add(name campaign: CampaignAnswer) {
        var pen = pen(room: 18)
        pen.write("c-")
        for shift in stride(from: 60 as UInt64, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: campaign.id &>> shift & 15)
            pen.write(byte: digit &+ (digit < 10 ? 0x30 : 0x57))
        }
        take(pen)
    }

    /// A quoted, escaped JSON string of valid UTF-8.
    mutating func add(json text: UnsafeBufferPointer<UInt8>) {
        var pen = pen(room: JSONWriter.room(forString: text.count) &+ 2)
        pen.write(byte: 0x22)
        pen.write(escaped: text, from: 0, count: text.count)
        pen.write(byte: 0x22)
        take(pen)
    }
}
