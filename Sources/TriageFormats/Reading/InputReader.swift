public import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads everything that a run was given and pushes it into batches.
///
/// Paths are files (plain, gzip, zstd, zip), folders, or `-` for standard input. Formats are found by content unless
/// one is named. Memory is bounded by chunks, one record and, for exports that are written newest first, one
/// conversation. Nothing is ever written to disk.
public struct InputReader: Sendable {
    /// What decides how inputs are read.
    public struct Options: Sendable {
        /// Files, folders, archives; `-` is standard input.
        public var paths = ["-"]
        /// Name of the format; nil: found by content.
        public var format: String?
        /// `field=column` each, such as `text=body`.
        public var columns: [String] = []
        /// Bytes of the longest line, row or element that is read.
        public var maximumLine = 16 << 20
        /// Handles or names that are the creator's own.
        public var ownIdentities: [String] = []
        /// Whether blank lines of JSONL are handed on, to be answered in place.
        public var answersBlankLines = false
        /// IANA name of the zone of times that say none; empty: UTC.
        public var timeZone = ""
        /// Order of day, month and year in dates that do not show it.
        public var dateOrder: DateOrder?
        /// Whether the input comes a record at a time and each is wanted at once: what it is, is settled by its first line,
        /// which is a delivery of a webhook or, whatever else it is, a record.
        public var isLive = false
        /// Whether somebody checked the signatures of deliveries before, who saw them come.
        public var trustsDeliveries = false
        /// How long an input may say nothing; nil: for ever.
        ///
        /// Then reading ends with ``TriageError`` `input.idle`.
        public var idleLimit: Duration?
        /// Files that the run writes: left out of folders, and refused where they are named.
        public var ownFiles: [String] = []
        /// Files that the run replaces at its end: left out of folders, for an earlier run made them; one that is named
        /// is read.
        public var replacedFiles: [String] = []
        /// Gets the bytes of plain files and streams as they are read.
        public var observer: (@Sendable (UnsafeBufferPointer<UInt8>) -> Void)?

        public init() {}
    }

    let options: Options
    let formats: [any ExportFormat]
    let limits: ArchiveReader.Limits
    let stop: InputStop?
    let notices: @Sendable (String) -> Void

    /// - Parameters:
    ///   - stop: ends reading early; nil: nothing does.
    ///   - notices: gets what people should know, such as which column was taken for the text.
    public init(
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

    /// Reads all paths in order; folders and archives count as one tree, read where the first of them stands.
    ///
    /// - Throws: ``TriageError`` `input.bad-map` (64), `input.unreadable` (66), `input.unknown-format` (65), `archive.encrypted` (66),
    ///   `input.which-column` (65), `input.own-file` (64); what the assembler throws.
    public func read(into assembler: BatchAssembler) throws {
        let format = try options.format.map { try ExportFormats.named($0, among: formats) }
        // A wrong use is told whatever the inputs are, and before any of them is read.
        _ = try ColumnMapping.names(options.columns)
        // All are opened once before the first is read: a typing error in the last path should not cost an hour.
        let own = OwnFiles(options.ownFiles)
        let leftOut = OwnFiles(options.ownFiles + options.replacedFiles)
        var containers: [any Container] = []
        var files: [(path: String, isFirstContainer: Bool)] = []
        for path in options.paths {
            if let container = try container(at: path, own: own, leftOut: leftOut) {
                if containers.isEmpty { files.append((path, true)) }
                containers.append(container)
            } else {
                files.append((path, false))
            }
        }
        for file in files {
            if stop?.isStopped == true { return }
            do {
                if file.isFirstContainer {
                    try read(containers, format, into: assembler)
                } else {
                    try read(file: file.path, format, into: assembler)
                }
            } catch is CancellationError {
                if stop?.isStopped == true { return }
                throw CancellationError()
            }
        }
    }

    /// - Parameters:
    ///   - own: refused.
    ///   - leftOut: of a folder.
    func container(
        at path: String, own: OwnFiles = OwnFiles([]), leftOut: OwnFiles = OwnFiles([])
    ) throws -> (any Container)? {
        var status = stat()
        if path == "-" {
            if fstat(0, &status) == 0, own.contains(status) { throw Self.isOwn("standard input") }
            // `triage < export.zip` can be read like a file; what comes through a pipe cannot.
            let source = try ByteSource(path: path, stop: stop)
            return source.beginsAsZip ? ZipContainer(source, limits: limits) : nil
        }
        guard stat(path, &status) == 0 else { throw ByteSource.unreadable(path) }
        if status.st_mode & S_IFMT == S_IFDIR { return FolderContainer(name: path, stop: stop, own: leftOut) }
        if own.contains(status) { throw Self.isOwn(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let source = try ByteSource(path: path, stop: nil)
        guard case .bytes(let head) = try source.next(whenIdle: {}), Magic(head) == .zip else { return nil }
        return ZipContainer(source, limits: limits)
    }

    private static func isOwn(_ path: String) -> TriageError {
        TriageError(
            "input.own-file", "this file is written by this run: it cannot be read by it too", at: path,
            remedy: "name the export itself", exit: .usage)
    }

    /// The first bytes of packed files.
    enum Magic {
        case zip, packed, plain

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
                self = .zip
            } else if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
                self = .packed
            } else {
                self = .plain
            }
        }
    }

    // MARK: Files and standard input

    private func read(file path: String, _ format: (any ExportFormat)?, into assembler: BatchAssembler) throws {
        let source = try ByteSource(path: path, stop: stop, idleLimit: options.idleLimit)
        let name = path == "-" ? "-" : String(path.split(separator: "/").last ?? "-")
        let context = ReadingContext(assembler: assembler, options: options, notices: notices)
        let pump = MemberPump(Member(path: name, source: path), context, formats: formats, format: format)
        var isFirst = true
        var wantsMore = true
        while wantsMore {
            switch try source.next(whenIdle: { try pump.idle() }) {
            case .stopped: return
            case .end:
                try pump.finish()
                try refuseIfUnknown(pump, path)
                return
            case .bytes(let bytes):
                options.observer?(bytes)
                if isFirst {
                    switch Magic(bytes) {
                    case .plain: break
                    case .packed: return try read(packed: source, Array(bytes), pump)
                    case .zip: return try read(pipedZip: source, Array(bytes), format, into: assembler)
                    }
                }
                isFirst = false
                wantsMore = try pump.feed(bytes)
            }
        }
        try pump.finish()
        try refuseIfUnknown(pump, path)
    }

    private func read(packed source: ByteSource, _ head: [UInt8], _ pump: MemberPump) throws {
        do {
            let isSeekable = source.isSeekable
            if isSeekable { try source.rewind() }
            let archive = try ArchiveReader(source, kind: .packed, prefix: isSeekable ? [] : head, limits: limits)
            guard try archive.nextEntry() != nil else { return try pump.finish() }
            while let bytes = try archive.nextBytes(), try pump.feed(bytes) {}
            try pump.finish()
        } catch let fault as ArchiveFault {
            if fault.reason.code == "input.stopped" { return }
            try pump.finish(fault: fault.reason)
        }
        try refuseIfUnknown(pump, source.name)
    }

    func refuseIfUnknown(_ pump: MemberPump, _ path: String) throws {
        if pump.isUnknown { throw unknownFormat(at: path, saw: pump.sight) }
        if let detection = pump.detection, !detection.hasMessages { sayNoMessages(at: path, [detection]) }
    }

    /// - Parameter found: what the files were taken for.
    func sayNoMessages(at path: String, _ found: [Detection]) {
        var kinds: [String] = []
        var advice: [String] = []
        for detection in found {
            if !kinds.contains(detection.reason), kinds.count < 3 { kinds.append(detection.reason) }
            for words in detection.missing where !advice.contains(words) && advice.count < 3 { advice.append(words) }
        }
        let what = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
        notices(
            "\(path) belongs to an export but holds no messages\(what); give the whole export, as folder or zip")
        for words in advice { notices(words) }
    }

    func unknownFormat(at path: String, saw: String) -> TriageError {
        let column =
            options.columns.contains { $0.hasPrefix("text=") } ? "a text column that it has" : "the text column"
        return TriageError(
            "input.unknown-format", "this is no message export that triage knows; it saw \(saw)", at: path,
            remedy: "name the format with --from (" + formats.map(\.name).joined(separator: ", ")
                + ") or \(column) with --map text=COLUMN", exit: .badData)
    }

    // MARK: Folders and archives

    private func read(
        _ containers: [any Container], _ format: (any ExportFormat)?, into assembler: BatchAssembler
    ) throws {
        var listings: [(container: any Container, paths: [String])] = []
        for container in containers {
            do {
                let (paths, refused) = try container.list()
                listings.append((container, paths))
                if !refused.isEmpty { assembler.beginSource(container.name) }
                for reason in refused { try assembler.append(reject: reason, number: 0, offset: 0) }
            } catch let fault as ArchiveFault {
                try report(fault, container.name, into: assembler)
            }
        }
        // Several exports may lie side by side: each claims its own, and what nobody claims is judged file by file.
        var known = 0
        for candidate in format.map({ [$0] }) ?? formats {
            while true {
                let places = listings.indices.filter { !isForeign(listings[$0].paths, to: candidate) }
                guard let claim = candidate.claim(places.flatMap { listings[$0].paths }) else { break }
                for missing in claim.detection.missing { notices(missing) }
                try read(places.map { listings[$0] }, claim, candidate, into: assembler)
                known += 1
                let claimed = Set(claim.passes.flatMap { $0 })
                let apart = Set(claim.coveredApart(in: places.flatMap { listings[$0].paths }))
                for index in places {
                    let isPart = listings[index].paths.contains {
                        claimed.contains($0) && (candidate.sharesNames || !candidate.isUnsure(of: $0))
                    }
                    listings[index].paths.removeAll {
                        claimed.contains($0) || (isPart ? claim.covers($0) : apart.contains($0))
                    }
                }
            }
        }
        if known == 0 || listings.contains(where: { !$0.paths.isEmpty }) {
            try readEach(listings, format, knownBefore: known, into: assembler)
        }
    }

    /// Whether a folder or archive is an export of another format that has files of the same names.
    private func isForeign(_ paths: [String], to candidate: any ExportFormat) -> Bool {
        guard candidate.sharesNames, candidate.claim(paths) == nil else { return false }
        return formats.contains { $0.sharesNames && $0.name != candidate.name && $0.claim(paths) != nil }
    }

    /// Reads what a format claimed, pass by pass, with one reader.
    private func read(
        _ listings: [(container: any Container, paths: [String])], _ claim: Claim, _ format: any ExportFormat,
        into assembler: BatchAssembler
    ) throws {
        let names = listings.map(\.container.name).joined(separator: ", ")
        let claimed = Set(claim.passes.flatMap { $0 })
        let context = ReadingContext(
            assembler: assembler, options: options, notices: notices, container: names,
            paths: listings.flatMap(\.paths).filter(claimed.contains),
            companions: listings.flatMap(\.paths).filter { !claimed.contains($0) && claim.covers($0) })
        let reader = format.makeReader(context)
        var empty = Set<String>()
        for (pass, paths) in claim.passes.enumerated() {
            let later = Set(claim.passes[(pass + 1)...].joined())
            for (container, own) in listings {
                let present = Set(own)
                try visit(
                    container, paths.filter(present.contains), pass, isLast: pass == claim.passes.count - 1,
                    later: later, context
                ) {
                    MemberPump($0, context, formats: formats, format: format, reader: reader)
                } after: { pump in
                    if pump.isEmpty { empty.insert(pump.member.source) }
                }
            }
        }
        try reader.finish()
        if let first = empty.min() {
            notices(
                empty.count == 1
                    ? "\(first) is empty: what it should hold is lost"
                    : "\(empty.count) files of the export are empty, \(first) among them: what they should hold is lost"
            )
        }
    }

    /// Reads every file by its own content; those of no known format are left out.
    private func readEach(
        _ listings: [(container: any Container, paths: [String])], _ format: (any ExportFormat)?, knownBefore: Int,
        into assembler: BatchAssembler
    ) throws {
        let context = ReadingContext(assembler: assembler, options: options, notices: notices)
        var unknown: [MemberPump] = []
        var skipped = 0
        var withoutMessages: [Detection] = []
        var known = knownBefore
        for (container, paths) in listings {
            try visit(container, paths, 0, isLast: true, context) {
                MemberPump($0, context, formats: formats, format: format)
            } after: { pump in
                if pump.isUnknown {
                    skipped += 1
                    if unknown.isEmpty { unknown.append(pump) }
                } else if let detection = pump.detection, !detection.hasMessages {
                    if !withoutMessages.contains(detection) { withoutMessages.append(detection) }
                } else {
                    known += 1
                }
            }
        }
        // Whoever keeps downloads in a folder is told that they are not looked into, and how they are.
        let packed = listings.flatMap(\.paths).filter { $0.hasSuffix(".zip") || $0.hasSuffix(".tgz") }
        if known == 0, !packed.isEmpty {
            throw TriageError(
                "input.packed-inside", "it holds packed exports, which are not looked into",
                at: listings.map(\.container.name).joined(separator: ", "),
                remedy: "name the packed files themselves, as the shell does for FOLDER/*", exit: .badData)
        }
        if known == 0, withoutMessages.isEmpty, let first = unknown.first {
            throw unknownFormat(
                at: listings.map(\.container.name).joined(separator: ", "),
                saw: skipped == 1 ? first.sight : "\(skipped) files, the first with \(first.sight)")
        }
        if known == 0, !withoutMessages.isEmpty {
            sayNoMessages(at: listings.map(\.container.name).joined(separator: ", "), withoutMessages)
        }
        guard skipped > 0 else { return }
        notices(
            skipped == 1
                ? "1 file of no known format was left out" : "\(skipped) files of no known format were left out")
    }

    /// - Parameter later: files that a later pass reads again.
    private func visit(
        _ container: any Container, _ paths: [String], _ pass: Int, isLast: Bool, later: Set<String> = [],
        _ context: ReadingContext, _ makePump: (Member) -> MemberPump, after: (MemberPump) -> Void = { _ in }
    ) throws {
        guard !paths.isEmpty else { return }
        var wasReported = false
        do {
            try container.read(paths) { path, next in
                if stop?.isStopped == true { throw CancellationError() }
                let pump = makePump(Member(path: path, source: container.name + ":" + path, pass: pass))
                do {
                    while let bytes = try next(), try pump.feed(bytes) {}
                    try pump.finish()
                } catch let fault as ArchiveFault {
                    wasReported = fault.reason.code != "archive.encrypted"
                    // What was read of the file counts, with the fault behind it.
                    try pump.finish(fault: wasReported && isLast ? fault.reason : nil)
                    // Of a file that no later pass reads it is told here: the others tell it where their messages stand.
                    if wasReported, !isLast, !later.contains(path) {
                        try report(fault, container.name + ":" + path, into: context.assembler)
                    }
                    throw fault
                }
                after(pump)
            }
        } catch let fault as ArchiveFault {
            if fault.reason.code == "input.stopped" { throw CancellationError() }
            if isLast, !wasReported { try report(fault, container.name, into: context.assembler) }
        }
    }

    func report(_ fault: ArchiveFault, _ name: String, into assembler: BatchAssembler) throws {
        if fault.reason.code == "archive.encrypted" {
            throw TriageError(
                fault.reason.code, "the archive is encrypted", at: name, remedy: "unpack it and give the folder",
                exit: .noInput)
        }
        assembler.beginSource(name)
        try assembler.append(reject: fault.reason, number: 0, offset: 0)
    }
}
