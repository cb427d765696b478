package import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that others write to, read as it grows.
///
/// - A file that is not there yet is waited for.
/// - A file that is renamed is read to its end, and a while longer, for its writer may not know yet; then the new file of
///   that name is read from its beginning.
/// - A file that is cut, or written anew in place, is read again from its beginning.
///
/// Looked at a hundred times a second while it is alive, ten times while it is silent: works on every file system, which
/// notices from the kernel do not.
final class FollowedFile {
    /// What comes next.
    enum Piece {
        case bytes(UnsafeBufferPointer<UInt8>)
        /// What follows is another file, or the same from its beginning.
        case restarted
        case stopped
    }

    /// How long a renamed file is still read after its successor is there.
    static let farewell = Duration.milliseconds(300)
    /// Bytes before the place of reading that are compared to see whether they are still the same.
    private static let memory = 64

    private let path: String
    private let untilEnd: Bool
    private let stop: InputStop
    private let idleLimit: Duration?
    private let buffer: UnsafeMutableRawBufferPointer
    private var descriptor: Int32 = -1
    private var offset = 0
    /// The last bytes that were read.
    private var tail: [UInt8] = []
    /// Where the first file is begun, if it is there at the start.
    private var start: FollowStart
    private var wasOpened = false
    private var lastSign = ContinuousClock.now
    private var succeededAt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - start: where a file that is there now is begun; later ones are read from their beginning.
    ///   - untilEnd: whether at the stop what is in the file is still read.
    ///   - idleLimit: how long nothing may come; nil: for ever.
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

    /// The next piece; bytes are good until the next call.
    ///
    /// - Parameter whenIdle: called when nothing is waiting, before waiting for it.
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
                // A file that is not there at first is new when it comes.
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
                // What came into the file's successor before the stop came before the end, too.
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

    /// - Returns: whether it is there.
    private func open() throws -> Bool {
        #if canImport(Glibc)
            let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #else
            let opened = Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #endif
        guard opened >= 0 else {
            // Between a renamed file and its successor anything may be in the way for a moment.
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

    /// Goes to behind the last line break: the half of a line that is there belongs to what is to come.
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

    /// Whether what was read is no longer what the file begins with.
    private func isChanged() -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let size = Int(status.st_size)
        if size < offset { return true }
        guard size > offset, !tail.isEmpty else { return false }
        let count = pread(descriptor, buffer.baseAddress, tail.count, off_t(offset - tail.count))
        return count == tail.count && !buffer[..<count].elementsEqual(tail)
    }

    /// Whether the path leads to another file by now.
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

/// Where the reading of a file that grows begins.
package enum FollowStart: Sendable {
    case beginning
    /// Behind what is in it now; a line that is half written now is read whole.
    case end
    /// At a byte that begins a line.
    case offset(Int)
}

extension InputReader {
    /// Reads a file as it grows, until the stop; see the guide on live streams for what counts as growing.
    ///
    /// Each beginning is a source of its own, with lines counted from 1.
    ///
    /// - Parameters:
    ///   - start: where a file that is there now is begun.
    ///   - untilEnd: whether at the stop what is in the file is still read.
    /// - Throws: ``TriageError`` `input.unreadable`, `input.not-a-file` (66), `input.idle` (75); what the assembler throws.
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
                // A line without its end, as far as it came.
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
