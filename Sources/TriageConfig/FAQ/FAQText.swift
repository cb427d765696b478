internal import TriageCore

/// The text of a library, split into entries, so that an edit keeps everything else as the user wrote it.
struct FAQText {
    private var shape: Shape
    private let newline: String

    private enum Shape {
        /// The lines before, between and after the entries (comments, blanks), and the lines of each entry.
        case block(gaps: [[String]], entries: [[String]], indent: Int)
        /// JSON, or YAML on one line: always rewritten as a whole. `key`: `faq` or `entries`, if the list is under that
        /// key.
        case whole(isJSON: Bool, key: String?)
    }

    /// - Parameters:
    ///   - root: the document's tree; nil for an empty file.
    ///   - nodes: its entries.
    init(text: String, name: String, root: ConfigNode?, nodes: [ConfigNode]) {
        newline = text.contains("\r\n") ? "\r\n" : "\n"
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasSuffix("\r") ? String(line.dropLast()) : String(line)
        }
        if lines.last == "" { lines.removeLast() }
        let key: String? =
            if case .mapping(let entries)? = root?.value { entries.first?.key } else { nil }
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        let isFlow = first == "[" || first == "{"
        if let block = Self.block(lines, nodes, hasKey: key != nil), !isFlow {
            shape = block
        } else if text.isEmpty, name.hasSuffix(".json") {
            shape = .whole(isJSON: true, key: nil)
        } else {
            shape = .whole(isJSON: isFlow, key: key)
        }
    }

    private static func block(_ lines: [String], _ nodes: [ConfigNode], hasKey: Bool) -> Shape? {
        if nodes.isEmpty {
            let isOnlyComments = lines.allSatisfy { line in
                let content = line.drop { $0 == " " }
                return content.isEmpty || content.hasPrefix("#")
            }
            return isOnlyComments ? .block(gaps: [lines], entries: [], indent: 0) : nil
        }
        var starts: [Int] = []
        var indent: Int?
        for node in nodes {
            var line = node.line - 1
            guard lines.indices.contains(line) else { return nil }
            // The mapping may start on the line after its dash.
            while line > 0, !lines[line].drop(while: { $0 == " " }).hasPrefix("-") { line -= 1 }
            let width = lines[line].prefix { $0 == " " }.count
            let content = lines[line].dropFirst(width)
            guard content == "-" || content.hasPrefix("- "), width == indent ?? width, line > starts.last ?? -1 else {
                return nil
            }
            indent = width
            starts.append(line)
        }
        var gaps = [Array(lines[..<starts[0]])]
        var entries: [[String]] = []
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : lines.count
            var last = end
            while last > start + 1, isGap(lines[last - 1], indent ?? 0) { last -= 1 }
            entries.append(Array(lines[start..<last]))
            gaps.append(Array(lines[last..<end]))
        }
        return .block(gaps: gaps, entries: entries, indent: indent ?? 0)
    }

    /// A blank line, or a comment that is not indented more than the dashes; a deeper one may be part of a text.
    private static func isGap(_ line: String, _ indent: Int) -> Bool {
        let width = line.prefix { $0 == " " }.count
        return width == line.count || (width <= indent && line.dropFirst(width).hasPrefix("#"))
    }

    mutating func append(_ entry: FAQEntry) {
        guard case .block(var gaps, var entries, let indent) = shape else { return }
        // What follows the last entry stays at the end only if it is blank.
        let isSpaced = gaps.dropFirst().dropLast().allSatisfy { $0.contains("") } && entries.count > 1
        var gap = gaps.removeLast()
        while gap.last == "", !entries.isEmpty { gap.removeLast() }
        if isSpaced { gap.append("") }
        gaps += [gap, []]
        entries.append(Self.lines(of: entry, indent: indent))
        shape = .block(gaps: gaps, entries: entries, indent: indent)
    }

    mutating func replace(_ index: Int, with entry: FAQEntry) {
        guard case .block(let gaps, var entries, let indent) = shape else { return }
        entries[index] = Self.lines(of: entry, indent: indent)
        shape = .block(gaps: gaps, entries: entries, indent: indent)
    }

    mutating func remove(_ index: Int) {
        guard case .block(var gaps, var entries, let indent) = shape else { return }
        entries.remove(at: index)
        let behind = gaps.remove(at: index + 1)
        let isDoubled = gaps[index].last == "" && behind.first == ""
        gaps[index] += isDoubled ? Array(behind.dropFirst()) : behind
        if index == entries.count, gaps[index].last == "" { gaps[index].removeLast() }
        shape = .block(gaps: gaps, entries: entries, indent: indent)
    }

    /// The new text of the file, which must hold `library`.
    func rendered(_ library: FAQLibrary) -> String {
        switch shape {
        case .block(let gaps, let entries, _):
            var lines = gaps.first ?? []
            for (index, entry) in entries.enumerated() {
                lines += entry
                if index + 1 < gaps.count { lines += gaps[index + 1] }
            }
            return lines.map { $0 + newline }.joined()
        case .whole(let isJSON, let key): return Self.whole(library, isJSON: isJSON, key: key)
        }
    }

    /// The library as a new file.
    static func whole(_ library: FAQLibrary, isJSON: Bool, key: String?) -> String {
        if isJSON {
            let list = library.entries.map { "  " + json($0) }.joined(separator: ",\n")
            let array = library.entries.isEmpty ? "[]" : "[\n\(list)\n]"
            return key.map { "{\"\($0)\": \(array)}\n" } ?? "\(array)\n"
        }
        let indent = key == nil ? 0 : 2
        let lines = library.entries.flatMap { Self.lines(of: $0, indent: indent) }
        let head = key.map { library.entries.isEmpty ? ["\($0): []"] : ["\($0):"] } ?? []
        return (head + lines).map { $0 + "\n" }.joined()
    }

    static func lines(of entry: FAQEntry, indent: Int) -> [String] {
        var lines = YAMLText.member("id", entry.id, indent: indent + 2)
        if !entry.category.isEmpty { lines += YAMLText.member("category", entry.category, indent: indent + 2) }
        lines += YAMLText.member("question", entry.question, indent: indent + 2)
        if !entry.alsoAsked.isEmpty {
            let margin = String(repeating: " ", count: indent + 2)
            lines.append("\(margin)also_asked:")
            lines += entry.alsoAsked.map { "\(margin)  - \(YAMLText.scalar($0))" }
        }
        lines += YAMLText.member("answer", entry.answer, indent: indent + 2)
        let margin = String(repeating: " ", count: indent)
        lines[0] = "\(margin)- \(lines[0].dropFirst(indent + 2))"
        return lines
    }

    /// An entry as one JSON object.
    static func json(_ entry: FAQEntry) -> String {
        var out: [UInt8] = []
        var writer = JSONObjectWriter(&out)
        writer.member("id", entry.id)
        if !entry.category.isEmpty { writer.member("category", entry.category) }
        writer.member("question", entry.question)
        if !entry.alsoAsked.isEmpty { writer.strings("also_asked", entry.alsoAsked) }
        writer.member("answer", entry.answer)
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}
