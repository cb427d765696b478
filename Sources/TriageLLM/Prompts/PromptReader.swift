import TriageCore

/// Reads a prompt file and collects all its faults.
struct PromptReader {
    let id: PromptID
    let source: String
    private var faults: [TriageError] = []

    init(id: PromptID, source: String) {
        self.id = id
        self.source = source
    }

    mutating func read(_ bytes: [UInt8]) throws(TriageErrors) -> [PromptTemplate.Section: [[PromptTemplate.Piece]]] {
        guard bytes.count <= PromptTemplate.limit else {
            throw TriageErrors([
                fault(
                    "prompt.too-long", "the prompt has \(bytes.count) bytes; the limit is \(PromptTemplate.limit)",
                    line: nil, remedy: "shorten it: each request pays for every token")
            ])
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TriageErrors([
                fault("prompt.not-utf8", "the prompt is not UTF-8", line: nil, remedy: "save it as UTF-8")
            ])
        }
        var sections: [PromptTemplate.Section: [[PromptTemplate.Piece]]] = [:]
        var seen: [PromptTemplate.Section: Int] = [:]
        var used: [PromptTemplate.Placeholder: PromptTemplate.Section] = [:]
        var current: PromptTemplate.Section?
        // "\r\n" is a single Character, so lines are split as bytes.
        for (index, bytes) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            var line = String(decoding: bytes, as: UTF8.self)
            if line.utf8.last == 0x0D { line = String(decoding: line.utf8.dropLast(), as: UTF8.self) }
            if line.hasPrefix("## ") {
                current = heading(line, at: index + 1, &seen)
                if let current { sections[current] = [] }
            } else if let current {
                sections[current]?.append(pieces(of: line, in: current, at: index + 1, &used))
            }
        }
        check(sections, used)
        guard faults.isEmpty else { throw TriageErrors(faults) }
        return sections.mapValues(trimmed)
    }

    private mutating func heading(
        _ line: String, at number: Int, _ seen: inout [PromptTemplate.Section: Int]
    ) -> PromptTemplate.Section? {
        let name = Text.trimmed(String(line.dropFirst(3)))
        guard let section = PromptTemplate.Section(rawValue: name) else {
            let known = PromptTemplate.Section.allCases.map(\.rawValue).joined(separator: ", ")
            faults.append(
                fault(
                    "prompt.unknown-section", "unknown section; the sections are \(known)", line: number,
                    remedy: "use one of them, or '###' for a heading inside a section"))
            return nil
        }
        if let first = seen[section] {
            faults.append(
                fault(
                    "prompt.double-section", "section '\(name)' is already on line \(first)", line: number,
                    remedy: "merge the two"))
            return nil
        }
        seen[section] = number
        return section
    }

    private mutating func pieces(
        of line: String, in section: PromptTemplate.Section, at number: Int,
        _ used: inout [PromptTemplate.Placeholder: PromptTemplate.Section]
    ) -> [PromptTemplate.Piece] {
        let bytes = Array(line.utf8)
        var pieces: [PromptTemplate.Piece] = []
        var start = 0
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == 0x7B, bytes[index + 1] == 0x7B else {
                index += 1
                continue
            }
            var end = index + 2
            while end < bytes.count, bytes[end] != 0x7D, end - index < 40 { end += 1 }
            guard end + 1 < bytes.count, bytes[end] == 0x7D, bytes[end + 1] == 0x7D else {
                faults.append(
                    fault(
                        "prompt.open-placeholder", "'{{' without '}}'", line: number,
                        remedy: "close it, or write one '{'"
                    ))
                return pieces
            }
            let name = String(decoding: bytes[index + 2..<end], as: UTF8.self)
            if let placeholder = PromptTemplate.Placeholder(rawValue: name), allowed(in: section).contains(placeholder)
            {
                if start < index { pieces.append(.text(String(decoding: bytes[start..<index], as: UTF8.self))) }
                pieces.append(.value(placeholder))
                used[placeholder] = section
            } else {
                let known = allowed(in: section).map { "{{\($0.rawValue)}}" }.joined(separator: ", ")
                faults.append(
                    fault(
                        "prompt.unknown-placeholder",
                        "'{{\(name)}}' cannot be filled in section '\(section.rawValue)' of '\(id)'", line: number,
                        remedy: known.isEmpty ? "remove it: this section has no placeholders" : "use \(known)"))
            }
            index = end + 2
            start = index
        }
        if start < bytes.count { pieces.append(.text(String(decoding: bytes[start...], as: UTF8.self))) }
        return pieces
    }

    private func allowed(in section: PromptTemplate.Section) -> [PromptTemplate.Placeholder] {
        switch section {
        case .system: id.question == .repair ? [] : [.shape]
        case .profile: [.name, .niches, .excluded, .works, .languages, .voice, .contact]
        case .faq: [.questions]
        case .user: [.messages]
        }
    }

    private mutating func check(
        _ sections: [PromptTemplate.Section: [[PromptTemplate.Piece]]],
        _ used: [PromptTemplate.Placeholder: PromptTemplate.Section]
    ) {
        var wanted: [PromptTemplate.Section] = [.system, .user]
        if id.question == .faq || id.question == .triage { wanted.append(.faq) }
        for section in wanted where sections[section] == nil {
            faults.append(
                fault(
                    "prompt.missing-section", "section '\(section.rawValue)' is missing", line: nil,
                    remedy: "add a line '## \(section.rawValue)' with its text below"))
        }
        var needed: [PromptTemplate.Placeholder] = [.messages]
        if id.question != .repair { needed.append(.shape) }
        if sections[.faq] != nil { needed.append(.questions) }
        for placeholder in needed where used[placeholder] == nil {
            faults.append(
                fault(
                    "prompt.missing-placeholder", "'{{\(placeholder.rawValue)}}' is missing", line: nil,
                    remedy: "add it; without it the LLM lacks information it needs"))
        }
    }

    /// Removes empty lines at both ends.
    private func trimmed(_ lines: [[PromptTemplate.Piece]]) -> [[PromptTemplate.Piece]] {
        let isBlank: ([PromptTemplate.Piece]) -> Bool = { pieces in
            pieces.allSatisfy { if case .text(let text) = $0 { Text.trimmed(text).isEmpty } else { false } }
        }
        return Array(lines.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    private func fault(_ code: String, _ what: String, line: Int?, remedy: String) -> TriageError {
        TriageError(
            code, what, at: line.map { "\(source):\($0)" } ?? source, remedy: remedy, exit: .badConfiguration)
    }
}
