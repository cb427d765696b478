/// Collects input lines, and messages from export readers, into batches and delivers each full batch.
///
/// Readers push: each runs on its own thread, and `deliver` blocks while the pipeline is full. Memory is therefore
/// bounded by the batches in flight, not by the size of the input. Not thread-safe: only one reader may use it at a
/// time.
package final class BatchAssembler {
    /// Maximum number of messages in a batch.
    package let maximumLines: Int
    /// Size in bytes at which a batch is delivered even if it has fewer lines.
    package let maximumBytes: Int
    /// Names of the sources read so far; ``InputLine/source`` is an index into it.
    package private(set) var sources: [String] = []

    private let onSource: (String) -> Void
    private let deliver: (InputBatch) throws -> Void
    // Only one reader uses this at a time, and nothing called while these change calls back into this object. Checking
    // exclusivity on every line would cost as much as the line itself.
    @exclusivity(unchecked) private var batch: InputBatch
    @exclusivity(unchecked) private var source: UInt16 = 0
    private var nextSequence = 0

    /// Creates an assembler.
    ///
    /// - Parameters:
    ///   - beginSource: called with the name of each source before its first line.
    ///   - deliver: takes a batch; blocks while the pipeline is full; throws `CancellationError` when the run is
    ///     stopping, which readers must not catch.
    package init(
        maximumLines: Int = 512, maximumBytes: Int = 1 << 20, beginSource: @escaping (String) -> Void = { _ in },
        deliver: @escaping (InputBatch) throws -> Void
    ) {
        onSource = beginSource
        self.maximumLines = maximumLines
        self.maximumBytes = maximumBytes
        self.deliver = deliver
        batch = InputBatch(sequence: 0)
    }

    /// Sets the source of the lines that follow (a path, `-`, or an archive member as `export.zip:path`).
    package func beginSource(_ name: String) {
        guard sources.count < Int(UInt16.max) else { return }
        sources.append(name)
        source = UInt16(sources.count - 1)
        onSource(name)
    }

    /// Sets the JSON member that holds the message text in the lines that follow; nil: `text`.
    ///
    /// A batch has one such name, so a change delivers the lines collected so far.
    package func useTextKey(_ key: String?) throws {
        guard key != batch.textKey else { return }
        try flush()
        batch.textKey = key
    }

    /// Adds a JSON line unchanged (without line break or BOM).
    package func append(line: UnsafeBufferPointer<UInt8>, number: Int, offset: Int) throws {
        if batch.bytes.isEmpty {
            batch.bytes.reserveCapacity(maximumBytes + InputBatch.padding)
            batch.lines.reserveCapacity(maximumLines)
        }
        let start = batch.bytes.count
        batch.bytes.append(contentsOf: line)
        try added(start: start, count: line.count, number: number, offset: offset, reject: nil, isMade: false)
    }

    /// Adds a message from an export.
    package func append(_ message: Message, number: Int) throws {
        let start = batch.bytes.count
        message.encode(into: &batch.bytes)
        try added(
            start: start, count: batch.bytes.count - start, number: number, offset: -1, reject: nil, isMade: true)
    }

    /// Adds a message from an export that is already encoded.
    package func append(made line: UnsafeBufferPointer<UInt8>, number: Int) throws {
        let start = batch.bytes.count
        batch.bytes.append(contentsOf: line)
        try added(start: start, count: line.count, number: number, offset: -1, reject: nil, isMade: true)
    }

    /// Adds a line that cannot become a record; `raw` holds its bytes if they were kept (none above 64 KiB).
    package func append(
        reject: RejectReason, raw: UnsafeBufferPointer<UInt8>? = nil, number: Int, offset: Int
    ) throws {
        let start = batch.bytes.count
        if let raw { batch.bytes.append(contentsOf: raw) }
        try added(
            start: start, count: raw?.count ?? 0, number: number, offset: offset, reject: reject, isMade: false)
    }

    /// Delivers the lines collected so far, if any: at the end, and when a live input goes quiet.
    package func flush() throws {
        guard !batch.lines.isEmpty else { return }
        batch.bytes.append(contentsOf: repeatElement(0, count: InputBatch.padding))
        batch.sequence = nextSequence
        nextSequence += 1
        let full = batch
        batch = InputBatch(sequence: nextSequence)
        batch.textKey = full.textKey
        try deliver(full)
    }

    private func added(
        start: Int, count: Int, number: Int, offset: Int, reject: RejectReason?, isMade: Bool
    ) throws {
        batch.lines.append(
            InputLine(
                span: Span32(start: start, count: count), number: number, offset: offset,
                source: source, reject: reject, isMade: isMade))
        if batch.lines.count >= maximumLines || batch.bytes.count >= maximumBytes { try flush() }
    }
}
