/// Strings one behind the other in one block, so that appending one neither retains nor chases a pointer.
final class ByteTable: @unchecked Sendable {
    // Proof: what the pointers lead to is written in `init`, only read afterwards, and freed with the table.

    /// Where each row starts in ``bytes``, and how long it is.
    private let rows: UnsafePointer<(start: UInt32, count: UInt32)>
    private let bytes: UnsafeRawPointer
    let count: Int
    /// Bytes of room that writing any row takes.
    let room: Int

    /// - Parameter rows: as they will be appended.
    init(_ rows: [[UInt8]]) {
        let places = UnsafeMutablePointer<(start: UInt32, count: UInt32)>.allocate(capacity: max(1, rows.count))
        // A short row is copied as a whole block; the last one must have bytes behind it, too.
        let all = Array(rows.joined()) + [UInt8](repeating: 0, count: OutputBuffer.blockSize)
        let block = UnsafeMutableRawPointer.allocate(byteCount: all.count, alignment: 16)
        block.copyMemory(from: all, byteCount: all.count)
        var start = 0
        for (index, row) in rows.enumerated() {
            (places + index).initialize(to: (start: UInt32(start), count: UInt32(row.count)))
            start += row.count
        }
        self.rows = UnsafePointer(places)
        bytes = UnsafeRawPointer(block)
        count = rows.count
        room = rows.reduce(OutputBuffer.blockSize) { max($0, $1.count) }
    }

    deinit {
        rows.deallocate()
        bytes.deallocate()
    }

    /// Appends a row.
    @inline(__always)
    func add(_ row: Int, to out: inout OutputBuffer) {
        var pen = out.pen(room: room)
        write(row, with: &pen)
        out.take(pen)
    }

    /// Writes a row where there is ``room`` for it.
    @inline(__always)
    func write(_ row: Int, with pen: inout JSONWriter) {
        precondition(UInt(bitPattern: row) < UInt(bitPattern: count), "a row of the table")
        let row = rows[row]
        pen.write(block: bytes + Int(row.start), count: Int(row.count))
    }
}
