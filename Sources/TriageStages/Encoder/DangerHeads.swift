internal import ShippedEncoder
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small networks that read from the vector of a part of a message what danger it tells of, and a logistic regression that weighs
/// the worst part, the whole message and what the program found without the encoder.
///
/// `Tests/Benchmarks/model.py danger` fits them on labelled messages. The file: `TDH1`, then little-endian 32-bit floats: the
/// centre of vectors; of each network the weights of the hidden units by number of the vector, their biases, the weights of no danger and
/// of each ``Danger`` by hidden unit, and their biases; then ten weights and the bias of the regression.
struct DangerHeads: Sendable {
    static let shipped: DangerHeads? = {
        let file = shipped_danger_heads
        return DangerHeads(Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
    }()

    /// What a text tells of danger.
    struct Reading {
        /// Log-odds of danger of any kind.
        var odds: Float
        var kind: Danger
        /// Of the kind among all dangers.
        var share: Float
    }

    private struct Network {
        let first: [Float]
        let firstBias: [Float]
        let second: [Float]
        let secondBias: [Float]
    }

    private static let (networkCount, hidden, weightCount) = (3, 128, 10)
    private static let outputs = Danger.allCases.count + 1
    /// Differences of vectors are small: they were learned times this.
    private static let scale: Float = 5
    private static let mostOdds: Float = 12

    private let centre: [Float]
    private let networks: [Network]
    private let weights: [Float]
    private let bias: Float

    /// - Parameter bytes: nil is returned for another file.
    init?(_ bytes: [UInt8]) {
        let size = Batch.sentenceSize
        let network = size * Self.hidden + Self.hidden + Self.hidden * Self.outputs + Self.outputs
        let numbers = size + Self.networkCount * network + Self.weightCount + 1
        guard var file = WeightFile(bytes, magic: "TDH1", numbers: numbers) else { return nil }
        centre = file.next(size)
        var networks: [Network] = []
        for _ in 0..<Self.networkCount {
            networks.append(
                Network(
                    first: file.next(size * Self.hidden), firstBias: file.next(Self.hidden),
                    second: file.next(Self.hidden * Self.outputs), secondBias: file.next(Self.outputs)))
        }
        self.networks = networks
        weights = file.next(Self.weightCount)
        bias = file.next(1)[0]
    }

    func read(_ sentence: [Float]) -> Reading {
        let values = zip(sentence, centre).map { ($0 - $1) * Self.scale }
        var scores = [Float](repeating: 0, count: Self.outputs)
        for network in networks {
            let sums = Self.product(values, network.first, network.firstBias)
            let own = Self.product(sums.map { max(0, $0) }, network.second, network.secondBias)
            for output in scores.indices { scores[output] += own[output] / Float(networks.count) }
        }
        let kinds = scores.dropFirst()
        let top = kinds.max() ?? 0
        let best = kinds.indices.max { kinds[$0] < kinds[$1] } ?? 1
        let total = kinds.reduce(Float(0)) { $0 + expf($1 - top) }
        return Reading(
            odds: logf(total) + top - scores[0], kind: Danger(rawValue: UInt8(best - 1)) ?? .selfHarm, share: 1 / total)
    }

    /// A vector times a table of as many rows, and the biases.
    private static func product(_ values: [Float], _ table: [Float], _ bias: [Float]) -> [Float] {
        var sums = bias
        for (row, value) in values.enumerated() where value != 0 {
            let start = row * sums.count
            for column in sums.indices { sums[column] += value * table[start + column] }
        }
        return sums
    }

    /// Log-odds that somebody is in danger.
    ///
    /// - Parameters:
    ///   - parts: what each part tells; not empty.
    ///   - found: what the program found without the encoder.
    func odds(_ parts: [Reading], whole: Reading, _ found: SentenceHeads.Found) -> Float {
        func bounded(_ odds: Float) -> Float { max(-Self.mostOdds, min(Self.mostOdds, odds)) }
        let worst = parts.map(\.odds).max() ?? -Self.mostOdds
        let total = parts.reduce(Float(0)) { $0 + expf(min($1.odds, 20)) }
        let values =
            [bounded(worst), bounded(whole.odds), logf(Float(parts.count)), logf(total + 1e-6)] + found.forDanger
        return zip(weights, values).reduce(bias) { $0 + $1.0 * $1.1 }
    }
}
