/// Collects lines and messages of readers into batches and hands each full one on.
///
/// Readers push: they run on a thread of their own, and `deliver` blocks while the pipeline is full, so that memory is
/// bounded by batches in flight and never by the input. Not thread-safe: one reader uses it at a time.
package final class BatchAssembler {
    /// Messages in a batch.
    package let maximumLines: Int
    /// Bytes after which a batch is handed on, however few its lines.
    package let maximumBytes: Int
    /// Names of the sources read so far; ``InputLine/source`` is an index into it.
    package private(set) var sources: [String] = []

    private let onSource: (String) -> Void
    private let deliver: (InputBatch) throws -> Void
    // One reader uses this at a time, and nothing that is called while these change comes back here: checking that at
    // every line costs as much as the line.
    @exclusivity(unchecked) private var batch: InputBatch
    @exclusivity(unchecked) private var source: UInt16 = 0
    private var nextSequence = 0

    /// - Parameters:
    ///   - beginSource: is told the name of each source before its first line.
    ///   - deliver: takes a batch; blocks while the pipeline is full; throws `CancellationError` when the run
    ///     is stopping, which readers let through.
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

    /// Names the source of what follows (a path, `-`, or an archive member as `export.zip:path`).
    package func beginSource(_ name: String) {
        guard sources.count < Int(UInt16.max) else { return }
        sources.append(name)
        source = UInt16(sources.count - 1)
        onSource(name)
    }

    /// Names the member that holds the text in the lines that follow; nil: `text`.
    ///
    /// One batch has one name, so a change hands on what is held.
    package func useTextKey(_ key: String?) throws {
        guard key != batch.textKey else { return }
        try flush()
        batch.textKey = key
    }

    /// Adds a JSON line as it is (no line break, no BOM).
    package func append(line: UnsafeBufferPointer<UInt8>, number: Int, offset: Int) throws {
        if batch.bytes.isEmpty {
            batch.bytes.reserveCapacity(maximumBytes + InputBatch.padding)
            batch.lines.reserveCapacity(maximumLines)
        }
        let start = batch.bytes.count
        batch.bytes.append(contentsOf: line)
        try added(start: start, count: line.count, number: number, offset: offset, reject: nil, isMade: false)
    }

    /// Adds a message of an export.
    package func append(_ message: Message, number: Int) throws {
        let start = batch.bytes.count
        message.encode(into: &batch.bytes)
        try added(
            start: start, count: batch.bytes.count - start, number: number, offset: -1, reject: nil, isMade: true)
    }

    /// Adds a message of an export that was encoded before.
    package func append(made line: UnsafeBufferPointer<UInt8>, number: Int) throws {
        let start = batch.bytes.count
        batch.bytes.append(contentsOf: line)
        try added(start: start, count: line.count, number: number, offset: -1, reject: nil, isMade: true)
    }

    /// Adds what cannot become a record; `raw` are its bytes as far as they were kept (none above 64 KiB).
    package func append(
        reject: RejectReason, raw: UnsafeBufferPointer<UInt8>? = nil, number: Int, offset: Int
    ) throws {
        let start = batch.bytes.count
        if let raw { batch.bytes.append(contentsOf: raw) }
        try added(
            start: start, count: raw?.count ?? 0, number: number, offset: offset, reject: reject, isMade: false)
    }

    /// Hands on what is held, if anything: at the end, and when a live input falls silent.
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
