import CArchive
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why an archive, or a file in it, cannot be read further.
struct ArchiveFault: Error {
    var reason: RejectReason

    init(_ code: String, _ words: String) { reason = RejectReason(code: code, reason: words) }
}

/// Reads a zip file, or a single file packed with gzip or zstd, as a stream; nothing is written to disk.
///
/// Bounded against bombs: entries, expanded bytes, and how much larger than its input the output may be.
final class ArchiveReader {
    /// What may come out of one archive.
    struct Limits {
        var entries = 100_000
        var expandedBytes = 4 << 30
        /// Expanded bytes per byte of input, watched once ``freeBytes`` are out.
        var ratio = 200
        var freeBytes = 10 << 20
    }

    struct Entry {
        /// As it stands in the archive; a label, never a path to write to.
        var path: String
        var isFile: Bool
        var isEncrypted: Bool
    }

    enum Kind { case zip, packed }

    private let archive: OpaquePointer
    private let input: ArchiveInput
    private let limits: Limits
    private var entries = 0
    /// What is wrong with the entry as a whole, such as its checksum; its bytes are handed out before that is told.
    private var warning: String?
    /// Bytes that came out so far.
    private(set) var expanded: Int

    /// Entry names are converted to UTF-8 by libarchive only in a UTF-8 locale; others give no name at all.
    private static let locale: Void = { _ = setlocale(LC_CTYPE, "C.UTF-8") ?? setlocale(LC_CTYPE, "en_US.UTF-8") }()

    /// - Parameters:
    ///   - prefix: bytes that were already read from a source that cannot go back.
    ///   - expanded: bytes that came out of the same archive before, which count towards the limits.
    /// - Throws: ``ArchiveFault`` when it cannot be opened at all.
    init(_ source: ByteSource, kind: Kind, prefix: [UInt8] = [], limits: Limits = Limits(), expanded: Int = 0) throws {
        _ = Self.locale
        guard let archive = archive_read_new() else {
            throw ArchiveFault("archive.memory", "there is no memory for it")
        }
        self.archive = archive
        self.limits = limits
        self.expanded = expanded
        input = ArchiveInput(source, prefix: prefix)
        switch kind {
        case .zip: archive_read_support_format_zip(archive)
        case .packed:
            archive_read_support_format_raw(archive)
            archive_read_support_filter_gzip(archive)
            archive_read_support_filter_zstd(archive)
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

    /// The next entry; nil at the end.
    func nextEntry() throws -> Entry? {
        var entry: OpaquePointer?
        let status = archive_read_next_header(archive, &entry)
        if status == ARCHIVE_EOF { return nil }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw failure() }
        warning = nil
        entries += 1
        guard entries <= limits.entries else {
            throw ArchiveFault("archive.too-many-entries", "the archive has more than \(limits.entries) entries")
        }
        let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        return Entry(
            path: name.map { String(cString: $0) } ?? "entry-\(entries)",
            // File types are given as octal masks of the mode.
            isFile: archive_entry_filetype(entry) & 0o170000 == 0o100000,
            isEncrypted: archive_entry_is_encrypted(entry) != 0)
    }

    /// The next bytes of the entry, good until the next call; nil at its end.
    func nextBytes() throws -> UnsafeBufferPointer<UInt8>? {
        // Block by block: `archive_read_data` would throw away what came before a fault.
        var block: UnsafeRawPointer?
        var count = 0
        var offset: Int64 = 0
        let status = archive_read_data_block(archive, &block, &count, &offset)
        if status == ARCHIVE_EOF {
            defer { warning = nil }
            if let warning { throw ArchiveFault("archive.damaged", "a file in the archive is damaged: \(warning)") }
            return nil
        }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw failure() }
        if status == ARCHIVE_WARN { warning = archive_error_string(archive).map { String(cString: $0) } ?? "" }
        expanded += count
        let allowed = (input.size ?? input.delivered).multipliedReportingOverflow(by: limits.ratio)
        if expanded > limits.expandedBytes
            || (expanded > limits.freeBytes && !allowed.overflow && expanded > allowed.partialValue)
        {
            throw ArchiveFault("archive.bomb", "the archive expands to far more than its size; the rest is left out")
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
            return ArchiveFault("archive.truncated", "the archive ends in the middle; what comes after is lost")
        }
        return ArchiveFault("archive.damaged", "the archive is damaged: \(words)")
    }
}

/// What libarchive's callbacks read from.
private final class ArchiveInput {
    private let source: ByteSource
    private var prefix: [UInt8]
    private var sentPrefix = false
    private(set) var error: ArchiveFault?
    /// Whether libarchive wanted more than there is.
    private(set) var isAtEnd = false
    /// Bytes handed over so far.
    private(set) var delivered = 0
    /// Size of the file, where there is one.
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
            // The array lives as long as this object and never changes again, but its address is only promised
            // inside a closure: the source's buffer is as good and stays.
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
