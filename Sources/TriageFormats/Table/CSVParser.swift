/// Splits delimited text (RFC 4180) into rows and cells, fed in pieces of any size.
///
/// Quoted cells may contain delimiters, line breaks and doubled quotes. A quote inside an unquoted cell is an ordinary
/// character. Rows end at LF, CRLF or CR. A row over the limit uses no memory.
package struct CSVParser {
    /// A row, valid until the next one is parsed.
    package struct Row {
        /// The unquoted cells, concatenated.
        var bytes: [UInt8] = []
        /// The end of each cell in ``bytes``.
        var ends: [Int] = []
        /// The row as read, without the line break.
        var raw: [UInt8] = []
        /// The line that the row begins in, from 1, and the offset of its first byte.
        package var line = 1
        var offset = 0
        var isTooLong = false
        /// Whether it has more cells than ``CSVParser/maximumCells``; the extra ones are dropped.
        var isTooWide = false
        /// Whether a byte order mark preceded it, as in concatenated tables; it is not part of the first cell.
        var hadMark = false
        /// Whether the input ended inside quotes.
        var isUnclosed = false

        var count: Int { ends.count }

        /// Whether the row is empty.
        package var isBlank: Bool { bytes.isEmpty && ends.count <= 1 && !isTooLong }

        func cell(_ index: Int) -> ArraySlice<UInt8> {
            guard index < ends.count else { return [] }
            return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
        }

        package func strings() -> [String] { (0..<count).map { String(decoding: cell($0), as: UTF8.self) } }
    }

    /// Maximum number of cells per row.
    ///
    /// It prevents a line of nothing but delimiters from taking eight times its length in memory.
    static let maximumCells = 1 << 14

    private enum State { case cellStart, plain, quoted, quoteInQuoted }

    private let delimiter: UInt8
    private let maximumLength: Int
    private var state = State.cellStart
    private var row = Row()
    private var line = 1
    private var offset = 0
    private var wasCR = false
    private var hasBytes = false

    /// - Parameter offset: number of bytes in the source before the first one fed.
    package init(delimiter: UInt8, maximumLength: Int, offset: Int = 0) {
        self.delimiter = delimiter
        self.offset = offset
        row.offset = offset
        self.maximumLength = maximumLength
    }

    /// Processes the next bytes.
    ///
    /// - Parameter emit: receives each row.
    package mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: (Row) throws -> Void) rethrows {
        for i in 0..<bytes.count {
            let byte = bytes[i]
            if wasCR {
                wasCR = false
                if byte == 0x0A {
                    row.offset = offset + i + 1
                    continue
                }
            }
            if byte == 0x0A { line += 1 }
            if state != .quoted, byte == 0x0A || byte == 0x0D {
                if byte == 0x0D {
                    wasCR = true
                    line += 1
                }
                try endRow(next: offset + i + 1, emit)
                continue
            }
            hasBytes = true
            if row.isTooLong {
                track(byte)
                continue
            }
            row.raw.append(byte)
            if row.raw.count > maximumLength {
                row.isTooLong = true
                row.bytes = []
                row.ends = []
                row.raw = []
                track(byte)
                continue
            }
            take(byte)
        }
        offset += bytes.count
    }

    /// Called at the end of the input; the last row needs no line break.
    package mutating func finish(_ emit: (Row) throws -> Void) rethrows {
        guard hasBytes else { return }
        row.isUnclosed = state == .quoted
        try endRow(next: offset, emit)
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .cellStart:
            if byte == 0x22 {
                state = .quoted
            } else if byte == delimiter {
                endCell()
            } else {
                row.bytes.append(byte)
                state = .plain
            }
        case .plain:
            if byte == delimiter {
                endCell()
                state = .cellStart
            } else {
                row.bytes.append(byte)
                if row.bytes.count == TextDecoder.mark.count, row.ends.isEmpty, row.bytes == TextDecoder.mark {
                    row.bytes = []
                    row.hadMark = true
                    state = .cellStart
                }
            }
        case .quoted:
            if byte == 0x22 { state = .quoteInQuoted } else { row.bytes.append(byte) }
        case .quoteInQuoted:
            if byte == 0x22 {
                row.bytes.append(byte)
                state = .quoted
            } else if byte == delimiter {
                endCell()
                state = .cellStart
            } else {
                row.bytes.append(byte)
                state = .plain
            }
        }
    }

    private mutating func endCell() {
        if row.ends.count < Self.maximumCells { row.ends.append(row.bytes.count) } else { row.isTooWide = true }
    }

    /// Tracks the quotes of a row that is not kept.
    private mutating func track(_ byte: UInt8) {
        switch (state, byte) {
        case (.quoted, 0x22): state = .quoteInQuoted
        case (.quoted, _): break
        case (.quoteInQuoted, 0x22): state = .quoted
        case (.cellStart, 0x22): state = .quoted
        case (_, delimiter): state = .cellStart
        default: state = .plain
        }
    }

    private mutating func endRow(next: Int, _ emit: (Row) throws -> Void) rethrows {
        if !row.isTooLong { endCell() }
        if hasBytes { try emit(row) }
        row.bytes.removeAll(keepingCapacity: row.bytes.capacity <= 1 << 20)
        row.ends.removeAll(keepingCapacity: true)
        row.raw.removeAll(keepingCapacity: row.raw.capacity <= 1 << 20)
        row.isTooLong = false
        row.isTooWide = false
        row.isUnclosed = false
        row.hadMark = false
        row.line = line
        row.offset = next
        state = .cellStart
        hasBytes = false
    }
}
