import CHTMLScan

/// Walks HTML of any size and hands over its tags and texts as they come.
///
/// Fed bytes in pieces of any size, which change nothing in the events but where a text is cut in two. Nothing is
/// loaded: no network, no DTD. Memory is bounded by the longest text between two tags, depth and attributes are bounded
/// (a tag has at most 64, of 64 KiB each), and no input can fail: what is no HTML is text.
final class HTMLScanner {
    private let scanner: OpaquePointer?

    init() { scanner = hts_new() }

    deinit { hts_free(scanner) }

    /// Takes the next bytes, as UTF-8; what is none becomes U+FFFD.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (HTMLEvent) throws -> Void) rethrows {
        guard let scanner, let base = bytes.baseAddress else { return }
        var start = 0
        while start < bytes.count {
            let count = min(Int(HTS_BLOCK), bytes.count - start)
            guard hts_feed(scanner, base + start, count) == 1 else { return }
            try handOver(body)
            start += count
        }
    }

    /// The document is at its end: what is still open is closed.
    func finish(_ body: (HTMLEvent) throws -> Void) rethrows {
        guard let scanner, hts_finish(scanner) == 1 else { return }
        try handOver(body)
    }

    private func handOver(_ body: (HTMLEvent) throws -> Void) rethrows {
        var count = 0
        guard let scanner, let events = hts_events(scanner, &count), let arena = hts_bytes(scanner) else { return }
        let attributes = hts_attributes(scanner)
        for event in UnsafeBufferPointer(start: events, count: count) {
            try body(HTMLEvent(event, attributes, arena))
        }
    }
}
