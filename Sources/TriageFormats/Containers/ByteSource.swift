import Platform
import TriageCore

/// A file or stream, read in chunks until it ends or the run stops.
final class ByteSource {
    /// The result of one read.
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
    private let idleLimit: Duration?
    private let buffer: UnsafeMutableRawBufferPointer

    /// Opens a path; `-` is stdin.
    ///
    /// - Parameter idleLimit: how long the input may be silent; nil: forever.
    /// - Throws: ``TriageError`` `input.unreadable`, exit 66.
    init(path: String, stop: InputStop?, idleLimit: Duration? = nil) throws {
        name = path
        self.stop = stop
        self.idleLimit = idleLimit
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
        let code = errno
        return TriageError(
            "input.unreadable", "cannot read the input: \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: "check the path and its permissions"),
            exit: SystemFault.exit(code, otherwise: .noInput))
    }

    /// Whether it can be rewound.
    var isSeekable: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }

    /// The archive kind of a rewindable file; nil for streams and for plain files.
    ///
    /// Asking does not consume any bytes.
    var archiveKind: ArchiveKind? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            lseek(descriptor, 0, SEEK_CUR) == 0
        else { return nil }
        var head = [UInt8](repeating: 0, count: ArchiveKind.sightLength)
        let count = pread(descriptor, &head, head.count, 0)
        return count > 0 ? ArchiveKind(head[..<count]) : nil
    }

    /// The size of a regular file in bytes.
    var size: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return Int(status.st_size)
    }

    /// Copies bytes that were read earlier back into the buffer, for a reader that needs a stable address.
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

    /// The next bytes, valid until the next call.
    ///
    /// - Parameter whenIdle: called before waiting when no bytes are available.
    /// - Throws: ``TriageError`` `input.idle` when nothing came for too long.
    func next(whenIdle: () throws -> Void) throws -> Chunk {
        while true {
            if stop?.isStopped == true { return .stopped }
            if try !isReady(0) {
                try whenIdle()
                try wait()
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

    /// Waits for bytes, the end or a stop.
    private func wait() throws {
        guard let idleLimit else {
            _ = try isReady(-1)
            return
        }
        let end = ContinuousClock.now + idleLimit
        while true {
            let left = ContinuousClock.now.duration(to: end)
            if left <= .zero { throw Self.idle(name, idleLimit) }
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            if try isReady(Int32(clamping: milliseconds + 1)) { return }
        }
    }

    static func idle(_ name: String, _ limit: Duration) -> TriageError {
        TriageError(
            "input.idle", "there was no input for \(limit.components.seconds) seconds", at: name,
            remedy: "check the program that writes it; everything received was answered", exit: .temporary)
    }

    /// Whether there are bytes to read, the end, or a stop request.
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
