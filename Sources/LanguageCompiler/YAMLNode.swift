private import CYaml

/// A value of a YAML file, with its place.
///
/// Read with libyaml, as TriageConfig reads the files of users. A compiler of the build that needs a package would have that
/// package built twice for every build, and once more for the program.
struct YAMLNode {
    /// What is wrong, and where; from 1.
    struct Fault: Error {
        var what: String
        var line: Int
        var column: Int
    }

    private enum Value {
        case scalar(String)
        case sequence([YAMLNode])
        case mapping([(YAMLNode, YAMLNode)])
    }

    private let value: Value
    /// From 1.
    let line: Int
    /// From 1.
    let column: Int

    var string: String? { if case .scalar(let text) = value { text } else { nil } }
    var sequence: [YAMLNode]? { if case .sequence(let items) = value { items } else { nil } }
    /// In the order of the file.
    var mapping: [(YAMLNode, YAMLNode)]? { if case .mapping(let pairs) = value { pairs } else { nil } }

    /// The value of the first document; nil when the text has none.
    static func root(of text: String) throws(Fault) -> YAMLNode? {
        // libyaml keeps the parser's address, so it must not move.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { throw Fault(what: "not enough memory", line: 1, column: 1) }
        defer { yaml_parser_delete(parser) }
        let bytes = Array(text.utf8)
        var document = yaml_document_t()
        let isRead = bytes.withUnsafeBufferPointer {
            yaml_parser_set_input_string(parser, $0.baseAddress, $0.count)
            return yaml_parser_load(parser, &document) == 1
        }
        guard isRead else {
            let mark = parser.pointee.problem_mark
            let problem = parser.pointee.problem.map { String(cString: $0) } ?? "unreadable"
            throw Fault(what: problem, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
        }
        defer { yaml_document_delete(&document) }
        guard let root = yaml_document_get_root_node(&document) else { return nil }
        return try YAMLNode(root.pointee, of: &document)
    }

    private init(_ node: yaml_node_t, of document: inout yaml_document_t) throws(Fault) {
        line = Int(node.start_mark.line) + 1
        column = Int(node.start_mark.column) + 1
        switch node.type {
        case YAML_SEQUENCE_NODE:
            var items: [YAMLNode] = []
            var next = node.data.sequence.items.start
            while let place = next, place < node.data.sequence.items.top {
                items.append(try Self.node(place.pointee, of: &document))
                next = place + 1
            }
            value = .sequence(items)
        case YAML_MAPPING_NODE:
            var pairs: [(YAMLNode, YAMLNode)] = []
            var keys: Set<String> = []
            var next = node.data.mapping.pairs.start
            while let place = next, place < node.data.mapping.pairs.top {
                let key = try Self.node(place.pointee.key, of: &document)
                guard keys.insert(key.string ?? "").inserted else {
                    throw Fault(what: "the key '\(key.string ?? "")' occurs twice", line: key.line, column: key.column)
                }
                pairs.append((key, try Self.node(place.pointee.value, of: &document)))
                next = place + 1
            }
            value = .mapping(pairs)
        default:
            value = .scalar(
                String(
                    decoding: UnsafeBufferPointer(start: node.data.scalar.value, count: node.data.scalar.length),
                    as: UTF8.self))
        }
    }

    private static func node(_ number: Int32, of document: inout yaml_document_t) throws(Fault) -> YAMLNode {
        guard let node = yaml_document_get_node(&document, number) else {
            throw Fault(what: "unreadable", line: 1, column: 1)
        }
        return try YAMLNode(node.pointee, of: &document)
    }
}
