/// The comments that the owner wrote on Facebook, a list in a Facebook export.
struct FacebookCommentsFormat: ExportFormat {
    let name = "facebook-comments"
    let summary = "own comments in a Facebook export (comments_and_reactions/comments.json)"

    private static let missing = "these are only the owner's comments, so there is nothing to triage"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        let outline = JSONOutline(opening)
        if outline.kinds["comments_v2"] == .array {
            return Detection(format: name, reason: "a list 'comments_v2'", missing: [Self.missing])
        }
        guard Self.isOld(outline) else { return nil }
        return Detection(format: name, reason: "a list 'comments' of an older export", missing: [Self.missing])
    }

    /// Until 2021 the list was called otherwise.
    static func isOld(_ outline: JSONOutline) -> Bool { outline.kinds["comments[].data[].comment"] == .object }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, platform: .messenger) }
}
