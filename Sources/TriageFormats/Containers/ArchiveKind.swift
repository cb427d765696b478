/// What a file is packed as, by its first bytes.
enum ArchiveKind: Equatable {
    case zip, tar, sevenZip, rar
    /// One file, or a tar, packed with a filter.
    case packed(Filter)

    enum Filter: String { case gzip, zstd, bzip2, xz, lz4, compress, lzip }

    /// Bytes that show each kind.
    static let sightLength = 512

    /// - Returns: nil for what is no archive.
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

    /// Whether the first block is a header whose checksum is right, as in every tar since 1979.
    private static func beginsAsTar(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard bytes.count >= sightLength, let first = bytes.first, first != 0 else { return false }
        let block = Array(bytes.prefix(sightLength))
        let digits = block[148..<156].drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        guard !digits.isEmpty else { return false }
        let written = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
        let sum = block.indices.reduce(0) { $0 + ((148..<156).contains($1) ? 0x20 : Int(block[$1])) }
        return sum == written
    }

    /// Whether the first bytes of a stream could go on as the first block of a tar.
    static func mayBecomeTar(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count < sightLength && ArchiveKind(Array(bytes)) == nil && bytes.contains(0)
            && !bytes.prefix(100).contains(0x0A)
    }

    /// Whether its files are found by a list at its end, which a stream cannot go to.
    var needsFile: Bool { self == .sevenZip }

    /// As people call it.
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
