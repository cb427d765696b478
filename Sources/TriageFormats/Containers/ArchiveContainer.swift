import Platform
import TriageCore

/// An archive: a zip, a tar (compressed or not), a 7z or a rar, or a single compressed file.
///
/// Nothing unreadable goes unreported: a damaged file in it is reported while the others are still read, and so is a
/// missing end of the archive, even if every file before it could be read.
final class ArchiveContainer: Container {
    let name: String
    let kind: ArchiveKind
    private let open: () throws -> ByteSource
    private let limits: ArchiveReader.Limits
    /// Why the list of files may be incomplete.
    private var fault: ArchiveFault?
    /// How often each path occurs, for paths that occur more than once.
    private var occurrences: [String: Int] = [:]
    /// After this many damaged files, each of which makes the archive be reopened, the rest is skipped.
    private static let damagedLimit = 100

    /// - Parameter source: a stream that is a file.
    convenience init(_ source: ByteSource, kind: ArchiveKind, limits: ArchiveReader.Limits = ArchiveReader.Limits()) {
        self.init(name: source.name, kind: kind, limits: limits) {
            try source.rewind()
            return source
        }
    }

    /// - Parameter path: opened only while it is being read, because a folder may contain very many archives.
    convenience init(path: String, kind: ArchiveKind, limits: ArchiveReader.Limits, stop: InputStop?) {
        self.init(name: path, kind: kind, limits: limits) { try ByteSource(path: path, stop: stop) }
    }

    private init(
        name: String, kind: ArchiveKind, limits: ArchiveReader.Limits, open: @escaping () throws -> ByteSource
    ) {
        self.name = name
        self.kind = kind
        self.limits = limits
        self.open = open
    }

    func list() throws -> Listing {
        var listing = Listing()
        var met = Set<String>()
        fault = nil
        occurrences = [:]
        do {
            let source = try open()
            if !Self.hasEnd(source, kind) {
                fault = ArchiveFault("archive.truncated", "the archive is truncated; the rest is missing")
            }
            let archive = try ArchiveReader(source, kind: kind, limits: limits)
            while let entry = try archive.nextEntry() {
                if isSingle(archive) {
                    listing.paths = [stem]
                    return listing
                }
                listing.isEncrypted = listing.isEncrypted || entry.isEncrypted
                if ContainerNames.isJunk(entry.path) { continue }
                if let refusal = entry.refusal {
                    listing.refused.append(refusal)
                } else if entry.isFile {
                    if met.insert(entry.path).inserted {
                        listing.paths.append(entry.path)
                    } else {
                        occurrences[entry.path, default: 1] += 1
                    }
                }
            }
        } catch let fault as ArchiveFault where fault.reason.code == "archive.encrypted" {
            listing.isEncrypted = true
        } catch let fault as ArchiveFault where !listing.paths.isEmpty || !listing.refused.isEmpty {
            // The readable part counts; the fault is reported after it, or here if it concerns the listing.
            if fault.reason.code == "archive.too-many-entries" {
                listing.refused.append(fault.reason)
            } else {
                self.fault = fault
            }
        }
        return listing
    }

    /// Whether it is one compressed file that is not a tar.
    private func isSingle(_ archive: ArchiveReader) -> Bool {
        if case .packed = kind { !archive.isTar } else { false }
    }

    /// The name of a compressed file without its compression extension.
    private var stem: String {
        let file = name.split(separator: "/").last.map(String.init) ?? name
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
        return String(file[..<dot])
    }

    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws {
        var wanted: [String: Int] = [:]
        for path in paths { wanted[path] = occurrences[path] ?? 1 }
        // Entries already read, which come again in the same order when the archive is reopened.
        var passed = 0
        var expanded = 0
        for damaged in 0... {
            let archive = try ArchiveReader(try open(), kind: kind, limits: limits, expanded: expanded)
            for _ in 0..<passed { _ = try archive.nextEntry() }
            do {
                while !wanted.isEmpty, let entry = try archive.nextEntry() {
                    passed += 1
                    let path = isSingle(archive) ? stem : entry.path
                    guard entry.isFile || isSingle(archive), let left = wanted[path] else { continue }
                    wanted[path] = left > 1 ? left - 1 : nil
                    guard !entry.isEncrypted else {
                        throw ArchiveFault("archive.encrypted", "the archive is encrypted; unpack it first")
                    }
                    do {
                        try visit(path) { try archive.nextBytes() }
                    } catch let fault as ArchiveFault where isOfOneFile(fault) && damaged < Self.damagedLimit {
                        throw Damage()
                    }
                }
                break
            } catch is Damage {
                // libarchive stops at a fault, but the central directory leads to the next file.
                expanded = archive.expanded
            }
        }
        if let fault { throw fault }
    }

    /// A file was reported as damaged, and others may follow.
    private struct Damage: Error {}

    /// Whether the fault affects a single file only: just a zip says where the next file begins.
    private func isOfOneFile(_ found: ArchiveFault) -> Bool {
        kind == .zip && fault == nil && ["archive.damaged", "archive.truncated"].contains(found.reason.code)
    }

    /// Whether the end marker of every intact archive of this kind is there.
    private static func hasEnd(_ source: ByteSource, _ kind: ArchiveKind) -> Bool {
        guard let size = source.size else { return true }
        func tail(_ length: Int) -> [UInt8]? {
            var tail = [UInt8](repeating: 0, count: min(size, length))
            let count = pread(source.descriptor, &tail, tail.count, off_t(size - tail.count))
            return count == tail.count ? tail : nil
        }
        switch kind {
        case .zip:
            // The end of central directory record (APPNOTE 6.3.10, 4.3.16) has 22 bytes plus a comment of at most
            // 65,535.
            guard let tail = tail(22 + 0xFFFF), tail.count >= 22 else { return false }
            return (0...(tail.count - 22)).contains { tail[$0..<$0 + 4].elementsEqual([0x50, 0x4B, 0x05, 0x06]) }
        case .tar:
            // A block of zeros ends a tar (POSIX 1003.1, pax, ustar); without it, a cut between two files would go
            // unnoticed.
            return tail(512).map { $0.count == 512 && $0.allSatisfy { $0 == 0 } } ?? false
        case .sevenZip, .rar, .packed: return true
        }
    }
}

/// How a file is packed, judged by its first bytes.
enum ArchiveKind: Equatable {
    case zip, tar, sevenZip, rar
    /// One file, or a tar, compressed with a filter.
    case packed(Filter)

    enum Filter: String { case gzip, zstd, bzip2, xz, lz4, compress, lzip }

    /// Number of first bytes that suffice to recognize every kind.
    static let sightLength = 512

    /// - Returns: nil if it is not an archive.
    init?(_ bytes: some RandomAccessCollection<UInt8>) {
        let known: [([UInt8], ArchiveKind)] = [
            ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x50, 0x4B, 0x05, 0x06], .zip), ([0x50, 0x4B, 0x07, 0x08], .zip),
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip), ([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07], .rar),
            ([0x1F, 0x8B], .packed(.gzip)), ([0x28, 0xB5, 0x2F, 0xFD], .packed(.zstd)),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .packed(.xz)), ([0x04, 0x22, 0x4D, 0x18], .packed(.lz4)),
            ([0x1F, 0x9D], .packed(.compress)), ([0x4C, 0x5A, 0x49, 0x50, 0x01], .packed(.lzip)),
        ]
        if let found = known.first(where: { bytes.starts(with: $0.0) }) {
            self = found.1
        } else if bytes.starts(with: [0x42, 0x5A, 0x68]), bytes.count >= 10,
            bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
                || bytes.dropFirst(4).starts(with: [0x17, 0x72, 0x45, 0x38, 0x50, 0x90])
        {
            self = .packed(.bzip2)
        } else if Self.beginsAsTar(bytes) {
            self = .tar
        } else {
            return nil
        }
    }

    /// Whether the first block is a tar header with a valid checksum, as in every tar since 1979.
    private static func beginsAsTar(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard bytes.count >= sightLength, let first = bytes.first, first != 0 else { return false }
        let block = Array(bytes.prefix(sightLength))
        let digits = block[148..<156].drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        guard !digits.isEmpty else { return false }
        let written = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
        let sum = block.indices.reduce(0) { $0 + ((148..<156).contains($1) ? 0x20 : Int(block[$1])) }
        return sum == written
    }

    /// Whether the first bytes of a stream could be the start of a tar's first block.
    static func mayBecomeTar(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count < sightLength && ArchiveKind(Array(bytes)) == nil && bytes.contains(0)
            && !bytes.prefix(100).contains(0x0A)
    }

    /// Whether its file list is at the end, which requires a seekable file.
    var needsFile: Bool { self == .sevenZip }

    /// The name shown to people.
    var words: String {
        switch self {
        case .zip: "zip"
        case .tar: "tar"
        case .sevenZip: "7z"
        case .rar: "rar"
        case .packed(let filter): filter.rawValue
        }
    }
}
