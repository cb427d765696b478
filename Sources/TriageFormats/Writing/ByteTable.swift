/// Strings one behind the other in one buffer, so that appending one neither retains nor chases a pointer.
struct ByteTable: Sendable {
    private var bytes: [UInt8] = []
    private var rows: [(start: UInt32, count: UInt32)] = []
    /// Bytes of room that writing any row takes.
    private(set) var room = OutputBuffer.blockSize

    /// - Parameter rows: as they will be appended.
    init(_ rows: some Sequence<[UInt8]>) {
        for row in rows {
            self.rows.append((start: UInt32(bytes.count), count: UInt32(row.count)))
            room = max(room, row.count)
            bytes += row
        }
        // A short row is copied as a whole block; the last one must have bytes behind it, too.
        bytes += [UInt8](repeating: 0, count: OutputBuffer.blockSize)
    }

    var count: Int { rows.count }

    /// Appends a row.
    @inline(__always)
    func add(_ row: Int, to out: inout OutputBuffer) {
        var pen = out.pen(room: room)
        write(row, with: &pen)
        out.take(pen)
    }

    /// Writes a row where there is ``room`` for it.
    @inline(__always)
    func write(_ row: Int, with pen: inout Pen) {
        let row = rows[row]
        bytes.withUnsafeBytes { pen.write(block: $0.baseAddress! + Int(row.start), count: Int(row.count)) }
    }
}
