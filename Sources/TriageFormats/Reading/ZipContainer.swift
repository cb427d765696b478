import TriageCore

/// A zip file.
final class ZipContainer: Container {
    let name: String
    private let source: ByteSource
    private let limits: ArchiveReader.Limits

    init(_ source: ByteSource, limits: ArchiveReader.Limits = ArchiveReader.Limits()) {
        name = source.name
        self.source = source
        self.limits = limits
    }

    func list() throws -> (paths: [String], refused: [RejectReason]) {
        var paths: [String] = []
        var refused: [RejectReason] = []
        do {
            try source.rewind()
            let archive = try ArchiveReader(source, kind: .zip, limits: limits)
            while let entry = try archive.nextEntry() {
                guard entry.isFile else { continue }
                if ContainerNames.isUnsafe(entry.path) {
                    refused.append(
                        RejectReason(
                            code: "archive.unsafe-name",
                            reason: "an entry's name leads out of the archive; the entry is left out"))
                } else if !ContainerNames.isJunk(entry.path) {
                    paths.append(entry.path)
                }
            }
        } catch let fault as ArchiveFault where !paths.isEmpty || !refused.isEmpty {
            // The readable part counts; reading it meets the fault again and reports it, unless it is one of listing.
            if fault.reason.code == "archive.too-many-entries" { refused.append(fault.reason) }
        }
        return (paths, refused)
    }

    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws {
        var wanted = Set(paths)
        try source.rewind()
        let archive = try ArchiveReader(source, kind: .zip, limits: limits)
        while !wanted.isEmpty, let entry = try archive.nextEntry() {
            guard entry.isFile, wanted.remove(entry.path) != nil else { continue }
            guard !entry.isEncrypted else {
                throw ArchiveFault("archive.encrypted", "the archive is encrypted; unpack it first")
            }
            try visit(entry.path) { try archive.nextBytes() }
        }
    }
}
