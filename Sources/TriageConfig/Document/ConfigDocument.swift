/// A configuration file as a tree of values with positions; YAML and JSON give the same tree.
package struct ConfigDocument: Sendable {
    /// The name of the file in faults.
    package let name: String
    /// nil when the file is empty, holds only comments, or is broken.
    package let root: ConfigNode?

    /// The size limit of a file, in bytes; a rule file of this size has some 100,000 patterns.
    package static let byteLimit = 8 << 20
    /// The maximum nesting depth of values.
    package static let depthLimit = 64
    /// The maximum number of values that aliases may add, so that a small file cannot become a huge tree.
    package static let aliasLimit = 100_000

    /// Reads a document; faults go to `faults`, and what could be read is kept.
    package init(name: String, bytes: [UInt8], faults: FaultCollector) {
        self.name = name
        guard bytes.count <= Self.byteLimit else {
            faults.add(
                "config.too-large", "the file has \(bytes.count) bytes; the limit is \(Self.byteLimit)", at: name,
                remedy: "split it, or remove what is not configuration")
            root = nil
            return
        }
        var content = bytes[...]
        if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
        if let line = Self.firstBrokenLine(content) {
            faults.add(
                "config.encoding", "line \(line) is not UTF-8", at: "\(name):\(line)", remedy: "save the file as UTF-8")
            root = nil
            return
        }
        root = content.withUnsafeBufferPointer { buffer in
            // libyaml reads most JSON, but not surrogate escapes or long keys.
            if Self.looksLikeJSON(buffer) {
                var reader = JSONReader(buffer, name: name)
                if let node = reader.read() {
                    reader.duplicates.forEach { faults.add($0) }
                    return node
                }
                if name.hasSuffix(".json") {
                    if let fault = reader.fault { faults.add(fault) }
                    return nil
                }
            }
            var reader = YAMLReader(name: name)
            return reader.read(buffer, faults: faults)
        }
    }

    /// `file:line:column` of a value.
    package func place(_ node: ConfigNode) -> String { "\(name):\(node.line):\(node.column)" }

    private static func looksLikeJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in bytes where byte > 0x20 { return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
        return false
    }

    /// The 1-based number of the first line that is not valid UTF-8.
    private static func firstBrokenLine(_ bytes: ArraySlice<UInt8>) -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var number = 1
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if String(validating: line, as: UTF8.self) == nil { return number }
            number += 1
        }
        return 1
    }
}

/// A value of a YAML or JSON file, with its position.
package struct ConfigNode: Sendable, Equatable {
    package var value: Value
    /// 1-based.
    package var line: Int
    /// 1-based, in characters.
    package var column: Int

    package enum Value: Sendable, Equatable {
        case null
        /// `isPlain`: written without quotes, so it may be meant as a number or a boolean.
        case scalar(String, isPlain: Bool)
        case sequence([ConfigNode])
        case mapping([Entry])
    }

    /// A key with its value; keys are unique in their mapping.
    package struct Entry: Sendable, Equatable {
        package var key: String
        package var line: Int
        package var column: Int
        package var value: ConfigNode

        package init(key: String, line: Int, column: Int, value: ConfigNode) {
            self.key = key
            self.line = line
            self.column = column
            self.value = value
        }
    }

    package init(_ value: Value, line: Int, column: Int) {
        self.value = value
        self.line = line
        self.column = column
    }

    /// The value of a key; nil when this is not a mapping, or the key is absent or null.
    package subscript(_ key: String) -> ConfigNode? {
        guard case .mapping(let entries) = value, let entry = entries.first(where: { $0.key == key }) else {
            return nil
        }
        return entry.value.value == .null ? nil : entry.value
    }

    /// The kind of value, in words for a fault.
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

    /// The YAML 1.1 and 1.2 booleans that people write.
    static func truth(_ text: String) -> Bool? {
        switch text {
        case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": true
        case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": false
        default: nil
        }
    }
}
