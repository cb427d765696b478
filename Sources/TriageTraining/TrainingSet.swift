package import TriageCore

/// Which classes a label allows, one bit each; 0: the question is not labelled.
///
/// "Not spam" allows fan and business. Of a question with one lane the bits are no and yes.
package typealias LabelMask = UInt8

/// Labelled messages as numbers: compact, so that 100,000 of them are small.
package struct TrainingSet: Sendable {
    /// Names of the signals, by index.
    package let signals: [String]
    let bits: Int

    /// Where each example's columns begin, and the end.
    private(set) var starts: [Int] = [0]
    /// Text buckets first, then signals, facts and the rules' lanes.
    private(set) var columns: [UInt32] = []
    /// Occurrences times what the columns of one kind are multiplied by.
    private(set) var values: [Float] = []
    private(set) var masks: [SIMD4<UInt8>] = []
    private(set) var groups: [UInt32] = []
    private(set) var sources: [UInt16] = []
    private(set) var isHome: [Bool] = []
    /// By example: the one that it is a changed copy of, if it is there.
    private(set) var originals: [Int?] = []

    /// - Parameters:
    ///   - bits: buckets of texts as a power of two.
    ///   - signals: names of the rule set's signals.
    package init(bits: Int, signals: [String]) {
        self.bits = bits
        self.signals = signals
    }

    package var count: Int { masks.count }

    /// Adds a labelled message.
    ///
    /// - Parameters:
    ///   - labels: by ``ModelHead``.
    ///   - group: messages of one group are never on both sides of a split.
    ///   - source: the set it comes from.
    ///   - isHome: whether it is a creator's message, and no text of another kind that only lends words.
    ///   - original: the example that it is a changed copy of.
    package mutating func add(
        _ features: TextFeatures, labels: [LabelMask], group: UInt32, source: UInt16, isHome: Bool, original: Int? = nil
    ) {
        var found: [UInt32] = []
        found.reserveCapacity(features.hashes.count)
        let shift = UInt64(64 - bits)
        for hash in features.hashes { found.append(UInt32(truncatingIfNeeded: hash >> shift)) }
        found.sort()
        append(found, worth: features.share)
        append(features.signals.map { UInt32(signalBase + Int($0)) }.sorted(), worth: Self.otherWorth)
        append(features.facts.map { UInt32(factBase + $0.rawValue) }.sorted(), worth: Self.otherWorth)
        for lane in 0..<8 where features.rules[lane] != 0 {
            columns.append(UInt32(ruleBase + lane))
            values.append(features.rules[lane] * Self.otherWorth)
        }
        starts.append(columns.count)
        masks.append(SIMD4(labels[0], labels[1], labels[2], labels[3]))
        groups.append(group)
        sources.append(source)
        self.isHome.append(isHome)
        originals.append(original)
    }

    /// What signals, facts and the rules' log-odds are multiplied by next to words: a larger number lets them learn
    /// faster against the same penalty.
    ///
    /// With whole authors left out, 0.1 did better than 0.3: urgent F1 .712 and .700, injection .843 and .826.
    static let otherWorth: Float = 0.1

    private mutating func append(_ sorted: [UInt32], worth: Float) {
        var at = 0
        while at < sorted.count {
            var end = at + 1
            while end < sorted.count, sorted[end] == sorted[at] { end += 1 }
            columns.append(sorted[at])
            values.append(Float(end - at) * worth)
            at = end
        }
    }

    var signalBase: Int { 1 << bits }
    var factBase: Int { signalBase + signals.count }
    var ruleBase: Int { factBase + ModelFact.allCases.count }
    /// Columns in all.
    var width: Int { ruleBase + 8 }
}
