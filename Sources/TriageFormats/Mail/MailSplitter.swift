#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Cuts an mbox file into its messages, in bounded memory and whatever pieces the bytes come in.
///
/// A separator counts at the beginning and after an empty line; elsewhere, and where it has no date, only when a header
/// field follows. `>From ` in a body loses one `>`.
struct MailSplitter {
    /// One message.
    struct Piece {
        var bytes: [UInt8]
        /// Bytes of it that were left out because it is larger than the limit.
        var left: Int
        /// Seconds since 1970 in the line before it.
        var time: Int64?
    }

    private let limit: Int
    /// The beginning of a line whose end has not come.
    private var carry: [UInt8] = []
    /// Whether the current line is so long that its beginning was handed on.
    private var isMidLine = false
    private var isAfterBlank = true
    /// A separator that the next line must confirm; with its line break.
    private var doubtful: [UInt8] = []
    private var message: [UInt8] = []
    private var left = 0
    private var time: Int64?
    private var hasBegun = false

    /// Longer lines are handed on in parts.
    private static let longLine = 1 << 16

    init(limit: Int) { self.limit = limit }

    /// Takes bytes and hands over every message that ends in them.
    mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (Piece) throws -> Void) rethrows {
        guard let base = bytes.baseAddress else { return }
        var start = 0
        if !carry.isEmpty || isMidLine {
            guard let found = memchr(base, 0x0A, bytes.count) else {
                try keepPart(bytes, body)
                return
            }
            let end = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
            try keepPart(UnsafeBufferPointer(rebasing: bytes[..<end]), body)
            start = end
            try endCarried(body)
        }
        // Lines that are only handed on, all at once.
        var run = start
        while start < bytes.count, let found = memchr(base + start, 0x0A, bytes.count - start) {
            let end = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
            let first = bytes[start]
            let isPlain = first != UInt8(ascii: "F") && first != UInt8(ascii: ">") && doubtful.isEmpty && hasBegun
            if isPlain {
                isAfterBlank = first == 0x0A || (first == 0x0D && end - start == 2)
            } else {
                keep(UnsafeBufferPointer(rebasing: bytes[run..<start]))
                run = end
                try take(UnsafeBufferPointer(rebasing: bytes[start..<end]), body)
            }
            start = end
        }
        keep(UnsafeBufferPointer(rebasing: bytes[run..<start]))
        if start < bytes.count { try keepPart(UnsafeBufferPointer(rebasing: bytes[start...]), body) }
    }

    /// The file is at its end: the last message.
    mutating func finish(_ body: (Piece) throws -> Void) rethrows {
        if !carry.isEmpty || isMidLine { try endCarried(body) }
        // What nothing confirmed was text.
        if !doubtful.isEmpty { doubtful.withUnsafeBufferPointer { append($0) } }
        doubtful = []
        try emit(body)
        hasBegun = false
    }

    private mutating func keepPart(
        _ part: UnsafeBufferPointer<UInt8>, _ body: (Piece) throws -> Void
    ) rethrows {
        if !isMidLine, carry.count + part.count <= Self.longLine {
            carry.append(contentsOf: part)
            return
        }
        if !isMidLine {
            // No separator is that long.
            try settleDoubt(before: carry[...], body)
            hasBegun = hasBegun || !carry.isEmpty
            carry.withUnsafeBufferPointer { append($0) }
            carry.removeAll(keepingCapacity: true)
            isMidLine = true
        }
        append(part)
    }

    private mutating func endCarried(_ body: (Piece) throws -> Void) rethrows {
        if isMidLine {
            isMidLine = false
            isAfterBlank = false
            return
        }
        let line = carry
        carry.removeAll(keepingCapacity: true)
        try line.withUnsafeBufferPointer { try take($0, body) }
    }

    private mutating func keep(_ lines: UnsafeBufferPointer<UInt8>) { if !lines.isEmpty { append(lines) } }

    /// Judges one whole line, with its line break.
    private mutating func take(_ line: UnsafeBufferPointer<UInt8>, _ body: (Piece) throws -> Void) rethrows {
        var content = line[...]
        if content.last == 0x0A { content = content.dropLast() }
        if content.last == 0x0D { content = content.dropLast() }
        try settleDoubt(before: ArraySlice(content.prefix(300)), body)
        if content.isEmpty {
            isAfterBlank = true
            if hasBegun { append(line) }
            return
        }
        if content[content.startIndex] == UInt8(ascii: "F"), content.count <= MailSeparator.maximumLength,
            let form = MailSeparator.form(ArraySlice(content))
        {
            if form == .dated, isAfterBlank {
                try begin(ArraySlice(content), body)
            } else {
                doubtful = Array(line)
            }
            isAfterBlank = false
            return
        }
        hasBegun = true
        isAfterBlank = false
        if content[content.startIndex] == UInt8(ascii: ">"),
            content.drop(while: { $0 == UInt8(ascii: ">") }).starts(with: "From ".utf8)
        {
            append(UnsafeBufferPointer(rebasing: line.dropFirst()))
        } else {
            append(line)
        }
    }

    /// A header field on the next line confirms a doubtful separator; otherwise it was text.
    private mutating func settleDoubt(before next: ArraySlice<UInt8>, _ body: (Piece) throws -> Void) rethrows {
        guard !doubtful.isEmpty else { return }
        let line = doubtful
        doubtful = []
        if MailSeparator.fieldName(next) != nil {
            try begin(line.dropLast(), body)
        } else {
            hasBegun = true
            line.withUnsafeBufferPointer { append($0) }
        }
    }

    private mutating func begin(_ separator: ArraySlice<UInt8>, _ body: (Piece) throws -> Void) rethrows {
        try emit(body)
        hasBegun = true
        time = MailSeparator.time(separator)
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        let room = max(0, limit - message.count)
        if bytes.count <= room {
            message.append(contentsOf: bytes)
        } else {
            message.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<room]))
            left += bytes.count - room
        }
    }

    private mutating func emit(_ body: (Piece) throws -> Void) rethrows {
        defer {
            // A large one must not keep its memory.
            message.removeAll(keepingCapacity: message.capacity <= 1 << 20)
            left = 0
            time = nil
        }
        guard message.contains(where: { !Opening.isBlank($0) }) else { return }
        try body(Piece(bytes: message, left: left, time: time))
    }
}
