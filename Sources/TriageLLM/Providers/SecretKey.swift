/// A key for a server: goes into one header and is printed nowhere.
public struct SecretKey: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    /// - Returns: nil for nothing but white space, and for what cannot stand in a header, such as a line break inside.
    public init?(_ text: String) {
        let inner = text.utf8.drop(while: StrictJSON.isSpace)
        guard let end = inner.lastIndex(where: { !StrictJSON.isSpace($0) }) else { return nil }
        let key = inner[...end]
        guard key.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = String(Substring(key))
    }

    /// The key itself, for the header of a request.
    package var headerValue: String { text }

    public var description: String { "<key>" }
    public var debugDescription: String { "<key>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
