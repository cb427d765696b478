/// A configuration file as a tree of located values; YAML and JSON come out the same.
package struct ConfigDocument: Sendable {
    /// How faults name the file.
    package let name: String
    /// nil when the file is empty, holds only comments, or is broken.
    package let root: ConfigNode?

    /// Bytes of a file that are read; a rule file of this size has some 100,000 patterns.
    package static let byteLimit = 8 << 20
    /// How deep values may be nested.
    package static let depthLimit = 64
    /// Values that aliases may add to those that are written, so that a small file cannot become a huge tree.
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
            // libyaml reads most JSON, but neither surrogate escapes nor long keys.
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

    /// 1-based number of the first line that is not valid UTF-8.
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

/// A value of a YAML or JSON file that knows where it stands.
package struct ConfigNode: Sendable, Equatable {
    package var value: Value
    /// 1-based.
    package var line: Int
    /// 1-based, in characters.
    package var column: Int

    package enum Value: Sendable, Equatable {
        case null
        /// `isPlain`: written without quotes, so that it may be meant as a number or a truth value.
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

    /// Value of a key; nil when this is no mapping, or the key is absent or null.
    package subscript(_ key: String) -> ConfigNode? {
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
