/// What the finders saw in one message, before it is made into facts.
struct FactFindings {
    var links = LinkFindings()
    var deadline = DeadlineResult()
    /// Days since 1970 of the message, where dates were looked for and it has one.
    var today: Int?
    var creator = CreatorWords.Findings()
    /// `fact.*` tags of the signals that fired.
    var tags: UInt64 = 0
    var detectors = DetectorBits()
    /// Counts something that is to be made or given.
    var namesDeliverables = false
    /// The name of a sender without an address stands in the text.
    var isNamed = false
    /// Ends in a name with a job.
    var signsWithRole = false
}
