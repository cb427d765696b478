/// A field that is added to every request; its value may be a secret, and is printed nowhere.
public struct ExtraHeader: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    public let name: String
    package let value: String

    /// - Returns: nil for a name or a value that cannot stand in a header.
    public init?(_ name: String, _ value: String) {
        let isName =
            (1...100).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
        let isValue =
            (1...8_192).contains(value.utf8.count) && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && value.first != " " && value.last != " "
        guard isName, isValue else { return nil }
        self.name = name
        self.value = value
    }

    public var description: String { "\(name): <value>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
