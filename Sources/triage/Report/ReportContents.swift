import TriageStore

/// All that a report says, in numbers and a few messages; bounded, whatever was read.
struct ReportContents {
    enum Origin: Equatable {
        case store
        case records
    }

    var origin: Origin
    var counts = InboxStatistics()
    /// Days with messages; nil: as many as are in `counts`.
    var dayCount: Int?
    /// Messages by language, the most frequent first; the tag is text that is still to be escaped.
    var languages: [(tag: String, messages: Int)] = []
    /// Messages for which a language model answered something.
    var answeredByModel = 0
    /// The best offers.
    var offers: [ReportOffer] = []
    var moreOffers = 0
    /// The urgent messages with the highest priority.
    var urgent: [ReportMessage] = []
    var moreUrgent = 0
    /// Messages by what went wrong with them; the code is text that is still to be escaped.
    var problems: [(code: String, messages: Int)] = []
    /// Messages with any problem.
    var withProblems = 0
    /// Lines that were refused when they were read and annotated.
    var rejected = 0
    /// Lines of this reading that are no records.
    var unreadable = 0
    /// Records without answers.
    var unanswered = 0

    /// Offers, and urgent messages, that are shown one by one.
    static let most = 50
    /// Kinds that are told apart; behind them comes a rest.
    static let mostKinds = 100

    /// Counts by name, sorted and cut: who chose the names may have chosen very many.
    static func sorted(_ counts: [String: Int]) -> [(String, Int)] {
        counts.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }

    /// Adds one to a name, or to `other` once there are too many names.
    static func count(_ name: String, in counts: inout [String: Int]) {
        let name = counts[name] == nil && counts.count >= mostKinds ? "other" : name
        counts[name, default: 0] += 1
    }
}
