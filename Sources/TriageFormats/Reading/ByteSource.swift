import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file or stream that is read in chunks until it ends or the run stops.
final class ByteSource {
    /// What the next chunk is.
    enum Chunk {
        case bytes(UnsafeBufferPointer<UInt8>)
        case end
        case stopped
    }

    static let chunkSize = 1 << 20

    let name: String
    let descriptor: Int32
    private let stop: InputStop?
    private let closes: Bool
    private let buffer: UnsafeMutableRawBufferPointer

    /// Opens a path; `-` is standard input.
    ///
    /// - Throws: ``TriageError`` `input.unreadable`, exit 66.
    init(path: String, stop: InputStop?) throws {
        name = path
        self.stop = stop
        if path == "-" {
            descriptor = 0
            closes = false
        } else {
            let opened = open(path, O_RDONLY | O_CLOEXEC)
            guard opened >= 0 else { throw Self.unreadable(path) }
            descriptor = opened
            closes = true
        }
        buffer = .allocate(byteCount: Self.chunkSize, alignment: 64)
    }

    deinit {
        if closes { close(descriptor) }
        buffer.deallocate()
    }

    static func unreadable(_ path: String) -> TriageError {
        TriageError(
            "input.unreadable", "the input cannot be read: \(String(cString: strerror(errno)))", at: path,
            remedy: "check the path and its permissions", exit: .noInput)
    }

    /// Whether it can be read again from its beginning.
    var isSeekable: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }

    /// Whether it is a file that can be read again and begins as a zip does; nothing is read by asking.
    var beginsAsZip: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        var head = [UInt8](repeating: 0, count: 4)
        guard lseek(descriptor, 0, SEEK_CUR) == 0, pread(descriptor, &head, 4, 0) == 4 else { return false }
        return head.withUnsafeBufferPointer { InputReader.Magic($0) == .zip }
    }

    /// Bytes of a regular file.
    var size: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return Int(status.st_size)
    }

    /// Puts bytes that were read before into the buffer again, for a reader that wants their address to stay.
    func hold(_ bytes: [UInt8], into out: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        let count = min(bytes.count, buffer.count)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        out?.pointee = UnsafeRawPointer(buffer.baseAddress)
        return count
    }

    /// Goes back to the beginning.
    func rewind() throws {
        guard lseek(descriptor, 0, SEEK_SET) >= 0 else { throw Self.unreadable(name) }
    }

    /// The next bytes, good until the next call.
    ///
    /// - Parameter whenIdle: called when nothing is waiting, before waiting for it.
    func next(whenIdle: () throws -> Void) throws -> Chunk {
        while true {
            if stop?.isStopped == true { return .stopped }
            if try !isReady(0) {
                try whenIdle()
                _ = try isReady(-1)
                continue
            }
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count == 0 { return .end }
            if count > 0 {
                return .bytes(UnsafeBufferPointer(rebasing: buffer.bindMemory(to: UInt8.self)[..<count]))
            }
            guard errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK else { throw Self.unreadable(name) }
        }
    }

    /// Whether there are bytes or an end to read, or a stop to obey.
    private func isReady(_ timeout: Int32) throws -> Bool {
        var waits = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&waits, nfds_t(waits.count), timeout)
        if count < 0 {
            guard errno == EINTR || errno == EAGAIN else { throw Self.unreadable(name) }
            return false
        }
        return count > 0
    }
}
