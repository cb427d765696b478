/// Makes JSON of what some versions of Telegram Desktop wrote in its place.
enum TelegramRepair {
    /// The value of a text, and whether its bytes had to be repaired for it; nil: it is no JSON even then.
    static func node(_ bytes: UnsafeBufferPointer<UInt8>) -> (node: JSONNode, isRepaired: Bool)? {
        if let node = JSONNode(bytes) { return (node, false) }
        guard bytes.count <= JSONNode.maximumLength else { return nil }
        let repaired = repair(bytes)
        // A control character grows from four bytes to six.
        let node = repaired.withUnsafeBufferPointer { JSONNode($0, limit: 2 * JSONNode.maximumLength) }
        return node.map { ($0, true) }
    }

    /// Rewrites `\x01` (control characters until today) to `\u0001`, and puts quotes around bare values of
    /// `document_id` (version 4.1); everything else stays.
    static func repair(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 64)
        var isInString = false
        // Where in `out` the string that ended last began.
        var stringStart = 0
        var i = 0
        while i < bytes.count {
            let byte = bytes[i]
            i += 1
            if !isInString {
                out.append(byte)
                if byte == UInt8(ascii: "\"") {
                    isInString = true
                    stringStart = out.count
                } else if byte == UInt8(ascii: ":"), endsInDocumentKey(out, from: stringStart) {
                    i = quoteBareValue(bytes, i, &out)
                }
            } else if byte == UInt8(ascii: "\\"), i < bytes.count {
                if bytes[i] == UInt8(ascii: "x"), i + 2 < bytes.count, isHex(bytes[i + 1]), isHex(bytes[i + 2]) {
                    out += [0x5C, UInt8(ascii: "u"), 0x30, 0x30, bytes[i + 1], bytes[i + 2]]
                    i += 3
                } else {
                    out.append(byte)
                    out.append(bytes[i])
                    i += 1
                }
            } else if byte < 0x20 {
                let digits = Array("0123456789abcdef".utf8)
                out += [0x5C, UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                out.append(byte)
                if byte == UInt8(ascii: "\"") { isInString = false }
            }
        }
        return out
    }

    private static let documentKey = Array("document_id\"".utf8)

    /// Whether what was written ends in the key and its colon.
    private static func endsInDocumentKey(_ out: [UInt8], from start: Int) -> Bool {
        let end = start + documentKey.count
        guard start > 0, end <= out.count, out[start..<end].elementsEqual(documentKey) else { return false }
        return out[end..<(out.count - 1)].allSatisfy(Opening.isBlank)
    }

    private static func quoteBareValue(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int, _ out: inout [UInt8]) -> Int {
        var i = from
        while i < bytes.count, Opening.isBlank(bytes[i]) {
            out.append(bytes[i])
            i += 1
        }
        guard i < bytes.count, bytes[i] != UInt8(ascii: "\"") else { return i }
        out.append(UInt8(ascii: "\""))
        while i < bytes.count {
            let byte = bytes[i]
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte < 0x20 { break }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { out.append(0x5C) }
            out.append(byte)
            i += 1
        }
        out.append(UInt8(ascii: "\""))
        return i
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }
}
