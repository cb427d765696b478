/// Counts the places of exports in which somebody's words stand where no reader can take them, and says so at the end.
///
/// A damaged export, or one of a newer form, has texts under other names or in other places. What they mean is not
/// guessed; that they are there is told.
public final class UnreadWords {
    private var counts: [String: Int] = [:]
    private var sources: [String] = []

    public init() {}

    /// Files that are named one by one.
    private static let most = 20

    /// Notes words in a file.
    func note(_ source: String, _ count: Int = 1) {
        guard count > 0 else { return }
        if counts[source] == nil { sources.append(source) }
        counts[source, default: 0] += count
    }

    /// Says what was found since it was said last.
    func tell(_ say: (String) -> Void) {
        for source in sources.prefix(Self.most) {
            let count = counts[source] ?? 0
            say(
                "skipped in \(source): unreadable text in \(count) \(count == 1 ? "place" : "places");"
                    + " the file is damaged or has a newer format: download it again, or report it")
        }
        let rest = sources.dropFirst(Self.most).reduce(0) { $0 + (counts[$1] ?? 0) }
        if rest > 0 {
            say("skipped in \(sources.count - Self.most) more files: unreadable text in \(rest) places")
        }
        counts = [:]
        sources = []
    }
}
