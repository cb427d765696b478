internal import Synchronization

/// The shape of an answer in the subset of JSON Schema that every provider takes.
public struct AnswerSchema: Sendable, Equatable {
    /// `[A-Za-z0-9_-]`, at most 64.
    public let name: String
    public let root: JSONValue
    /// Bytes of ``root`` as compact JSON; known, because it is asked for with every request.
    public let size: Int
    /// As it goes out, by what a server enforces; shared by all copies.
    private let forms = Forms()

    public init(name: String, root: JSONValue) {
        self.name = name
        self.root = root
        size = root.encodedCount
    }

    public static func == (a: AnswerSchema, b: AnswerSchema) -> Bool {
        a.forms === b.forms || a.name == b.name && a.root == b.root
    }

    /// The schema as a server of this kind takes it, written once and not with every request.
    func written(for subset: SchemaSubset) -> JSONValue {
        forms.written.withLock { written in
            if let known = written[subset] { return known }
            let form = JSONValue.written(subset.reduced(root).encoded)
            written[subset] = form
            return form
        }
    }

    private final class Forms: Sendable {
        let written = Mutex<[SchemaSubset: JSONValue]>([:])
    }
}
