package import TriageCore

/// Signals as text and JSON, for lists and for `rules show`.
package enum RuleText {
    /// A short description of what makes a signal fire: `words, regex`, `detector link.short`, `when`.
    package static func trigger(of signal: Signal) -> String {
        switch signal.trigger {
        case .patterns(let patterns):
            var kinds: [String] = []
            for (kind, name) in [(Pattern.Kind.word, "words"), (.literal, "literals"), (.regex, "regex")]
            where patterns.contains(where: { $0.kind == kind }) {
                kinds.append(name)
            }
            return kinds.joined(separator: ", ")
        case .detector(let name): return "detector \(name)"
        case .composite: return "when"
        }
    }

    /// Number of patterns.
    package static func patternCount(of signal: Signal) -> Int {
        if case .patterns(let patterns) = signal.trigger { return patterns.count }
        return 0
    }

    /// Targets with their weights, as written in a file: `spam 1.5`, `fact.paid`, `kind.legal`.
    package static func feeds(of signal: Signal) -> [(target: String, weight: Float)] {
        let feeds = signal.feeds
        var list: [(target: String, weight: Float)] = []
        if feeds.feedsCategory {
            for category in Category.allCases where feeds.category[Int(category.rawValue)] != 0 {
                list.append((category.name, feeds.category[Int(category.rawValue)]))
            }
        }
        if feeds.urgent != 0 { list.append(("urgent", feeds.urgent)) }
        if feeds.danger != 0 { list.append(("danger", feeds.danger)) }
        if feeds.injection != 0 { list.append(("injection", feeds.injection)) }
        if feeds.feedsSentiment {
            if feeds.positive != 0 || feeds.negative == 0 { list.append(("positive", feeds.positive)) }
            if feeds.negative != 0 { list.append(("negative", feeds.negative)) }
        }
        switch feeds.modifier {
        case .none: break
        case .negation: list.append(("negation", 1))
        case .contrast: list.append(("contrast", 1))
        case .intensifier: list.append(("intensifier", feeds.scale))
        case .diminisher: list.append(("diminisher", feeds.scale))
        }
        for tag in FactTag.allCases where feeds.facts & (1 << UInt64(tag.rawValue)) != 0 {
            list.append(("fact.\(tag.name)", 1))
        }
        if let kind = FeedsReader.name(of: feeds.urgencyKind) { list.append(("kind.\(kind)", 1)) }
        return list
    }

    /// ``feeds(of:)`` on one line.
    package static func feedsLine(of signal: Signal) -> String {
        feeds(of: signal).map { target, weight in
            let isTag = target.hasPrefix("fact.") || target.hasPrefix("kind.")
            return isTag ? target : "\(target) \(number(weight))"
        }.joined(separator: ", ")
    }

    /// Everything about a signal, as YAML that a rule file could contain.
    package static func yaml(_ signal: Signal) -> String {
        var lines = ["# \(signal.place)", "- name: \(signal.name)"]
        if !signal.why.isEmpty { lines += YAMLText.member("why", signal.why, indent: 2) }
        func list(_ key: String, _ items: [String], indent: Int = 2) {
            guard !items.isEmpty else { return }
            let margin = String(repeating: " ", count: indent)
            lines.append("\(margin)\(key):")
            lines += items.map { "\(margin)  - \(YAMLText.scalar($0))" }
        }
        func flow(_ key: String, _ items: [String], indent: Int = 2) {
            guard !items.isEmpty else { return }
            let margin = String(repeating: " ", count: indent)
            lines.append("\(margin)\(key): [\(items.joined(separator: ", "))]")
        }
        flow("languages", signal.languages)
        flow("only_in", signal.onlyIn)
        switch signal.trigger {
        case .patterns(let patterns):
            for (kind, key) in [(Pattern.Kind.word, "words"), (.literal, "literals"), (.regex, "regex")] {
                list(key, patterns.filter { $0.kind == kind }.map(\.text))
            }
        case .detector(let name): lines.append("  detector: \(name)")
        case .composite(let all, let any, let none):
            lines.append("  when:")
            flow("all", all, indent: 4)
            flow("any", any, indent: 4)
            flow("none", none, indent: 4)
            if signal.near > 0 { lines.append("    near: \(signal.near)") }
        }
        let feeds = feeds(of: signal).map { "\($0.target): \(number($0.weight))" }
        lines.append("  feeds: {\(feeds.joined(separator: ", "))}")
        if signal.repeatLimit != 1 { lines.append("  repeat: \(signal.repeatLimit)") }
        if !signal.examples.match.isEmpty || !signal.examples.noMatch.isEmpty {
            lines.append("  examples:")
            list("match", signal.examples.match, indent: 4)
            list("no_match", signal.examples.noMatch, indent: 4)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A signal as one JSON object.
    package static func json(_ signal: Signal) -> String {
        var out: [UInt8] = []
        var writer = JSONObjectWriter(&out)
        writer.member("name", signal.name)
        writer.member("why", signal.why.isEmpty ? nil : signal.why)
        func strings(_ key: String, _ items: [String], _ writer: inout JSONObjectWriter) {
            if !items.isEmpty { writer.strings(key, items) }
        }
        strings("languages", signal.languages, &writer)
        strings("only_in", signal.onlyIn, &writer)
        switch signal.trigger {
        case .patterns(let patterns):
            for (kind, key) in [(Pattern.Kind.word, "words"), (.literal, "literals"), (.regex, "regex")] {
                strings(key, patterns.filter { $0.kind == kind }.map(\.text), &writer)
            }
        case .detector(let name): writer.member("detector", name)
        case .composite(let all, let any, let none):
            writer.key("when")
            writer.open("{")
            strings("all", all, &writer)
            strings("any", any, &writer)
            strings("none", none, &writer)
            if signal.near > 0 { writer.member("near", signal.near) }
            writer.close("}")
        }
        writer.key("feeds")
        writer.open("{")
        for (target, weight) in feeds(of: signal) {
            writer.key(target)
            writer.raw(number(weight))
        }
        writer.close("}")
        writer.member("repeat", signal.repeatLimit)
        writer.key("examples")
        writer.open("{")
        strings("match", signal.examples.match, &writer)
        strings("no_match", signal.examples.noMatch, &writer)
        writer.close("}")
        writer.member("place", signal.place)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    /// A weight without a needless `.0`.
    static func number(_ weight: Float) -> String {
        weight == weight.rounded() ? String(Int(weight)) : "\(weight)"
    }
}
