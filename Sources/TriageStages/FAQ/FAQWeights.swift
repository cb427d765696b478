internal import ShippedFAQ

/// What the matcher learned, as `Tests/Benchmarks/faq.py fit` writes it: lines of a name and numbers, or of words and numbers.
///
/// A name that several lines begin with goes on; lines that begin with `#` and a blank are comments.
struct FAQWeights: Sendable {
    /// Those that travel with the program.
    static let shipped: FAQWeights = {
        let file = shipped_faq_weights
        let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
        return FAQWeights(String(decoding: bytes, as: UTF8.self))
    }()

    /// Numbers by name.
    private let lists: [Substring: [Float]]
    /// Words and weights, as ``FAQCues`` reads them.
    let cues: String

    init(_ text: String) {
        var lists: [Substring: [Float]] = [:]
        var cues: [Substring] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("# ") {
            let items = line.split(separator: " ")
            guard let name = items.first else { continue }
            if name == "cues" {
                cues += items.dropFirst()
            } else {
                lists[name, default: []] += items.dropFirst().map { Float($0) ?? 0 }
            }
        }
        self.lists = lists
        self.cues = cues.joined(separator: " ")
    }

    /// The numbers of a name: as many as are asked for, zeros where there are fewer.
    func list(_ name: Substring, count: Int) -> [Float] {
        let found = lists[name] ?? []
        return Array(found.prefix(count)) + [Float](repeating: 0, count: max(0, count - found.count))
    }
}
