import TriageCore
package import TriageFormats

/// Reads a stream into batches, from its first record to the stop.
final class LiveFeed: Sendable {
    private let request: LiveRequest
    private let stopReading: InputStop
    private let server: DeliveryServer?

    /// - Throws: ``TriageError`` when there is nowhere to listen, or the spool cannot be written.
    init(_ request: LiveRequest, stop: InputStop, notices: Notices) throws {
        self.request = request
        stopReading = stop
        if case .deliveries(let settings, _) = request.input {
            server = try DeliveryServer(settings, notices: notices)
        } else {
            server = nil
        }
    }

    /// Reads until the input ends or ``stop()`` was called.
    func read(with reader: InputReader, into assembler: BatchAssembler) throws {
        switch request.input {
        case .standardInput: try reader.read(into: assembler)
        case .file(let path, let fromEnd): try reader.follow(path, from: fromEnd ? .end : .beginning, into: assembler)
        case .deliveries(let settings, let fromEnd):
            // Not before, for by now signals are taken over: a SIGTERM to a server that answers ends it in order.
            server?.start { [stopReading] in stopReading.stop() }
            // What was answered with 200 before the stop is read before the end.
            let start = fromEnd ? FollowStart.offset(server?.spoolEnd ?? 0) : .beginning
            try reader.follow(settings.spool, from: start, untilEnd: true, into: assembler)
            if let failure = server?.failure { throw failure }
        }
    }

    /// Ends the reading; where deliveries come in, once those that were taken are on disk.
    func stop() {
        if let server { server.stop() } else { stopReading.stop() }
    }

    /// The reading is over, for whatever reason.
    func end() { server?.stop() }

    /// A batch with the time until which its answers are wanted.
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
        /// A file that grows; `fromEnd`: what is in it at the start is left out.
        case file(String, fromEnd: Bool)
        /// Webhooks over HTTP, by way of the spool.
        case deliveries(DeliverySettings, fromEnd: Bool)
    }

    package var input: Input
    /// How long a model may take for a record, from when the record was read; nil: as long as it takes.
    package var deadline: Duration?
    /// How long the input may say nothing; nil: for ever.
    package var idleLimit: Duration?

    package init(input: Input, deadline: Duration? = nil, idleLimit: Duration? = nil) {
        self.input = input
        self.deadline = deadline
        self.idleLimit = idleLimit
    }

    /// The file that is read, that of deliveries too; `-`: standard input.
    package var file: String {
        switch input {
        case .standardInput: "-"
        case .file(let path, _): path
        case .deliveries(let settings, _): settings.spool
        }
    }

    /// Where deliveries are written; nil: there are none.
    package var spool: String? { if case .deliveries(let settings, _) = input { settings.spool } else { nil } }

    /// How its records are read.
    package func apply(to options: inout InputReader.Options) {
        options.isLive = true
        options.idleLimit = idleLimit
        guard case .deliveries = input else { return }
        options.format = options.format ?? "meta-webhook"
        // The server writes nothing to the spool that it did not check.
        options.trustsDeliveries = true
    }

    /// Batches that may wait for a model at a time.
    package static let waitingBatches = 32
}
