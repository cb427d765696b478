package import TriageCore

/// The doctor: looks at everything a run would read, and says what is well, what could be better and what is broken.
package struct FolderCheck: Sendable {
    package enum Verdict: String, Sendable { case ok, warn, fail }

    /// One thing that was looked at.
    package struct Line: Sendable, Equatable {
        package var verdict: Verdict
        /// What was looked at: a role or a path.
        package var subject: String
        package var text: String
        package var remedy: String?

        package init(_ verdict: Verdict, _ subject: String, _ text: String, remedy: String? = nil) {
            self.verdict = verdict
            self.subject = subject
            self.text = text
            self.remedy = remedy
        }
    }

    package private(set) var lines: [Line] = []
    package private(set) var configuration = LoadedConfiguration()
    /// The rules with the creator's own on top, as far as they could be read.
    package private(set) var rules = RuleSet()

    /// - Parameter shipped: the rule files of the program.
    package init(_ request: ConfigurationRequest, shipped: [RuleSource]) {
        let faults = FaultCollector()
        do {
            var loadedRules = RuleSet()
            configuration = try LoadedConfiguration.load(request, faults: faults) {
                loadedRules = RuleFileLoader.load(shipped: shipped, user: $0, faults: faults)
            }
            rules = loadedRules
        } catch {
            faults.add("config.not-readable", "\(error)", at: nil, remedy: nil)
        }
        let failed = faults.faults
        for role in LoadedConfiguration.Role.allCases {
            guard let file = configuration.files.first(where: { $0.role == role }) else {
                // Most have none, and nothing is amiss without.
                if role != .voice, role != .replies { lines.append(absent(role)) }
                continue
            }
            let own = failed.filter { $0.at == file.path || ($0.at ?? "").hasPrefix("\(file.path):") }
            if own.isEmpty {
                lines.append(Line(.ok, file.path, summary(of: role)))
                lines += warnings(role, file)
            } else {
                lines += own.map(Self.line(of:))
            }
        }
        let paths = configuration.files.map(\.path)
        lines += failed.filter { fault in
            !paths.contains { fault.at == $0 || (fault.at ?? "").hasPrefix("\($0):") }
        }.map(Self.line(of:))
    }

    /// Adds what only the caller can look at, such as whether the rules compile.
    package mutating func add(_ line: Line) { lines.append(line) }

    package func count(_ verdict: Verdict) -> Int { lines.count { $0.verdict == verdict } }

    /// A fault as a line.
    package static func line(of fault: TriageError) -> Line {
        Line(.fail, fault.at ?? "configuration", "\(fault.what) [\(fault.code)]", remedy: fault.remedy)
    }

    private func absent(_ role: LoadedConfiguration.Role) -> Line {
        let remedy = "create one with `triage init`, or name one with \(role.flag)"
        switch role {
        case .config: return Line(.ok, role.defaultName, "none; the defaults apply")
        case .creator:
            return Line(
                .warn, role.defaultName, "none; offers are judged without your niches and works", remedy: remedy)
        case .faq: return Line(.warn, role.defaultName, "none; no question gets an FAQ answer", remedy: remedy)
        case .rules: return Line(.ok, role.defaultName, "none; only the shipped signals decide")
        case .voice: return Line(.ok, role.defaultName, "none; drafts are in plain words")
        case .replies: return Line(.ok, role.defaultName, "none; drafts have the program's wordings")
        }
    }

    private func summary(of role: LoadedConfiguration.Role) -> String {
        switch role {
        case .config: return "read"
        case .creator:
            let creator = configuration.creator
            let name = [creator.name, creator.id, creator.handles.first ?? ""].first { !$0.isEmpty } ?? "no name"
            return
                "\(name): \(Self.count(creator.niches.count, "niche")), \(Self.count(creator.works.count, "work")), "
                + "\(Self.count(creator.excludedTopics.count, "excluded topic"))"
        case .faq: return Self.count(configuration.faq.entries.count, "entry", "entries")
        case .voice: return Self.count(configuration.voice?.pairs.count ?? 0, "reply", "replies") + " of your own"
        case .replies: return Self.count(configuration.wordings.count, "own wording")
        case .rules:
            let prefix = configuration.userRules.map { "\($0.name):" }
            let own = rules.signals.count { signal in prefix.map { signal.place.hasPrefix($0) } ?? false }
            return "\(Self.count(own, "own signal")) of \(rules.signals.count)"
        }
    }

    private func warnings(_ role: LoadedConfiguration.Role, _ file: LoadedConfiguration.File) -> [Line] {
        switch role {
        case .config:
            var lines: [Line] = []
            if let withheld = configuration.withheld {
                if withheld.asks {
                    lines.append(Line(.warn, file.path, withheld.ignoredModels, remedy: withheld.remedy))
                }
                if !withheld.outside.isEmpty {
                    lines.append(Line(.warn, file.path, withheld.ignoredFiles, remedy: withheld.remedy))
                }
            }
            guard let llm = configuration.models.llm, llm.price == nil else { return lines }
            return lines + [
                Line(
                    .warn, file.path, "the LLM price is unknown, so max_cost cannot limit it",
                    remedy: "add llm: {price: {input: …, output: …}} in dollars per million tokens; 0 if free")
            ]
        case .creator: return creatorWarnings(file.path)
        case .voice, .replies: return []
        case .faq:
            guard !configuration.faq.entries.isEmpty else {
                return [Line(.warn, file.path, "the library is empty", remedy: "add an entry with `triage faq add`")]
            }
            let bytes = (try? ConfigurationFile.read(file.path)) ?? []
            return FAQCheck.findings(name: file.path, bytes: bytes).map {
                Line(.warn, $0.at ?? file.path, "\($0.what) [\($0.code)]", remedy: $0.remedy)
            }
        case .rules:
            let prefix = "\(file.path):"
            return RuleLint.findings(in: rules).filter { $0.at?.hasPrefix(prefix) ?? false }.map {
                Line(.warn, $0.at ?? file.path, "\($0.what) [\($0.code)]", remedy: $0.remedy)
            }
        }
    }

    private func creatorWarnings(_ path: String) -> [Line] {
        let creator = configuration.creator
        var warnings: [Line] = []
        if creator.handles.isEmpty {
            warnings.append(
                Line(
                    .warn, path, "no handle: your own messages and impostors cannot be detected",
                    remedy: "add handles: [your.handle]"))
        }
        if creator.niches.isEmpty {
            warnings.append(
                Line(
                    .warn, path, "no niches: the brand fit of every offer is assumed, without reasons",
                    remedy: "add niches: [what you make, in the words people use]"))
        }
        if creator.timezone.isEmpty {
            warnings.append(
                Line(
                    .warn, path, "no time zone: \"tomorrow\" is read in UTC", remedy: "add timezone: Europe/Stockholm"))
        }
        return warnings
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }
}
