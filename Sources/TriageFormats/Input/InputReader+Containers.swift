import TriageCore

/// Folders and archives, read as one tree.
extension InputReader {
    /// A folder or archive on its way.
    private struct Tree {
        var container: any Container
        /// What nobody has read yet.
        var paths: [String]
        /// Whether it is packed.
        var isArchive: Bool { container is ArchiveContainer }
        /// Folders that a file of a platform's export lies in.
        var exportFolders = Set<String>()
        /// Whether anything in it was read.
        var isKnown = false
        /// Files of no known format; the first ones of them are kept.
        var unknown: [(path: String, sight: String)] = []
        var unknownCount = 0

        /// Folders and files at its top that hold exports.
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
        // Several exports may lie side by side: each claims its own, and what nobody claims is judged file by file.
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
                    // A part of an export that has media alone is read by being passed over.
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

    /// Whether a folder or archive is an export of another format that has files of the same names.
    private func isForeign(_ paths: [String], to candidate: any ExportFormat) -> Bool {
        guard candidate.sharesNames, candidate.claim(paths) == nil else { return false }
        return formats.contains { $0.sharesNames && $0.name != candidate.name && $0.claim(paths) != nil }
    }

    /// Reads what a format claimed, pass by pass, with one reader.
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

    /// Reads every file by its own content; those of no known format are noted.
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

    /// Tells strangers from what lies in exports beside the messages.
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

    /// Whether a file of no known format in a folder is one that a platform puts beside the messages.
    private func isBeside(_ path: String, _ tree: Tree, _ tops: Set<Substring>) -> Bool {
        if ContainerNames.isMedia(path) { return true }
        guard let top = path.split(separator: "/").first, tops.contains(top) else { return false }
        // In the very folder of the messages it may be anything.
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
                    // A file that is gone or closed to us is not of the input: it is told every time.
                    if fault.reason.code == "input.unreadable", !dispatcher.hasBytes {
                        if isLast { log.leave(.unreadable(container.name + "/" + path, fault.reason.reason)) }
                        wasReported = true
                        throw fault
                    }
                    log.hasRejects = true
                    // What was read of the file counts, with the fault behind it.
                    try dispatcher.finish(fault: wasReported && isLast ? fault.reason : nil)
                    // Of a file that no later pass reads it is told here: the others tell it where their messages stand.
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
