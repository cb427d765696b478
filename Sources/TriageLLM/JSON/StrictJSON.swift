/// The one JSON parser for everything that servers and models write: strictly RFC 8259.
///
/// Foundation's two parsers accept a byte order mark and trailing commas, and of a duplicate key, one takes the first
/// value and the other the last. Here these are faults, so that the value that was checked is the one that is used.
/// Time is linear in the number of bytes.
package enum StrictJSON {
    /// What to do with half of a surrogate pair, which models write when their output is cut off.
    package enum Surrogates: Sendable { case refuse, replace }

    /// Parses a text that is one value, surrounded by white space.
    ///
    /// - Parameter surrogates: `.replace` reads `\ud83d` alone as U+FFFD.
    /// - Throws: the first fault, with the offset of its byte.
    package static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .envelope, surrogates: Surrogates = .refuse
    ) throws(JSONFault) -> JSONValue {
        try parse(bytes, in: 0..<bytes.count, limits: limits, surrogates: surrogates)
    }

    /// Reads a model's answer: a single object, which may have a thought before it and a fence or prose around it.
    ///
    /// Half surrogates become U+FFFD. Offsets count from the start of the text.
    package static func answer(in bytes: [UInt8], limits: JSONLimits = .answer) throws(JSONFault) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONFault(.tooLarge, at: limits.bytes) }
        return try parse(bytes, in: firstObject(in: bytes), limits: limits, surrogates: .replace)
    }

    static func parse(
        _ bytes: [UInt8], in range: Range<Int>, limits: JSONLimits, surrogates: Surrogates
    ) throws(JSONFault) -> JSONValue {
        guard range.count <= limits.bytes else { throw JSONFault(.tooLarge, at: range.lowerBound + limits.bytes) }
        let result: Result<JSONValue, JSONFault> = bytes.withUnsafeBufferPointer { all in
            var parser = JSONParser(
                UnsafeBufferPointer(rebasing: all[range]), limits: limits, surrogates: surrogates)
            do throws(JSONFault) {
                return .success(try parser.document())
            } catch {
                return .failure(JSONFault(error.kind, at: error.offset + range.lowerBound))
            }
        }
        return try result.get()
    }
}

extension StrictJSON {
    /// The range of the only balanced object in a text that may have a thought before it and a fence or prose around
    /// it.
    ///
    /// Braces inside the object's strings do not count, nor do quotes outside the object. The range need not be valid
    /// JSON yet. Braces are never closed on behalf of a model whose output was cut off.
    ///
    /// - Throws: `.noObject`; `.severalObjects` at the second object; `.unexpectedEnd` for an object that is not
    ///   closed.
    package static func firstObject(in bytes: [UInt8]) throws(JSONFault) -> Range<Int> {
        var found: Range<Int>?
        var start = 0
        var depth = 0
        var isString = false
        var at = answerStart(in: bytes)
        while at < bytes.count {
            let byte = bytes[at]
            if depth == 0 {
                if byte == UInt8(ascii: "{") {
                    if found != nil { throw JSONFault(.severalObjects, at: at) }
                    start = at
                    depth = 1
                }
            } else if isString {
                if byte == UInt8(ascii: "\\") { at += 1 }
                if byte == UInt8(ascii: "\"") { isString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isString = true
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"):
                    depth -= 1
                    if depth == 0 { found = start..<(at + 1) }
                default: break
                }
            }
            at += 1
        }
        if depth > 0 { throw JSONFault(.unexpectedEnd, at: bytes.count) }
        guard let found else { throw JSONFault(.noObject, at: bytes.count) }
        return found
    }

    /// The offset of the answer after a leading `<think>…</think>`; the end of the text if the thought is not closed.
    static func answerStart(in bytes: [UInt8]) -> Int {
        let open = Array("<think>".utf8)
        let close = Array("</think>".utf8)
        let first = bytes.firstIndex { !isSpace($0) } ?? bytes.count
        guard bytes[first...].starts(with: open) else { return first }
        var at = first + open.count
        while at + close.count <= bytes.count {
            if bytes[at] == close[0], bytes[at...].starts(with: close) {
                let behind = bytes[(at + close.count)...]
                return behind.firstIndex { !isSpace($0) } ?? bytes.count
            }
            at += 1
        }
        return bytes.count
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// Limits for a JSON text; a text that exceeds them is refused.
package struct JSONLimits: Sendable, Equatable {
    package var bytes: Int
    /// The nesting depth of arrays and objects.
    package var depth: Int
    /// The number of values of all kinds, which limits the memory that a text of brackets can take.
    package var values: Int

    package init(bytes: Int = 8 << 20, depth: Int = 32, values: Int = 1 << 20) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// The limits for a server's envelope: the size of ``HTTPLimits/bodyBytes``.
    package static let envelope = JSONLimits()
    /// The limits for a model's answer; far above the longest answer that is requested.
    package static let answer = JSONLimits(bytes: 1 << 20, values: 1 << 16)
}

/// Why bytes are not the expected JSON; contains none of them.
package struct JSONFault: Error, Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The text ends in the middle of a value: cut off rather than wrong.
        case unexpectedEnd
        case unexpectedByte, badNumber, badEscape, controlCharacter, invalidUTF8, byteOrderMark, trailingBytes
        /// Half of a surrogate pair, if it is not replaced.
        case loneSurrogate
        /// Two members of an object have the same name once escapes are decoded.
        case duplicateKey
        case tooLarge, tooDeep, tooManyValues
        /// Prose without an object.
        case noObject
        /// More than one object, and we cannot guess which one is meant.
        case severalObjects
    }

    package var kind: Kind
    /// The index of the first wrong byte; for a string with invalid UTF-8 and for a duplicate key, its first byte.
    package var offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
