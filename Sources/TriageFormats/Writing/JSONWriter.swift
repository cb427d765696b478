import CRecordScan

/// A write position in an ``OutputBuffer`` that has enough room reserved.
///
/// Checking for room and counting cost more than the few bytes of most appends, and a record has about a hundred of
/// them. An encoder therefore reserves all the room it may need at once, writes without checks, and then returns the
/// writer.
struct JSONWriter {
    private(set) var place: UnsafeMutableRawPointer
    private let numerals: Numerals

    /// - Parameter place: the start of the reserved room.
    init(at place: UnsafeMutableRawPointer, numerals: Numerals) {
        self.place = place
        self.numerals = numerals
    }

    /// Maximum bytes of any number.
    static let numberRoom = 32

    /// Maximum bytes of a string of this length, with every byte escaped.
    @inline(__always)
    static func room(forString count: Int) -> Int { 6 &* count &+ 16 }

    @inline(__always)
    mutating func write(_ text: StaticString) {
        place.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        place += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func write(byte: UInt8) {
        place.storeBytes(of: byte, as: UInt8.self)
        place += 1
    }

    /// Removes bytes, such as the comma after the last element of a list.
    @inline(__always)
    mutating func back(_ count: Int) { place -= count }

    /// Writes bytes that rarely exceed ``OutputBuffer/blockSize``; there must be room for a whole block.
    ///
    /// - Parameter source: a whole block must be readable there, whatever `count` is.
    @inline(__always)
    mutating func write(block source: UnsafeRawPointer, count: Int) {
        place.copyMemory(from: source, byteCount: OutputBuffer.blockSize)
        if count > OutputBuffer.blockSize { place.copyMemory(from: source, byteCount: count) }
        place += count
    }

    /// Writes a decimal integer.
    @inline(__always)
    mutating func write(_ value: Int) {
        if UInt(bitPattern: value) < 1000 {
            write(numeral: value)
        } else {
            place = Self.writeLong(value, at: place, numerals)
        }
    }

    @inline(__always)
    private mutating func write(numeral value: Int) {
        let numeral = numerals.whole(value)
        place.storeBytes(of: numeral, as: UInt32.self)
        place += Int(numeral >> 24)
    }

    @inline(never)
    private static func writeLong(
        _ value: Int, at place: UnsafeMutableRawPointer, _ numerals: Numerals
    ) -> UnsafeMutableRawPointer {
        var pen = JSONWriter(at: place, numerals: numerals)
        if value < 0 { pen.write(byte: UInt8(ascii: "-")) }
        pen.writeThousands(value.magnitude)
        return pen.place
    }

    /// Writes three digits at a time, most significant first.
    private mutating func writeThousands(_ value: UInt) {
        guard value >= 1000 else { return write(numeral: Int(value)) }
        writeThousands(value / 1000)
        let digits = Int(value % 1000)
        write(byte: UInt8(truncatingIfNeeded: 0x30 &+ digits / 100))
        write(twoDigits: digits % 100)
    }

    /// Writes 0–99 as two digits.
    @inline(__always)
    mutating func write(twoDigits value: Int) {
        place.storeBytes(of: numerals.pair(value).digits, as: UInt16.self)
        place += 2
    }

    /// Writes a number with at most `places` decimals (0–4), rounded half away from zero, without trailing zeros.
    ///
    /// A number that is not finite is written as 0.
    @inline(__always)
    mutating func write(_ value: Float, places: Int) {
        guard value.magnitude < 1e9 else {
            write(byte: UInt8(ascii: "0"))
            return
        }
        let power = Numerals.power(places)
        // Exact in a Double, even with the 0.5 added, so truncation rounds half away from zero.
        let magnitude = Int(jsonb_whole(Double(value.magnitude) * Double(power) + 0.5))
        if power == 100, magnitude < 1000 {
            write(hundredths: magnitude, sign: Int(value.bitPattern >> 31))
        } else {
            writeScaled(value < 0 ? -magnitude : magnitude, power: power)
        }
    }

    @inline(__always)
    private mutating func write(hundredths value: Int, sign: Int) {
        let numeral = numerals.hundredths(value, sign: sign)
        place.storeBytes(of: numeral, as: UInt64.self)
        place += Int(numeral >> 56)
    }

    /// Writes `scaled / power`, where `power` is a power of ten up to 10,000.
    @inline(__always)
    mutating func writeScaled(_ scaled: Int, power: Int) {
        if power == 100, UInt(bitPattern: scaled) < 1000 {
            write(hundredths: scaled, sign: 0)
        } else if power == 10_000, UInt(bitPattern: scaled) < 10_000 {
            writeBelowOne(UInt32(truncatingIfNeeded: scaled))
        } else {
            place = Self.writeFraction(scaled, power: power, at: place, numerals)
        }
    }

    /// Writes a number of ten-thousandths below one, the range of nearly all probabilities.
    @inline(__always)
    private mutating func writeBelowOne(_ scaled: UInt32) {
        let high = numerals.pair(Int(scaled / 100))
        let low = numerals.pair(Int(scaled % 100))
        let digits = UInt64(high.digits) << 16 | UInt64(low.digits) << 32
        // "0." in the lowest bytes.
        place.storeBytes(of: 0x2E30 | digits, as: UInt64.self)
        let significant = low.significant > 0 ? low.significant &+ 2 : high.significant
        place += Int(significant > 0 ? significant &+ 2 : 1)
    }

    @inline(never)
    private static func writeFraction(
        _ scaled: Int, power: Int, at place: UnsafeMutableRawPointer, _ numerals: Numerals
    ) -> UnsafeMutableRawPointer {
        var pen = JSONWriter(at: place, numerals: numerals)
        if scaled < 0 { pen.write(byte: UInt8(ascii: "-")) }
        let magnitude = scaled.magnitude
        // The divisors are constants, so the compiler needs no division.
        let (whole, fraction) =
            switch power {
            case 10_000: (magnitude / 10_000, magnitude % 10_000)
            case 1000: (magnitude / 1000, magnitude % 1000 * 10)
            case 100: (magnitude / 100, magnitude % 100 * 100)
            case 10: (magnitude / 10, magnitude % 10 * 1000)
            default: (magnitude, 0)
            }
        pen.writeThousands(whole)
        guard fraction > 0 else { return pen.place }
        pen.write(byte: UInt8(ascii: "."))
        let (high, low) = (Int(fraction / 100), Int(fraction % 100))
        pen.write(twoDigits: high)
        pen.write(twoDigits: low)
        pen.back(low > 0 ? 2 - Int(numerals.pair(low).significant) : 4 - Int(numerals.pair(high).significant))
        return pen.place
    }

    /// Writes the content of a JSON string from a part of `bytes`, valid UTF-8; anything beyond `bytes` is left out.
    @inline(__always)
    mutating func write(escaped bytes: UnsafeBufferPointer<UInt8>, from start: Int, count: Int) {
        guard let base = bytes.baseAddress else { return }
        if UInt(bitPattern: count) <= 16, start >= 0, start &+ 16 <= bytes.count {
            let special = jsonb_copy(place.assumingMemoryBound(to: UInt8.self), base + start)
            if special & ((1 << UInt32(truncatingIfNeeded: count)) &- 1) == 0 {
                place += count
                return
            }
        }
        place = Self.writeEscaped(bytes, from: start, count: count, at: place)
    }

    @inline(never)
    private static func writeEscaped(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, count: Int, at place: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        guard let base = bytes.baseAddress, start >= 0, start < bytes.count, count > 0 else { return place }
        let readable = bytes.count - start
        return place
            + jsonb_write_escaped(
                place.assumingMemoryBound(to: UInt8.self), base + start, min(count, readable), readable)
    }

    /// Writes a day in the years 0–9999 as `YYYY-MM-DD`.
    mutating func write(year: Int, month: Int, day: Int) {
        write(twoDigits: year / 100)
        write(twoDigits: year % 100)
        write(byte: UInt8(ascii: "-"))
        write(twoDigits: month)
        write(byte: UInt8(ascii: "-"))
        write(twoDigits: day)
    }
}
