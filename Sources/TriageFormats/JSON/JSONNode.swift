import CRecordScan
import TriageCore

/// A small JSON value as a tree, for readers that take records apart; too slow for the hot path.
indirect enum JSONNode: Equatable {
    case null
    case bool(Bool)
    /// As written: only the caller knows how to convert the number.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])

    struct Member: Equatable {
        var key: String
        var value: JSONNode
    }

    /// The maximum nesting depth; exports have less than ten levels.
    static let maximumDepth = 64

    /// The maximum number of bytes parsed into a tree, which takes many times the memory of its text.
    static let maximumLength = 1 << 20

    /// Parses a JSON value; nil when it is invalid, too deep or longer than `limit`.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int = maximumLength) {
        var offset = 0
        var reason: UnsafePointer<CChar>?
        guard let base = bytes.baseAddress, bytes.count <= limit,
            trs_check(base, bytes.count, Self.maximumDepth, &offset, &reason) == TRS_OK
        else { return nil }
        var builder = Builder(bytes: bytes)
        self = builder.value()
    }

    init?(_ bytes: some Collection<UInt8>) {
        let array = Array(bytes)
        guard let node = array.withUnsafeBufferPointer({ JSONNode($0) }) else { return nil }
        self = node
    }

    /// The last member with that name: of duplicate keys, the last counts.
    subscript(key: String) -> JSONNode? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    var members: [Member] {
        if case .object(let members) = self { return members }
        return []
    }

    var elements: [JSONNode] {
        if case .array(let elements) = self { return elements }
        return []
    }

    var string: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// An integer, written as a number or as a string of digits.
    var int: Int? {
        switch self {
        case .number(let text), .string(let text): Int(text)
        default: nil
        }
    }

    var isObject: Bool {
        if case .object = self { return true }
        return false
    }

    /// Builds the tree from validated text; still, every step stays within the bytes.
    private struct Builder {
        let bytes: UnsafeBufferPointer<UInt8>
        var at = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

        private mutating func blanks() { while at < bytes.count, Opening.isBlank(bytes[at]) { at += 1 } }

        /// Validation limited the nesting, so this recursion is bounded.
        mutating func value() -> JSONNode {
            blanks()
            switch byte {
            case UInt8(ascii: "{"):
                at += 1
                var members: [Member] = []
                blanks()
                while at < bytes.count, byte != UInt8(ascii: "}") {
                    blanks()
                    let key = string()
                    blanks()
                    at += 1
                    members.append(Member(key: key, value: value()))
                    blanks()
                    if byte == UInt8(ascii: ",") { at += 1 }
                }
                at += 1
                return .object(members)
            case UInt8(ascii: "["):
                at += 1
                var elements: [JSONNode] = []
                blanks()
                while at < bytes.count, byte != UInt8(ascii: "]") {
                    elements.append(value())
                    blanks()
                    if byte == UInt8(ascii: ",") { at += 1 }
                }
                at += 1
                return .array(elements)
            case UInt8(ascii: "\""): return .string(string())
            case UInt8(ascii: "t"):
                at += 4
                return .bool(true)
            case UInt8(ascii: "f"):
                at += 5
                return .bool(false)
            case UInt8(ascii: "n"):
                at += 4
                return .null
            default:
                let start = at
                while at < bytes.count, "+-.eE0123456789".utf8.contains(byte) { at += 1 }
                if at == start { at += 1 }
                return .number(String(decoding: bytes[start..<min(at, bytes.count)], as: UTF8.self))
            }
        }

        private mutating func string() -> String {
            let start = at + 1
            at = start
            while at < bytes.count, byte != UInt8(ascii: "\"") { at += byte == UInt8(ascii: "\\") ? 2 : 1 }
            defer { at += 1 }
            return JSONText.decoded(UnsafeBufferPointer(rebasing: bytes[start..<max(start, min(at, bytes.count))]))
        }
    }
}

/// The members near the top of a JSON value, for detecting formats by an opening that may be incomplete.
///
/// A path is written as `entry[].changes[].field`; the first elements of an array are examined together.
struct JSONOutline {
    /// How many levels are examined.
    private static let depth = 6
    /// How many elements of each array are examined.
    private static let elements = 3

    /// The kind of value at each path.
    private(set) var kinds: [String: JSONPicker.Kind] = [:]
    /// The first string at each path that ends in a wanted key.
    private(set) var texts: [String: String] = [:]

    /// - Parameters:
    ///   - opening: only its first value is examined.
    ///   - wanted: keys whose strings are kept.
    init(_ opening: Opening, texts wanted: Set<String> = []) {
        guard opening.firstByte == UInt8(ascii: "{") || opening.firstByte == UInt8(ascii: "[") else { return }
        let seen = Seen()
        var picker = JSONPicker(maximumLength: Opening.limit) { path, kind in
            seen.kinds[Self.text(of: path), default: kind] = kind
            if case .element(let index)? = path.last, index >= Self.elements { return .skip }
            if kind != .scalar { return path.count < Self.depth ? .enter : .skip }
            return path.last?.key.map(wanted.contains) == true ? .take : .skip
        }
        var texts: [String: String] = [:]
        opening.bytes.withUnsafeBufferPointer { bytes in
            picker.feed(bytes) { event in
                guard case .value(let path, let bytes, _, _) = event, let text = JSONNode(bytes)?.string else { return }
                let key = Self.text(of: path)
                if texts[key] == nil { texts[key] = text }
            }
        }
        kinds = seen.kinds
        self.texts = texts
    }

    /// Whether all of these paths were seen.
    func has(_ paths: String...) -> Bool { paths.allSatisfy { kinds[$0] != nil } }

    private final class Seen {
        var kinds: [String: JSONPicker.Kind] = [:]
    }

    private static func text(of path: [JSONPicker.Step]) -> String {
        var text = ""
        for step in path {
            switch step {
            case .element: text += "[]"
            case .key(let key):
                if !text.isEmpty { text += "." }
                text += key
            }
        }
        return text
    }
}
