import TriageCore

/// Batches of messages with answers, as the last stage leaves them.
enum AnsweredBatch {
    /// - Parameter change: sets answers of the n-th record; fields are set by ``set(_:_:in:)``.
    static func make(
        _ texts: [String], sequence: Int = 0, change: (Int, inout Batch) -> Void = { _, _ in }
    ) -> Batch {
        var batch = Batch()
        batch.input = InputBatch(sequence: sequence)
        for (number, text) in texts.enumerated() {
            var record = Record()
            record.line = number
            batch.records.append(record)
            set(\.text, text, of: number, in: &batch)
            set(\.id, "m\(number)", of: number, in: &batch)
            change(number, &batch)
        }
        return batch
    }

    static func set(
        _ field: WritableKeyPath<RecordFields, Span32>, _ value: String, of number: Int, in batch: inout Batch
    ) {
        batch.records[number].fields[keyPath: field] = Span32(start: batch.arena.count, count: value.utf8.count)
        batch.arena += Array(value.utf8)
    }

    static func category(_ label: Category) -> CategoryAnswer {
        var scores = SIMD4<Float>(repeating: 0)
        scores[Int(label.rawValue)] = 1
        return CategoryAnswer(label: label, scores: scores, level: .high, by: .categoryRules, because: 0..<0)
    }

    static func urgency(_ isUrgent: Bool) -> UrgencyAnswer {
        UrgencyAnswer(
            isUrgent: isUrgent, score: isUrgent ? 0.9 : 0.1, kind: .other, by: .urgencyRules, because: 0..<0)
    }

    static func opportunity(_ score: Int) -> OpportunityAnswer {
        func part(_ points: Int) -> OpportunityAnswer.Part {
            OpportunityAnswer.Part(points: points, maximum: 100, because: 0..<0)
        }
        return OpportunityAnswer(
            monetary: part(score), brandFit: part(0), legitimacy: part(0), urgency: part(0), insights: 0..<0)
    }

    static func dollars(_ amount: Double) -> MoneyAmount {
        MoneyAmount(amount: amount, currency: Currency("USD"), usd: amount, start: 0, end: 0)
    }
}
