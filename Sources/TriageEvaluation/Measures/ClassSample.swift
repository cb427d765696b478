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

/// How often each class of the gold labels (rows) got each answer (columns; the last one: no label).
///
/// Precision, recall and F1 as in van Rijsbergen, *Information Retrieval* (1979), chapter 7; F1 = 2·TP / (2·TP + FP + FN).
/// Macro-F1 is the mean of the classes' F1 (Sokolova & Lapalme 2009), over the classes that the gold labels hold, so
/// that two methods are averaged over the same classes. An answer without label is wrong and is no class. The same as
/// scikit-learn's `precision_recall_fscore_support(labels=classes of the gold, zero_division=0)`.
package struct ConfusionMatrix: Sendable, Equatable {
    package let classes: [String]
    /// Row by row, `classes.count + 1` columns.
    package private(set) var counts: [Int]

    package init(classes: [String]) {
        self.classes = classes
        counts = [Int](repeating: 0, count: classes.count * (classes.count + 1))
    }

    /// - Parameter counts: row by row, `classes.count + 1` columns.
    init(classes: [String], counts: [Int]) {
        self.classes = classes
        self.counts = counts
    }

    private var columns: Int { classes.count + 1 }

    /// - Parameter predicted: nil: an answer without label.
    package mutating func add(gold: Int, predicted: Int?) {
        guard classes.indices.contains(gold) else { return }
        counts[gold * columns + min(predicted ?? classes.count, classes.count)] += 1
    }

    package subscript(gold: Int, predicted: Int) -> Int { counts[gold * columns + predicted] }

    package var total: Int { counts.reduce(0, +) }
    package var right: Int { classes.indices.reduce(0) { $0 + self[$1, $1] } }

    /// Records whose gold label is the class.
    package func support(_ index: Int) -> Int { counts[index * columns..<(index + 1) * columns].reduce(0, +) }
    /// Records that were called the class.
    package func called(_ index: Int) -> Int { classes.indices.reduce(0) { $0 + self[$1, index] } }

    package var accuracy: Double? { ratio(right, total) }
    /// Share of records that got a label.
    package var answered: Double? {
        ratio(total - classes.indices.reduce(0) { $0 + self[$1, classes.count] }, total)
    }
    /// nil when nothing was called the class.
    package func precision(_ index: Int) -> Double? { ratio(self[index, index], called(index)) }
    /// nil when the gold has none of the class.
    package func recall(_ index: Int) -> Double? { ratio(self[index, index], support(index)) }
    /// nil when the class is neither in the gold nor among the answers.
    package func f1(_ index: Int) -> Double? { ratio(2 * self[index, index], support(index) + called(index)) }
    /// Share of the records that are not the class but were called it (false-positive rate).
    package func falseAlarms(_ index: Int) -> Double? {
        let others = total - support(index)
        return ratio(called(index) - self[index, index], others)
    }

    /// nil when there is no record.
    package var macroF1: Double? {
        let present = classes.indices.filter { support($0) > 0 }
        return ratio(present.reduce(0.0) { $0 + (f1($1) ?? 0) }, Double(present.count))
    }
}
