extension StrictJSON {
    /// Where the one balanced object lies in text that may have a thought before it, a fence or prose around it.
    ///
    /// Braces inside the object's strings do not count, quotes outside of it neither. What lies in the range need not be
    /// JSON yet. Braces are never closed on behalf of a model that was cut.
    ///
    /// - Throws: `.noObject`; `.severalObjects` at the second; `.unexpectedEnd` for one that does not close.
    public static func firstObject(in bytes: [UInt8]) throws(JSONFault) -> Range<Int> {
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
