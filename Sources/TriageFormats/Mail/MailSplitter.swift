import Platform

/// Splits an mbox file into its messages in bounded memory, fed in pieces of any size.
///
/// A separator counts at the beginning and after an empty line. Elsewhere, or without a date, it counts only when a
/// header field follows. `>From ` in a body loses one `>`.
struct MailSplitter {
    /// One message.
    struct Piece {
        var bytes: [UInt8]
        /// How many bytes were left out because the message is larger than the limit.
        var left: Int
        /// The time in the separator before it, in seconds since 1970.
        var time: Int64?
    }

    private let limit: Int
    /// The beginning of a line whose end has not arrived.
    private var carry: [UInt8] = []
    /// Whether the current line is so long that its beginning was already passed on.
    private var isMidLine = false
    private var isAfterBlank = true
    /// A possible separator, with its line break, that the next line must confirm.
    private var doubtful: [UInt8] = []
    private var message: [UInt8] = []
    private var left = 0
    private var time: Int64?
    private var hasBegun = false

    /// Longer lines are passed on in parts.
    private static let longLine = 1 << 16

    init(limit: Int) { self.limit = limit }

    /// Processes bytes and emits every message that ends in them.
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
        // The start of a run of lines that are appended all at once.
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

    /// Called at the end of the file; emits the last message.
    mutating func finish(_ body: (Piece) throws -> Void) rethrows {
        if !carry.isEmpty || isMidLine { try endCarried(body) }
        // An unconfirmed separator was text.
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
            // The line is too long for a separator.
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

    /// Processes one whole line, with its line break.
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

    /// Settles a possible separator: a header field on the next line confirms it; otherwise it was text.
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
            // Release the memory of a large message.
            message.removeAll(keepingCapacity: message.capacity <= 1 << 20)
            left = 0
            time = nil
        }
        guard message.contains(where: { !Opening.isBlank($0) }) else { return }
        try body(Piece(bytes: message, left: left, time: time))
    }
}

/// Recognizes the separator lines of an mbox file, and the header lines that follow them.
enum MailSeparator {
    /// The maximum length of a separator.
    static let maximumLength = 1024

    enum Form {
        /// With a date, and with or without a sender.
        case dated
        /// `From - `, as Thunderbird writes it.
        case dashed
        /// `From ` and nothing else: only the next line can show whether it is a separator.
        case bare
    }

    /// The form of a separator line, given without its line break; nil: it is not one.
    static func form(_ line: ArraySlice<UInt8>) -> Form? {
        guard line.count <= maximumLength, line.starts(with: "From ".utf8) else { return nil }
        let words = line.dropFirst(5).split(whereSeparator: Opening.isBlank)
        guard let first = words.first else { return .bare }
        if seconds(words) != nil { return .dated }
        let rest = words.dropFirst()
        if seconds(Array(rest)) != nil {
            // A patch in a body starts the same way, with a commit hash.
            return first.count == 40 && first.allSatisfy(isHexadecimal) ? nil : .dated
        }
        return first.elementsEqual("-".utf8) && line.count > 6 ? .dashed : nil
    }

    /// The time of a separator, in seconds since 1970; nil when it has none.
    static func time(_ line: ArraySlice<UInt8>) -> Int64? {
        guard line.starts(with: "From ".utf8) else { return nil }
        let words = line.dropFirst(5).split(whereSeparator: Opening.isBlank)
        return seconds(words) ?? seconds(Array(words.dropFirst()))
    }

    /// Parses `Sat Jun 01 10:40:00 +0000 2024`, with the zone before or after the year or missing.
    private static func seconds(_ words: [ArraySlice<UInt8>]) -> Int64? {
        guard words.count >= 5, words.count <= 6, days.contains(where: { words[0].elementsEqual($0.utf8) }),
            let month = months.firstIndex(where: { words[1].elementsEqual($0.utf8) }),
            words[2].count <= 2, let day = number(words[2])
        else { return nil }
        let parts = words[3].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ $0.count == 2 }),
            let hour = number(parts[0]), let minute = number(parts[1]), let second = number(parts.last ?? [])
        else { return nil }
        var yearWord = words[4]
        var zone: ArraySlice<UInt8> = []
        if words.count == 6 {
            if isYear(words[4]) { zone = words[5] } else { (zone, yearWord) = (words[4], words[5]) }
        }
        guard isYear(yearWord), let year = number(yearWord), let offset = Self.offset(zone),
            let date = Timestamp.days(year: year, month: Int64(month + 1), day: day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        return date * 86_400 + hour * 3600 + minute * 60 + (parts.count == 3 ? second : 0) - offset
    }

    /// Seconds east of UTC; a zone named by letters is taken for UTC; nil: not a zone.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        guard let sign = zone.first else { return 0 }
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            guard zone.count == 5, let value = number(zone.dropFirst()) else { return nil }
            let seconds = value / 100 * 3600 + value % 100 * 60
            return sign == UInt8(ascii: "-") ? -seconds : seconds
        }
        guard zone.count >= 3, zone.count <= 4, zone.allSatisfy({ $0 >= 0x41 && $0 <= 0x5A }) else { return nil }
        return 0
    }

    private static func isYear(_ word: ArraySlice<UInt8>) -> Bool { word.count == 4 && number(word) != nil }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count <= 4 else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        return value
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66)
    }

    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The name of the header field that starts on a line; nil: there is none.
    static func fieldName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = line.prefix(256).firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            return nil
        }
        let name = line[line.startIndex..<colon]
        return name.allSatisfy { $0 >= 0x21 && $0 <= 0x7E } ? name : nil
    }
}
