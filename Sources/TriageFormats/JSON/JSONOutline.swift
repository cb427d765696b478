/// Which members a JSON text has near its top, for telling formats apart by an opening that need not be whole.
///
/// A path is written as `entry[].changes[].field`; of an array the first elements are looked at, taken together.
struct JSONOutline {
    /// Levels that are looked at.
    private static let depth = 6
    /// Elements of an array that are looked at.
    private static let elements = 3

    /// What begins at each path.
    private(set) var kinds: [String: JSONPicker.Kind] = [:]
    /// The first string at each path that ends in one of the wanted keys.
    private(set) var texts: [String: String] = [:]

    /// - Parameters:
    ///   - opening: of its first value only.
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
