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
