import TriageCore

/// A JSON object that is written member by member.
package struct JSONObjectText {
    private var bytes: [UInt8] = []

    package init() {}

    package var text: String { "{" + String(decoding: bytes, as: UTF8.self) + "}" }

    package mutating func add(_ key: String, _ value: Int?) { if let value { add(raw: key, String(value)) } }

    package mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        add(raw: key, Self.string(value))
    }

    /// - Parameter value: JSON.
    package mutating func add(raw key: String, _ value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes += Array(Self.string(key).utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes += Array(value.utf8)
    }

    package static func string(_ value: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
