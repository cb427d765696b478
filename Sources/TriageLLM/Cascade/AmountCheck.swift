/// Whether a sum that a model read stands in the text: a model's word alone is no offer.
struct AmountCheck {
    /// Bytes of a text that are looked at; an offer's sum stands early.
    private static let limit = 20_000
    /// Numbers that are looked at.
    private static let most = 64

    /// Where the sum stands, as UTF-8 offsets; an empty range at 0 where it is a product of two numbers of the text,
    /// such as three posts at 400 each; nil where the text does not say it.
    static func place(of amount: Double, in text: some Collection<UInt8>) -> Range<Int>? {
        guard amount.isFinite, amount > 0, amount < 1e12 else { return nil }
        let bytes = Array(text.prefix(limit))
        var seen: [Double] = []
        var index = 0
        while index < bytes.count, seen.count < most {
            guard isDigit(bytes[index]) else {
                index += 1
                continue
            }
            let (values, end) = number(in: bytes, at: index)
            if values.contains(where: { same($0, amount) }) { return index..<end }
            seen += values
            index = end
        }
        for (i, a) in seen.enumerated() {
            for b in seen[i...] where same(a * b, amount) { return 0..<0 }
        }
        return nil
    }

    private static func same(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-4 * max(1, abs(b)) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// What a number may mean: separators are for thousands or decimals, and `k` and its kin multiply.
    private static func number(in bytes: [UInt8], at start: Int) -> (values: [Double], end: Int) {
        var whole: Double = 0
        var sinceSeparator: Int?
        var end = start
        var digits = 0
        while end < bytes.count, digits < 15 {
            if isDigit(bytes[end]) {
                whole = whole * 10 + Double(bytes[end] - 0x30)
                digits += 1
                sinceSeparator = sinceSeparator.map { $0 + 1 }
                end += 1
            } else if end + 1 < bytes.count, isDigit(bytes[end + 1]), [0x2C, 0x2E, 0x27, 0x20].contains(bytes[end]) {
                sinceSeparator = 0
                end += 1
            } else {
                break
            }
        }
        var values = [whole]
        if let places = sinceSeparator, places > 0, places <= 2 {
            values.append(whole / (places == 1 ? 10 : 100))
        }
        let rest = bytes[end...].prefix(8).map { $0 | 0x20 }.drop { $0 == 0x20 }
        let multipliers: [(String, Double)] = [
            ("k", 1e3), ("thousand", 1e3), ("mil", 1e3), ("tsd", 1e3), ("tausend", 1e3), ("mille", 1e3), ("m", 1e6),
            ("lakh", 1e5), ("lac", 1e5),
        ]
        for (word, factor) in multipliers where rest.starts(with: word.utf8) {
            values += values.map { $0 * factor }
            break
        }
        return (values, end)
    }
}
