import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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

    /// Parts that are summed apart, so that sums do not depend on how many cores there are.
    private static let parts = 4

    /// Weights and, behind them, biases.
    var parameters: Int { (matrix.width + 1) * lanes }

    /// - Returns: loss and gradient at a point.
    func evaluate(_ point: [Float]) async -> (loss: Double, gradient: [Float]) {
        let rows = matrix.count
        let partial = await withTaskGroup(of: (Int, Double, [Float]).self) { group in
            for part in 0..<Self.parts {
                group.addTask {
                    let range = rows * part / Self.parts..<rows * (part + 1) / Self.parts
                    let (loss, gradient) = sum(range, point)
                    return (part, loss, gradient)
                }
            }
            var results = [(Double, [Float])?](repeating: nil, count: Self.parts)
            for await (part, loss, gradient) in group { results[part] = (loss, gradient) }
            return results.compactMap { $0 }
        }
        var loss = 0.0
        var gradient = [Float](repeating: 0, count: parameters)
        for (partLoss, partGradient) in partial {
            loss += partLoss
            for i in gradient.indices { gradient[i] += partGradient[i] }
        }
        var square = 0.0
        for i in 0..<matrix.width * lanes {
            gradient[i] += penalty * point[i]
            square += Double(point[i]) * Double(point[i])
        }
        return (loss + 0.5 * Double(penalty) * square, gradient)
    }

    private func sum(_ range: Range<Int>, _ point: [Float]) -> (Double, [Float]) {
        var gradient = [Float](repeating: 0, count: parameters)
        var loss = 0.0
        point.withUnsafeBufferPointer { point in
            gradient.withUnsafeMutableBufferPointer { gradient in
                guard let point = point.baseAddress, let gradient = gradient.baseAddress else { return }
                let biases = matrix.width * lanes
                for row in range {
                    var logits = offsets[row]
                    for lane in 0..<lanes { logits[lane] += point[biases + lane] }
                    matrix.times(point, row: row, lanes: lanes, into: &logits)
                    let (rowLoss, slope) = Self.slope(logits, masks[row], lanes: lanes)
                    loss += Double(rowLoss * weights[row])
                    let step = slope * weights[row]
                    for place in matrix.starts[row]..<matrix.starts[row + 1] {
                        let value = matrix.values[place]
                        let at = gradient + Int(matrix.columns[place]) * lanes
                        for lane in 0..<lanes { at[lane] += value * step[lane] }
                    }
                    for lane in 0..<lanes { gradient[biases + lane] += step[lane] }
                }
            }
        }
        return (loss, gradient)
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
