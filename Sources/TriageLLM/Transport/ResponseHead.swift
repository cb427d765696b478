/// The header lines of one answer.
enum ResponseHead {
    /// The fields between the status line and the empty line, in the server's order; what is no field is left out.
    ///
    /// A line that begins with a blank goes on with the value before it, as old servers fold them.
    static func fields(_ bytes: UnsafeRawBufferPointer) -> [HTTPHeader] {
        var found: [HTTPHeader] = []
        var rest = bytes[...]
        var isStatusLine = true
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = trimmed(rest[rest.startIndex..<end])
            let isFolded = rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t")
            rest = rest[(end + 1)...]
            defer { isStatusLine = false }
            if isStatusLine || line.isEmpty { continue }
            if isFolded {
                if !found.isEmpty { found[found.count - 1].value += " " + String(decoding: line, as: UTF8.self) }
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            found.append(
                HTTPHeader(
                    String(decoding: trimmed(line[line.startIndex..<colon]), as: UTF8.self),
                    String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)))
        }
        return found
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes
        while let first = bytes.first, isBlank(first) { bytes = bytes.dropFirst() }
        while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
        return bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
