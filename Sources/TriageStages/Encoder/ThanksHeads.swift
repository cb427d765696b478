internal import ShippedEncoder
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A softmax that tells from the vector of a fan's message, and from what the program found, whether a short thank-you answers it.
///
/// `Tests/Benchmarks/thanks.py` fits it on labelled messages. The file: `TTK1`, then little-endian 32-bit floats. For each of praise,
/// good news, sorrow, question, joke, criticism, report and small talk: the bias, five weights of what was found, and the weights of the vector.
struct ThanksHeads: Sendable {
    static let shipped: ThanksHeads? = {
        let file = shipped_thanks_heads
        return ThanksHeads(Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
    }()

    private struct Row {
        let bias: Float
        let found: [Float]
        let vector: [Float]
    }

    private static let magic: [UInt8] = Array("TTK1".utf8)
    private static let (labels, foundCount) = (8, 5)
    private let rows: [Row]

    /// - Parameter bytes: nil is returned for another file.
    init?(_ bytes: [UInt8]) {
        let numbers = Self.labels * (1 + Self.foundCount + Batch.sentenceSize)
        guard bytes.count == 4 + 4 * numbers, Array(bytes.prefix(4)) == Self.magic else { return nil }
        var place = 4
        func next(_ count: Int) -> [Float] {
            defer { place += 4 * count }
            return (0..<count).map { number in
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + 4 * number + $1]) << (8 * UInt32($1)) }
                return Float(bitPattern: bits)
            }
        }
        rows = (0..<Self.labels).map { _ in
            Row(bias: next(1)[0], found: next(Self.foundCount), vector: next(Batch.sentenceSize))
        }
    }

    /// - Parameter text: the message, UTF-8.
    func answer(_ feeling: Sentiment, _ text: ArraySlice<UInt8>, _ sentence: ArraySlice<Float>) -> ThanksAnswer {
        let found: [Float] = [
            feeling == .positive ? 2 : 0, feeling == .negative ? 2 : 0, logf(Float(max(1, text.count))) - 4.5,
            text.contains(UInt8(ascii: "?")) ? 2 : 0, text.contains(UInt8(ascii: "!")) ? 2 : 0,
        ]
        let scores = rows.map { row in
            row.bias + Self.dot(row.found[...], found[...]) + Self.dot(row.vector[...], sentence)
        }
        let most = scores.max() ?? 0
        let powers = scores.map { expf($0 - most) }
        let total = powers.reduce(0, +)
        return ThanksAnswer(fits: (powers[0] + powers[1]) / total, sorrow: powers[2] / total)
    }

    private static func dot(_ first: ArraySlice<Float>, _ second: ArraySlice<Float>) -> Float {
        zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
