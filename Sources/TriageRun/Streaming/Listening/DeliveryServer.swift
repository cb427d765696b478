import Platform
import Synchronization
import TriageConfig
import TriageCore
import TriageFormats

/// Receives Meta's webhooks: every delivery that is answered with 200 is on disk.
///
/// It is a server of its own because general servers hide what a webhook needs: the exact bytes of the body, repeated
/// headers, and limits for lines and bodies that do not end. It uses one thread and one `poll`; deliveries that arrive
/// during a write to disk are written together in the next one.
final class DeliveryServer: Sendable {
    private let settings: DeliverySettings
    private let notices: Notices
    private let listener: Int32
    /// The port it listens on.
    let port: UInt16
    /// The size of the spool, in bytes, before any delivery arrived.
    let spoolEnd: Int
    private let wakeUp: InputStop
    private let spool: SpoolBox
    private let fault = Mutex<TriageError?>(nil)

    /// The limit for the bytes of all unfinished requests together.
    static let heldLimit = 32 << 20

    private final class SpoolBox: @unchecked Sendable {
        // Safe: created by the initializer, then used only by the server's one thread.
        let spool: DeliverySpool
        init(_ spool: DeliverySpool) { self.spool = spool }
    }

    /// Starts listening; ``start(onEnd:)`` announces it and starts answering.
    ///
    /// - Throws: ``TriageError`` when the spool cannot be written or the address cannot be used.
    init(_ settings: DeliverySettings, notices: Notices) throws {
        self.settings = settings
        self.notices = notices
        wakeUp = try InputStop()
        let spool = try DeliverySpool(path: settings.spool)
        spoolEnd = spool.size
        self.spool = SpoolBox(spool)
        (listener, port) = try settings.address.listen()
    }

    deinit { close(listener) }

    /// Why the server ended by itself; nil when it did not.
    var failure: TriageError? { fault.withLock { $0 } }

    /// Announces the address and starts answering, on a thread of its own.
    ///
    /// - Parameter onEnd: called once every accepted delivery is on disk and answered.
    func start(onEnd: @escaping @Sendable () -> Void) {
        notices.say("listening on \(settings.address.host):\(port), deliveries go to \(settings.spool)")
        if settings.token.isEmpty { notices.say("no verify token is set: all handshakes are refused") }
        startBlockingThread { [self] in
            serve()
            onEnd()
        }
    }

    /// Accepts no more connections and ends.
    func stop() { wakeUp.stop() }

    private func serve() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
        defer { buffer.deallocate() }
        var open: [DeliveryConnection] = []
        var lastWord: ContinuousClock.Instant?
        while true {
            if wakeUp.isStopped {
                // Clients with unfinished requests see the connection close, and try again later.
                lastWord = lastWord ?? .now + .seconds(1)
                open.removeAll { $0.phase == .reading }
                if open.isEmpty || lastWord.map({ $0 <= .now }) == true { return }
            }
            var waits = open.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            waits.append(pollfd(fd: wakeUp.isStopped ? -1 : listener, events: Int16(POLLIN), revents: 0))
            waits.append(pollfd(fd: wakeUp.isStopped ? -1 : wakeUp.descriptor, events: Int16(POLLIN), revents: 0))
            let count = poll(&waits, nfds_t(waits.count), patience(open, lastWord))
            if count < 0, errno != EINTR, errno != EAGAIN {
                let reason = String(cString: strerror(errno))
                fault.withLock { $0 = TriageError("listen.failed", "the server failed: \(reason)", exit: .ioError) }
                return
            }
            for (connection, wait) in zip(open, waits) where wait.revents != 0 {
                switch connection.phase {
                case .reading, .leaving: connection.read(settings, buffer)
                case .answering: connection.write()
                case .storing, .closed: break
                }
            }
            store(open.filter { $0.phase == .storing })
            let now = ContinuousClock.now
            for connection in open where connection.deadline <= now { connection.expire() }
            relieve(open)
            open.removeAll { $0.phase == .closed }
            if waits[waits.count - 2].revents != 0 { accept(into: &open) }
        }
    }

    /// Milliseconds until the earliest deadline of a connection; −1: none is open.
    private func patience(_ open: [DeliveryConnection], _ lastWord: ContinuousClock.Instant?) -> Int32 {
        guard let first = (open.map(\.deadline) + (lastWord.map { [$0] } ?? [])).min() else { return -1 }
        let left = ContinuousClock.now.duration(to: first)
        guard left > .zero else { return 0 }
        return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// Writes all waiting deliveries to disk with one sync, then answers them.
    private func store(_ waiting: [DeliveryConnection]) {
        guard !waiting.isEmpty else { return }
        var lines: [UInt8] = []
        for connection in waiting { lines += connection.answer?.line ?? [] }
        do {
            try spool.spool.append(lines)
            for connection in waiting { if let answer = connection.answer { connection.say(answer) } }
        } catch {
            notices.say("deliveries were refused: \(error)")
            for connection in waiting { connection.say(DeliveryAnswer(503)) }
        }
    }

    /// Closes the connections that hold the most memory when all together hold too much.
    private func relieve(_ open: [DeliveryConnection]) {
        var held = open.reduce(0) { $0 + $1.weight }
        guard held > Self.heldLimit else { return }
        for connection in open.sorted(by: { $0.weight > $1.weight }) where held > Self.heldLimit {
            held -= connection.weight
            connection.say(DeliveryAnswer(503))
        }
    }

    private func accept(into open: inout [DeliveryConnection]) {
        while true {
            let descriptor: Int32
            switch Arrival(at: listener) {
            case .connection(let arrived): descriptor = arrived
            case .noRoom:
                // The oldest connection makes room, and the next turn accepts the new one.
                drop(from: &open)
                return
            case .nobody: return
            }
            if open.count >= settings.connectionLimit { drop(from: &open) }
            open.append(DeliveryConnection(descriptor: descriptor, settings: settings))
        }
    }

    /// Closes the oldest connection that is reading or leaving; the array is in the order of arrival.
    private func drop(from open: inout [DeliveryConnection]) {
        guard let place = open.firstIndex(where: { $0.phase == .reading || $0.phase == .leaving }) else { return }
        open[place].cut()
        open.remove(at: place)
    }
}

/// How webhooks are received.
package struct DeliverySettings: Sendable {
    package var address: ListenAddress
    /// The file to which every delivery is appended before it is acknowledged.
    package var spool: String
    /// The secret that signs deliveries; never empty.
    package var secret: [UInt8]
    /// The token that Meta sends at the handshake; empty: none is set, and every handshake is refused.
    package var token: [UInt8]
    /// The size limit of a body, in bytes.
    package var bodyLimit = 1 << 20
    /// The time limit from the connection to the end of the body.
    package var requestTime = Duration.seconds(15)
    /// The limit for open connections; beyond it, the oldest one that is still reading or leaving is closed.
    package var connectionLimit = 512

    package init(
        address: ListenAddress, spool: String, secret: [UInt8], token: [UInt8], bodyLimit: Int = 1 << 20,
        requestTime: Duration = Duration.seconds(15), connectionLimit: Int = 512
    ) {
        self.address = address
        self.spool = spool
        self.secret = secret
        self.token = token
        self.bodyLimit = bodyLimit
        self.requestTime = requestTime
        self.connectionLimit = connectionLimit
    }

    /// The longest secret or token, in bytes.
    private static let secretLimit = 4096

    /// Reads a secret from a file, or else from the environment; never from the arguments, which everybody can list.
    ///
    /// - Returns: the secret without blanks and line breaks at its ends; empty when there is none.
    /// - Throws: ``TriageError`` (exit 78) when the file is missing or accessible to others.
    package static func secret(file: String?, variable: String) throws -> [UInt8] {
        guard let file else { return trimmed(Array((Terminal.environment(variable) ?? "").utf8)) }
        var info = stat()
        guard stat(file, &info) == 0, info.st_size <= secretLimit else {
            throw TriageError(
                "webhook.no-secret", "the secret file cannot be read, or is too long", at: file,
                remedy: "put only the secret there, on one line", exit: .badConfiguration)
        }
        guard info.st_mode & 0o077 == 0 else {
            throw TriageError(
                "webhook.open-secret", "other users can read the secret file", at: file,
                remedy: "chmod 600 \(file)", exit: .badConfiguration)
        }
        return trimmed(try ConfigurationFile.read(file))
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        var slice = bytes[...]
        while let last = slice.last, last <= 0x20 { slice.removeLast() }
        while let first = slice.first, first <= 0x20 { slice.removeFirst() }
        return Array(slice)
    }
}
