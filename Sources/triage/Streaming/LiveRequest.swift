import TriageFormats

/// How a stream is read and answered.
struct LiveRequest {
    /// Where its records come from.
    enum Input {
        case standardInput
        /// A file that grows; `fromEnd`: what is in it at the start is left out.
        case file(String, fromEnd: Bool)
        /// Webhooks over HTTP, by way of the spool.
        case deliveries(DeliverySettings, fromEnd: Bool)
    }

    var input: Input
    /// How long a model may take for a record, from when the record was read; nil: as long as it takes.
    var deadline: Duration?
    /// How long the input may say nothing; nil: for ever.
    var idleLimit: Duration?

    /// The file that is read, that of deliveries too; `-`: standard input.
    var file: String {
        switch input {
        case .standardInput: "-"
        case .file(let path, _): path
        case .deliveries(let settings, _): settings.spool
        }
    }

    /// Where deliveries are written; nil: there are none.
    var spool: String? { if case .deliveries(let settings, _) = input { settings.spool } else { nil } }

    /// How its records are read.
    func apply(to options: inout InputReader.Options) {
        options.isLive = true
        options.idleLimit = idleLimit
        guard case .deliveries = input else { return }
        options.format = options.format ?? "meta-webhook"
        // The server writes nothing to the spool that it did not check.
        options.trustsDeliveries = true
    }

    /// Batches that may wait for a model at a time.
    static let waitingBatches = 32
}
