#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Walks through JSON texts that follow one another, a line each or spread over lines, of any size.
///
/// Of texts that stand on a line each, one that is broken costs no other: the next line begins anew. Otherwise what
/// follows a fault is not read.
struct JSONDocuments {
    private let isLines: Bool
    private let maximumLength: Int
    private let choose: ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice
    private let unread: ([JSONPicker.Step], UnsafeBufferPointer<UInt8>) -> Void
    private var picker: JSONPicker
    private var line = 1
    private var offset: Int

    /// - Parameters:
    ///   - maximumLength: bytes of a value that is taken.
    ///   - unread: gets the beginning of each value that is passed over though nobody knows it.
    ///   - choose: asked for every value that is reached; the path begins anew with each text.
    init(
        _ opening: Opening, maximumLength: Int,
        unread: @escaping ([JSONPicker.Step], UnsafeBufferPointer<UInt8>) -> Void = { _, _ in },
        choose: @escaping ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice
    ) {
        isLines = Self.isLines(opening)
        self.maximumLength = maximumLength
        self.choose = choose
        self.unread = unread
        offset = opening.markLength
        picker = JSONPicker(
            maximumLength: maximumLength, offset: opening.markLength, isSequence: !isLines, unread: unread,
            choose: choose)
    }

    /// Takes the next bytes.
    mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: (JSONPicker.Event) throws -> Void) rethrows {
        guard isLines, let base = bytes.baseAddress else { return try picker.feed(bytes, emit) }
        var start = 0
        while let found = memchr(base + start, 0x0A, bytes.count - start) {
            let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            try picker.feed(UnsafeBufferPointer(rebasing: bytes[start..<end]), emit)
            try picker.finish(emit)
            start = end + 1
            line += 1
            picker = JSONPicker(
                maximumLength: maximumLength, offset: offset + start, line: line, unread: unread, choose: choose)
            if start >= bytes.count { break }
        }
        if start < bytes.count { try picker.feed(UnsafeBufferPointer(rebasing: bytes[start...]), emit) }
        offset += bytes.count
    }

    /// The input is at its end.
    mutating func finish(_ emit: (JSONPicker.Event) throws -> Void) rethrows { try picker.finish(emit) }

    /// Whether the first line is a JSON text of its own, or is broken where the lines after it are such texts.
    private static func isLines(_ opening: Opening) -> Bool {
        guard let line = opening.firstLine, let first = line.first else { return false }
        var lines = opening.bytes[line.endIndex...].split(separator: 0x0A, maxSplits: 8).map { line in
            line.drop { Opening.isBlank($0) || TextDecoder.mark.contains($0) }
        }.filter { !$0.isEmpty }[...]
        let second = lines.popFirst()
        if JSONNode(line) != nil { return second == nil || second?.first == first }
        // A text over several lines may have elements that stand on lines of their own, but it ends otherwise.
        guard first == UInt8(ascii: "{"), let second, JSONNode(second)?.isObject == true else { return false }
        return lines.first.map { $0.first == UInt8(ascii: "{") } ?? true
    }
}
