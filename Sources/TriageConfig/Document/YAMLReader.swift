// Uses the events of libyaml. Trees that others build from them, such as that of Yams, expand aliases without limit, recurse
// on nested input, and are several times as expensive.
internal import CYaml
internal import TriageCore

/// Builds a tree from YAML text, without recursion.
struct YAMLReader {
    private let name: String
    private var stack: [Frame] = []
    private var anchors: [String: (node: ConfigNode, size: Int)] = [:]
    private var aliased = 0
    private var root: ConfigNode?

    private struct Frame {
        var line: Int
        var column: Int
        var anchor: String?
        var isMapping: Bool
        var items: [ConfigNode] = []
        var entries: [ConfigNode.Entry] = []
        var keys: Set<String> = []
        var pending: (key: String, line: Int, column: Int)?
        /// The number of values below it, with aliases expanded.
        var size = 1
    }

    init(name: String) { self.name = name }

    /// The only document in the text; nil when there is none or it is broken.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, faults: FaultCollector) -> ConfigNode? {
        // libyaml keeps the parser's address, so it must not move.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { return nil }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        guard let base = bytes.baseAddress else { return nil }
        yaml_parser_set_input_string(parser, base, bytes.count)

        var documents = 0
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else {
                faults.add(Self.syntaxFault(parser.pointee, bytes, name: name))
                return nil
            }
            defer { yaml_event_delete(&event) }
            let line = Int(event.start_mark.line) + 1
            let column = Int(event.start_mark.column) + 1
            do throws(TriageError) {
                switch event.type {
                case YAML_STREAM_END_EVENT: return root
                case YAML_DOCUMENT_START_EVENT:
                    documents += 1
                    if documents > 1 {
                        throw fault(
                            "config.two-documents", "a second document starts here", line, column,
                            "keep one document; remove the line '---'")
                    }
                case YAML_ALIAS_EVENT: try addAlias(Self.text(event.data.alias.anchor), line, column, faults)
                case YAML_SCALAR_EVENT: try addScalar(event.data.scalar, line, column, faults)
                case YAML_SEQUENCE_START_EVENT:
                    try open(
                        isMapping: false, anchor: Self.optionalText(event.data.sequence_start.anchor), line, column)
                case YAML_MAPPING_START_EVENT:
                    try open(isMapping: true, anchor: Self.optionalText(event.data.mapping_start.anchor), line, column)
                case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: try close(faults)
                default: break
                }
            } catch {
                faults.add(error)
                return nil
            }
        }
    }

    private mutating func open(isMapping: Bool, anchor: String?, _ line: Int, _ column: Int) throws(TriageError) {
        guard stack.count < ConfigDocument.depthLimit else {
            throw fault(
                "config.too-deep", "values are nested more than \(ConfigDocument.depthLimit) deep", line, column,
                "flatten it")
        }
        if let frame = stack.last, frame.isMapping, frame.pending == nil { throw keyFault(line, column) }
        stack.append(Frame(line: line, column: column, anchor: anchor, isMapping: isMapping))
    }

    private mutating func close(_ faults: FaultCollector) throws(TriageError) {
        guard let frame = stack.popLast() else { return }
        let node = ConfigNode(
            frame.isMapping ? .mapping(frame.entries) : .sequence(frame.items), line: frame.line, column: frame.column)
        if let anchor = frame.anchor { anchors[anchor] = (node, frame.size) }
        try add(node, size: frame.size, faults)
    }

    private mutating func addAlias(
        _ anchor: String, _ line: Int, _ column: Int, _ faults: FaultCollector
    ) throws(TriageError) {
        guard let (original, size) = anchors[anchor] else {
            throw fault(
                "config.unknown-alias", "there is no anchor '&\(anchor)' above", line, column,
                "define it, or quote a text that begins with '*'")
        }
        aliased += size
        guard aliased <= ConfigDocument.aliasLimit else {
            throw fault(
                "config.too-many-aliases", "aliases add more than \(ConfigDocument.aliasLimit) values", line, column,
                "write the values out, or use fewer aliases")
        }
        var node = original
        node.line = line
        node.column = column
        try add(node, size: size, faults)
    }

    private mutating func addScalar(
        _ scalar: yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar, _ line: Int, _ column: Int,
        _ faults: FaultCollector
    ) throws(TriageError) {
        let text = String(
            decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nil
        let isKey = stack.last.map { $0.isMapping && $0.pending == nil } ?? false
        let isNull = isPlain && !isKey && ["", "~", "null", "Null", "NULL"].contains(text)
        let node = ConfigNode(isNull ? .null : .scalar(text, isPlain: isPlain), line: line, column: column)
        if let anchor = Self.optionalText(scalar.anchor) { anchors[anchor] = (node, 1) }
        try add(node, size: 1, faults)
    }

    private mutating func add(_ node: ConfigNode, size: Int, _ faults: FaultCollector) throws(TriageError) {
        guard !stack.isEmpty else {
            root = node
            return
        }
        let top = stack.count - 1
        stack[top].size += size
        guard stack[top].isMapping else {
            stack[top].items.append(node)
            return
        }
        if let pending = stack[top].pending {
            stack[top].pending = nil
            guard stack[top].keys.insert(pending.key).inserted else {
                let first = stack[top].entries.first { $0.key == pending.key }?.line ?? stack[top].line
                faults.add(DuplicateKey.fault(pending.key, name, pending.line, pending.column, first: first))
                return
            }
            stack[top].entries.append(
                ConfigNode.Entry(key: pending.key, line: pending.line, column: pending.column, value: node))
        } else {
            guard case .scalar(let key, _) = node.value else { throw keyFault(node.line, node.column) }
            stack[top].pending = (key, node.line, node.column)
        }
    }

    private func keyFault(_ line: Int, _ column: Int) -> TriageError {
        fault("config.key-not-text", "a key must be a word or a quoted string", line, column, "write 'key: value'")
    }

    private func fault(
        _ code: String, _ what: String, _ line: Int, _ column: Int, _ remedy: String
    ) -> TriageError {
        TriageError(code, what, at: "\(name):\(line):\(column)", remedy: remedy, exit: .badConfiguration)
    }

    private static func syntaxFault(
        _ parser: yaml_parser_t, _ bytes: UnsafeBufferPointer<UInt8>, name: String
    ) -> TriageError {
        let problem = parser.problem.map { String(cString: $0) } ?? "not enough memory"
        let context = parser.context.map { " \(String(cString: $0))" } ?? ""
        var line = Int(parser.problem_mark.line) + 1
        var column = Int(parser.problem_mark.column) + 1
        if parser.error == YAML_READER_ERROR {
            // For a control character, libyaml reports only the offset.
            let before = bytes[..<min(bytes.count, Int(clamping: parser.problem_offset))]
            line = before.count { $0 == 0x0A } + 1
            column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        }
        if problem == "found character that cannot start any token",
            let sign = sign(at: parser.problem_mark, in: bytes)
        {
            return TriageError(
                "config.syntax", "not valid YAML: a text without quotes begins with '\(sign)'",
                at: "\(name):\(line):\(column)",
                remedy: "put quotes around a text that begins with '\(sign)', such as \"\(sign)name\"",
                exit: .badConfiguration)
        }
        return TriageError(
            "config.syntax", "not valid YAML: \(problem)\(context)", at: "\(name):\(line):\(column)",
            remedy: "check this line and the one above for indentation, a missing quote, or ':' in an unquoted text",
            exit: .badConfiguration)
    }

    /// The character at a mark if it is one that no unquoted text may begin with; nil for others, such as a tab.
    private static func sign(at mark: yaml_mark_t, in bytes: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
        // Marks count characters, not bytes.
        let found = String(decoding: bytes, as: UTF8.self).unicodeScalars.dropFirst(Int(clamping: mark.index)).first
        return found.flatMap { ["@", "`", "%"].contains($0) ? $0 : nil }
    }

    private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String { optionalText(pointer) ?? "" }

    private static func optionalText(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}

/// The fault for a key that occurs twice.
enum DuplicateKey {
    static func fault(_ key: String, _ name: String, _ line: Int, _ column: Int, first: Int) -> TriageError {
        TriageError(
            "config.duplicate-key", "key '\(key.prefix(60))' is already given on line \(first)",
            at: "\(name):\(line):\(column)", remedy: "keep one of the two", exit: .badConfiguration)
    }
}
