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
        var rest = value.magnitude
        var length = 1
        var power: UInt = 10
        while length < 20, power <= rest {
            length += 1
            let (next, overflow) = power.multipliedReportingOverflow(by: 10)
            if overflow { break }
            power = next
        }
        if value < 0 { add(byte: UInt8(ascii: "-")) }
        reserve(length)
        var i = count + length
        count = i
        repeat {
            i -= 1
            base[i] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
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

    /// `scaled / power`, where `power` is a power of ten.
    mutating func addScaled(_ scaled: Int, power: Int) {
        var scaled = scaled
        if scaled < 0 {
            add(byte: UInt8(ascii: "-"))
            scaled = -scaled
        }
        add(scaled / power)
        var fraction = scaled % power
        guard fraction > 0 else { return }
        add(byte: UInt8(ascii: "."))
        var digit = power / 10
        while fraction > 0 {
            add(byte: UInt8(truncatingIfNeeded: 0x30 + fraction / digit))
            fraction %= digit
            digit /= 10
        }
    }

    /// A quoted, escaped JSON string of valid UTF-8.
    mutating func add(json text: UnsafeBufferPointer<UInt8>) {
        add(byte: 0x22)
        add(escaped: text)
        add(byte: 0x22)
    }

    /// The inside of a JSON string.
    mutating func add(escaped text: UnsafeBufferPointer<UInt8>) {
        reserve(text.count)
        var i = 0
        let target = base + count
        // Nearly every string is clean to its end.
        while i < text.count {
            let byte = text[i]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            target[i] = byte
            i += 1
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
