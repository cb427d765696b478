import TriageCore

/// An archive that comes through a pipe is read in one pass, file by file, as they come.
extension InputReader {
    /// Bytes behind the last file (the list of all files) that are read for the sake of who writes into the pipe.
    private static let tail = 64 << 20

    /// - Parameter head: what was read of it already.
    /// - Throws: ``TriageError`` `input.zip-needs-file` (66) for exports whose files must be looked at together;
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

    /// - Parameter first: the entry that was begun already.
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

    /// What was found in it so far.
    private struct Tally {
        var known = 0
        var withoutMessages: [Detection] = []
        var unknown: [(path: String, sight: String)] = []
        var unknownCount = 0
        /// What it holds, as far as that tells what it is.
        var names: [String] = []
        /// Whether a platform made it.
        var isExport = false
        var isBroken = false
        /// Whether the fault that ended it is told already, behind what was read of a file.
        var wasReported = false
    }

    private func read(
        _ entry: ArchiveReader.Entry, of archive: ArchiveReader, _ name: String, _ format: (any ExportFormat)?,
        _ context: ReadingContext, _ tally: inout Tally
    ) throws {
        let member = Member(path: entry.path, source: name + ":" + entry.path)
        let dispatcher = FormatDispatcher(member, context, formats: formats, format: format) { found, detection in
            // Its path may tell more than its content, as between Instagram and Facebook.
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

    /// - Parameter reason: what it was recognized by.
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
        // An archive in which nothing stands is read too.
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
