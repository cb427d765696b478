/// One reading of JSON for everything that servers and models write: RFC 8259 and nothing else.
///
/// Foundation's two readers take a byte order mark and trailing commas, and of a doubled key one takes the first and the
/// other the last. Here those are faults, so that what was checked is what is used. Time is linear in the bytes.
package enum StrictJSON {
    /// What to do with half of a surrogate pair, which models write when they are cut.
    package enum Surrogates: Sendable { case refuse, replace }

    /// Reads a text that is one value between white space.
    ///
    /// - Parameter surrogates: `.replace` reads `\ud83d` alone as U+FFFD.
    /// - Throws: the first fault with the byte where it is.
    package static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .envelope, surrogates: Surrogates = .refuse
    ) throws(JSONFault) -> JSONValue {
        try parse(bytes, in: 0..<bytes.count, limits: limits, surrogates: surrogates)
    }

    /// Reads a model's answer: the one object in text that may have a thought before it, a fence or prose around it.
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
    /// Where the one balanced object lies in text that may have a thought before it, a fence or prose around it.
    ///
    /// Braces inside the object's strings do not count, quotes outside of it neither. What lies in the range need not be
    /// JSON yet. Braces are never closed on behalf of a model that was cut.
    ///
    /// - Throws: `.noObject`; `.severalObjects` at the second; `.unexpectedEnd` for one that does not close.
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

    /// Where the answer begins behind a leading `<think>…</think>`; the end for a thought that does not close.
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

/// What a text of JSON may cost; beyond it the text is refused.
package struct JSONLimits: Sendable, Equatable {
    package var bytes: Int
    /// Arrays and objects inside each other.
    package var depth: Int
    /// Values of all kinds, which bounds the memory that a text of brackets takes.
    package var values: Int

    package init(bytes: Int = 8 << 20, depth: Int = 32, values: Int = 1 << 20) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// What a server's envelope may be: the size of ``HTTPLimits/bodyBytes``.
    package static let envelope = JSONLimits()
    /// What a model's answer may be; far above the longest that is asked for.
    package static let answer = JSONLimits(bytes: 1 << 20, values: 1 << 16)
}

/// Why bytes are not the JSON that was wanted; holds none of them.
package struct JSONFault: Error, Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The text stops in mid-value: cut rather than wrong.
        case unexpectedEnd
        case unexpectedByte, badNumber, badEscape, controlCharacter, invalidUTF8, byteOrderMark, trailingBytes
        /// Half of a surrogate pair, where that is not repaired.
        case loneSurrogate
        /// Two members of an object have one name once escapes are read.
        case duplicateKey
        case tooLarge, tooDeep, tooManyValues
        /// Prose without an object.
        case noObject
        /// More than one object: which one is meant is not ours to guess.
        case severalObjects
    }

    package var kind: Kind
    /// Index of the first byte that is wrong; of a string with invalid UTF-8 and a doubled key its first byte.
    package var offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
