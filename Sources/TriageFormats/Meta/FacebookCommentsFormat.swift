/// The comments that the owner wrote on Facebook, a list in a Facebook export.
struct FacebookCommentsFormat: ExportFormat {
    let name = "facebook-comments"
    let summary = "own comments of a Facebook export (comments_and_reactions/comments.json)"

    private static let missing = "these are comments of the owner alone: there is nothing to triage in them"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{"), JSONOutline(opening).kinds["comments_v2"] == .array else {
            return nil
        }
        return Detection(format: name, reason: "a list 'comments_v2'", missing: [Self.missing])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, platform: .messenger) }
}
