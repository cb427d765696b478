import Platform
import TriageCore

/// What one head is to learn: the weighted log loss of its examples plus an L2 penalty, and its gradient.
///
/// Softmax where the head has several lanes, logistic where it has one. A label that allows several classes asks only
/// that they are likely together.
struct HeadLoss: Sendable {
    let matrix: SparseMatrix
    let masks: [LabelMask]
    let weights: [Float]
    /// What an earlier model says of each example; learned is what has to be added.
    let offsets: [SIMD4<Float>]
    let lanes: Int
    let penalty: Float
    /// By row: the row of the original that it is a changed copy of; -1: it is none.
    let originals: [Int32]
    /// What half the squared distance between the logits of a copy and of its original costs.
    ///
    /// Labels alone ask only that both are right. This asks that what was added says nothing: what all lanes of a softmax
    /// have in common is left out, as it moves no answer.
    let agreement: Float

    /// Parts that are summed apart, so that sums do not depend on how many cores there are.
    private static let parts = 4

    /// Weights and, behind them, biases.
    var parameters: Int { (matrix.width + 1) * lanes }

    /// - Returns: loss and gradient at a point.
    func evaluate(_ point: [Float]) async -> (loss: Double, gradient: [Float]) {
        let logits = await inParts { range in self.logits(range, point) }.flatMap { $0 }
        let steps = await inParts { range in self.steps(range, logits) }
        let slopes = withCopies(steps.flatMap(\.slopes), logits)
        let partial = await inParts { range in self.gradient(range, slopes.steps) }
        var loss = steps.reduce(slopes.loss) { $0 + $1.loss }
        var gradient = [Float](repeating: 0, count: parameters)
        for part in partial { for i in gradient.indices { gradient[i] += part[i] } }
        var square = 0.0
        for i in 0..<matrix.width * lanes {
            gradient[i] += penalty * point[i]
            square += Double(point[i]) * Double(point[i])
        }
        loss += 0.5 * Double(penalty) * square
        return (loss, gradient)
    }

    /// Runs a part of the rows on each core, and returns the results in the order of the rows.
    private func inParts<Result: Sendable>(_ body: @escaping @Sendable (Range<Int>) -> Result) async -> [Result] {
        let rows = matrix.count
        return await withTaskGroup(of: (Int, Result).self) { group in
            for part in 0..<Self.parts {
                group.addTask { (part, body(rows * part / Self.parts..<rows * (part + 1) / Self.parts)) }
            }
            var results = [Result?](repeating: nil, count: Self.parts)
            for await (part, result) in group { results[part] = result }
            return results.compactMap { $0 }
        }
    }

    private func logits(_ range: Range<Int>, _ point: [Float]) -> [SIMD4<Float>] {
        point.withUnsafeBufferPointer { point in
            guard let point = point.baseAddress else { return [] }
            let biases = matrix.width * lanes
            return range.map { row in
                var logits = offsets[row]
                for lane in 0..<lanes { logits[lane] += point[biases + lane] }
                matrix.times(point, row: row, lanes: lanes, into: &logits)
                return logits
            }
        }
    }

    /// What the labels cost, and the derivative by the logits of each row.
    private func steps(_ range: Range<Int>, _ logits: [SIMD4<Float>]) -> (loss: Double, slopes: [SIMD4<Float>]) {
        var loss = 0.0
        let slopes = range.map { row in
            let (rowLoss, slope) = Self.slope(logits[row], masks[row], lanes: lanes)
            loss += Double(rowLoss * weights[row])
            return slope * weights[row]
        }
        return (loss, slopes)
    }

    /// Adds what copies cost that are answered otherwise than their originals.
    private func withCopies(
        _ steps: [SIMD4<Float>], _ logits: [SIMD4<Float>]
    ) -> (loss: Double, steps: [SIMD4<Float>]) {
        var steps = steps
        var loss = 0.0
        guard agreement > 0 else { return (loss, steps) }
        for row in originals.indices where originals[row] >= 0 {
            let original = Int(originals[row])
            var distance = logits[row] - logits[original]
            if lanes > 1 {
                var mean: Float = 0
                for lane in 0..<lanes { mean += distance[lane] / Float(lanes) }
                distance -= SIMD4(repeating: mean)
            }
            for lane in lanes..<4 { distance[lane] = 0 }
            let weight = agreement * weights[row]
            loss += Double(0.5 * weight * (distance * distance).sum())
            steps[row] += distance * weight
            steps[original] -= distance * weight
        }
        return (loss, steps)
    }

    private func gradient(_ range: Range<Int>, _ steps: [SIMD4<Float>]) -> [Float] {
        var gradient = [Float](repeating: 0, count: parameters)
        gradient.withUnsafeMutableBufferPointer { gradient in
            guard let gradient = gradient.baseAddress else { return }
            let biases = matrix.width * lanes
            for row in range {
                let step = steps[row]
                for place in matrix.starts[row]..<matrix.starts[row + 1] {
                    let value = matrix.values[place]
                    let at = gradient + Int(matrix.columns[place]) * lanes
                    for lane in 0..<lanes { at[lane] += value * step[lane] }
                }
                for lane in 0..<lanes { gradient[biases + lane] += step[lane] }
            }
        }
        return gradient
    }

    /// Loss of one example and its derivative by the logits.
    ///
    /// The loss is computed from the logits, not from the probabilities: of those nothing is left where an answer is
    /// far off, and a loss that stands still there while its slope does not leads every search for a minimum astray.
    static func slope(_ logits: SIMD4<Float>, _ mask: LabelMask, lanes: Int) -> (Float, SIMD4<Float>) {
        if lanes == 1 {
            let isYes = mask & 2 != 0
            let wrong = isYes ? -logits[0] : logits[0]
            let share = probabilities(logits, lanes: 1)[1]
            return (max(wrong, 0) + log1pf(expf(-wrong.magnitude)), SIMD4(share - (isYes ? 1 : 0), 0, 0, 0))
        }
        let shares = probabilities(logits, lanes: lanes)
        var allowed = logits
        for lane in 0..<4 where lane >= lanes || mask & 1 << UInt8(lane) == 0 { allowed[lane] = -.infinity }
        let among = exponentials(allowed, lanes: lanes)
        var slope = SIMD4<Float>(repeating: 0)
        for lane in 0..<lanes { slope[lane] = shares[lane] - among.values[lane] / among.sum }
        let all = exponentials(logits, lanes: lanes)
        return (all.top + logf(all.sum) - among.top - logf(among.sum), slope)
    }

    /// Powers of e of the lanes, divided by that of the greatest so that none overflows.
    private static func exponentials(_ logits: SIMD4<Float>, lanes: Int) -> (
        values: SIMD4<Float>, sum: Float, top: Float
    ) {
        var top = logits[0]
        for lane in 1..<lanes { top = max(top, logits[lane]) }
        var values = SIMD4<Float>(repeating: 0)
        var sum: Float = 0
        for lane in 0..<lanes {
            values[lane] = expf(logits[lane] - top)
            sum += values[lane]
        }
        return (values, sum, top)
    }

    /// Probabilities of the classes: of the lanes, or of no and yes.
    static func probabilities(_ logits: SIMD4<Float>, lanes: Int) -> SIMD4<Float> {
        if lanes == 1 {
            let yes = 1 / (1 + expf(-logits[0]))
            return SIMD4(1 - yes, yes, 0, 0)
        }
        let all = exponentials(logits, lanes: lanes)
        return all.values / all.sum
    }
}

/// The examples that one head learns from, in rows of columns and values; columns are renumbered to those in use.
struct SparseMatrix: Sendable {
    private(set) var starts: [Int] = [0]
    private(set) var columns: [UInt32] = []
    private(set) var values: [Float] = []
    /// The training set's column of each of ours.
    let original: [UInt32]
    var count: Int { starts.count - 1 }
    var width: Int { original.count }

    init(_ set: TrainingSet, _ examples: [Int], scale: FeatureScale) {
        var numbers = [Int32](repeating: -1, count: set.width)
        var original: [UInt32] = []
        for example in examples {
            for place in set.starts[example]..<set.starts[example + 1] {
                let column = Int(set.columns[place])
                let value = set.values[place] * scale.factors[column]
                guard value != 0 else { continue }
                if numbers[column] < 0 {
                    numbers[column] = Int32(original.count)
                    original.append(UInt32(column))
                }
                columns.append(UInt32(numbers[column]))
                values.append(value)
            }
            starts.append(columns.count)
        }
        self.original = original
    }

    /// The sum of one row times weights that stand in `lanes` numbers for each column.
    @inline(__always)
    func times(_ weights: UnsafePointer<Float>, row: Int, lanes: Int, into sums: inout SIMD4<Float>) {
        for place in starts[row]..<starts[row + 1] {
            let value = values[place]
            let at = weights + Int(columns[place]) * lanes
            for lane in 0..<lanes { sums[lane] += value * at[lane] }
        }
    }
}
