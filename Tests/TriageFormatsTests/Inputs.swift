import Synchronization
import Testing
import TriageCore

@testable import TriageFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What came out of reading inputs.
struct ReadResult {
    var lines: [String] = []
    var rejects: [RejectReason] = []
    /// The bytes that go with each reject; empty where none do.
    var raws: [[UInt8]] = []
    var numbers: [Int] = []
    var offsets: [Int] = []
    var textKeys: [String?] = []
    var sources: [String] = []
    var notices: [String] = []
    /// Files that were left out.
    var leftOut = 0
    /// The bytes of all records and rejects, in their order.
    var bytes: [[UInt8]] = []
    /// Records and rejects in the order they came, as the record reader sees them.
    var batch = Batch()

    /// The decoded texts of all records.
    var texts: [String] {
        batch.records.filter { $0.status != .rejected }.map { batch.string($0.fields.text) ?? "" }
    }

    /// The ids of all records.
    var ids: [String] { batch.records.filter { $0.status != .rejected }.map { batch.string($0.fields.id) ?? "" } }

    /// Codes of everything that was refused, by readers or by the record reader.
    var codes: [String] { batch.rejects.map(\.reason.code) }
}

/// Reads inputs as a run does.
func readInputs(
    _ paths: [String], limits: ArchiveReader.Limits = ArchiveReader.Limits(),
    _ adjust: (inout InputReader.Options) -> Void = { _ in }
) throws -> ReadResult {
    var options = InputReader.Options()
    options.paths = paths
    adjust(&options)
    let notices = Mutex<[String]>([])
    let reader = InputReader(options: options, limits: limits) { text in notices.withLock { $0.append(text) } }
    var result = ReadResult()
    let assembler = BatchAssembler(maximumLines: 7) { collect($0, into: &result) }
    result.leftOut = try reader.read(into: assembler)
    try assembler.flush()
    result.sources = assembler.sources
    result.notices = notices.withLock { $0 }
    return result
}

/// What `triage formats detect` says of inputs.
func inspectInputs(_ paths: [String]) throws -> [InputFinding] {
    var options = InputReader.Options()
    options.paths = paths
    return try InputReader(options: options).inspect()
}

func collect(_ input: InputBatch, into result: inout ReadResult) {
    var batch = Batch()
    batch.reset(to: input)
    RecordReader().read(&batch)
    for line in input.lines {
        result.bytes.append(Array(input.bytes[line.span.range]))
        if let reason = line.reject {
            result.rejects.append(reason)
            result.raws.append(Array(input.bytes[line.span.range]))
        } else {
            result.lines.append(String(decoding: input.bytes[line.span.range], as: UTF8.self))
        }
        result.numbers.append(line.number)
        result.offsets.append(line.offset)
        result.textKeys.append(input.textKey)
    }
    // One batch of all: spans move by what is there already.
    let base = result.batch.arena.count
    let rejects = result.batch.rejects.count
    result.batch.arena += batch.arena
    result.batch.rejects += batch.rejects
    for record in batch.records {
        var moved = record
        if moved.reject >= 0 { moved.reject += rejects }
        func move(_ span: inout Span32) { if span.isPresent { span.start += UInt32(base) } }
        move(&moved.fields.text)
        move(&moved.fields.id)
        move(&moved.fields.senderName)
        move(&moved.fields.kind)
        move(&moved.fields.conversationID)
        result.batch.records.append(moved)
    }
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// A folder for files of one test, removed at its end.
final class ScratchFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/triage-formats-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TriageError("test.no-folder", "mkdtemp failed") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Writes a file below the folder, with the folders it needs, and returns its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) -> String {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        let file = path + "/" + name
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var written = 0
        bytes.withUnsafeBytes { buffer in
            while written < buffer.count {
                guard let base = buffer.baseAddress else { break }
                let count = writeBytes(descriptor, base + written, buffer.count - written)
                if count <= 0 { break }
                written += count
            }
        }
        close(descriptor)
        return file
    }

    @discardableResult
    func write(_ name: String, _ text: String) -> String { write(name, Array(text.utf8)) }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR, let listing = opendir(path) {
            while let entry = readdir(listing) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(listing)
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}
