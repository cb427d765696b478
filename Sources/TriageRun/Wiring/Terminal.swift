import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What may be shown to whom.
package enum Terminal {
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal behind a descriptor; `COLUMNS`, else 100, when it is none.
    package static func width(_ descriptor: Int32) -> Int {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 0 { return columns }
        return 100
    }

    /// An environment variable; nil when unset or empty.
    package static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Says something on standard error, unless that would mean waiting for its reader.
    package static func tell(_ text: String) {
        var waiting = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 0) > 0, waiting.revents & Int16(POLLOUT) != 0 else { return }
        // A pipe that is ready takes this much without waiting.
        let bytes = Array(text.utf8.prefix(4096))
        // Nobody is left to tell when standard error is gone.
        try? CheckedWriter.standardError.write(bytes)
    }

    /// As ``harmless(_:)``, and in one line: what is told of a file stays beside its name.
    package static func harmlessLine(_ text: String) -> String { harmless(text).replacing("\n", with: "\\u{a}") }

    /// The text without control characters that could drive a terminal; line breaks stay.
    package static func harmless(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: out.unicodeScalars.append(scalar)
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069:
                out += "\\u{\(String(scalar.value, radix: 16))}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}

extension TriageError {
    /// As ``description``, where no name of a file, a column or a flag drives a terminal or looks like a line of ours.
    package var harmless: String {
        var error = self
        error.what = Terminal.harmlessLine(what)
        error.at = at.map(Terminal.harmlessLine)
        error.remedy = remedy.map(Terminal.harmlessLine)
        return error.description
    }
}

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
