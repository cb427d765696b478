/// Single mails, as mail programs save them.
struct EMLFormat: ExportFormat {
    let name = "eml"
    let summary = "single mails (.eml), one file or a folder of them"

    /// Fields of which a mail has at least two.
    private static let known: Set<String> = [
        "from", "date", "subject", "message-id", "received", "mime-version", "delivered-to",
    ]
    /// A header is no longer than this.
    private static let longestHeader = 64 * 1024

    func detect(_ opening: Opening) -> Detection? {
        guard let start = opening.bytes.firstIndex(where: { !Opening.isBlank($0) }) else { return nil }
        var found: [String] = []
        var at = start
        let end = min(opening.bytes.count, start + Self.longestHeader)
        while at < end {
            let stop = opening.bytes[at...].firstIndex(of: 0x0A)
            // Without its end a line proves nothing.
            guard stop != nil || opening.isWhole else { return nil }
            var line = opening.bytes[at..<(stop ?? opening.bytes.count)]
            if line.last == 0x0D { line = line.dropLast() }
            at = (stop ?? opening.bytes.count) + 1
            if line.isEmpty {
                guard found.count >= 2 else { return nil }
                return Detection(
                    format: name,
                    reason: "a header with " + found.prefix(4).joined(separator: ", ") + " and an empty line")
            }
            if line.first == 0x20 || line.first == 0x09 {
                guard at > start, line.startIndex > start else { return nil }
                continue
            }
            guard let name = MailSeparator.fieldName(line) else { return nil }
            let lower = String(decoding: name, as: UTF8.self).lowercased()
            if Self.known.contains(lower), !found.contains(lower) { found.append(lower) }
        }
        return nil
    }

    func claim(_ paths: [String]) -> Claim? {
        let mails = paths.filter { $0.lowercased().hasSuffix(".eml") }
        guard !mails.isEmpty else { return nil }
        return Claim(
            detection: Detection(format: name, reason: mails.count == 1 ? "a mail" : "\(mails.count) mails"),
            passes: [mails], roots: [])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MailReader(context, isMailbox: false) }
}
