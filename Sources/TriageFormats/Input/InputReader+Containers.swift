import TriageCore

/// Reads folders and archives as one tree.
extension InputReader {
    /// A folder or archive in progress.
    private struct Tree {
        var container: any Container
        /// Files that no format has read yet.
        var paths: [String]
        /// Whether it is an archive.
        var isArchive: Bool { container is ArchiveContainer }
        /// Folders that contain files of a platform's export.
        var exportFolders = Set<String>()
        /// Whether anything in it was read.
        var isKnown = false
        /// Files of unknown format; only the first ones are kept.
        var unknown: [(path: String, sight: String)] = []
        var unknownCount = 0

        /// Top-level folders and files that hold exports.
        var exportTops: Set<Substring> {
            Set(exportFolders.compactMap { $0.isEmpty ? nil : $0.split(separator: "/").first })
        }
    }

    func read(
        _ containers: [any Container], _ format: (any ExportFormat)?, _ log: ReadingLog, into assembler: BatchAssembler
    ) throws {
        var trees: [Tree] = []
        for container in containers {
            if let paths = try list(container, log, into: assembler) {
                trees.append(Tree(container: container, paths: paths))
            }
        }
        // Several exports may lie side by side: each format claims its own, and unclaimed files are judged one by one.
        for candidate in format.map({ [$0] }) ?? formats {
            while true {
                let places = trees.indices.filter { !isForeign(trees[$0].paths, to: candidate) }
                guard let claim = candidate.claim(places.flatMap { trees[$0].paths }) else { break }
                for missing in claim.detection.missing { notices(missing) }
                try read(places.map { trees[$0] }, claim, candidate, log, into: assembler)
                log.known += 1
                let claimed = Set(claim.passes.flatMap { $0 })
                let apart = Set(claim.coveredApart(in: places.flatMap { trees[$0].paths }))
                for index in places {
                    let isPart = trees[index].paths.contains {
                        claimed.contains($0) && (candidate.sharesNames || !candidate.isUnsure(of: $0))
                    }
                    trees[index].isKnown = trees[index].isKnown || trees[index].paths.contains(where: claimed.contains)
                    for path in trees[index].paths where claimed.contains(path) {
                        trees[index].exportFolders.insert(ContainerNames.folder(of: path))
                    }
                    trees[index].paths.removeAll {
                        claimed.contains($0) || (isPart ? claim.covers($0) : apart.contains($0))
                    }
                    // A part of an export that has only media counts as read.
                    if trees[index].paths.isEmpty { trees[index].isKnown = true }
                }
            }
        }
        try readEach(&trees, format, log, into: assembler)
        close(trees, log)
    }

    /// - Returns: nil when it cannot be read.
    private func list(
        _ container: any Container, _ log: ReadingLog, into assembler: BatchAssembler
    ) throws -> [String]? {
        let listing: Listing
        do {
            listing = try container.list()
        } catch let fault as ArchiveFault {
            if fault.reason.code == "input.stopped" { throw CancellationError() }
            try report(fault, container.name, log, into: assembler)
            return nil
        } catch let error as TriageError where error.code == "input.unreadable" && container is ArchiveContainer {
            log.leave(LeftOut(path: container.name, reason: error.what, error: error))
            return nil
        }
        if listing.isEncrypted {
            log.leave(.encrypted(container.name))
            return nil
        }
        if container is ArchiveContainer, let office = OfficeFile(listing.paths, name: container.name) {
            log.leave(.office(container.name, office))
            return nil
        }
        if !listing.refused.isEmpty {
            log.hasRejects = true
            assembler.beginSource(container.name)
        }
        for reason in listing.refused { try assembler.append(reject: reason, number: 0, offset: 0) }
        return listing.paths
    }

    /// Whether a folder or archive is an export of another format whose files have the same names.
    private func isForeign(_ paths: [String], to candidate: any ExportFormat) -> Bool {
        guard candidate.sharesNames, candidate.claim(paths) == nil else { return false }
        return formats.contains { $0.sharesNames && $0.name != candidate.name && $0.claim(paths) != nil }
    }

    /// Reads the files that a format claimed, pass by pass, with one reader.
    private func read(
        _ trees: [Tree], _ claim: Claim, _ format: any ExportFormat, _ log: ReadingLog, into assembler: BatchAssembler
    ) throws {
        let names = trees.map(\.container.name).joined(separator: ", ")
        let claimed = Set(claim.passes.flatMap { $0 })
        let context = ReadingContext(
            assembler: assembler, options: options, notices: notices, container: names,
            paths: trees.flatMap(\.paths).filter(claimed.contains),
            companions: trees.flatMap(\.paths).filter { !claimed.contains($0) && claim.covers($0) },
            repeats: log.repeats, unread: log.unread)
        let reader = format.makeReader(context)
        var empty = Set<String>()
        for (pass, paths) in claim.passes.enumerated() {
            let later = Set(claim.passes[(pass + 1)...].joined())
            for tree in trees {
                let present = Set(tree.paths)
                try visit(
                    tree.container, paths.filter(present.contains), pass, isLast: pass == claim.passes.count - 1,
                    later: later, context, log
                ) {
                    FormatDispatcher($0, context, formats: formats, format: format, reader: reader)
                } after: { dispatcher in
                    if dispatcher.isEmpty { empty.insert(dispatcher.member.source) }
                }
            }
        }
        try reader.finish()
        if let first = empty.min() {
            notices(
                empty.count == 1
                    ? "\(first) is empty: its contents are lost"
                    : "\(empty.count) files in the export are empty, such as \(first): their contents are lost"
            )
        }
    }

    /// Reads each file by its own content, and notes those of unknown format.
    private func readEach(
        _ trees: inout [Tree], _ format: (any ExportFormat)?, _ log: ReadingLog, into assembler: BatchAssembler
    ) throws {
        let context = ReadingContext(
            assembler: assembler, options: options, notices: notices, repeats: log.repeats, unread: log.unread)
        let generic: Set<String> = ["jsonl", "json-array", "csv"]
        for index in trees.indices {
            var tree = trees[index]
            try visit(tree.container, tree.paths, 0, isLast: true, context, log) {
                FormatDispatcher($0, context, formats: formats, format: format)
            } after: { dispatcher in
                let path = dispatcher.member.path
                if dispatcher.isUnknown {
                    tree.unknownCount += 1
                    if tree.unknown.count < 10_000 { tree.unknown.append((path, dispatcher.sight)) }
                } else if let detection = dispatcher.detection, !detection.hasMessages {
                    log.holdsNoMessages(detection)
                    tree.isKnown = true
                    tree.exportFolders.insert(ContainerNames.folder(of: path))
                } else {
                    log.known += 1
                    tree.isKnown = true
                    if let detection = dispatcher.detection, !generic.contains(detection.format) {
                        tree.exportFolders.insert(ContainerNames.folder(of: path))
                    }
                }
            }
            tree.paths = []
            trees[index] = tree
        }
    }

    /// Separates files that belong to exports from unrelated files, and reports the latter.
    private func close(_ trees: [Tree], _ log: ReadingLog) {
        for tree in trees where tree.unknownCount > 0 {
            let name = tree.container.name
            if tree.isArchive, !tree.isKnown {
                let first = tree.unknown[0]
                let sight =
                    tree.unknownCount == 1 ? first.sight : "\(tree.unknownCount) files, the first with \(first.sight)"
                if Sight.isPacked(first.sight) {
                    log.leave(packedInside(name))
                } else {
                    log.leave(unknown(name, sight))
                }
                continue
            }
            let tops = tree.exportTops
            for (path, sight) in tree.unknown {
                if !tree.exportFolders.isEmpty, tree.isArchive || isBeside(path, tree, tops) {
                    log.companions += 1
                } else {
                    log.leave(unknown(tree.isArchive ? name + ":" + path : name + "/" + path, sight))
                }
            }
            log.companions += tree.unknownCount - tree.unknown.count
        }
        if log.known == 0, !log.withoutMessages.isEmpty, log.count == 0 {
            sayNoMessages(at: trees.map(\.container.name).joined(separator: ", "), log.withoutMessages)
        }
    }

    /// Whether a file of unknown format in a folder is one that a platform puts beside the messages.
    private func isBeside(_ path: String, _ tree: Tree, _ tops: Set<Substring>) -> Bool {
        if ContainerNames.isMedia(path) { return true }
        guard let top = path.split(separator: "/").first, tops.contains(top) else { return false }
        // In the same folder as the messages, it may be anything.
        return !tree.exportFolders.contains(ContainerNames.folder(of: path))
    }

    private func packedInside(_ name: String) -> LeftOut {
        LeftOut(
            path: name, reason: "it contains compressed files, which are not read; unpack it and name the folder",
            error: TriageError(
                "input.packed-inside", "it contains compressed files, which are not read", at: name,
                remedy: "unpack it and name the folder", exit: .badData))
    }

    /// - Parameter later: files that a later pass reads again.
    private func visit(
        _ container: any Container, _ paths: [String], _ pass: Int, isLast: Bool, later: Set<String> = [],
        _ context: ReadingContext, _ log: ReadingLog, _ makePump: (Member) -> FormatDispatcher,
        after: (FormatDispatcher) -> Void = { _ in }
    ) throws {
        guard !paths.isEmpty else { return }
        var wasReported = false
        do {
            try container.read(paths) { path, next in
                let dispatcher = makePump(Member(path: path, source: container.name + ":" + path, pass: pass))
                do {
                    while let bytes = try next(), try dispatcher.feed(bytes) {
                        if stop?.isStopped == true { throw CancellationError() }
                    }
                    if stop?.isStopped == true { throw CancellationError() }
                    try dispatcher.finish()
                } catch let fault as ArchiveFault {
                    if fault.reason.code == "input.stopped" { throw CancellationError() }
                    wasReported = fault.reason.code != "archive.encrypted"
                    // A file that was deleted or cannot be opened is always reported as left out.
                    if fault.reason.code == "input.unreadable", !dispatcher.hasBytes {
                        if isLast { log.leave(.unreadable(container.name + "/" + path, fault.reason.reason)) }
                        wasReported = true
                        throw fault
                    }
                    log.hasRejects = true
                    // The messages read before the fault count; the fault is reported after them.
                    try dispatcher.finish(fault: wasReported && isLast ? fault.reason : nil)
                    // If no later pass reads the file, report the fault here; otherwise the last pass reports it after
                    // the messages.
                    if wasReported, !isLast, !later.contains(path) {
                        try report(fault, container.name + ":" + path, log, into: context.assembler)
                    }
                    throw fault
                } catch let error as TriageError where Self.isOfOneInput(error) {
                    log.leave(LeftOut(path: container.name + "/" + path, reason: error.what, error: error))
                    return
                }
                after(dispatcher)
            }
        } catch let fault as ArchiveFault {
            if fault.reason.code == "input.stopped" { throw CancellationError() }
            if isLast, !wasReported { try report(fault, container.name, log, into: context.assembler) }
        }
    }

    func report(_ fault: ArchiveFault, _ name: String, _ log: ReadingLog, into assembler: BatchAssembler) throws {
        if fault.reason.code == "archive.encrypted" {
            log.leave(.encrypted(name))
            return
        }
        log.hasRejects = true
        assembler.beginSource(name)
        try assembler.append(reject: fault.reason, number: 0, offset: 0)
    }
}

/// Reads an archive from a pipe in one pass, file by file as they arrive.
extension InputReader {
    /// Bytes after the last file (the central directory) that are read so that the writer of the pipe does not fail.
    private static let tail = 64 << 20

    /// - Parameter head: bytes that were already read.
    /// - Throws: ``TriageError`` `input.zip-needs-file` (66) for exports whose files must be examined together;
    ///   otherwise as ``read(into:)``.
    func read(
        piped source: ByteSource, _ head: [UInt8], _ kind: ArchiveKind, _ format: (any ExportFormat)?,
        _ log: ReadingLog, into assembler: BatchAssembler
    ) throws {
        guard !kind.needsFile else {
            throw TriageError(
                "input.zip-needs-file", "this is a \(kind.words), whose file list is at its end",
                at: source.name,
                remedy: "name its path instead: triage run EXPORT.\(kind.words)", exit: .noInput)
        }
        do {
            let archive = try ArchiveReader(source, kind: kind, prefix: head, limits: limits)
            try read(piped: archive, nil, source, format, log, into: assembler)
        } catch let fault as ArchiveFault {
            if fault.reason.code == "input.stopped" { return }
            try report(fault, source.name, log, into: assembler)
        }
    }

    /// - Parameter first: an entry that was already begun.
    func read(
        piped archive: ArchiveReader, _ first: ArchiveReader.Entry?, _ source: ByteSource,
        _ format: (any ExportFormat)?, _ log: ReadingLog, into assembler: BatchAssembler
    ) throws {
        if let format { try refuseIfTogether(format, "named by --from") }
        let context = ReadingContext(
            assembler: assembler, options: options, notices: notices, repeats: log.repeats, unread: log.unread)
        var tally = Tally()
        do {
            var next = first
            while let entry = try next ?? archive.nextEntry() {
                next = nil
                if stop?.isStopped == true { return }
                if tally.names.count < 1000 { tally.names.append(entry.path) }
                guard !ContainerNames.isJunk(entry.path) else { continue }
                if let refusal = entry.refusal {
                    log.hasRejects = true
                    assembler.beginSource(source.name)
                    try assembler.append(reject: refusal, number: 0, offset: 0)
                    continue
                }
                guard entry.isFile else { continue }
                guard !entry.isEncrypted else {
                    throw ArchiveFault("archive.encrypted", "the archive is encrypted; unpack it first")
                }
                try read(entry, of: archive, source.name, format, context, &tally)
            }
            try drain(source)
        } catch let fault as ArchiveFault {
            if fault.reason.code == "input.stopped" { return }
            if !tally.wasReported { try report(fault, source.name, log, into: assembler) }
            log.hasRejects = log.hasRejects || fault.reason.code != "archive.encrypted"
            tally.isBroken = true
        }
        close(tally, source.name, log)
    }

    /// What was found in the archive so far.
    private struct Tally {
        var known = 0
        var withoutMessages: [Detection] = []
        var unknown: [(path: String, sight: String)] = []
        var unknownCount = 0
        /// File names seen, as far as they help to identify the archive.
        var names: [String] = []
        /// Whether it is a platform's export.
        var isExport = false
        var isBroken = false
        /// Whether the fault that ended it was already reported after the messages of a file.
        var wasReported = false
    }

    private func read(
        _ entry: ArchiveReader.Entry, of archive: ArchiveReader, _ name: String, _ format: (any ExportFormat)?,
        _ context: ReadingContext, _ tally: inout Tally
    ) throws {
        let member = Member(path: entry.path, source: name + ":" + entry.path)
        let dispatcher = FormatDispatcher(member, context, formats: formats, format: format) { found, detection in
            // The path may say more than the content, for example Instagram or Facebook.
            for named in formats where found.claim([entry.path]) == nil {
                guard let claim = named.claim([entry.path]) else { continue }
                return try refuseIfTogether(named, claim.detection.reason)
            }
            try refuseIfTogether(found, detection.reason)
        }
        do {
            while let bytes = try archive.nextBytes(), try dispatcher.feed(bytes) {}
            try dispatcher.finish()
        } catch let fault as ArchiveFault {
            guard fault.reason.code != "input.stopped" else { throw fault }
            tally.wasReported = true
            try dispatcher.finish(fault: fault.reason)
            count(dispatcher, &tally)
            throw fault
        }
        count(dispatcher, &tally)
    }

    private func count(_ dispatcher: FormatDispatcher, _ tally: inout Tally) {
        if dispatcher.isUnknown {
            tally.unknownCount += 1
            if tally.unknown.count < ReadingLog.most {
                tally.unknown.append((dispatcher.member.path, dispatcher.sight))
            }
        } else if let detection = dispatcher.detection, !detection.hasMessages {
            if !tally.withoutMessages.contains(detection) { tally.withoutMessages.append(detection) }
        } else {
            tally.known += 1
            let generic = ["jsonl", "json-array", "csv"]
            tally.isExport = tally.isExport || dispatcher.detection.map { !generic.contains($0.format) } ?? false
        }
    }

    /// - Parameter reason: how it was recognized.
    private func refuseIfTogether(_ format: any ExportFormat, _ reason: String) throws {
        guard !format.readsFilesAlone else { return }
        let what = format.summary.prefix { $0 != "," && $0 != ":" }
        throw TriageError(
            "input.zip-needs-file",
            "this is \(what) (\(reason)); its files must be read together, which a piped zip does not allow",
            at: "-", remedy: "name the path of the zip instead: triage run EXPORT.zip (or triage run < EXPORT.zip)",
            exit: .noInput)
    }

    private func drain(_ source: ByteSource) throws {
        var left = Self.tail
        while left > 0, case .bytes(let bytes) = try source.next(whenIdle: {}) { left -= bytes.count }
    }

    private func close(_ tally: Tally, _ name: String, _ log: ReadingLog) {
        log.known += tally.known
        for detection in tally.withoutMessages { log.holdsNoMessages(detection) }
        if tally.known == 0, !tally.withoutMessages.isEmpty { sayNoMessages(at: name, tally.withoutMessages) }
        // An empty archive counts as read, too.
        if tally.unknownCount == 0, !tally.isBroken { log.known += 1 }
        guard let first = tally.unknown.first else { return }
        if tally.known == 0, tally.withoutMessages.isEmpty {
            guard !tally.isBroken else { return }
            if let office = OfficeFile(tally.names, name: name) { return log.leave(.office(name, office)) }
            return log.leave(
                unknown(
                    name,
                    tally.unknownCount == 1
                        ? first.sight : "\(tally.unknownCount) files, the first with \(first.sight)"))
        }
        if tally.isExport {
            log.companions += tally.unknownCount
        } else {
            for (path, sight) in tally.unknown { log.leave(unknown(name + ":" + path, sight)) }
            for _ in tally.unknown.count..<tally.unknownCount { log.leave(unknown(name, first.sight)) }
        }
    }
}
