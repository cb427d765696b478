import TriageStore

/// Which messages a page wants to list, and in which order.
struct ReviewQuery: Equatable, Sendable {
    enum View: String, CaseIterable, Sendable {
        case all, fan, business, spam
        /// Urgent, or strongly negative and no spam.
        case priority
        /// Offers with a score of 50 or more.
        case offers
    }

    enum Order: String, CaseIterable, Hashable, Sendable {
        case priority, recent, score, value
    }

    /// Whether a person has said anything of a message.
    enum Decided: String, Sendable { case no, yes, any }

    var view = View.all
    var order = Order.priority
    var decided = Decided.any
    var words = ""
    var offset = 0
    var limit = 50
    /// The highest number that the page has shown; those above it are counted.
    var seen: Int64?
    /// Numbers of messages of which it is asked where they stand in the list.
    var asked: [Int64] = []

    static let limitMost = 200
    static let askedMost = 8

    init() {}

    /// Reads the parameters of a request; nil for what is not understood.
    init?(_ parameters: [String: [UInt8]]) {
        for (name, bytes) in parameters {
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            switch name {
            case "view":
                guard let view = View(rawValue: text) else { return nil }
                self.view = view
            case "sort":
                guard let order = Order(rawValue: text) else { return nil }
                self.order = order
            case "decided":
                guard let decided = Decided(rawValue: text) else { return nil }
                self.decided = decided
            case "q": words = text
            case "offset":
                guard let number = Int(text), number >= 0 else { return nil }
                offset = number
            case "limit":
                guard let number = Int(text), (1...Self.limitMost).contains(number) else { return nil }
                limit = number
            case "seen":
                guard let number = Int64(text), number >= 0 else { return nil }
                seen = number
            case "places":
                let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
                guard numbers.count <= Self.askedMost else { return nil }
                asked = numbers.compactMap { $0 }
                guard asked.count == numbers.count else { return nil }
            default: return nil
            }
        }
    }
}
