/// Gold labels and answers of one question with classes, ready to be counted again and again.
struct ClassSample: Statistic {
    let question: EvaluatedQuestion
    let names: [String]
    private let classCount: Int
    /// Cell of the confusion matrix of each record.
    private var cells: [UInt8] = []
    private var clusters: [UInt32] = []

    init(_ question: EvaluatedQuestion) {
        self.question = question
        classCount = question.classes.count
        names = Self.names(question)
    }

    mutating func add(gold: UInt8, predicted: UInt8?, cluster: UInt32) {
        cells.append(gold * UInt8(classCount + 1) + (predicted ?? UInt8(classCount)))
        clusters.append(cluster)
    }

    var count: Int { cells.count }

    static func names(_ question: EvaluatedQuestion) -> [String] {
        if question.isBinary { return ["f1", "precision", "recall", "false_alarms", "accuracy"] }
        return ["macro_f1", "accuracy", "answered"]
            + question.classes.flatMap { ["precision.\($0)", "recall.\($0)", "f1.\($0)"] }
    }

    func matrix(weights: UnsafeBufferPointer<UInt16>?) -> ConfusionMatrix {
        var counts = [Int](repeating: 0, count: classCount * (classCount + 1))
        counts.withUnsafeMutableBufferPointer { counts in
            cells.withUnsafeBufferPointer { cells in
                clusters.withUnsafeBufferPointer { clusters in
                    for i in cells.indices {
                        counts[Int(cells[i])] += weights.map { Int($0[Int(clusters[i])]) } ?? 1
                    }
                }
            }
        }
        return ConfusionMatrix(classes: question.classes, counts: counts)
    }

    func values(weights: UnsafeBufferPointer<UInt16>?) -> [Double?] {
        let matrix = matrix(weights: weights)
        if question.isBinary {
            return [matrix.f1(1), matrix.precision(1), matrix.recall(1), matrix.falseAlarms(1), matrix.accuracy]
        }
        return [matrix.macroF1, matrix.accuracy, matrix.answered]
            + matrix.classes.indices.flatMap { [matrix.precision($0), matrix.recall($0), matrix.f1($0)] }
    }
}
