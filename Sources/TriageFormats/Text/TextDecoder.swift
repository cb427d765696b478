/// Converts a file's bytes to UTF-8 without a byte order mark: strips UTF-8's mark, and decodes UTF-16 that has one.
///
/// Bytes without a mark pass unchanged; whether they are UTF-8 is checked later, line by line.
struct TextDecoder {
    private enum Encoding { case unknown, utf8, utf16(isBig: Bool) }

    private var encoding = Encoding.unknown
    private var held: [UInt8] = []
    /// A pending first half of a surrogate pair.
    private var high: UInt16?
    private var out: [UInt8] = []

    private var markLength = 0

    /// The byte order mark of UTF-8.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Passes on the decoded bytes and the length of the mark; an incomplete unit waits for the next call.
    mutating func decode<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Result
    ) rethrows -> Result {
        switch encoding {
        case .utf8 where held.isEmpty: return try body(bytes, markLength)
        case .unknown:
            held.append(contentsOf: bytes)
            // There may be several marks if files were concatenated and the first ones were empty.
            while held.starts(with: Self.mark) {
                held.removeFirst(Self.mark.count)
                markLength += Self.mark.count
            }
            let mayGoOn = markLength == 0 ? held.count < 3 : Self.mark.starts(with: held)
            guard !mayGoOn || isLast else { return try body(UnsafeBufferPointer(start: nil, count: 0), markLength) }
            if markLength == 0, held.starts(with: [0xFF, 0xFE]) {
                encoding = .utf16(isBig: false)
                markLength = 2
                held.removeFirst(2)
            } else if markLength == 0, held.starts(with: [0xFE, 0xFF]) {
                encoding = .utf16(isBig: true)
                markLength = 2
                held.removeFirst(2)
            } else {
                encoding = .utf8
            }
        default: held.append(contentsOf: bytes)
        }
        if case .utf16(let isBig) = encoding {
            transcode(isBig: isBig, isLast: isLast)
        } else {
            out = held
            held = []
        }
        return try out.withUnsafeBufferPointer { try body($0, markLength) }
    }

    private mutating func transcode(isBig: Bool, isLast: Bool) {
        out.removeAll(keepingCapacity: true)
        var i = 0
        while i + 1 < held.count {
            let unit = isBig ? UInt16(held[i]) << 8 | UInt16(held[i + 1]) : UInt16(held[i + 1]) << 8 | UInt16(held[i])
            i += 2
            if let first = high {
                high = nil
                if unit & 0xFC00 == 0xDC00 {
                    append(0x10000 + (UInt32(first & 0x3FF) << 10) + UInt32(unit & 0x3FF))
                    continue
                }
                append(0xFFFD)
            }
            switch unit & 0xFC00 {
            case 0xD800: high = unit
            case 0xDC00: append(0xFFFD)
            default: append(UInt32(unit))
            }
        }
        held.removeFirst(i)
        if isLast, high != nil || !held.isEmpty {
            high = nil
            held = []
            append(0xFFFD)
        }
    }

    private mutating func append(_ code: UInt32) {
        func push(_ value: UInt32) { out.append(UInt8(truncatingIfNeeded: value)) }
        if code < 0x80 {
            push(code)
        } else if code < 0x800 {
            push(0xC0 | code >> 6)
            push(0x80 | code & 0x3F)
        } else if code < 0x10000 {
            push(0xE0 | code >> 12)
            push(0x80 | code >> 6 & 0x3F)
            push(0x80 | code & 0x3F)
        } else {
            push(0xF0 | code >> 18)
            push(0x80 | code >> 12 & 0x3F)
            push(0x80 | code >> 6 & 0x3F)
            push(0x80 | code & 0x3F)
        }
    }
}
