import Platform
import TriageCore

/// Output to terminals, and text that is safe to show on them.
package enum Terminal {
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The width of the terminal behind a descriptor; if it is not a terminal, `COLUMNS`, else 100.
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

    /// Prints text on standard error, unless that would mean waiting for its reader.
    package static func tell(_ text: String) {
        var waiting = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 0) > 0, waiting.revents & Int16(POLLOUT) != 0 else { return }
        // A pipe that is ready takes this much without blocking.
        let bytes = Array(text.utf8.prefix(4096))
        // If standard error is gone, there is nobody left to tell.
        try? CheckedWriter.standardError.write(bytes)
    }

    /// Like ``harmless(_:)``, but in one line, so that a message about a file stays beside its name.
    package static func harmlessLine(_ text: String) -> String { harmless(text).replacing("\n", with: "\\u{a}") }

    /// The text without control characters that could affect a terminal; line breaks stay.
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
    /// Like ``description``, but no file, column or flag name in it can affect a terminal or look like a line of this
    /// program.
    package var harmless: String {
        var error = self
        error.what = Terminal.harmlessLine(what)
        error.at = at.map(Terminal.harmlessLine)
        error.remedy = remedy.map(Terminal.harmlessLine)
        return error.description
    }
}

/// Reads what a person or a pipe writes to standard input.
package enum TerminalInput {
    /// One line without its line break and without blanks at its ends; empty at the end of input.
    package static func line() -> String {
        var bytes: [UInt8] = []
        // Reads byte by byte, to leave everything after the line to the next reader.
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
