import TriageCore

@testable import TriageStages

/// Runs texts and senders through folding and detection, as a pipeline would.
struct DetectionSample {
    var text = ""
    var handle = ""
    var name = ""
    var followers: Int64?
    var isVerified: Bool?
    var sentAt: Int64?

    static var creator: CreatorProfile {
        var profile = CreatorProfile()
        profile.name = "Maya Adeyemi-Holt"
        profile.handles = ["maya.adeyemiholt"]
        profile.niches = [
            "strength training", "dumbbell training", "home workouts", "nutrition", "fitness apps",
            "mixing and mastering",
        ]
        profile.excludedTopics = [
            "gambling and betting", "detox teas and cleanses", "bought streams, plays or playlist places", "alcohol",
            "homework-answer services", "instant loans", "18+ sites",
        ]
        profile.works = [
            "First Reps: 8 weeks of strength for total beginners", "I trained like a postwoman for 30 days",
            "Adjustable dumbbells, two years later",
        ]
        profile.timezone = "Europe/Lisbon"
        return profile
    }

    /// A rule set with one signal for each detector, and what the given ones add.
    static func rules(_ extra: [Signal] = []) -> RuleSet {
        RuleSet(
            signals: DetectorName.allCases.map {
                Signal(
                    name: "d." + $0.rawValue, why: "", trigger: .detector($0.rawValue), feeds: Feeds(), place: "test:1")
            } + extra)
    }

    func batch(_ rules: RuleSet = rules(), profile: CreatorProfile = creator) -> Batch {
        var batch = Batch()
        var record = Record()
        func put(_ value: String) -> Span32 {
            let start = batch.arena.count
            batch.arena += Array(value.utf8)
            return Span32(start: start, count: value.utf8.count)
        }
        record.fields.text = put(text)
        if !handle.isEmpty { record.fields.senderHandle = put(handle) }
        if !name.isEmpty { record.fields.senderName = put(name) }
        record.fields.followers = followers
        record.fields.isVerified = isVerified
        record.sentAt = sentAt
        batch.records = [record]
        FoldStage().annotate(&batch)
        SignalDetectionStage(rules: rules, profile: profile, settings: Settings()).annotate(&batch)
        return batch
    }

    /// Names of the detectors that fired.
    var detectors: Set<String> {
        let batch = batch()
        return Set(batch.records[0].hits.map { DetectorName.allCases[Int(batch.hits[$0].signal)].rawValue })
    }

    var facts: Facts { batch().records[0].facts }
}
