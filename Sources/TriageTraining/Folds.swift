/// Which part of a training set each example belongs to under cross-validation.
///
/// No conversation and no sender of a file is on both sides of a split. Where creators' messages come in several files,
/// neither is a file: one file is mostly one inbox, or the labels of one person, and what the model will meet is
/// another. Splits inside of files would make it look surer, and its thresholds higher, than it is with new people.
struct Folds: Sendable {
    private let folds: [UInt8]

    /// So many files there must be for whole files to be held out.
    static let leastFiles = 3

    /// - Parameters:
    ///   - count: folds, 2–255.
    ///   - seed: where groups are dealt.
    init(_ set: TrainingSet, count: Int, seed: UInt64) {
        var sizes: [UInt16: Int] = [:]
        for example in 0..<set.count where set.isHome[example] { sizes[set.sources[example], default: 0] += 1 }
        var byFile: [UInt16: UInt8] = [:]
        if sizes.count >= Self.leastFiles {
            // The largest first, each to the emptiest fold.
            var filled = [Int](repeating: 0, count: min(count, sizes.count))
            for (file, size) in sizes.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
                let fold = filled.indices.min { filled[$0] < filled[$1] } ?? 0
                filled[fold] += size
                byFile[file] = UInt8(fold)
            }
        }
        folds = (0..<set.count).map { example in
            if set.isHome[example], let fold = byFile[set.sources[example]] { return fold }
            // SplitMix64, so that neighbouring numbers land anywhere.
            var x = UInt64(set.groups[example]) &+ seed &* 0x9E37_79B9_7F4A_7C15
            x = (x ^ x >> 30) &* 0xBF58_476D_1CE4_E5B9
            x = (x ^ x >> 27) &* 0x94D0_49BB_1331_11EB
            return UInt8((x ^ x >> 31) % UInt64(count))
        }
    }

    subscript(example: Int) -> Int { Int(folds[example]) }
}
