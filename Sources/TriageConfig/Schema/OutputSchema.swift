import ShippedPages

/// JSON Schemas (draft 2020-12) of input and output records.
///
/// ``output`` is closed, so every new member requires a new version.
package enum RecordSchema {
    /// The schema of an annotated, skipped or rejected record.
    package static let output = text(shipped_output_schema)

    /// The schema of a message as it should be written.
    ///
    /// The program is more lenient: a member of the wrong type, except `text`, counts as absent.
    package static let input = text(shipped_input_schema)

    /// A file of `ShippedPages` without its last line break.
    private static func text(_ file: shipped_page) -> String {
        String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count).dropLast(), as: UTF8.self)
    }
}
