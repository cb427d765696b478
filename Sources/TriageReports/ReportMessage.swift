import TriageFormats
import TriageRun
package import TriageStore

/// A message as a report shows it; every text is cut to its maximum length and still has to be escaped.
package struct ReportMessage: Equatable {
    /// The name by which `triage show` finds the message; nil: none.
    package var name: String?
    package var sender: String?
    package var platform: String?
    /// `YYYY-MM-DD`.
    package var day: String?
    package var category: String?
    /// Whether the message is strongly negative too.
    package var isUpset = false
    /// 0–100.
    package var priority: Int?
    /// A BCP 47 tag of letters, digits and `-`.
    package var language: String?
    package var text: String

    private static let textLength = 320
    private static let nameLength = 80

    package init(
        name: String?, sender: String?, platform: String?, sentAt: Int64?, category: String?, priority: Int?,
        language: String?, text: String
    ) {
        self.name = name.map { Self.cut($0, Self.nameLength) }
        self.sender = sender.map { Self.cut($0, Self.nameLength) }
        self.platform = platform.map { Self.cut($0, Self.nameLength) }
        day = sentAt.map { String(UTCTime.text($0).prefix(10)) }
        self.category = category
        self.priority = priority.map { min(max($0, 0), 100) }
        self.language = language.flatMap { Self.tag($0) }
        self.text = Self.cut(text, Self.textLength)
    }

    package init(_ entry: InboxEntry) {
        let message = entry.message
        self.init(
            name: "no:\(entry.number)", sender: message.sender, platform: message.platform, sentAt: message.sentAt,
            category: entry.category, priority: message.priority, language: message.language, text: message.text)
        isUpset = entry.sentiment == "negative"
    }

    /// The start of a text, followed by `…` if it was cut.
    package static func cut(_ text: String, _ length: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(String.UnicodeScalarView(scalars[..<end])) + "…"
    }

    /// The text if it is a language tag, which is safe in markup.
    package static func tag(_ text: String) -> String? {
        let bytes = text.utf8
        let isTag =
            (2...35).contains(bytes.count) && bytes.first != 0x2D
            && bytes.allSatisfy {
                (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
        return isTag ? text : nil
    }

    /// The text if it is a day.
    package static func day(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, let seconds = bytes.withUnsafeBufferPointer({ Timestamp.seconds($0) }) else {
            return nil
        }
        return String(UTCTime.text(seconds).prefix(10))
    }
}
