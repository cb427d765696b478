import TriageCore
package import TriageFormats

/// Reads a stream into batches, from its first record to the stop.
final class LiveFeed: Sendable {
    private let request: LiveRequest
    private let stopReading: InputStop
    private let server: DeliveryServer?

    /// - Throws: ``TriageError`` when the address cannot be used or the spool cannot be written.
    init(_ request: LiveRequest, stop: InputStop, notices: Notices) throws {
        self.request = request
        stopReading = stop
        if case .deliveries(let settings, _) = request.input {
            server = try DeliveryServer(settings, notices: notices)
        } else {
            server = nil
        }
    }

    /// Reads until the input ends or ``stop()`` is called.
    func read(with reader: InputReader, into assembler: BatchAssembler) throws {
        switch request.input {
        case .standardInput: try reader.read(into: assembler)
        case .file(let path, let fromEnd): try reader.follow(path, from: fromEnd ? .end : .beginning, into: assembler)
        case .deliveries(let settings, let fromEnd):
            // Not earlier: signals are handled by now, so a SIGTERM to a server that answers ends it in an orderly way.
            server?.start { [stopReading] in stopReading.stop() }
            // Everything answered with 200 before the stop is read before the end.
            let start = fromEnd ? FollowStart.offset(server?.spoolEnd ?? 0) : .beginning
            try reader.follow(settings.spool, from: start, untilEnd: true, into: assembler)
            if let failure = server?.failure { throw failure }
        }
    }

    /// Stops reading; a server first writes accepted deliveries to disk.
    func stop() {
        if let server { server.stop() } else { stopReading.stop() }
    }

    /// Stops the server because the reading is over, for whatever reason.
    func end() { server?.stop() }

    /// Adds the answer deadline to a batch.
    func timed(_ batch: InputBatch) -> InputBatch {
        guard let deadline = request.deadline else { return batch }
        var timed = batch
        timed.deadline = AnswerDeadline(after: deadline)
        return timed
    }
}

/// How a stream is read and answered.
package struct LiveRequest {
    /// Where its records come from.
    package enum Input {
        case standardInput
        /// A file that grows; with `fromEnd`, its content at the start is skipped.
        case file(String, fromEnd: Bool)
        /// Webhooks received over HTTP, by way of the spool.
        case deliveries(DeliverySettings, fromEnd: Bool)
    }

    package var input: Input
    /// How long a model may take for a record, counted from when the record was read; nil: no limit.
    package var deadline: Duration?
    /// How long the input may stay silent; nil: for ever.
    package var idleLimit: Duration?

    package init(input: Input, deadline: Duration? = nil, idleLimit: Duration? = nil) {
        self.input = input
        self.deadline = deadline
        self.idleLimit = idleLimit
    }

    /// The file that is read, which is the spool for deliveries; `-`: standard input.
    package var file: String {
        switch input {
        case .standardInput: "-"
        case .file(let path, _): path
        case .deliveries(let settings, _): settings.spool
        }
    }

    /// The file that deliveries are written to; nil: there are no deliveries.
    package var spool: String? { if case .deliveries(let settings, _) = input { settings.spool } else { nil } }

    /// Sets how the records are read.
    package func apply(to options: inout InputReader.Options) {
        options.isLive = true
        options.idleLimit = idleLimit
        guard case .deliveries = input else { return }
        options.format = options.format ?? "meta-webhook"
        // Everything that the server writes to the spool has been checked.
        options.trustsDeliveries = true
    }

    /// The number of batches that may wait for a model at the same time.
    package static let waitingBatches = 32
}
