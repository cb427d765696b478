/// What a person said of an answer: one row a decision, never changed; the newest that was not undone counts.
package struct InboxFeedback: Sendable, Equatable {
    /// What it is about.
    package enum Field: String, Sendable, CaseIterable {
        /// `fan`, `business` or `spam`.
        case category
        /// `positive`, `negative` or `neutral`.
        case sentiment
        /// `true` or `false`.
        case urgent
        /// `right` or `wrong`; `none`, or `entry:ID`, where the person says which would be right.
        case faq
        /// `accepted`, `edited` or `dismissed`.
        case draft
        /// `good` or `bad`: what a person thinks of the draft, whatever became of it.
        case rating = "draft_rating"
        /// `dismissed`.
        case opportunity
        /// `true`: somebody looked at it, and nothing more is to be done.
        case seen

        /// Whether a message of which it was said has been dealt with.
        package var settles: Bool { self != .rating }
    }

    /// Given by the store.
    package var id: Int64 = 0
    package var key: RecordKey
    /// Revision of the message that the person saw.
    package var revision: Int
    /// Seconds since 1970.
    package var at: Int64
    package var field: Field
    package var value: String
    /// What the answer was; nil: there was none.
    package var before: String?
    /// Where it was said, such as `command`.
    package var source: String
    /// Of two with the same name the second is not kept; nil: no name.
    package var request: String?
    /// The row that this one takes back; nil: none.
    package var undoes: Int64?
    /// Whether a later row takes it back.
    package var isUndone = false

    /// Why, in a person's words; nil: nothing was said.
    package var note: String?
    /// Of a draft that was edited, or whose blanks were filled in: the words that it had then; nil: not kept.
    package var text: String?

    package init(
        key: RecordKey, revision: Int, at: Int64, field: Field, value: String, before: String?, source: String,
        request: String? = nil, note: String? = nil, text: String? = nil
    ) {
        self.key = key
        self.revision = revision
        self.at = at
        self.field = field
        self.value = value
        self.before = before
        self.source = source
        self.request = request
        self.note = note
        self.text = text
    }

    /// What was said of an entry of the library, for a message that another one, or none, answers now.
    ///
    /// Nobody has said anything of the new one yet: who found the old one right named it, and that the old one was wrong
    /// tells nothing.
    static func said(_ value: String, ofEntry before: String?, now: String?) -> String? {
        guard before != now else { return value }
        switch value {
        case "right": return before.map { "entry:\($0)" } ?? "none"
        case "wrong": return nil
        default: return value
        }
    }
}
