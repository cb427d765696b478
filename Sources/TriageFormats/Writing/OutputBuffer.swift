package import TriageCore

/// A growing byte buffer for encoders.
///
/// Appending to `[UInt8]` costs several times as much (uniqueness checks, growth, generic copying). Most output goes
/// through a ``JSONWriter``, which reserves room here.
package struct OutputBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int
    private let numerals = Numerals.shared

    /// Number of bytes that ``JSONWriter/write(block:count:)`` may read from its source and write.
    static let blockSize = 64

    /// - Parameter capacity: expected number of bytes; the buffer grows if there are more.
    package init(capacity: Int) {
        self.capacity = max(256, capacity)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    /// The bytes written, without copying them.
    package consuming func finish() -> ByteBlock {
        let block = ByteBlock(owning: base, count: count)
        discard self
        return block
    }

    /// The bytes written.
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

    /// A writer with room for `room` bytes after the current content; use nothing else until ``take(_:)``.
    @inline(__always)
    mutating func pen(room: Int) -> JSONWriter {
        if capacity &- count < room { grow(room) }
        return JSONWriter(at: base + count, numerals: numerals)
    }

    /// Adds the bytes written by a writer.
    @inline(__always)
    mutating func take(_ pen: JSONWriter) { count = pen.place - base }

    /// Adds a writer's bytes and gives it new room to continue.
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

    /// Appends a decimal integer.
    @inline(__always)
    mutating func add(_ value: Int) {
        var pen = pen(room: JSONWriter.numberRoom)
        pen.write(value)
        take(pen)
    }

    /// Appends a number with at most `places` decimals (0–4), rounded half away from zero, without trailing zeros.
    ///
    /// A number that is not finite is written as 0.
    @inline(__always)
    mutating func add(_ value: Float, places: Int) {
        var pen = pen(room: JSONWriter.numberRoom)
        pen.write(value, places: places)
        take(pen)
    }

    /// Appends a day as `YYYY-MM-DD`.
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

    /// Appends the name of a campaign: `c-` and 16 hex digits.
    mutating func add(name campaign: CampaignAnswer) {
        var pen = pen(room: 18)
        pen.write("c-")
        for shift in stride(from: 60 as UInt64, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: campaign.id &>> shift & 15)
            pen.write(byte: digit &+ (digit < 10 ? 0x30 : 0x57))
        }
        take(pen)
    }

    /// Appends a quoted, escaped JSON string of valid UTF-8.
    mutating func add(json text: UnsafeBufferPointer<UInt8>) {
        var pen = pen(room: JSONWriter.room(forString: text.count) &+ 2)
        pen.write(byte: 0x22)
        pen.write(escaped: text, from: 0, count: text.count)
        pen.write(byte: 0x22)
        take(pen)
    }
}

/// Appends to byte arrays without creating strings.
extension [UInt8] {
    /// Appends the bytes of a literal.
    @inline(__always)
    mutating func add(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a decimal integer.
    mutating func add(_ value: Int) {
        var rest = value.magnitude
        if rest < 10 {
            if value < 0 { append(UInt8(ascii: "-")) }
            append(UInt8(truncatingIfNeeded: 0x30 + rest))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { digits in
            var i = 24
            while rest > 0 {
                i -= 1
                digits[i] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
                rest /= 10
            }
            if value < 0 {
                i -= 1
                digits[i] = UInt8(ascii: "-")
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[i...]))
        }
    }

    /// Appends a number with at most `places` decimals (0–4), rounded half away from zero, without trailing zeros.
    ///
    /// A number that is not finite is written as 0.
    mutating func add(_ value: Float, places: Int) {
        guard value.isFinite, abs(value) < 1e9 else {
            append(UInt8(ascii: "0"))
            return
        }
        let power = Numerals.power(places)
        addScaled(Int((Double(value) * Double(power)).rounded()), power: power)
    }

    /// Appends `scaled / power`, where `power` is a power of ten.
    @inline(__always)
    mutating func addScaled(_ scaled: Int, power: Int) {
        var scaled = scaled
        if scaled < 0 {
            append(UInt8(ascii: "-"))
            scaled = -scaled
        }
        add(scaled / power)
        var fraction = scaled % power
        guard fraction > 0 else { return }
        append(UInt8(ascii: "."))
        var digit = power / 10
        while fraction > 0 {
            append(UInt8(truncatingIfNeeded: 0x30 + fraction / digit))
            fraction %= digit
            digit /= 10
        }
    }
}

/// Precomputed digits of small numbers: most numbers in a record are offsets below 1,000 and weights below 10.
///
/// All digits are in one block, so that a writer carries only one pointer.
struct Numerals: @unchecked Sendable {
    // Safe: the block is written in `init` and only read afterwards.
    private let base: UnsafeRawPointer

    /// Never freed, because every buffer points to it.
    static let shared = Numerals()

    // Byte offsets from the start of the block.
    private static let wholes = 2000 * MemoryLayout<UInt64>.stride
    private static let pairs = wholes + 1000 * MemoryLayout<UInt32>.stride
    private static let size = pairs + 100 * MemoryLayout<UInt32>.stride

    private init() {
        let block = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 16)
        func pack(_ text: String) -> UInt64 {
            var value: UInt64 = 0
            for (place, byte) in text.utf8.enumerated() { value |= UInt64(byte) << UInt64(8 * place) }
            return value
        }
        for n in 0..<1000 {
            let digits = String(n)
            block.storeBytes(
                of: UInt32(pack(digits)) | UInt32(digits.utf8.count) << 24, toByteOffset: Self.wholes + 4 * n,
                as: UInt32.self)
            let fraction = n % 100 == 0 ? "" : n % 10 == 0 ? ".\(n / 10 % 10)" : ".\(n / 10 % 10)\(n % 10)"
            let text = "\(n / 100)\(fraction)"
            for (sign, text) in [text, n == 0 ? text : "-" + text].enumerated() {
                block.storeBytes(
                    of: pack(text) | UInt64(text.utf8.count) << 56, toByteOffset: 16 * n + 8 * sign, as: UInt64.self)
            }
        }
        for n in 0..<100 {
            let significant: UInt32 = n == 0 ? 0 : n % 10 == 0 ? 1 : 2
            block.storeBytes(
                of: UInt32(pack("\(n / 10)\(n % 10)")) | significant << 16, toByteOffset: Self.pairs + 4 * n,
                as: UInt32.self)
        }
        base = UnsafeRawPointer(block)
    }

    /// 10 to the power of 0–4.
    @inline(__always)
    static func power(_ places: Int) -> Int {
        switch places {
        case 4: 10_000
        case 3: 1000
        case 2: 100
        case 1: 10
        default: 1
        }
    }

    /// For 0–999: the digits, first digit in the lowest byte, and their number in the highest byte.
    @inline(__always)
    func whole(_ value: Int) -> UInt32 { base.load(fromByteOffset: Self.wholes &+ 4 &* value, as: UInt32.self) }

    /// For 0–999 hundredths: the digits in the format of `-9.99`, without trailing zeros.
    ///
    /// The highest byte is their number.
    ///
    /// - Parameter sign: 1: with a minus sign, unless the value is zero.
    @inline(__always)
    func hundredths(_ value: Int, sign: Int) -> UInt64 {
        base.load(fromByteOffset: 16 &* value &+ 8 &* sign, as: UInt64.self)
    }

    /// For 0–99: the two digits, and how many remain without trailing zeros.
    @inline(__always)
    func pair(_ value: Int) -> (digits: UInt16, significant: UInt16) {
        let pair = base.load(fromByteOffset: Self.pairs &+ 4 &* value, as: UInt32.self)
        return (UInt16(truncatingIfNeeded: pair), UInt16(truncatingIfNeeded: pair >> 16))
    }
}
