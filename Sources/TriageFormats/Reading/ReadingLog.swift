import TriageCore

/// Tracks what happened to the files of a reading.
final class ReadingLog {
    /// Files of known format.
    var known = 0
    /// Whether the records include any rejects.
    var hasRejects = false
    /// What known files without messages were identified as, each once.
    private(set) var withoutMessages: [Detection] = []
    /// Files of exports that are not read, such as photos.
    var companions = 0
    /// Inputs left out; only the first ones are kept.
    private(set) var count = 0
    private(set) var left: [LeftOut] = []
    /// Inputs that are copies of others.
    private(set) var copies = 0
    private var firstCopy = (path: "", original: "")
    let repeats = RepeatedMessages()
    let unread = UnreadWords()

    /// Maximum number of names listed individually.
    static let most = 20

    func holdsNoMessages(_ detection: Detection) {
        if !withoutMessages.contains(detection) { withoutMessages.append(detection) }
    }

    func leave(_ what: LeftOut) {
        count += 1
        if left.count < Self.most { left.append(what) }
    }

    /// - Parameter original: the file that is read instead.
    func skipCopy(_ path: String, of original: String) {
        copies += 1
        if copies == 1 { firstCopy = (path, original) }
    }

    /// Reports what people should know.
    func tell(_ say: (String) -> Void) {
        if copies > 0 {
            say(
                copies == 1
                    ? "\(firstCopy.path) is the same as \(firstCopy.original): read once"
                    : "\(copies) inputs are copies of others (\(firstCopy.path) as \(firstCopy.original)): read once")
        }
        repeats.tell(say)
        unread.tell(say)
        if companions > 0 {
            say(
                companions == 1
                    ? "1 file of unknown format beside the exports was skipped"
                    : "\(companions) files of unknown format beside the exports were skipped")
        }
        for what in left { say("\(what.path) was skipped: \(what.reason)") }
        if count > left.count { say("\(count - left.count) more files were skipped") }
    }

    /// The error if nothing could be read; nil: something was.
    func failure(_ unknownFormat: (_ path: String, _ sight: String) -> TriageError, at paths: [String]) -> TriageError?
    {
        guard known == 0, withoutMessages.isEmpty, !hasRejects, let first = left.first else { return nil }
        guard count > 1, left.allSatisfy({ $0.error.code == "input.unknown-format" }) else { return first.error }
        return unknownFormat(
            paths.joined(separator: ", "), "\(count) files, the first with \(first.reason)")
    }
}

/// Knows the messages of all files of a reading, so that duplicates across files are emitted once.
///
/// Of very many messages, only the latest are remembered; see ``SeenMessages``.
package final class RepeatedMessages {
    private var seen = SeenMessages()
    private var names: [String: UInt32] = [:]
    private var sources: [String] = []
    /// Sources that share messages with another source, each with that source.
    private var files: [UInt32: UInt32] = [:]

    package init() {}

    /// Whether the message already came from another file.
    ///
    /// - Parameters:
    ///   - digest: of the message, including how many equal ones precede it in its file.
    ///   - source: name of the file, or of the export it is part of.
    func take(_ digest: MessageDigest, source name: String) -> Bool {
        let source = number(of: name)
        guard let earlier = seen.first(digest, source: source), earlier != source else { return false }
        if files[source] == nil { files[source] = earlier }
        return true
    }

    /// Records that a file shares messages with another one.
    func note(_ name: String, as other: String) {
        let (source, earlier) = (number(of: name), number(of: other))
        if source != earlier, files[source] == nil { files[source] = earlier }
    }

    private func number(of name: String) -> UInt32 {
        if let number = names[name] { return number }
        sources.append(name)
        names[name] = UInt32(sources.count)
        return UInt32(sources.count)
    }

    func tell(_ say: (String) -> Void) {
        guard let first = files.min(by: { $0.key < $1.key }) else { return }
        let (name, other) = (sources[Int(first.key) - 1], sources[Int(first.value) - 1])
        say(
            files.count == 1
                ? "\(name) and \(other) contain the same messages: each is read once"
                : "\(files.count) files contain the same conversations as others (\(name) as \(other)): each message is read once"
        )
    }
}

/// Counts the places in exports where text cannot be read, and reports them at the end.
///
/// A damaged export, or one in a newer form, has texts under other names or in other places. Their meaning is not
/// guessed, but their presence is reported.
package final class UnreadWords {
    private var counts: [String: Int] = [:]
    private var sources: [String] = []

    package init() {}

    /// Maximum number of files listed individually.
    private static let most = 20

    /// Records unread text in a file.
    func note(_ source: String, _ count: Int = 1) {
        guard count > 0 else { return }
        if counts[source] == nil { sources.append(source) }
        counts[source, default: 0] += count
    }

    /// Reports what was found since the last report.
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
