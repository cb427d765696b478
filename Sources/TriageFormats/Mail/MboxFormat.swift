/// Mailboxes as Gmail's Takeout, Thunderbird and others write them: mails one after another, with `From ` lines between.
struct MboxFormat: ExportFormat {
    let name = "mbox"
    let summary = "mails from Gmail Takeout, Thunderbird, Apple Mail, Google Groups (.mbox)"

    func detect(_ opening: Opening) -> Detection? {
        guard let first = opening.firstLine, MailSeparator.form(first) != nil else { return nil }
        var rest = opening.bytes[first.endIndex...]
        if rest.first == 0x0D { rest = rest.dropFirst() }
        rest = rest.dropFirst()
        guard let name = MailSeparator.fieldName(rest.prefix { $0 != 0x0A }) else { return nil }
        // Names of header fields are no message text, but this one is not known to be such a name.
        let seen = name.count <= 40 ? String(decoding: name, as: UTF8.self) : "…"
        return Detection(format: self.name, reason: "a line that separates mails, and '\(seen):' below it")
    }

    func claim(_ paths: [String]) -> Claim? {
        let boxes = paths.filter { $0.lowercased().hasSuffix(".mbox") }
        guard !boxes.isEmpty else { return nil }
        // What lies beside them is not theirs.
        return Claim(
            detection: Detection(format: name, reason: boxes.count == 1 ? "an mbox file" : "\(boxes.count) mbox files"),
            passes: [boxes], roots: [])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MailReader(context, isMailbox: true) }
}
