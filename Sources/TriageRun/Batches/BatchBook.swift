import Platform
import TriageCore
package import TriageLLM

/// The state file kept between submitting batches and collecting them: what is known of each submitted batch.
///
/// It holds ids, counts and digests, but no message text and no key.
package struct BatchBook: Equatable {
    /// Increased when the meaning of a member changes.
    package static let version = 2

    package var provider: String
    package var model: String
    /// What all answers depend on apart from their questions: model, prompt, profile and library
    /// (``LLMBatch/identity``).
    package var asking: String
    /// The ``RunSecret`` of the requests; answers that contain the canary word derived from it are rejected.
    package var secret: String
    package var batches: [Batch] = []

    package struct Batch: Equatable {
        package var phase: Phase
        /// The server's id of the batch; nil until the server has returned it.
        package var id: String?
        /// The id of the uploaded file, for providers whose batches are made from an upload.
        package var upload: String?
        /// When the batch was about to be sent, in seconds since 1970.
        package var created: Int
        /// The number of questions in the batch.
        package var count: Int
        /// The number of requests in the batch; each request holds one pack of questions.
        package var requests: Int
        /// The digest of the bytes as they were sent, 64 hex digits.
        package var digest: String
        /// The digests of the batch's answers, pack by pack; empty once the batch is finished with.
        package var answers: [[String]]
    }

    package enum Phase: String {
        /// The batch is being sent. If the program ends now, nobody knows whether the server has it.
        case submitting
        case submitted
        /// Its answers are in the cache or will never come.
        case collected
        /// The server refused the whole batch.
        case failed
    }

    /// Digests of answers that are still to come; asking for them again would mean paying twice.
    package var underWay: Set<String> {
        Set(batches.filter { $0.phase == .submitting || $0.phase == .submitted }.flatMap { $0.answers.joined() })
    }
}

extension BatchBook {
    /// A batch with 100,000 answer digests takes 7 MB.
    package static let limits = JSONLimits(bytes: 1 << 30, values: 1 << 24)

    package var bytes: [UInt8] {
        let batches = batches.map { batch in
            JSONValue.object([
                JSONMember("state", .string(batch.phase.rawValue)),
                JSONMember("id", batch.id.map { .string($0) } ?? .null),
                JSONMember("upload", batch.upload.map { .string($0) } ?? .null),
                JSONMember("created", .number("\(batch.created)")),
                JSONMember("messages", .number("\(batch.count)")),
                JSONMember("requests", .number("\(batch.requests)")),
                JSONMember("digest", .string(batch.digest)),
                JSONMember("answers", .array(batch.answers.map { .array($0.map { .string($0) }) })),
            ])
        }
        return JSONValue.object([
            JSONMember("triage_batch", .number("\(Self.version)")),
            JSONMember("provider", .string(provider)), JSONMember("model", .string(model)),
            JSONMember("asking", .string(asking)), JSONMember("secret", .string(secret)),
            JSONMember("batches", .array(batches)),
        ]).encoded + [0x0A]
    }

    /// - Throws: ``TriageError`` (exit 65) for a file that is not a batch state or has a later version.
    package init(_ bytes: [UInt8], at path: String) throws {
        guard let root = try? StrictJSON.parse(bytes, limits: Self.limits), let version = root["triage_batch"]?.integer
        else { throw Self.unreadable(path) }
        guard version == Self.version || version == 1 else {
            throw TriageError(
                "batch.other-version", "the state file has version \(version); this program reads \(Self.version)",
                at: path,
                remedy: "use the version of triage that wrote it", exit: .badData)
        }
        guard let provider = root["provider"]?.string, let model = root["model"]?.string,
            let asking = root["asking"]?.string, let secret = root["secret"]?.string, RunSecret(hex: secret) != nil,
            let rows = root["batches"]?.array
        else { throw Self.unreadable(path) }
        self.init(provider: provider, model: model, asking: asking, secret: secret)
        for row in rows {
            guard let batch = Batch(row) else { throw Self.unreadable(path) }
            batches.append(batch)
        }
    }

    private static func unreadable(_ path: String) -> TriageError {
        TriageError(
            "batch.bad-state", "this is not a batch state file, or it is damaged", at: path,
            remedy: "name the file that `triage batch submit --state` created", exit: .badData)
    }
}

extension BatchBook.Batch {
    fileprivate init?(_ row: JSONValue) {
        guard let phase = row["state"]?.string.flatMap(BatchBook.Phase.init), let id = row["id"],
            let upload = row["upload"], let created = row["created"]?.integer, (0...1 << 40).contains(created),
            let requests = row["requests"]?.integer, (0...1 << 30).contains(requests),
            let digest = row["digest"]?.string,
            let rows = row["answers"]?.array
        else { return nil }
        // Version 1 had one message per request and stored its digest as a plain string.
        let answers = rows.map { pack in pack.string.map { [$0] } ?? (pack.array ?? []).compactMap(\.string) }
        guard zip(answers, rows).allSatisfy({ !$0.isEmpty && $0.count == $1.array?.count ?? 1 }),
            answers.allSatisfy({ $0.allSatisfy { $0.utf8.count == 64 } }), phase != .submitted || id.string != nil
        else { return nil }
        self.init(
            phase: phase, id: id.string, upload: upload.string, created: created,
            count: row["messages"]?.integer.flatMap { (0...1 << 30).contains($0) ? $0 : nil } ?? requests,
            requests: requests, digest: digest,
            answers: answers)
    }
}

/// The batch state file, locked for one process at a time: two processes that submit would pay for the same answers.
///
/// The lock is on the file itself and passes to each new file that replaces it. So there is no extra lock file, and a
/// killed process leaves no lock behind.
package final class BatchBookFile {
    package let path: String
    private var lock: Int32

    /// Opens and locks the file.
    ///
    /// - Parameter creates: whether to create an empty file when there is none.
    /// - Throws: ``TriageError``: exit 66 when there is no file, 73 when it cannot be used, 75 while another process
    ///   has it.
    package init(path: String, creates: Bool = false) throws {
        self.path = path
        let descriptor = try Self.open(path, creates: creates)
        lock = descriptor
        var (mine, current) = (stat(), stat())
        // If the file was replaced in the meantime, it belongs to the process that replaced it.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &mine) == 0, lstat(path, &current) == 0,
            current.st_ino == mine.st_ino, current.st_dev == mine.st_dev
        else {
            close(descriptor)
            throw TriageError(
                "batch.busy", "another process is using this state file", at: path,
                remedy: "wait until it has ended, and try again", exit: .temporary)
        }
    }

    deinit { close(lock) }

    /// The stored state; nil for a new file.
    package func read() throws -> BatchBook? {
        try Self.read(path)
    }

    /// Reads a state file without locking it, for commands that only look.
    ///
    /// - Throws: the errors of ``init(path:creates:)``, and ``TriageError`` (exit 65) for a file that is not a batch
    ///   state.
    package static func read(_ path: String) throws -> BatchBook? {
        let descriptor = try open(path, creates: false)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        let fault = DescriptorChunks.forEach(of: descriptor) {
            bytes.append(contentsOf: $0)
            return bytes.count <= BatchBook.limits.bytes
        }
        guard fault == 0 else {
            throw TriageError(
                "batch.no-state", "cannot read the state file: \(String(cString: strerror(fault)))", at: path,
                remedy: SystemFault.remedy(fault, otherwise: nil), exit: SystemFault.exit(fault, otherwise: .ioError))
        }
        return bytes.isEmpty ? nil : try BatchBook(bytes, at: path)
    }

    /// Opens a possible state file; it must be a regular file, not a symbolic link.
    private static func open(_ path: String, creates: Bool) throws -> Int32 {
        // Without O_NONBLOCK, opening a pipe would wait for its other end.
        var flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
        if creates { flags |= O_CREAT }
        let descriptor = systemOpen(path, flags, 0o600)
        guard descriptor >= 0 else {
            let reason = errno
            if reason == ENOENT, !creates {
                throw TriageError(
                    "batch.no-state", "no such file", at: path,
                    remedy: "run `triage batch submit --state \(path)` first", exit: .noInput)
            }
            throw TriageError(
                "batch.no-state", "cannot open the state file: \(String(cString: strerror(reason)))", at: path,
                remedy: SystemFault.remedy(reason, otherwise: "name a regular file in a writable folder"),
                exit: SystemFault.exit(reason, otherwise: .cannotCreate))
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TriageError(
                "batch.no-state", "this is not a regular file", at: path, remedy: "give the path of a regular file",
                exit: .cannotCreate)
        }
        return descriptor
    }

    /// Removes the file if it is new and nothing was written to it.
    package func discardIfEmpty() {
        var info = stat()
        if fstat(lock, &info) == 0, info.st_size == 0 { unlink(path) }
    }

    /// Replaces the state file; once this returns, no crash can lose the new state.
    package func save(_ book: BatchBook) throws {
        let file = try OutputFile(path: path)
        do {
            try file.writer.write(book.bytes)
        } catch {
            file.discard()
            throw error
        }
        // The new file is locked before any other process can find it.
        let next = dup(file.writer.descriptor)
        _ = fcntl(next, F_SETFD, FD_CLOEXEC)
        guard next >= 0, flock(next, LOCK_EX | LOCK_NB) == 0 else {
            if next >= 0 { close(next) }
            file.discard()
            throw TriageError("batch.no-lock", "cannot lock the state file", at: path, exit: .ioError)
        }
        do {
            try file.commit()
        } catch {
            close(next)
            throw error
        }
        close(lock)
        lock = next
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
