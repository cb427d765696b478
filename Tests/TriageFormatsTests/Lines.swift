import TriageCore
import TriageFormats

/// A batch of the given lines, as a reader would push it.
func makeInput(_ lines: [[UInt8]], textKey: String? = nil) -> InputBatch {
    var input = InputBatch(sequence: 0)
    input.textKey = textKey
    for (index, line) in lines.enumerated() {
        let start = input.bytes.count
        input.bytes += line
        input.lines.append(
            InputLine(span: Span32(start: start, count: line.count), number: index + 1, offset: start, source: 0))
    }
    input.bytes += [UInt8](repeating: 0, count: InputBatch.padding)
    return input
}

/// The batch that a reader makes of lines.
func read(_ lines: [[UInt8]], textKey: String? = nil, with reader: RecordReader = RecordReader()) -> Batch {
    var batch = Batch()
    batch.reset(to: makeInput(lines, textKey: textKey))
    reader.read(&batch)
    return batch
}

func read(_ line: String, textKey: String? = nil, with reader: RecordReader = RecordReader()) -> Batch {
    read([Array(line.utf8)], textKey: textKey, with: reader)
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
