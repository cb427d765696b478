/// What the finders found in one message, before it is combined into ``Facts``.
struct FactFindings {
    var links = LinkFindings()
    var deadline = DeadlineResult()
    /// Day of the message in days since 1970, if dates were searched for and the message has one.
    var today: Int?
    var creator = CreatorWords.Findings()
    /// `fact.*` tags of the signals that fired.
    var tags: UInt64 = 0
    var detectors = DetectorBits()
    /// Whether it names a countable thing to be made or given.
    var namesDeliverables = false
    /// Whether the name of a sender without an address occurs in the text.
    var isNamed = false
    /// Whether it ends in a name with a job title.
    var signsWithRole = false
}
