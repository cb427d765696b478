import Platform
import TriageCore

/// JSON Lines: one JSON record per line, the input for programs that write records themselves.
struct JSONLFormat: ExportFormat {
    let name = "jsonl"
    let summary = "one JSON record per line"
    var takesAnyText: Bool { true }

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else {
            guard Self.followsBrokenLine(opening) else { return nil }
            return Detection(format: name, reason: "the lines below the first are JSON objects")
        }
        if let line = opening.firstLine, let record = JSONNode(line) {
            let isAlone = Self.isAlone(line, in: opening)
            if JSONArrayFormat.container(in: record) != nil {
                guard !isAlone, JSONArrayFormat.hasMoreLines(opening), RecordLines.namedTextKey(of: record) != nil
                else {
                    return nil
                }
            }
            guard !isAlone || Self.isRecord(record) else { return nil }
            return Detection(format: name, reason: "the first line is a JSON object")
        }
        guard JSONArrayFormat().detect(opening) == nil, !Self.isSpread(opening) else { return nil }
        return Detection(format: name, reason: "the first line begins with '{'")
    }

    /// Whether the lines after a first line that is not JSON continue it, so that all of them are one value of another
    /// kind.
    private static func isSpread(_ opening: Opening) -> Bool {
        guard let first = opening.firstLine else {
            // A single line that is longer than what is in sight.
            let members = JSONOutline(opening).kinds.keys
            return !members.contains { ColumnNames.text.contains(ColumnNames.normalized($0)) || own.contains($0) }
        }
        let lines = opening.bytes[first.endIndex...].split(separator: 0x0A, maxSplits: linesBelow)
            .prefix(linesBelow).compactMap { line in line.first { !Opening.isBlank($0) } }
        // An object that continues: its members and closing brackets, not other objects.
        let others = lines.count { "\"}],[".utf8.contains($0) }
        return others * 2 > lines.count
    }

    /// Whether the line is the whole input.
    private static func isAlone(_ line: ArraySlice<UInt8>, in opening: Opening) -> Bool {
        opening.isWhole && opening.bytes[line.endIndex...].allSatisfy(Opening.isBlank)
    }

    /// Members that only records have.
    private static let own: Set<String> = [
        "sender", "participants", "attachments", "reactions", "raw", "triage", "sent_at", "conversation_id", "reply_to",
    ]

    /// Whether an object that is the whole input is a message: a package or a page has a name and a URL too.
    private static func isRecord(_ record: JSONNode) -> Bool {
        record.members.contains { own.contains($0.key) || ColumnNames.field(of: $0.key) == .text }
            || (RecordLines.saysWho(record) && RecordLines.textKey(of: record) != nil)
    }

    /// Whether any member has the name of a record's member.
    private static func isKnown(_ record: JSONNode) -> Bool {
        let others: Set<String> = ["sender", "participants", "attachments", "reactions", "raw", "triage"]
        return RecordLines.textKey(of: record) != nil
            || record.members.contains { ColumnNames.field(of: $0.key) != nil || others.contains($0.key) }
    }

    /// How many lines after a broken first line are examined.
    private static let linesBelow = 16

    /// Whether records follow a first line that is not JSON (the rest of a truncated record, a comment).
    ///
    /// There must be at least two, making up most of what is in sight; a chat into which somebody pasted JSON stays a
    /// chat.
    private static func followsBrokenLine(_ opening: Opening) -> Bool {
        guard let first = opening.firstLine else { return false }
        var rest = opening.bytes[first.endIndex...]
        var lines = 0
        var records = 0
        while lines < linesBelow, !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A)
            // A line without its end proves nothing.
            guard end != nil || opening.isWhole else { break }
            let line = rest[..<(end ?? rest.endIndex)]
            rest = rest[line.endIndex...].dropFirst()
            guard let start = line.firstIndex(where: { !Opening.isBlank($0) }) else { continue }
            lines += 1
            guard line[start] == UInt8(ascii: "{"), let record = JSONNode(line), isKnown(record),
                JSONArrayFormat.container(in: record) == nil
            else { continue }
            records += 1
        }
        return records >= 2 && records * 2 > lines && !WhatsAppTextFormat.isChat(opening)
    }

    /// Whether an opening that may continue leaves no doubt.
    static func isCertain(_ opening: Opening) -> Bool {
        guard opening.firstByte == UInt8(ascii: "{") else { return followsBrokenLine(opening) }
        guard let line = opening.firstLine, let record = JSONNode(line) else { return false }
        if JSONArrayFormat.container(in: record) == nil { return true }
        return JSONArrayFormat.hasMoreLines(opening) && RecordLines.namedTextKey(of: record) != nil
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { JSONLReader(context) }
}

/// Splits bytes into lines at LF.
///
/// A CR before the LF and byte order marks at the start of a line are dropped. A line over the limit uses no memory.
private final class JSONLReader: ExportReader {
    private let context: ReadingContext
    // Safe without checks, because nothing called re-enters; a check per line would cost as much as the line.
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
        // Allow one extra byte for a CR, which does not count.
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
        // The input may be several files joined together, each starting with a byte order mark.
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
