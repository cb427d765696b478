import Synchronization
package import TriageConfig
package import TriageCore
package import TriageLLM

/// Describes reasons in words for people; signal names are for those who write rules.
package struct SignalWords: Sendable {
    private let why: [String: String]
    private let kinds: [String: UrgencyAnswer.Kind]
    /// Rule signals that raise urgency.
    private let urgent: Set<String>
    private let reasons: ReasonsFile

    /// - Throws: ``TriageErrors`` when the shipped file of reasons is broken.
    package init(rules: RuleSet) throws {
        reasons = try ShippedFiles.reasons()
        var why = reasons.signals
        var kinds: [String: UrgencyAnswer.Kind] = [:]
        var urgent: Set<String> = []
        for signal in rules.signals {
            why[signal.name] = signal.why.isEmpty ? reasons.unexplained : signal.why
            if signal.feeds.urgencyKind != .none { kinds[signal.name] = signal.feeds.urgencyKind }
            if signal.feeds.urgent > 0 || signal.feeds.danger > 0 { urgent.insert(signal.name) }
        }
        (self.why, self.kinds, self.urgent) = (why, kinds, urgent)
    }

    /// The words of the configured rules, or of the shipped ones if those cannot be read.
    ///
    /// - Throws: ``TriageErrors`` when a shipped file is broken.
    package static func load(_ request: ConfigurationRequest) throws -> SignalWords {
        let faults = FaultCollector()
        let path = LoadedConfiguration.locate(.rules, request, faults: faults)
        let user = path.flatMap { path in
            (try? ConfigurationFile.read(path)).map { RuleSource(name: path, bytes: $0) }
        }
        if let user, let rules = try? RuleFileLoader.load(shipped: ShippedFiles.rules, user: user) {
            return try SignalWords(rules: rules)
        }
        return try SignalWords(rules: try RuleFileLoader.load(shipped: ShippedFiles.rules))
    }

    /// What a signal means.
    package func words(for signal: String) -> String { why[signal] ?? reasons.unknown }

    /// Every signal that the answers of a record refer to, with its description.
    package func all(in triage: JSONValue?) -> [(signal: String, words: String)] {
        var found: [String: String] = [:]
        func take(_ list: JSONValue?) {
            for reason in list?.array ?? [] {
                if let signal = reason["signal"]?.string { found[signal] = words(for: signal) }
            }
        }
        for question in ["category", "sentiment", "urgency", "injection"] { take(triage?[question]?["because"]) }
        for part in triage?["opportunity"]?["breakdown"]?.members ?? [] { take(part.value["because"]) }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Why a message is urgent, in a few words.
    ///
    /// That is the kind of urgency, else the strongest supporting reason, else the words of the message that the model
    /// relied on; nil: there is nothing to say.
    package func urgency(in triage: JSONValue?) -> String? {
        if let name = kind(in: triage).flatMap(Self.name), let words = reasons.kinds[name] { return words }
        let reason = supporting(triage).first { urgent.contains($0.signal) }
        return reason.map { words(for: $0.signal) }
            ?? supporting(triage).lazy.compactMap(\.quote).first.map(Self.quoted)
    }

    /// Words of a message, without characters that a terminal or a page could treat as more than text.
    private static func quoted(_ quote: String) -> String {
        let plain = quote.unicodeScalars.lazy.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            default: true
            }
        }
        return "“\(String(String.UnicodeScalarView(plain.prefix(40))))”"
    }

    /// The kind of urgency that the answers show.
    package func kind(in triage: JSONValue?) -> UrgencyAnswer.Kind? {
        supporting(triage).lazy.compactMap { kinds[$0.signal] }.first
    }

    /// The reasons that support urgency, the strongest first.
    private func supporting(_ triage: JSONValue?) -> [(signal: String, weight: Double, quote: String?)] {
        (triage?["urgency"]?["because"]?.array ?? []).compactMap { reason in
            guard let signal = reason["signal"]?.string, let weight = reason["weight"]?.double, weight > 0 else {
                return nil
            }
            return (signal, weight, reason["quote"]?.string)
        }.sorted { $0.weight > $1.weight }
    }

    private static func name(_ kind: UrgencyAnswer.Kind) -> String? {
        switch kind {
        case .selfHarm: "self-harm"
        case .threat: "threat"
        case .account: "account"
        case .impersonation: "impersonation"
        case .legal: "legal"
        case .deadline: "deadline"
        case .other, .none: nil
        }
    }
}

/// Descriptions of reasons, loaded once, when they are first needed.
package final class LazySignalWords: Sendable {
    private let request: ConfigurationRequest
    private let state = Mutex<SignalWords?>(nil)

    package init(_ request: ConfigurationRequest) { self.request = request }

    /// - Throws: ``TriageErrors`` when a shipped file is broken.
    package func callAsFunction() throws -> SignalWords {
        try state.withLock { words in
            if let words { return words }
            let loaded = try SignalWords.load(request)
            words = loaded
            return loaded
        }
    }
}
