import TriageCore

/// A zip that comes through a pipe is read in one pass, file by file, as they come.
extension InputReader {
    /// Bytes behind the last file (the list of all files) that are read for the sake of who writes into the pipe.
    private static let tail = 64 << 20

    /// - Parameter head: what was read of it already.
    /// - Throws: ``TriageError`` `input.zip-needs-file` (66) for exports whose files must be looked at together;
    ///   otherwise as ``read(into:)``.
    func read(
        pipedZip source: ByteSource, _ head: [UInt8], _ format: (any ExportFormat)?, into assembler: BatchAssembler
    ) throws {
        if let format { try refuseIfTogether(format, "named by --from") }
        let context = ReadingContext(assembler: assembler, options: options, notices: notices)
        var tally = Tally()
        do {
            let archive = try ArchiveReader(source, kind: .zip, prefix: head, limits: limits)
            while let entry = try archive.nextEntry() {
                if stop?.isStopped == true { return }
                guard entry.isFile, !ContainerNames.isJunk(entry.path) else { continue }
                guard !ContainerNames.isUnsafe(entry.path) else {
                    assembler.beginSource(source.name)
                    let reason = RejectReason(
                        code: "archive.unsafe-name",
                        reason: "an entry's name leads out of the archive; the entry is left out")
                    try assembler.append(reject: reason, number: 0, offset: 0)
                    continue
                }
                guard !entry.isEncrypted else {
                    throw ArchiveFault("archive.encrypted", "the archive is encrypted; unpack it first")
                }
                try read(entry, of: archive, source.name, format, context, &tally)
            }
            try drain(source)
        } catch let fault as ArchiveFault {
            if fault.reason.code == "input.stopped" { return }
            if !tally.wasReported { try report(fault, source.name, into: assembler) }
            tally.isBroken = true
        }
        try close(tally, source.name)
    }

    /// What was found in it so far.
    private struct Tally {
        var known = 0
        var withoutMessages: [Detection] = []
        var unknown = 0
        /// What the first unknown file looks like.
        var sight = ""
        var isBroken = false
        /// Whether the fault that ended it is told already, behind what was read of a file.
        var wasReported = false
    }

    private func read(
        _ entry: ArchiveReader.Entry, of archive: ArchiveReader, _ name: String, _ format: (any ExportFormat)?,
        _ context: ReadingContext, _ tally: inout Tally
    ) throws {
        let member = Member(path: entry.path, source: name + ":" + entry.path)
        let pump = MemberPump(member, context, formats: formats, format: format) { found, detection in
            // Its path may tell more than its content, as between Instagram and Facebook.
            for named in formats where found.claim([entry.path]) == nil {
                guard let claim = named.claim([entry.path]) else { continue }
                return try refuseIfTogether(named, claim.detection.reason)
            }
            try refuseIfTogether(found, detection.reason)
        }
        do {
            while let bytes = try archive.nextBytes(), try pump.feed(bytes) {}
            try pump.finish()
        } catch let fault as ArchiveFault {
            guard fault.reason.code != "input.stopped" else { throw fault }
            tally.wasReported = true
            try pump.finish(fault: fault.reason)
            count(pump, &tally)
            throw fault
        }
        count(pump, &tally)
    }

    private func count(_ pump: MemberPump, _ tally: inout Tally) {
        if pump.isUnknown {
            tally.unknown += 1
            if tally.unknown == 1 { tally.sight = pump.sight }
        } else if let detection = pump.detection, !detection.hasMessages {
            if !tally.withoutMessages.contains(detection) { tally.withoutMessages.append(detection) }
        } else {
            tally.known += 1
        }
    }

    /// - Parameter reason: what it was recognized by.
    private func refuseIfTogether(_ format: any ExportFormat, _ reason: String) throws {
        guard !format.readsFilesAlone else { return }
        let what = format.summary.prefix { $0 != "," && $0 != ":" }
        throw TriageError(
            "input.zip-needs-file",
            "this is \(what) (\(reason)); its files must be looked at together, which a zip from a pipe does not allow",
            at: "-", remedy: "give the path of the zip instead: triage run EXPORT.zip (or triage run < EXPORT.zip)",
            exit: .noInput)
    }

    private func drain(_ source: ByteSource) throws {
        var left = Self.tail
        while left > 0, case .bytes(let bytes) = try source.next(whenIdle: {}) { left -= bytes.count }
    }

    private func close(_ tally: Tally, _ name: String) throws {
        if tally.known == 0, tally.unknown > 0, tally.withoutMessages.isEmpty, !tally.isBroken {
            throw unknownFormat(
                at: name,
                saw: tally.unknown == 1 ? tally.sight : "\(tally.unknown) files, the first with \(tally.sight)")
        }
        if tally.known == 0, !tally.withoutMessages.isEmpty { sayNoMessages(at: name, tally.withoutMessages) }
        guard tally.unknown > 0 else { return }
        notices(
            tally.unknown == 1
                ? "1 file of no known format was left out"
                : "\(tally.unknown) files of no known format were left out")
    }
}
