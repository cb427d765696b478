/// Strings one behind the other in one buffer, so that appending one neither retains nor chases a pointer.
struct ByteTable: Sendable {
    private var bytes: [UInt8] = []
    private var starts: [UInt32] = [0]

    /// - Parameter rows: as they will be appended.
    init(_ rows: some Sequence<[UInt8]>) {
        for row in rows {
            bytes += row
            starts.append(UInt32(bytes.count))
        }
        // A short row is copied as a whole block; the last one must have bytes behind it, too.
        bytes += [UInt8](repeating: 0, count: OutputBuffer.blockSize)
    }

    var count: Int { starts.count - 1 }

    /// Appends a row.
    @inline(__always)
    func add(_ row: Int, to out: inout OutputBuffer) {
        let start = Int(starts[row])
        let count = Int(starts[row &+ 1]) &- start
        bytes.withUnsafeBytes { out.add(block: $0.baseAddress! + start, count: count) }
    }
}
