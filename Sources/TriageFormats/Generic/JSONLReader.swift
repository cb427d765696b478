import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Cuts bytes into lines at LF; one CR before it and byte order marks at the beginning of a line are dropped, and a line
/// over the limit costs no memory.
final class JSONLReader: ExportReader {
    private let context: ReadingContext
    // Nothing that it calls comes back here; a check at every line costs as much as the line.
    @exclusivity(unchecked) private var lines: RecordLines?
    /// The beginning of a line whose end has not come yet.
    private var carry: [UInt8] = []
    private var isSkipping = false
    private var number = 1
    /// Offset of the first byte of the current line.
    private var lineOffset = 0
    private var offset = 0

    init(_ context: ReadingContext) { self.context = context }

    func begin(_ member: Member, opening: Opening) throws {
        var lines = try RecordLines(context)
        try lines.begin(member)
        self.lines = lines
        carry = []
        isSkipping = false
        number = 1
        lineOffset = opening.markLength
        offset = opening.markLength
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var start = 0
        while start < bytes.count {
            let found = memchr(base + start, 0x0A, bytes.count - start)
            guard let found else { break }
            let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            let piece = UnsafeBufferPointer(rebasing: bytes[start..<end])
            if carry.isEmpty, !isSkipping {
                try emit(piece)
            } else {
                keep(piece)
                try emitCarry()
            }
            start = end + 1
            lineOffset = offset + start
            number += 1
        }
        if start < bytes.count { keep(UnsafeBufferPointer(rebasing: bytes[start...])) }
        offset += bytes.count
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            try carry.withUnsafeBufferPointer {
                try lines?.reject(fault, raw: $0.count <= 1 << 16 ? $0 : nil, number: number, offset: lineOffset)
            }
        } else if !carry.isEmpty || isSkipping {
            try emitCarry()
        }
        carry = []
        isSkipping = false
    }

    func finish() throws {}

    private func keep(_ piece: UnsafeBufferPointer<UInt8>) {
        guard !isSkipping else { return }
        // One more for a CR that does not count.
        guard carry.count + piece.count <= context.options.maximumLine + 1 else {
            isSkipping = true
            carry = []
            return
        }
        carry.append(contentsOf: piece)
    }

    private func emitCarry() throws {
        if isSkipping {
            isSkipping = false
            try lines?.rejectLong(number: number, offset: lineOffset)
            return
        }
        let line = carry
        carry.removeAll(keepingCapacity: carry.capacity <= 1 << 20)
        try line.withUnsafeBufferPointer { try emit($0) }
    }

    private func emit(_ piece: UnsafeBufferPointer<UInt8>) throws {
        var line = piece
        var start = lineOffset
        // Files that each began with a mark may have been put together.
        while line.starts(with: TextDecoder.mark) {
            line = UnsafeBufferPointer(rebasing: line.dropFirst(TextDecoder.mark.count))
            start += TextDecoder.mark.count
        }
        if line.last == 0x0D { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
        guard line.count <= context.options.maximumLine else {
            try lines?.rejectLong(number: number, offset: start)
            return
        }
        if !context.options.answersBlankLines, line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
        try lines?.append(line, number: number, offset: start)
    }
}
