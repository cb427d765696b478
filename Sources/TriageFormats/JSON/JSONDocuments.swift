import Platform

/// Walks through consecutive JSON values of any size, one per line or spread over several lines.
///
/// With one value per line, a malformed value does not affect the others: parsing restarts at the next line. Otherwise
/// nothing after a fault is read.
struct JSONDocuments {
    private let isLines: Bool
    private let maximumLength: Int
    private let choose: ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice
    private let unread: ([JSONPicker.Step], UnsafeBufferPointer<UInt8>) -> Void
    private var picker: JSONPicker
    private var line = 1
    private var offset: Int

    /// - Parameters:
    ///   - maximumLength: maximum number of bytes of a value.
    ///   - unread: called with the beginning of each skipped value that is unknown.
    ///   - choose: called for every value that is reached; each document starts with an empty path.
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

    /// Processes the next bytes.
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

    /// Called at the end of the input.
    mutating func finish(_ emit: (JSONPicker.Event) throws -> Void) rethrows { try picker.finish(emit) }

    /// Whether the first line is a JSON value of its own, or a malformed one followed by lines that are.
    private static func isLines(_ opening: Opening) -> Bool {
        guard let line = opening.firstLine, let first = line.first else { return false }
        var lines = opening.bytes[line.endIndex...].split(separator: 0x0A, maxSplits: 8).map { line in
            line.drop { Opening.isBlank($0) || TextDecoder.mark.contains($0) }
        }.filter { !$0.isEmpty }[...]
        let second = lines.popFirst()
        if JSONNode(line) != nil { return second == nil || second?.first == first }
        // A value that spans several lines may have elements on lines of their own, but its lines end differently.
        guard first == UInt8(ascii: "{"), let second, JSONNode(second)?.isObject == true else { return false }
        return lines.first.map { $0.first == UInt8(ascii: "{") } ?? true
    }
}
