#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a person or a pipe says on standard input.
package enum TerminalInput {
    /// One line without its break and without blanks at its ends; empty at the end of input.
    package static func line() -> String {
        var bytes: [UInt8] = []
        // Byte by byte: nothing behind the line may be taken away from whoever reads next.
        var byte: UInt8 = 0
        while bytes.count < 4096 {
            let count = read(0, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 || byte == 0x0A { break }
            bytes.append(byte)
        }
        let line = bytes.drop { $0 <= 0x20 }
        let end = line.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? line.startIndex
        return String(decoding: line[line.startIndex..<end], as: UTF8.self)
    }

    /// Everything up to the end of input, at most `limit` bytes, without line breaks at its end; nil if there is more.
    package static func all(limit: Int) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(0, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit { return nil }
        }
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
