/// A value of a YAML or JSON file that knows where it stands.
public struct ConfigNode: Sendable, Equatable {
    public var value: Value
    /// 1-based.
    public var line: Int
    /// 1-based, in characters.
    public var column: Int

    public enum Value: Sendable, Equatable {
        case null
        /// `isPlain`: written without quotes, so that it may be meant as a number or a truth value.
        case scalar(String, isPlain: Bool)
        case sequence([ConfigNode])
        case mapping([Entry])
    }

    /// A key with its value; keys are unique in their mapping.
    public struct Entry: Sendable, Equatable {
        public var key: String
        public var line: Int
        public var column: Int
        public var value: ConfigNode

        public init(key: String, line: Int, column: Int, value: ConfigNode) {
            self.key = key
            self.line = line
            self.column = column
            self.value = value
        }
    }

    public init(_ value: Value, line: Int, column: Int) {
        self.value = value
        self.line = line
        self.column = column
    }

    /// Value of a key; nil when this is no mapping, or the key is absent or null.
    public subscript(_ key: String) -> ConfigNode? {
        guard case .mapping(let entries) = value, let entry = entries.first(where: { $0.key == key }) else {
            return nil
        }
        return entry.value.value == .null ? nil : entry.value
    }

    /// What it is, in words for a fault.
    var kind: String {
        switch value {
        case .null: "nothing"
        case .scalar(let text, let isPlain):
            if isPlain, Double(text) != nil {
                "a number"
            } else if isPlain, Self.truth(text) != nil {
                "true or false"
            } else {
                "text"
            }
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The truth values of YAML 1.1 and 1.2 that people write.
    static func truth(_ text: String) -> Bool? {
        switch text {
        case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": true
        case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": false
        default: nil
        }
    }
}
