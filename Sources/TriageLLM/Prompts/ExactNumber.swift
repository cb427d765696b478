/// Numbers as a model writes them, taken only when they are exactly what was asked for.
enum ExactNumber {
    /// The integer that a JSON number, or a string of one, exactly is: `5`, `5.0`, `"5"`, `5e0`.
    static func integer(_ value: JSONValue) -> Int? {
        guard let number = decimal(value), number.rounded(.towardZero) == number, abs(number) < 1e9 else { return nil }
        return Int(number)
    }

    /// The finite value of a JSON number, or of a string of one.
    static func decimal(_ value: JSONValue) -> Double? {
        let text: String
        switch value {
        case .number(let digits): text = digits
        case .string(let string): text = Text.trimmed(string)
        default: return nil
        }
        // Double also reads "nan", "inf" and "0x1p4"; JSON does not.
        guard !text.isEmpty, text.utf8.count <= 40,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }
}
