import Platform
package import TriageCore

/// Reads all inputs of a run and pushes their messages into batches.
///
/// Paths are files (plain, compressed, or archives), folders, or `-` for stdin. Formats are detected by content unless
/// one is named. Memory is bounded by chunks, one record and, for exports written newest first, one conversation.
/// Nothing is ever written to disk.
package struct InputReader: Sendable {
    package typealias Options = ReadingOptions

    let options: Options
    let formats: [any ExportFormat]
    let limits: ArchiveReader.Limits
    let stop: InputStop?
    let notices: @Sendable (String) -> Void

    /// - Parameters:
    ///   - stop: ends reading early; nil: nothing does.
    ///   - notices: receives notices for people, such as which column was taken for the text.
    package init(
        options: Options, stop: InputStop? = nil, notices: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(options: options, stop: stop, limits: ArchiveReader.Limits(), notices: notices)
    }

    init(
        options: Options, stop: InputStop? = nil, formats: [any ExportFormat] = ExportFormats.standard,
        limits: ArchiveReader.Limits, notices: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.options = options
        self.stop = stop
        self.formats = formats
        self.limits = limits
        self.notices = notices
    }

    /// Reads all paths in order; all folders and archives are read together, at the position of the first.
    ///
    /// An archive in a folder is read as if it had been named. Duplicates are read once: the same file, a copy of an
    /// archive, or overlapping exports. Among several inputs, those that cannot be read or are not exports are left
    /// out, reported to `notices` at the end, and counted.
    ///
    /// - Returns: how many files were left out.
    /// - Throws: ``TriageError`` `input.bad-map` (64), `input.unreadable` (66), `input.unknown-format` (65),
    ///   `archive.encrypted` (66), `input.which-column` (65), `input.own-file` (64), where nothing can be read; what
    ///   the assembler throws.
    @discardableResult
    package func read(into assembler: BatchAssembler) throws -> Int {
        let format = try options.format.map { try ExportFormats.named($0, among: formats) }
        // Report wrong options first, whatever the inputs are.
        _ = try ColumnMapping.names(options.columns)
        let log = ReadingLog()
        do {
            // Check all inputs before reading the first: a typo in the last path should not cost an hour.
            let inputs = try gather(log)
            for input in inputs {
                if stop?.isStopped == true { break }
                switch input {
                case .containers(let containers): try read(containers, format, log, into: assembler)
                case .file(let path): try read(file: path, format, log, into: assembler)
                }
            }
        } catch is CancellationError {
            guard stop?.isStopped == true else { throw CancellationError() }
        }
        let isStopped = stop?.isStopped == true
        if !isStopped, let failure = log.failure({ unknownFormat(at: $0, saw: $1) }, at: options.paths) {
            if log.count > 1 { log.tell(notices) }
            throw failure
        }
        log.tell(notices)
        return log.count
    }

    // MARK: Files and stdin

    private func read(
        file path: String, _ format: (any ExportFormat)?, _ log: ReadingLog, into assembler: BatchAssembler
    ) throws {
        let source: ByteSource
        do {
            source = try ByteSource(path: path, stop: stop, idleLimit: options.idleLimit)
        } catch let error as TriageError {
            return log.leave(LeftOut(path: path, reason: error.what, error: error))
        }
        let name = path == "-" ? "-" : String(path.split(separator: "/").last ?? "-")
        let context = ReadingContext(
            assembler: assembler, options: options, notices: notices, repeats: options.isLive ? nil : log.repeats,
            unread: log.unread)
        let dispatcher = FormatDispatcher(Member(path: name, source: path), context, formats: formats, format: format)
        do {
            try read(source, dispatcher, format, log, into: assembler)
        } catch let error as TriageError where Self.isOfOneInput(error) {
            return log.leave(LeftOut(path: path, reason: error.what, error: error))
        }
    }

    /// Whether an error only means that one input is not an export, so that others can still be read.
    static func isOfOneInput(_ error: TriageError) -> Bool {
        ["input.which-column", "input.unknown-format", "input.zip-needs-file", "input.packed-inside"].contains(
            error.code)
    }

    private func read(
        _ source: ByteSource, _ dispatcher: FormatDispatcher, _ format: (any ExportFormat)?, _ log: ReadingLog,
        into assembler: BatchAssembler
    ) throws {
        var head: [UInt8] = []
        var isFirst = true
        var wantsMore = true
        while wantsMore {
            switch try source.next(whenIdle: { try dispatcher.idle() }) {
            case .stopped: return
            case .end:
                if isFirst, !head.isEmpty { _ = try head.withUnsafeBufferPointer { try dispatcher.feed($0) } }
                try dispatcher.finish()
                return note(dispatcher, source.name, log)
            case .bytes(let bytes):
                options.observer?(bytes)
                if isFirst {
                    // A pipe may return very few bytes at a time.
                    if !head.isEmpty || ArchiveKind.mayBecomeTar(bytes) {
                        head.append(contentsOf: bytes)
                        if ArchiveKind.mayBecomeTar(head) { continue }
                    }
                    switch head.isEmpty ? ArchiveKind(bytes) : ArchiveKind(head) {
                    case nil: break
                    case .packed(let filter):
                        return try read(
                            packed: source, head.isEmpty ? Array(bytes) : head, filter, dispatcher, format, log,
                            into: assembler)
                    case let kind?:
                        return try read(
                            piped: source, head.isEmpty ? Array(bytes) : head, kind, format, log, into: assembler)
                    }
                }
                isFirst = false
                wantsMore =
                    head.isEmpty
                    ? try dispatcher.feed(bytes) : try head.withUnsafeBufferPointer { try dispatcher.feed($0) }
                head = []
            }
        }
        try dispatcher.finish()
        note(dispatcher, source.name, log)
    }

    private func read(
        packed source: ByteSource, _ head: [UInt8], _ filter: ArchiveKind.Filter, _ dispatcher: FormatDispatcher,
        _ format: (any ExportFormat)?, _ log: ReadingLog, into assembler: BatchAssembler
    ) throws {
        do {
            let isSeekable = source.isSeekable
            if isSeekable { try source.rewind() }
            let archive = try ArchiveReader(
                source, kind: .packed(filter), prefix: isSeekable ? [] : head, limits: limits)
            guard let entry = try archive.nextEntry() else { return try dispatcher.finish() }
            if archive.isTar {
                return try read(piped: archive, entry, source, format, log, into: assembler)
            }
            while let bytes = try archive.nextBytes(), try dispatcher.feed(bytes) {}
            try dispatcher.finish()
        } catch let fault as ArchiveFault {
            if fault.reason.code == "input.stopped" { return }
            log.hasRejects = true
            try dispatcher.finish(fault: fault.reason)
        }
        note(dispatcher, source.name, log)
    }

    /// Counts a file that is an input of its own.
    private func note(_ dispatcher: FormatDispatcher, _ path: String, _ log: ReadingLog) {
        if dispatcher.isUnknown {
            log.leave(unknown(path, dispatcher.sight))
        } else if let detection = dispatcher.detection, !detection.hasMessages {
            log.holdsNoMessages(detection)
            sayNoMessages(at: path, [detection])
        } else {
            log.known += 1
        }
    }

    /// - Parameter found: what the files were identified as.
    func sayNoMessages(at path: String, _ found: [Detection]) {
        var kinds: [String] = []
        var advice: [String] = []
        for detection in found {
            if !kinds.contains(detection.reason), kinds.count < 3 { kinds.append(detection.reason) }
            for words in detection.missing where !advice.contains(words) && advice.count < 3 { advice.append(words) }
        }
        let what = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
        notices(
            "\(path) belongs to an export but contains no messages\(what); name the whole export, as folder or zip")
        for words in advice { notices(words) }
    }

    func unknown(_ path: String, _ sight: String) -> LeftOut {
        LeftOut(path: path, reason: sight, error: unknownFormat(at: path, saw: sight))
    }

    func unknownFormat(at path: String, saw: String) -> TriageError {
        let column =
            options.columns.contains { $0.hasPrefix("text=") } ? "a text column that it has" : "the text column"
        return TriageError(
            "input.unknown-format", "this is not a known message export; found \(saw)", at: path,
            remedy: "name the format with --from (" + formats.map(\.name).joined(separator: ", ")
                + ") or \(column) with --map text=COLUMN", exit: .badData)
    }
}
