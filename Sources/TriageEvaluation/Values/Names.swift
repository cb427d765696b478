/// Texts that many records share, each with a number.
public struct Names: Sendable {
    private var numbers: [String: UInt32] = [:]
    /// The texts by number; 0 stands for "none said".
    public private(set) var texts: [String] = [""]

    public init() {}

    /// The number of a text, new or known; what is longer than 200 bytes is cut.
    public mutating func number(_ text: String?) -> UInt32 {
        guard let text, !text.isEmpty else { return 0 }
        let name = text.utf8.count <= 200 ? text : String(text.prefix(60))
        if let known = numbers[name] { return known }
        let number = UInt32(texts.count)
        numbers[name] = number
        texts.append(name)
        return number
    }
}
