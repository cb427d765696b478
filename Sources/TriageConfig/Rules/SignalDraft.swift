internal import TriageCore

/// A signal as described by the files read so far; a later file may change individual keys.
struct SignalDraft {
    var name: String
    var place: String
    var why = ""
    var languages: [String] = []
    var onlyIn: [String] = []
    var words: [Pattern] = []
    var literals: [Pattern] = []
    var regexes: [Pattern] = []
    var detector: String?
    var condition: Condition?
    var feeds = Feeds()
    var hasFeeds = false
    var repeatLimit = 1
    var examples = Signal.Examples()
    var isEnabled = true

    /// The condition under `when:`, with positions that point a fault to the wrong name.
    struct Condition {
        var all: [Reference] = []
        var any: [Reference] = []
        var none: [Reference] = []
        /// 0: anywhere in the message.
        var near = 0
        var place: String

        var references: [Reference] { all + any + none }
    }

    struct Reference {
        var name: String
        var place: String
    }

    var hasPatterns: Bool { !words.isEmpty || !literals.isEmpty || !regexes.isEmpty }

    /// The signal; nil when it has no trigger.
    var signal: Signal? {
        let trigger: Signal.Trigger
        if let detector {
            trigger = .detector(detector)
        } else if let condition {
            trigger = .composite(
                all: condition.all.map(\.name), any: condition.any.map(\.name), none: condition.none.map(\.name))
        } else if hasPatterns {
            trigger = .patterns(words + literals + regexes)
        } else {
            return nil
        }
        return Signal(
            name: name, why: why, languages: languages, onlyIn: onlyIn, trigger: trigger,
            near: condition?.near ?? 0, feeds: feeds, repeatLimit: repeatLimit, examples: examples, place: place)
    }
}
