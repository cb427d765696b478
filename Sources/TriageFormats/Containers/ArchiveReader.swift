import CArchive
import Platform
import TriageCore

/// Why an archive, or a file in it, cannot be read any further.
struct ArchiveFault: Error {
    var reason: RejectReason

    init(_ code: String, _ words: String) { reason = RejectReason(code: code, reason: words) }
}

/// Reads an archive (zip, tar, 7z, rar), or a single compressed file, as a stream; nothing is written to disk.
///
/// Limits protect against archive bombs: the number of entries, the expanded bytes, and the ratio of output to input.
/// Skipped entries count too where skipping requires expanding them.
final class ArchiveReader {
    /// The maximum output of one archive.
    struct Limits {
        var entries = 100_000
        var expandedBytes = 4 << 30
        /// Expanded bytes allowed per byte of input, enforced once ``freeBytes`` have been expanded.
        var ratio = 200
        var freeBytes = 10 << 20
    }

    struct Entry {
        /// The path in the archive, without `./`; a label only, never a path to write to.
        var path: String
        var what: What
        var isEncrypted: Bool

        /// Links are never followed, and an export contains nothing but files and folders.
        enum What { case file, folder, link, special }

        var isFile: Bool { what == .file }

        /// Why the entry is not read, where that must be reported.
        var refusal: RejectReason? {
            if ContainerNames.isUnsafe(path) {
                return RejectReason(
                    code: "archive.unsafe-name",
                    reason: "an entry's path points outside the archive; it was skipped")
            }
            switch what {
            case .file, .folder: return nil
            case .link:
                return RejectReason(code: "archive.link", reason: "an entry is a link; links are skipped")
            case .special:
                return RejectReason(
                    code: "archive.special", reason: "an entry is not a file but a device or pipe; it was skipped")
            }
        }
    }

    private let archive: OpaquePointer
    private let input: ArchiveInput
    private let limits: Limits
    private var entries = 0
    /// A fault of the entry as a whole, such as its checksum; reported after its bytes have been handed out.
    private var warning: String?
    /// Bytes expanded so far.
    private(set) var expanded: Int
    /// Bytes that were expanded only to be skipped.
    private var passed = 0
    /// Whether an entry can be skipped without expanding it.
    private let skipsFreely: Bool
    private var isInEntry = false

    /// libarchive converts entry names to UTF-8 only in a UTF-8 locale; in others it returns no name at all.
    private static let locale: Void = { _ = setlocale(LC_CTYPE, "C.UTF-8") ?? setlocale(LC_CTYPE, "en_US.UTF-8") }()

    /// - Parameters:
    ///   - prefix: bytes that were already read from a source that cannot rewind.
    ///   - expanded: bytes already expanded from the same archive; they count towards the limits.
    /// - Throws: ``ArchiveFault`` when it cannot be opened at all.
    init(_ source: ByteSource, kind: ArchiveKind, prefix: [UInt8] = [], limits: Limits = Limits(), expanded: Int = 0)
        throws
    {
        _ = Self.locale
        guard let archive = archive_read_new() else {
            throw ArchiveFault("archive.memory", "not enough memory to open it")
        }
        self.archive = archive
        self.limits = limits
        self.expanded = expanded
        input = ArchiveInput(source, prefix: prefix)
        skipsFreely = input.isSeekable && (kind == .zip || kind == .tar)
        switch kind {
        case .zip: archive_read_support_format_zip(archive)
        case .tar: archive_read_support_format_tar(archive)
        case .sevenZip: archive_read_support_format_7zip(archive)
        case .rar:
            archive_read_support_format_rar(archive)
            archive_read_support_format_rar5(archive)
        case .packed(let filter):
            archive_read_support_format_tar(archive)
            archive_read_support_format_raw(archive)
            // Enable only this filter. libarchive built without it would start an external program and return a
            // warning.
            guard Self.support(filter, archive) == ARCHIVE_OK else {
                throw ArchiveFault(
                    "archive.unsupported", "this build does not support its compression; unpack it first")
            }
        }
        archive_read_set_read_callback(archive) { _, data, out in
            ArchiveInput.from(data)?.read(into: out) ?? -1
        }
        if input.isSeekable {
            archive_read_set_seek_callback(archive) { _, data, offset, whence in
                ArchiveInput.from(data)?.seek(offset, whence) ?? Int64(ARCHIVE_FATAL)
            }
        }
        archive_read_set_callback_data(archive, Unmanaged.passUnretained(input).toOpaque())
        guard archive_read_open1(archive) == ARCHIVE_OK else {
            throw failure()
        }
    }

    deinit { archive_read_free(archive) }

    private static func support(_ filter: ArchiveKind.Filter, _ archive: OpaquePointer) -> Int32 {
        switch filter {
        case .gzip: archive_read_support_filter_gzip(archive)
        case .zstd: archive_read_support_filter_zstd(archive)
        case .bzip2: archive_read_support_filter_bzip2(archive)
        case .xz: archive_read_support_filter_xz(archive)
        case .lz4: archive_read_support_filter_lz4(archive)
        case .compress: archive_read_support_filter_compress(archive)
        case .lzip: archive_read_support_filter_lzip(archive)
        }
    }

    /// Whether the compressed content is a tar; known once the first entry is.
    var isTar: Bool { archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR }

    /// The next entry; nil at the end.
    func nextEntry() throws -> Entry? {
        if isInEntry, !skipsFreely {
            let before = expanded
            // Whether the skipped bytes are intact does not matter.
            while try nextBytes(isWanted: false) != nil {}
            passed += expanded - before
            expanded = before
        }
        isInEntry = false
        var entry: OpaquePointer?
        let status = archive_read_next_header(archive, &entry)
        if status == ARCHIVE_EOF { return nil }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw failure() }
        warning = nil
        entries += 1
        guard entries <= limits.entries else {
            throw ArchiveFault("archive.too-many-entries", "the archive has more than \(limits.entries) entries")
        }
        isInEntry = true
        let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        var path = name.map { String(cString: $0) } ?? "entry-\(entries)"
        while path.hasPrefix("./") { path.removeFirst(2) }
        let what: Entry.What
        // The octal mask of the mode bits selects the file type.
        switch archive_entry_filetype(entry) & 0o170000 {
        case 0o100000: what = archive_entry_hardlink(entry) == nil ? .file : .link
        case 0o040000: what = .folder
        case 0o120000: what = .link
        // A hard link may have no type of its own.
        case 0: what = archive_entry_hardlink(entry) == nil ? .file : .link
        default: what = .special
        }
        return Entry(path: path, what: what, isEncrypted: archive_entry_is_encrypted(entry) != 0)
    }

    /// The next bytes of the entry, valid until the next call; nil at its end.
    ///
    /// - Parameter isWanted: whether to report a fault of the entry as a whole.
    func nextBytes(isWanted: Bool = true) throws -> UnsafeBufferPointer<UInt8>? {
        // Read block by block: `archive_read_data` would discard what came before a fault.
        var block: UnsafeRawPointer?
        var count = 0
        var offset: Int64 = 0
        let status = archive_read_data_block(archive, &block, &count, &offset)
        if status == ARCHIVE_EOF {
            isInEntry = false
            defer { warning = nil }
            if isWanted, let warning {
                throw ArchiveFault("archive.damaged", "a file in the archive is damaged: \(warning)")
            }
            return nil
        }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw failure() }
        if status == ARCHIVE_WARN { warning = archive_error_string(archive).map { String(cString: $0) } ?? "" }
        expanded += count
        let allowed = (input.size ?? input.delivered).multipliedReportingOverflow(by: limits.ratio)
        let all = expanded + passed
        if expanded > limits.expandedBytes
            || (all > limits.freeBytes && !allowed.overflow && all > allowed.partialValue)
        {
            throw ArchiveFault(
                "archive.bomb",
                "the archive expands to far more than its size (possible zip bomb); the rest was skipped")
        }
        return UnsafeBufferPointer(start: block?.assumingMemoryBound(to: UInt8.self), count: block == nil ? 0 : count)
    }

    private func failure() -> ArchiveFault {
        if let error = input.error { return error }
        let words = archive_error_string(archive).map { String(cString: $0) } ?? ""
        if words.contains("assphrase") || words.contains("ncrypt") {
            return ArchiveFault("archive.encrypted", "the archive is encrypted; unpack it first")
        }
        if input.isAtEnd || words.contains("runcated") || words.contains("nexpected end") || words.isEmpty {
            return ArchiveFault("archive.truncated", "the archive is truncated; the rest is missing")
        }
        return ArchiveFault("archive.damaged", "the archive is damaged: \(words)")
    }
}

/// The input that libarchive's callbacks read from.
private final class ArchiveInput {
    private let source: ByteSource
    private var prefix: [UInt8]
    private var sentPrefix = false
    private(set) var error: ArchiveFault?
    /// Whether libarchive tried to read past the end.
    private(set) var isAtEnd = false
    /// Bytes passed to libarchive so far.
    private(set) var delivered = 0
    /// Size of the file, if it is one.
    let size: Int?
    let isSeekable: Bool

    init(_ source: ByteSource, prefix: [UInt8]) {
        self.source = source
        self.prefix = prefix
        isSeekable = prefix.isEmpty && source.isSeekable
        size = isSeekable ? source.size : nil
    }

    static func from(_ data: UnsafeMutableRawPointer?) -> ArchiveInput? {
        data.map { Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue() }
    }

    func read(into out: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        if !prefix.isEmpty, !sentPrefix {
            sentPrefix = true
            delivered += prefix.count
            // The array lives as long as this object and never changes again, but its address is only guaranteed inside
            // a closure: copy it into the source's buffer, which stays.
            return source.hold(prefix, into: out)
        }
        do {
            switch try source.next(whenIdle: {}) {
            case .bytes(let bytes):
                delivered += bytes.count
                out?.pointee = UnsafeRawPointer(bytes.baseAddress)
                return bytes.count
            case .end:
                isAtEnd = true
                return 0
            case .stopped:
                error = ArchiveFault("input.stopped", "the run was stopped")
                return -1
            }
        } catch let fault {
            error = ArchiveFault("input.unreadable", "\((fault as? TriageError)?.what ?? "the input failed")")
            return -1
        }
    }

    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        isAtEnd = false
        let place = lseek(source.descriptor, off_t(offset), whence)
        return place < 0 ? Int64(ARCHIVE_FATAL) : Int64(place)
    }
}
