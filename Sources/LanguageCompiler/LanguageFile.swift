/// One language file: what its sections say, and what is wrong with it.
struct LanguageFile {
    /// Something that a person must fix.
    struct Fault: CustomStringConvertible {
        /// `file:line:column`.
        var place: String
        var what: String
        var remedy: String

        var description: String { "\(place): error: \(what); \(remedy)" }
    }

    /// The values of one key of a section.
    struct Entry: Equatable {
        var section: String
        /// Keys on the way to the values, with dots between.
        var key: String
        var values: [String]
    }

    let path: String
    let text: String
    private(set) var tag = ""
    private(set) var entries: [Entry] = []
    /// Its sections, with the line of each.
    private(set) var sections: [(name: String, line: Int)] = []
    private(set) var faults: [Fault] = []

    /// Its path in the folder of all languages: `pl.yaml`, or `es/danger.yaml`.
    let name: String

    /// - Parameters:
    ///   - path: as faults name it.
    ///   - folder: of all languages; the beginning of `path`.
    ///   - text: what it says.
    init(path: String, folder: String, text: String) {
        self.path = path
        self.text = text
        let name = path.hasPrefix(folder) ? path.dropFirst(folder.utf8.count) : path[...]
        self.name = String(name.drop { $0 == "/" })
        do throws(YAMLNode.Fault) {
            guard let root = try YAMLNode.root(of: text) else {
                faults.append(Fault(place: path, what: "the file is empty", remedy: "write language: \(expectedTag)"))
                return
            }
            read(root)
        } catch {
            faults.append(
                Fault(
                    place: "\(path):\(error.line):\(error.column)", what: "not valid YAML: \(error.what)",
                    remedy: "fix it"))
        }
    }

    /// What the files of a language say of each other: it has one file or one folder, and a section stands in one file.
    static func faults(between files: [LanguageFile]) -> [Fault] {
        var faults: [Fault] = []
        var sections: [String: String] = [:]
        let folders = Set(files.filter { $0.name.contains("/") }.map(\.expectedTag))
        for file in files {
            if !file.name.contains("/"), folders.contains(file.expectedTag) {
                faults.append(
                    Fault(
                        place: file.path, what: "'\(file.expectedTag)' has a file and a folder",
                        remedy: "move its sections into files in the folder"))
            }
            for (section, line) in file.sections where section != "signals" {
                if let other = sections.updateValue(file.name, forKey: "\(file.expectedTag) \(section)") {
                    faults.append(
                        Fault(
                            place: "\(file.path):\(line)", what: "'\(section)' is also in \(other)",
                            remedy: "keep it in one of them"))
                }
            }
        }
        return faults
    }

    /// The language that the name of the file, or of its folder, says.
    private var expectedTag: String {
        let first = name.split(separator: "/").first.map(String.init) ?? name
        return first.hasSuffix(".yaml") ? String(first.dropLast(5)) : first
    }

    private mutating func read(_ root: YAMLNode) {
        guard let mapping = root.mapping else {
            return fault(root, "a language file must be a mapping of sections", "start with language: \(expectedTag)")
        }
        for (keyNode, value) in mapping {
            let key = keyNode.string ?? ""
            if key == "language" {
                tag = value.string ?? ""
                if tag != expectedTag {
                    fault(
                        value, "the file for '\(expectedTag)' says language: '\(tag)'", "write language: \(expectedTag)"
                    )
                }
            } else if let shape = LanguageSchema.sections[key] {
                sections.append((key, keyNode.line))
                read(value, as: shape, section: key, path: [])
            } else {
                fault(
                    keyNode, "there is no section '\(key)'",
                    "the sections are language, \(LanguageSchema.sections.keys.sorted().joined(separator: ", "))")
            }
        }
        if tag.isEmpty { fault(root, "the file has no language", "write language: \(expectedTag)") }
    }

    private mutating func read(_ node: YAMLNode, as shape: LanguageSchema.Shape, section: String, path: [String]) {
        switch shape {
        case .signals: return  // The loader of rules reads and checks them: it knows the signals.
        case .words, .phrases:
            guard let items = node.sequence else {
                return fault(
                    node, "'\((path.last ?? section))' is not a list", "write \(path.last ?? section): [\"…\"]")
            }
            var values: [String] = []
            for item in items {
                guard let value = item.string, isUsable(value, shape, item) else { continue }
                if values.contains(value) {
                    fault(item, "'\(value)' is a duplicate in its list", "remove one of them")
                }
                values.append(value)
            }
            entries.append(Entry(section: section, key: path.joined(separator: "."), values: values))
        case .text:
            guard let value = node.string, isUsable(value, shape, node) else { return }
            entries.append(Entry(section: section, key: path.joined(separator: "."), values: [value]))
        case .map(let keys, let inner):
            guard let mapping = node.mapping else {
                return fault(
                    node, "'\((path.last ?? section))' is not a mapping of names to values", "write name: [\"…\"] lines"
                )
            }
            for (keyNode, value) in mapping {
                let key = keyNode.string ?? ""
                guard keys.allows(key) else {
                    fault(keyNode, "'\(section)' has no '\(key)'", keys.remedy)
                    continue
                }
                read(value, as: inner, section: section, path: path + [key])
            }
        case .record(let members):
            guard let mapping = node.mapping else {
                return fault(
                    node, "'\((path.last ?? section))' must be a mapping",
                    "it has \(members.keys.sorted().joined(separator: ", "))")
            }
            for (keyNode, value) in mapping {
                let key = keyNode.string ?? ""
                guard let inner = members[key] else {
                    fault(
                        keyNode, "'\((path.last ?? section))' has no '\(key)'",
                        "it has \(members.keys.sorted().joined(separator: ", "))")
                    continue
                }
                read(value, as: inner, section: section, path: path + [key])
            }
        case .list(let inner):
            guard let items = node.sequence else {
                return fault(node, "'\((path.last ?? section))' must be a list", "start each item with '- '")
            }
            for (number, item) in items.enumerated() {
                read(item, as: inner, section: section, path: path + ["\(number)"])
            }
        }
    }

    private mutating func isUsable(_ value: String, _ shape: LanguageSchema.Shape, _ node: YAMLNode) -> Bool {
        if value.isEmpty || value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            fault(node, "a text is empty or contains a control character", "write it on one line")
            return false
        }
        if case .words = shape, value.contains(" ") {
            fault(node, "'\(value)' is more than one word", "only single words are allowed here")
            return false
        }
        return true
    }

    private mutating func fault(_ node: YAMLNode, _ what: String, _ remedy: String) {
        faults.append(Fault(place: "\(path):\(node.line):\(node.column)", what: what, remedy: remedy))
    }
}
