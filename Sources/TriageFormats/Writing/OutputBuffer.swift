public import TriageCore

/// A growing run of bytes for encoders: an append is a bounds check and a copy of known length.
///
/// `[UInt8]` costs several times that per append (uniqueness, growth, generic copy), and a record takes a hundred.
public struct OutputBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int
    private let numerals = Numerals.shared

    /// Bytes that ``add(block:count:)`` may read from its source.
    static let blockSize = 64

    /// - Parameter capacity: bytes that will probably be written; more make it grow.
    public init(capacity: Int) {
        self.capacity = max(256, capacity)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    /// What was written, without copying it.
    public consuming func finish() -> ByteBlock {
        let block = ByteBlock(owning: base, count: count)
        discard self
        return block
    }

    /// What was written.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base.assumingMemoryBound(to: UInt8.self), count: count)
    }

    @inline(__always)
    private var target: UnsafeMutableRawPointer { base + count }

    /// Makes room for `extra` more bytes.
    @inline(__always)
    mutating func reserve(_ extra: Int) {
        if capacity - count < extra { grow(extra) }
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

    @inline(__always)
    mutating func add(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        target.copyMemory(from: text.utf8Start, byteCount: length)
        count &+= length
    }

    @inline(__always)
    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress else { return }
        reserve(text.count)
        target.copyMemory(from: source, byteCount: text.count)
        count &+= text.count
    }

    @inline(__always)
    mutating func add(_ array: [UInt8]) {
        array.withUnsafeBufferPointer { add($0) }
    }

    /// Bytes that are seldom more than ``blockSize``.
    ///
    /// - Parameter source: ``blockSize`` bytes can be read there, whatever `length` is.
    @inline(__always)
    mutating func add(block source: UnsafeRawPointer, count length: Int) {
        reserve(max(length, Self.blockSize))
        target.copyMemory(from: source, byteCount: Self.blockSize)
        if length > Self.blockSize { target.copyMemory(from: source, byteCount: length) }
        count &+= length
    }

    @inline(__always)
    mutating func add(byte: UInt8) {
        reserve(1)
        target.storeBytes(of: byte, as: UInt8.self)
        count &+= 1
    }

    /// A decimal integer.
    @inline(__always)
    mutating func add(_ value: Int) {
        if value >= 0, value < 1000 {
            reserve(4)
            let numeral = numerals.whole[value]
            target.storeBytes(of: numeral, as: UInt32.self)
            count &+= Int(numeral >> 24)
        } else {
            addLong(value)
        }
    }

    @inline(never)
    private mutating func addLong(_ value: Int) {
        var digits: [UInt8] = []
        var rest = value.magnitude
        repeat {
            digits.append(UInt8(truncatingIfNeeded: 0x30 &+ rest % 10))
            rest /= 10
        } while rest > 0
        if value < 0 { add(byte: UInt8(ascii: "-")) }
        for digit in digits.reversed() { add(byte: digit) }
    }

    /// A number with at most `places` decimals (0–4), rounded half away from zero, without trailing zeros.
    ///
    /// What is not finite is written as 0.
    @inline(__always)
    mutating func add(_ value: Float, places: Int) {
        guard abs(value) < 1e9 else {
            add(byte: UInt8(ascii: "0"))
            return
        }
        let power =
            switch places {
            case 4: 10_000
            case 3: 1000
            case 2: 100
            case 1: 10
            default: 1
            }
        // Exact in a Double, the half too, so that cutting off rounds half away from zero.
        let exact = Double(value) * Double(power)
        addScaled(Int(exact + (exact < 0 ? -0.5 : 0.5)), power: power)
    }

    /// `scaled / power`, where `power` is a power of ten up to 10,000.
    @inline(__always)
    mutating func addScaled(_ scaled: Int, power: Int) {
        if power == 100, scaled >= 0, scaled < 1000 {
            reserve(8)
            let numeral = numerals.hundredths[scaled]
            target.storeBytes(of: numeral, as: UInt64.self)
            count &+= Int(numeral >> 56)
        } else {
            addFraction(scaled, power: power)
        }
    }

    private mutating func addFraction(_ scaled: Int, power: Int) {
        if scaled < 0 { add(byte: UInt8(ascii: "-")) }
        let magnitude = scaled.magnitude
        // Divisors are constants, so that nothing is divided.
        let (whole, fraction) =
            switch power {
            case 10_000: (magnitude / 10_000, magnitude % 10_000)
            case 1000: (magnitude / 1000, magnitude % 1000 * 10)
            case 100: (magnitude / 100, magnitude % 100 * 100)
            case 10: (magnitude / 10, magnitude % 10 * 1000)
            default: (magnitude, 0)
            }
        add(Int(bitPattern: whole))
        guard fraction > 0 else { return }
        reserve(5)
        let high = numerals.pairs[Int(bitPattern: fraction / 100)]
        let low = numerals.pairs[Int(bitPattern: fraction % 100)]
        target.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
        target.storeBytes(of: high.digits, toByteOffset: 1, as: UInt16.self)
        target.storeBytes(of: low.digits, toByteOffset: 3, as: UInt16.self)
        count &+= 1 &+ Int(low.significant > 0 ? 2 &+ low.significant : high.significant)
    }

    /// A day as `YYYY-MM-DD`.
    mutating func add(_ date: CivilDate) {
        var bytes: [UInt8] = []
        date.append(to: &bytes)
        add(bytes)
    }

    /// A quoted, escaped JSON string of valid UTF-8.
    mutating func add(json text: UnsafeBufferPointer<UInt8>) {
        add(byte: 0x22)
        add(escaped: text)
        add(byte: 0x22)
    }

    /// The inside of a JSON string.
    @inline(__always)
    mutating func add(escaped text: UnsafeBufferPointer<UInt8>) {
        guard let source = UnsafeRawPointer(text.baseAddress) else { return }
        reserve(text.count)
        let clean = Self.copyClean(source, text.count, to: target)
        count &+= clean
        if clean < text.count { addUnclean(UnsafeBufferPointer(rebasing: text[clean...])) }
    }

    /// Copies bytes up to about the first that needs an escape.
    ///
    /// Nearly every string is clean to its end, so bytes go by eight, and the last ones once more with those before.
    ///
    /// - Returns: how many were copied that need none: all of them, or fewer when one is not clean.
    @inline(__always)
    private static func copyClean(
        _ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer
    ) -> Int {
        var i = 0
        if count >= 8 {
            while i &+ 8 <= count {
                let word = source.loadUnaligned(fromByteOffset: i, as: UInt64.self)
                if needsEscape(word) { return i }
                target.storeBytes(of: word, toByteOffset: i, as: UInt64.self)
                i &+= 8
            }
            guard i < count else { return count }
            let word = source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            if needsEscape(word) { return i }
            target.storeBytes(of: word, toByteOffset: count &- 8, as: UInt64.self)
            return count
        }
        if count >= 4 {
            let first = source.loadUnaligned(as: UInt32.self)
            let last = source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            if needsEscape(UInt64(first) | UInt64(last) << 32) { return 0 }
            target.storeBytes(of: first, as: UInt32.self)
            target.storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
            return count
        }
        while i < count {
            let byte = source.load(fromByteOffset: i, as: UInt8.self)
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { return i }
            target.storeBytes(of: byte, toByteOffset: i, as: UInt8.self)
            i &+= 1
        }
        return count
    }

    /// `,"quote":"…","start":n,"end":m` in one piece: a record has a dozen of them.
    @inline(__always)
    mutating func add(quote text: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
        guard text.count < 256, start >= 0, start < 1000, end >= 0, end < 1000, let source = text.baseAddress else {
            addLong(quote: text, from: start, to: end)
            return
        }
        reserve(text.count &+ 64)
        var at = target
        Self.put(",\"quote\":\"", at: &at)
        let clean = Self.copyClean(UnsafeRawPointer(source), text.count, to: at)
        guard clean == text.count else {
            addLong(quote: text, from: start, to: end)
            return
        }
        at += clean
        Self.put("\",\"start\":", at: &at)
        put(numeral: start, at: &at)
        Self.put(",\"end\":", at: &at)
        put(numeral: end, at: &at)
        count = at - base
    }

    @inline(never)
    private mutating func addLong(quote text: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
        add(",\"quote\":\"")
        add(escaped: text)
        add("\",\"start\":")
        add(start)
        add(",\"end\":")
        add(end)
    }

    /// Copies a literal where room was reserved.
    @inline(__always)
    private static func put(_ text: StaticString, at place: inout UnsafeMutableRawPointer) {
        place.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        place += text.utf8CodeUnitCount
    }

    /// Writes a number below 1,000 where room was reserved.
    @inline(__always)
    private func put(numeral value: Int, at place: inout UnsafeMutableRawPointer) {
        let numeral = numerals.whole[value]
        place.storeBytes(of: numeral, as: UInt32.self)
        place += Int(numeral >> 24)
    }

    /// Whether one of eight bytes is a control, a quote or a backslash.
    @inline(__always)
    private static func needsEscape(_ word: UInt64) -> Bool {
        // A byte below 0x20, or one that differs from a quote or backslash in nothing, borrows into its highest bit.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let slashes = word ^ (ones &* 0x5C)
        let low = (word &- (ones &* 0x20)) & ~word
        return (low | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)) & (ones &* 0x80) != 0
    }

    @inline(never)
    private mutating func addUnclean(_ text: UnsafeBufferPointer<UInt8>) {
        var escaped: [UInt8] = []
        JSONText.appendEscaped(text, to: &escaped)
        add(escaped)
    }
}
