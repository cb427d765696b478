import TriageCore

/// What became of the files of one reading.
final class ReadingLog {
    /// Files whose format is known.
    var known = 0
    /// Whether something was refused in a way that shows in the records.
    var hasRejects = false
    /// What known files that hold no messages were taken for, each once.
    private(set) var withoutMessages: [Detection] = []
    /// What lies in exports without being read, such as photos.
    var companions = 0
    /// What was left out; the first ones of them are kept.
    private(set) var count = 0
    private(set) var left: [LeftOut] = []
    /// Inputs that are the same as others.
    private(set) var copies = 0
    private var firstCopy = (path: "", original: "")
    let repeats = RepeatedMessages()
    let unread = UnreadWords()

    /// Names that are told one by one.
    static let most = 20

    func holdsNoMessages(_ detection: Detection) {
        if !withoutMessages.contains(detection) { withoutMessages.append(detection) }
    }

    func leave(_ what: LeftOut) {
        count += 1
        if left.count < Self.most { left.append(what) }
    }

    /// - Parameter original: what is read instead.
    func skipCopy(_ path: String, of original: String) {
        copies += 1
        if copies == 1 { firstCopy = (path, original) }
    }

    /// Says what people should know of it.
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

    /// Why the reading came to nothing; nil: it did not.
    func failure(_ unknownFormat: (_ path: String, _ sight: String) -> TriageError, at paths: [String]) -> TriageError?
    {
        guard known == 0, withoutMessages.isEmpty, !hasRejects, let first = left.first else { return nil }
        guard count > 1, left.allSatisfy({ $0.error.code == "input.unknown-format" }) else { return first.error }
        return unknownFormat(
            paths.joined(separator: ", "), "\(count) files, the first with \(first.reason)")
    }
}

/// Knows the messages of all files of a reading, so that one that stands in several of them comes out once.
///
/// Of very many messages only the last ones are known, as ``SeenMessages`` says.
package final class RepeatedMessages {
    private var seen = SeenMessages()
    private var names: [String: UInt32] = [:]
    private var sources: [String] = []
    /// Sources with messages that others have too, and one that has them.
    private var files: [UInt32: UInt32] = [:]

    package init() {}

    /// Whether a message came before from another file.
    ///
    /// - Parameters:
    ///   - digest: of the message, with how many equal ones stand before it in its file.
    ///   - source: the file's name, or that of the export that it is a part of.
    func take(_ digest: MessageDigest, source name: String) -> Bool {
        let source = number(of: name)
        guard let earlier = seen.first(digest, source: source), earlier != source else { return false }
        if files[source] == nil { files[source] = earlier }
        return true
    }

    /// Notes that a file has messages that another one has too.
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

/// Counts the places of exports in which somebody's words stand where no reader can take them, and says so at the end.
///
/// A damaged export, or one of a newer form, has texts under other names or in other places. What they mean is not
/// guessed; that they are there is told.
package final class UnreadWords {
    private var counts: [String: Int] = [:]
    private var sources: [String] = []

    package init() {}

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
