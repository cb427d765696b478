import TriageCore
import TriageStore

extension InboxLikeness {
    /// What the text of a record is compared by; nil: there is too little of it.
    init?(_ record: Record, of batch: borrowing Batch) {
        guard batch.sketches.indices.contains(Int(record.sketch)) else { return nil }
        let sketch = batch.sketches[Int(record.sketch)]
        self.init(campaign: sketch.campaign, sender: sketch.sender, sketch: sketch.kept)
    }
}
