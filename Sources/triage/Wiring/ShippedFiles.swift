import ShippedRules
import TriageConfig

/// The files that travel inside the binary.
enum ShippedFiles {
    /// Rule files in the order in which they are read.
    static var rules: [RuleSource] {
        var sources: [RuleSource] = []
        while true {
            let file = shipped_rule_file(sources.count)
            guard file.name != nil else { break }
            sources.append(source(file))
        }
        return sources
    }

    static var languages: RuleSource { source(shipped_languages) }

    private static func source(_ file: shipped_file) -> RuleSource {
        RuleSource(
            name: String(cString: file.name),
            bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
    }
}
