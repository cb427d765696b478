public import TriageCore

/// Where the reading of a file that grows begins.
public enum FollowStart: Sendable {
    case beginning
    /// Behind what is in it now; a line that is half written now is read whole.
    case end
    /// At a byte that begins a line.
    case offset(Int)
}

extension InputReader {
    /// Reads a file as it grows, until the stop; see the guide on live streams for what counts as growing.
    ///
    /// Each beginning is a source of its own, with lines counted from 1.
    ///
    /// - Parameters:
    ///   - start: where a file that is there now is begun.
    ///   - untilEnd: whether at the stop what is in the file is still read.
    /// - Throws: ``TriageError`` `input.unreadable`, `input.not-a-file` (66), `input.idle` (75); what the assembler throws.
    public func follow(_ path: String, from start: FollowStart, untilEnd: Bool = false, into assembler: BatchAssembler)
        throws
    {
        guard let stop else { return }
        _ = try ColumnMapping.names(options.columns)
        let format = try options.format.map { try ExportFormats.named($0, among: formats) }
        let file = FollowedFile(
            path: path, from: start, untilEnd: untilEnd, stop: stop, idleLimit: options.idleLimit)
        let context = ReadingContext(assembler: assembler, options: options, notices: notices)
        let name = String(path.split(separator: "/").last ?? "-")
        func begin() -> MemberPump {
            MemberPump(Member(path: name, source: path), context, formats: formats, format: format)
        }
        var pump = begin()
        while true {
            switch try file.next(whenIdle: { try pump.idle() }) {
            case .bytes(let bytes):
                options.observer?(bytes)
                _ = try pump.feed(bytes)
            case .restarted:
                // A line without its end, as far as it came.
                try pump.finish()
                pump = begin()
            case .stopped:
                try pump.idle()
                context.unread.tell(notices)
                return
            }
        }
    }
}
