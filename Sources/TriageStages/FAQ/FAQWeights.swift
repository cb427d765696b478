internal import ShippedFAQ

/// The matcher's learned weights, written by `Tests/Benchmarks/faq.py fit`: lines of a name and numbers, or words and
/// numbers.
///
/// Lines that begin with the same name continue each other; lines that begin with `#` and a blank are comments.
struct FAQWeights: Sendable {
    /// The weights embedded in the program.
    static let shipped: FAQWeights = {
        let file = shipped_faq_weights
        let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
        return FAQWeights(String(decoding: bytes, as: UTF8.self))
    }()

    /// Lists of numbers by name.
    private let lists: [Substring: [Float]]
    /// Words and weights, in the format that ``FAQCues`` parses.
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

    /// Returns the numbers under a name: exactly `count`, padded with zeros.
    func list(_ name: Substring, count: Int) -> [Float] {
        let found = lists[name] ?? []
        return Array(found.prefix(count)) + [Float](repeating: 0, count: max(0, count - found.count))
    }
}
