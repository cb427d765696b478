/// The chat messages of a Twitch privacy export: what the owner wrote in chats.
struct TwitchCSVFormat: ExportFormat {
    let name = "twitch-csv"
    let summary = "chat messages in a Twitch privacy export (CSV)"

    func detect(_ opening: Opening) -> Detection? {
        guard let first = opening.firstByte, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            first != UInt8(ascii: "<"), let columns = TwitchColumns(opening)
        else { return nil }
        return Detection(
            format: name,
            reason: columns.hasHeader ? "the columns of Twitch's chat messages" : "rows like Twitch's chat messages",
            missing: ["these are only the owner's chat lines, so there is nothing to triage"])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { TwitchCSVReader(context) }
}
