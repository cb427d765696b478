import Platform
package import TriageCore

/// A file that other programs write to, read as it grows.
///
/// - If the file does not exist yet, reading waits for it.
/// - If the file is renamed, it is read to its end and a little longer, because its writer may not have noticed. Then
///   the new file of that name is read from the beginning.
/// - If the file is truncated or rewritten in place, it is read again from the beginning.
///
/// The file is polled a hundred times a second while it grows and ten times while it does not. Polling works on every
/// file system; change notifications from the kernel do not.
final class FollowedFile {
    /// The result of one read.
    enum Piece {
        case bytes(UnsafeBufferPointer<UInt8>)
        /// What follows comes from another file, or from the beginning of the same one.
        case restarted
        case stopped
    }

    /// How long a renamed file is still read once its successor exists.
    static let farewell = Duration.milliseconds(300)
    /// How many bytes before the read position are compared to detect that the file was rewritten.
    private static let memory = 64

    private let path: String
    private let untilEnd: Bool
    private let stop: InputStop
    private let idleLimit: Duration?
    private let buffer: UnsafeMutableRawBufferPointer
    private var descriptor: Int32 = -1
    private var offset = 0
    /// The last bytes read.
    private var tail: [UInt8] = []
    /// Where to start in the first file, if it exists at the start.
    private var start: FollowStart
    private var wasOpened = false
    private var lastSign = ContinuousClock.now
    private var succeededAt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - start: where to start in a file that exists now; later files are read from the beginning.
    ///   - untilEnd: whether, on a stop, the rest of the file is still read.
    ///   - idleLimit: how long the file may be silent; nil: forever.
    init(path: String, from start: FollowStart, untilEnd: Bool = false, stop: InputStop, idleLimit: Duration? = nil) {
        self.path = path
        self.stop = stop
        self.idleLimit = idleLimit
        self.start = start
        self.untilEnd = untilEnd
        buffer = .allocate(byteCount: 1 << 18, alignment: 64)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        buffer.deallocate()
    }

    /// The next piece; its bytes are valid until the next call.
    ///
    /// - Parameter whenIdle: called before waiting when no bytes are available.
    /// - Throws: ``TriageError`` `input.unreadable`, `input.idle`; what `whenIdle` throws.
    func next(whenIdle: () throws -> Void) throws -> Piece {
        while true {
            if stop.isStopped, !untilEnd || descriptor < 0 { return .stopped }
            if descriptor < 0 {
                let isFirst = !wasOpened
                if try open() {
                    lastSign = .now
                    if !isFirst { return .restarted }
                    continue
                }
                // If the file does not exist at first, all of it is new when it appears.
                start = .beginning
                try rest(whenIdle)
                continue
            }
            if isChanged() {
                offset = 0
                tail = []
                return .restarted
            }
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count > 0 { return .bytes(took(count)) }
            if count < 0 {
                guard errno == EINTR else { throw ByteSource.unreadable(path) }
                continue
            }
            if stop.isStopped {
                // What was written to the successor before the stop must be read, too.
                guard untilEnd, hasSuccessor() else { return .stopped }
                close(descriptor)
                descriptor = -1
                succeededAt = nil
                return try open() ? .restarted : .stopped
            }
            if hasSuccessor() {
                let now = ContinuousClock.now
                if let succeededAt, succeededAt.duration(to: now) >= Self.farewell {
                    close(descriptor)
                    descriptor = -1
                    self.succeededAt = nil
                    continue
                }
                succeededAt = succeededAt ?? now
            } else {
                succeededAt = nil
            }
            try rest(whenIdle)
        }
    }

    private func took(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        offset += count
        lastSign = .now
        let bytes = UnsafeBufferPointer(rebasing: buffer.bindMemory(to: UInt8.self)[..<count])
        tail = Array((tail + bytes.suffix(Self.memory)).suffix(Self.memory))
        return bytes
    }

    /// - Returns: whether the file exists.
    private func open() throws -> Bool {
        #if canImport(Glibc)
            let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #else
            let opened = Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #endif
        guard opened >= 0 else {
            // Between a rename and the creation of the successor, opening may fail briefly for any reason.
            if errno == ENOENT || wasOpened { return false }
            throw ByteSource.unreadable(path)
        }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            if wasOpened { return false }
            throw TriageError(
                "input.not-a-file", "only a regular file can be followed", at: path,
                remedy: "pipe it to stdin instead", exit: .noInput)
        }
        descriptor = opened
        wasOpened = true
        offset = 0
        tail = []
        switch start {
        case .beginning: break
        case .end: skipToLastLine(size: Int(status.st_size))
        case .offset(let place): skip(to: min(place, Int(status.st_size)))
        }
        start = .beginning
        return true
    }

    /// Moves to just after the last line break, so that a half-written line is read whole later.
    private func skipToLastLine(size: Int) {
        var end = size
        var found = 0
        while end > 0 {
            let start = max(0, end - buffer.count)
            let count = pread(descriptor, buffer.baseAddress, end - start, off_t(start))
            guard count > 0 else { break }
            if let last = buffer[..<count].lastIndex(of: 0x0A) {
                found = start + last + 1
                break
            }
            end = start
        }
        skip(to: found)
    }

    private func skip(to place: Int) {
        offset = place
        let kept = min(place, Self.memory)
        let count = pread(descriptor, buffer.baseAddress, kept, off_t(place - kept))
        tail = count == kept ? Array(buffer[..<kept]) : []
    }

    /// Whether the bytes read earlier are no longer in the file.
    private func isChanged() -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let size = Int(status.st_size)
        if size < offset { return true }
        guard size > offset, !tail.isEmpty else { return false }
        let count = pread(descriptor, buffer.baseAddress, tail.count, off_t(offset - tail.count))
        return count == tail.count && !buffer[..<count].elementsEqual(tail)
    }

    /// Whether the path now leads to another file.
    private func hasSuccessor() -> Bool {
        var (own, other) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return false }
        return own.st_ino != other.st_ino || own.st_dev != other.st_dev
    }

    private func rest(_ whenIdle: () throws -> Void) throws {
        try whenIdle()
        let silence = lastSign.duration(to: .now)
        if let idleLimit, silence >= idleLimit { throw ByteSource.idle(path, idleLimit) }
        var waiting = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, silence < .seconds(2) || succeededAt != nil ? 10 : 100)
    }
}

/// Where to start reading a growing file.
package enum FollowStart: Sendable {
    case beginning
    /// After its current content; a line that is half written now is read whole.
    case end
    /// At a byte offset at which a line begins.
    case offset(Int)
}

extension InputReader {
    /// Reads a file as it grows until the stop; the guide on live streams explains what counts as growing.
    ///
    /// Each restart is a source of its own, with lines counted from 1.
    ///
    /// - Parameters:
    ///   - start: where to start in a file that exists now.
    ///   - untilEnd: whether, on a stop, the rest of the file is still read.
    /// - Throws: ``TriageError`` `input.unreadable`, `input.not-a-file` (66), `input.idle` (75); what the assembler
    ///   throws.
    package func follow(_ path: String, from start: FollowStart, untilEnd: Bool = false, into assembler: BatchAssembler)
        throws
    {
        guard let stop else { return }
        _ = try ColumnMapping.names(options.columns)
        let format = try options.format.map { try ExportFormats.named($0, among: formats) }
        let file = FollowedFile(
            path: path, from: start, untilEnd: untilEnd, stop: stop, idleLimit: options.idleLimit)
        let context = ReadingContext(assembler: assembler, options: options, notices: notices)
        let name = String(path.split(separator: "/").last ?? "-")
        func begin() -> FormatDispatcher {
            FormatDispatcher(Member(path: name, source: path), context, formats: formats, format: format)
        }
        var dispatcher = begin()
        while true {
            switch try file.next(whenIdle: { try dispatcher.idle() }) {
            case .bytes(let bytes):
                options.observer?(bytes)
                _ = try dispatcher.feed(bytes)
            case .restarted:
                // A last line without a line break is processed as far as it came.
                try dispatcher.finish()
                dispatcher = begin()
            case .stopped:
                try dispatcher.idle()
                context.unread.tell(notices)
                return
            }
        }
    }
}
