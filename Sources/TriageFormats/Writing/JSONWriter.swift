import CRecordScan

/// Where the next bytes of an ``OutputBuffer`` go.
///
/// To check for room and to count costs more than the few bytes of most appends, and a record has a hundred of them. So
/// an encoder asks once for as much room as it can need, writes with a writer that checks nothing, and gives it back.
struct JSONWriter {
    private(set) var place: UnsafeMutableRawPointer
    private let numerals: Numerals

    /// - Parameter place: of the room that was made.
    init(at place: UnsafeMutableRawPointer, numerals: Numerals) {
        self.place = place
        self.numerals = numerals
    }

    /// Room that any number takes.
    static let numberRoom = 32

    /// Room that a string of so many bytes takes, were every one of them escaped.
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

    /// Takes bytes back, such as the comma behind the last of a list.
    @inline(__always)
    mutating func back(_ count: Int) { place -= count }

    /// Bytes that are seldom more than ``OutputBuffer/blockSize``, of which there is room for a whole one.
    ///
    /// - Parameter source: as many bytes can be read there, whatever `count` is.
    @inline(__always)
    mutating func write(block source: UnsafeRawPointer, count: Int) {
        place.copyMemory(from: source, byteCount: OutputBuffer.blockSize)
        if count > OutputBuffer.blockSize { place.copyMemory(from: source, byteCount: count) }
        place += count
    }

    /// A decimal integer.
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

    /// Three digits at a time, the first ones first.
    private mutating func writeThousands(_ value: UInt) {
        guard value >= 1000 else { return write(numeral: Int(value)) }
        writeThousands(value / 1000)
        let digits = Int(value % 1000)
        write(byte: UInt8(truncatingIfNeeded: 0x30 &+ digits / 100))
        write(twoDigits: digits % 100)
    }

    /// Two digits of 0–99.
    @inline(__always)
    mutating func write(twoDigits value: Int) {
        place.storeBytes(of: numerals.pair(value).digits, as: UInt16.self)
        place += 2
    }

    /// A number with at most `places` decimals (0–4), rounded half away from zero, without trailing zeros.
    ///
    /// What is not finite is written as 0.
    @inline(__always)
    mutating func write(_ value: Float, places: Int) {
        guard value.magnitude < 1e9 else {
            write(byte: UInt8(ascii: "0"))
            return
        }
        let power = Numerals.power(places)
        // Exact in a Double, the half too, so that cutting off rounds half away from zero.
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

    /// `scaled / power`, where `power` is a power of ten up to 10,000.
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

    /// Ten-thousandths that are less than a whole: what nearly all probabilities are.
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
        // Divisors are constants, so that nothing is divided.
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

    /// The inside of a JSON string of valid UTF-8 that is a part of `bytes`; what lies beyond them is left out.
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

    /// A day as `YYYY-MM-DD`, of the years 0–9999.
    mutating func write(year: Int, month: Int, day: Int) {
        write(twoDigits: year / 100)
        write(twoDigits: year % 100)
        write(byte: UInt8(ascii: "-"))
        write(twoDigits: month)
        write(byte: UInt8(ascii: "-"))
        write(twoDigits: day)
    }
}
