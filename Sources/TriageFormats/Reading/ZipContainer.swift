import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A zip file.
///
/// What cannot be read is always told: a file in it that is damaged, with the others read all the same, and an end that is
/// missing, even where every file before it could be read.
final class ZipContainer: Container {
    let name: String
    private let source: ByteSource
    private let limits: ArchiveReader.Limits
    /// Why files may be missing in the list.
    private var fault: ArchiveFault?
    /// Damaged files after which the archive is opened once more; what comes after them is left out.
    private static let damagedLimit = 100

    init(_ source: ByteSource, limits: ArchiveReader.Limits = ArchiveReader.Limits()) {
        name = source.name
        self.source = source
        self.limits = limits
    }

    func list() throws -> (paths: [String], refused: [RejectReason]) {
        var paths: [String] = []
        var refused: [RejectReason] = []
        fault =
            hasDirectory
            ? nil : ArchiveFault("archive.truncated", "the archive ends in the middle; what comes after is lost")
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
            // The readable part counts; the fault is told behind it, or here when it is one of listing.
            if fault.reason.code == "archive.too-many-entries" {
                refused.append(fault.reason)
            } else {
                self.fault = fault
            }
        }
        return (paths, refused)
    }

    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws {
        var wanted = Set(paths)
        // Entries that are behind us, which come again in the same order when the archive is opened again.
        var passed = 0
        var expanded = 0
        for damaged in 0... {
            try source.rewind()
            let archive = try ArchiveReader(source, kind: .zip, limits: limits, expanded: expanded)
            for _ in 0..<passed { _ = try archive.nextEntry() }
            do {
                while !wanted.isEmpty, let entry = try archive.nextEntry() {
                    passed += 1
                    guard entry.isFile, wanted.remove(entry.path) != nil else { continue }
                    guard !entry.isEncrypted else {
                        throw ArchiveFault("archive.encrypted", "the archive is encrypted; unpack it first")
                    }
                    do {
                        try visit(entry.path) { try archive.nextBytes() }
                    } catch let fault as ArchiveFault where isOfOneFile(fault) && damaged < Self.damagedLimit {
                        throw Damage()
                    }
                }
                break
            } catch is Damage {
                // libarchive goes no further behind a fault, but the list of all files leads to the next one.
                expanded = archive.expanded
            }
        }
        if let fault { throw fault }
    }

    /// A file was told as damaged, and others may come.
    private struct Damage: Error {}

    private func isOfOneFile(_ found: ArchiveFault) -> Bool {
        fault == nil && ["archive.damaged", "archive.truncated"].contains(found.reason.code)
    }

    /// Whether the list of all files stands at the end, as in every zip that is whole (APPNOTE 6.3.10, 4.3.16).
    private var hasDirectory: Bool {
        guard let size = source.size else { return true }
        // Its end has 22 bytes and a comment of 65,535 at most.
        var tail = [UInt8](repeating: 0, count: min(size, 22 + 0xFFFF))
        let count = pread(source.descriptor, &tail, tail.count, off_t(size - tail.count))
        guard count == tail.count, count >= 22 else { return false }
        return (0...(count - 22)).contains { tail[$0..<$0 + 4].elementsEqual([0x50, 0x4B, 0x05, 0x06]) }
    }
}
