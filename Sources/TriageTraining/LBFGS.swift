/// Limited-memory BFGS with a backtracking line search (Nocedal & Wright, Numerical Optimization, algorithm 7.4 and 7.5).
struct LBFGS {
    var iterations = 100
    /// Steps that are remembered.
    var memory = 8
    /// Stops when the loss falls by less than this share of itself.
    var tolerance = 1e-5

    /// The point with the least value that was found.
    func minimize(from start: [Float], _ function: ([Float]) async -> (loss: Double, gradient: [Float])) async
        -> [Float]
    {
        var point = start
        var (loss, gradient) = await function(point)
        var steps: [(s: [Float], y: [Float], rho: Double)] = []
        for _ in 0..<iterations {
            var direction = self.direction(gradient, steps)
            var slope = Self.dot(direction, gradient)
            if slope >= 0 {
                steps = []
                direction = gradient.map { -$0 }
                slope = -Self.dot(gradient, gradient)
            }
            guard slope < 0 else { break }
            var length = steps.isEmpty ? 1 / max(1, (-slope).squareRoot()) : 1
            var next = (point: point, loss: loss, gradient: gradient)
            var isFound = false
            for _ in 0..<20 {
                for i in point.indices { next.point[i] = point[i] + Float(length) * direction[i] }
                (next.loss, next.gradient) = await function(next.point)
                if next.loss <= loss + 1e-4 * length * slope {
                    isFound = true
                    break
                }
                length *= 0.5
            }
            guard isFound else {
                // The remembered steps may mislead; the gradient alone does not.
                if steps.isEmpty { break }
                steps = []
                continue
            }
            var s = point
            var y = gradient
            for i in point.indices {
                s[i] = next.point[i] - point[i]
                y[i] = next.gradient[i] - gradient[i]
            }
            let curvature = Self.dot(s, y)
            if curvature > 1e-12 {
                steps.append((s, y, 1 / curvature))
                if steps.count > memory { steps.removeFirst() }
            }
            let fall = loss - next.loss
            (point, loss, gradient) = (next.point, next.loss, next.gradient)
            if fall < tolerance * max(1, loss.magnitude) { break }
        }
        return point
    }

    /// Minus the gradient times the inverse Hessian that the remembered steps suggest.
    private func direction(_ gradient: [Float], _ steps: [(s: [Float], y: [Float], rho: Double)]) -> [Float] {
        var q = gradient.map { -$0 }
        var alphas: [Double] = []
        for step in steps.reversed() {
            let alpha = step.rho * Self.dot(step.s, q)
            alphas.append(alpha)
            Self.add(step.y, times: -alpha, to: &q)
        }
        if let last = steps.last {
            let scale = Float(Self.dot(last.s, last.y) / max(Self.dot(last.y, last.y), 1e-30))
            for i in q.indices { q[i] *= scale }
        }
        for (step, alpha) in zip(steps, alphas.reversed()) {
            let beta = step.rho * Self.dot(step.y, q)
            Self.add(step.s, times: alpha - beta, to: &q)
        }
        return q
    }

    private static func dot(_ a: [Float], _ b: [Float]) -> Double {
        var sum = 0.0
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                // In blocks of single precision, which vectors can add; the blocks in double.
                var at = 0
                while at < a.count {
                    let end = min(at + 256, a.count)
                    var block = SIMD8<Float>(repeating: 0)
                    while at + 8 <= end {
                        let left = UnsafeRawPointer(a.baseAddress! + at).loadUnaligned(as: SIMD8<Float>.self)
                        let right = UnsafeRawPointer(b.baseAddress! + at).loadUnaligned(as: SIMD8<Float>.self)
                        block += left * right
                        at += 8
                    }
                    sum += Double(block.sum())
                    while at < end {
                        sum += Double(a[at] * b[at])
                        at += 1
                    }
                }
            }
        }
        return sum
    }

    private static func add(_ a: [Float], times factor: Double, to b: inout [Float]) {
        let factor = Float(factor)
        a.withUnsafeBufferPointer { a in
            b.withUnsafeMutableBufferPointer { b in for i in 0..<a.count { b[i] += factor * a[i] } }
        }
    }
}
