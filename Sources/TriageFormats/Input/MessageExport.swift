import TriageCore

/// An export of messages on disk, read in-process: the public API of the library product `TriageFormats`.
///
/// Formats are detected by content. Archives are read without unpacking them, and memory use does not grow with the
/// size of the export.
public struct MessageExport: Sendable {
    private let options: ReadingOptions

    /// Names of all formats, for ``init(paths:format:)``.
    public static var formats: [String] { ExportFormats.standard.map(\.name) }

    /// - Parameters:
    ///   - paths: files, folders and archives; `-` is stdin.
    ///   - format: one of ``formats``; nil: detect by content.
    public init(paths: [String], format: String? = nil) {
        var options = ReadingOptions()
        options.paths = paths
        options.format = format
        self.options = options
    }

    /// Calls `body` with each record, in the order of the export.
    ///
    /// - Parameters:
    ///   - notices: receives notices for people, such as a file that was left out.
    ///   - body: receives a record: one line of JSON, without a line break, with the members that the guide "Adding a
    ///     format" lists (`id`, `platform`, `sender`, `text`, `sent_at`, …). An error that it throws ends the reading.
    /// - Returns: how many records were rejected as malformed.
    /// - Throws: ``TriageError`` when an input cannot be read or is not an export, and what `body` throws.
    @discardableResult
    public func forEachRecord(
        notices: @escaping @Sendable (String) -> Void = { _ in }, _ body: (String) throws -> Void
    ) throws -> Int {
        try withoutActuallyEscaping(body) { body in
            var refused = 0
            let assembler = BatchAssembler { batch in
                for line in batch.lines {
                    if line.reject == nil {
                        try body(String(decoding: batch.bytes[line.span.range], as: UTF8.self))
                    } else {
                        refused += 1
                    }
                }
            }
            try InputReader(options: options, notices: notices).read(into: assembler)
            try assembler.flush()
            return refused
        }
    }
}
