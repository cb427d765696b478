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

/// Formats amounts of money so that every reader of JSON and of metrics understands them.
package enum DecimalText {
    /// Six decimal places at most, and at least one.
    package static func dollars(_ amount: Double) -> String {
        guard amount.isFinite else { return "0" }
        let millionths = Int(min(max(amount, 0), 1e12) * 1e6 + 0.5)
        var places = String(millionths % 1_000_000)
        places = String(repeating: "0", count: 6 - places.count) + places
        while places.count > 1, places.last == "0" { places.removeLast() }
        return "\(millionths / 1_000_000).\(places)"
    }
}
