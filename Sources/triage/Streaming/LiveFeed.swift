import TriageCore
import TriageFormats

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
