/// Appending to byte buffers without strings in between.
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
    /// What is not finite is written as 0.
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
