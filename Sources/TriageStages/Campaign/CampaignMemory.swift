package import TriageCore

/// Where texts of earlier runs are remembered.
///
/// Called by ``CampaignStage`` alone, for one batch at a time and in the order of the input.
package protocol CampaignMemory: AnyObject, Sendable {
    /// The texts that came last, the oldest first; asked once, before the first text of a run is compared.
    ///
    /// - Parameter limit: so many at most.
    func recallTexts(limit: Int) -> [RememberedText]

    /// Whether a record is answered again: its text is remembered already.
    func isRepeated(_ index: Int, of sequence: Int) -> Bool
}

/// A text of an earlier run.
package struct RememberedText: Sendable, Equatable {
    package var sketch: TextSketch
    /// How many senders its campaign had.
    package var senders: Int

    package init(sketch: TextSketch, senders: Int) {
        self.sketch = sketch
        self.senders = senders
    }
}
