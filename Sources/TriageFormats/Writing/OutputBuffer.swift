import TriageCore

/// A growing run of bytes for encoders: an append is a bounds check and a copy of known length.
///
/// `[UInt8]` costs several times that per append (uniqueness, growth, generic copy), and a record takes a hundred.
struct OutputBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(256, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// What was written.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    /// Makes room for `extra` more bytes.
    @inline(__always)
    mutating func reserve(_ extra: Int) {
        if capacity - count < extra { grow(extra) }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let size = max(capacity * 2, count + extra)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = size
    }

    @inline(__always)
    mutating func add(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        UnsafeMutableRawPointer(base + count).copyMemory(from: text.utf8Start, byteCount: length)
        count &+= length
    }

    @inline(__always)
    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress else { return }
        reserve(text.count)
        UnsafeMutableRawPointer(base + count).copyMemory(from: source, byteCount: text.count)
        count &+= text.count
    }

    @inline(__always)
    mutating func add(_ array: [UInt8]) {
        array.withUnsafeBufferPointer { add($0) }
    }

    @inline(__always)
    mutating func add(byte: UInt8) {
        reserve(1)
        base[count] = byte
        count &+= 1
    }

    /// A decimal integer.
    @inline(__always)
    mutating func add(_ value: Int) {
        if value >= 0, value < 10 {
            add(byte: UInt8(truncatingIfNeeded: 0x30 &+ value))
        } else {
            addLong(value)
        }
    }

    @inline(never)
    private mutating func addLong(_ value: Int) {
        reserve(20)
        if value < 0 { add(byte: UInt8(ascii: "-")) }
        var rest = value.magnitude
        var length = 1
        var power: UInt = 10
        while power <= rest {
            length += 1
            let (next, overflow) = power.multipliedReportingOverflow(by: 10)
            if overflow { break }
            power = next
        }
        reserve(length)
        var i = count + length
        count = i
        repeat {
            i -= 1
            base[i] = UInt8(truncatingIfNeeded: 0x30 &+ rest % 10)
            rest /= 10
        } while rest > 0
    }

    /// A number with at most `places` decimals (0–4), rounded half away from zero, without trailing zeros.
    ///
    /// What is not finite is written as 0.
    mutating func add(_ value: Float, places: Int) {
        guard value.isFinite, abs(value) < 1e9 else {
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
        addScaled(Int((Double(value) * Double(power)).rounded()), power: power)
    }

    /// `scaled / power`, where `power` is a power of ten up to 10,000.
    mutating func addScaled(_ scaled: Int, power: Int) {
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
        let target = base + count
        let high = fraction / 100
        let low = fraction % 100
        target[0] = UInt8(ascii: ".")
        target[1] = UInt8(truncatingIfNeeded: 0x30 &+ high / 10)
        target[2] = UInt8(truncatingIfNeeded: 0x30 &+ high % 10)
        target[3] = UInt8(truncatingIfNeeded: 0x30 &+ low / 10)
        target[4] = UInt8(truncatingIfNeeded: 0x30 &+ low % 10)
        var length = 5
        while target[length - 1] == 0x30 { length &-= 1 }
        count &+= length
    }

    /// A quoted, escaped JSON string of valid UTF-8.
    mutating func add(json text: UnsafeBufferPointer<UInt8>) {
        add(byte: 0x22)
        add(escaped: text)
        add(byte: 0x22)
    }

    /// The inside of a JSON string.
    mutating func add(escaped text: UnsafeBufferPointer<UInt8>) {
        guard let source = UnsafeRawPointer(text.baseAddress) else { return }
        reserve(text.count)
        var i = 0
        let target = UnsafeMutableRawPointer(base + count)
        // Nearly every string is clean to its end: eight bytes at a time. A byte below 0x20, or one that differs from a
        // quote or backslash in nothing, borrows into its highest bit.
        let ones: UInt64 = 0x0101_0101_0101_0101
        while i &+ 8 <= text.count {
            let word = source.loadUnaligned(fromByteOffset: i, as: UInt64.self)
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            let low = (word &- (ones &* 0x20)) & ~word
            if (low | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)) & (ones &* 0x80) != 0 { break }
            target.storeBytes(of: word, toByteOffset: i, as: UInt64.self)
            i &+= 8
        }
        while i < text.count {
            let byte = text[i]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            target.storeBytes(of: byte, toByteOffset: i, as: UInt8.self)
            i &+= 1
        }
        count &+= i
        if i < text.count { addUnclean(UnsafeBufferPointer(rebasing: text[i...])) }
    }

    @inline(never)
    private mutating func addUnclean(_ text: UnsafeBufferPointer<UInt8>) {
        var escaped: [UInt8] = []
        JSONText.appendEscaped(text, to: &escaped)
        add(escaped)
    }
}
