package import TriageCore

/// Reads `triage.yaml`: how the program decides.
package struct SettingsFile: Sendable, Equatable {
    package var settings = Settings()
    package var models = ModelSettings()
    /// Paths as the file names them, resolved against its folder.
    package var creator: String?
    package var faq: String?
    package var rules: String?
    package var voice: String?
    package var replies: String?

    /// In place of a file of the creator's voice: drafts are in plain words.
    static let noVoice = "none"

    /// Its name in a folder made by `triage init`.
    static let defaultName = "triage.yaml"

    static let keys = [
        "creator", "faq", "rules", "methods", "llm", "embeddings", "limits", "opportunity", "thresholds", "exchange",
        "store", "voice", "replies", "version",
    ]

    package init() {}

    /// The settings; faults go to `faults`, defaults stand where a key is absent or wrong.
    package init(path: String, bytes: [UInt8], faults: FaultCollector) {
        guard let root = ConfigDocument(name: path, bytes: bytes, faults: faults).root else { return }
        let reader = MappingReader(root, in: path, subject: "triage.yaml", keys: Self.keys, faults: faults)
        let folder = ConfigurationFile.folder(of: path)
        func file(_ key: String) -> String? {
            guard let name = reader.string(key) else { return nil }
            guard !name.isEmpty, !name.utf8.contains(0) else {
                faults.add(
                    "config.empty-path", "'\(key)' is empty", at: reader.place(key),
                    remedy: "remove it, or name a file")
                return nil
            }
            return ConfigurationFile.resolve(name, in: folder)
        }
        creator = file("creator")
        faq = file("faq")
        rules = file("rules")
        voice = reader.string("voice") == Self.noVoice ? Self.noVoice : file("voice")
        replies = file("replies")
        models = ModelSettingsReader(folder: folder, faults: faults).read(reader)
        models.store = file("store")
        readMethods(reader)
        readEscalation(reader)
        readOpportunity(reader)
        readThresholds(reader)
        readExchange(reader)
        reader.checkVersion()
    }

    /// Takes out what counts only from settings that the user stands behind.
    ///
    /// What asks a model goes as a whole, so that what is added to it later is never forgotten here. Files stay as far as
    /// they lie in the folder: a link or a `../` could make somebody else's file the store that is written, or the
    /// library that answers.
    mutating func withhold(_ standing: TrustedFolders.Standing, path: String) -> Withheld {
        var withheld = Withheld(path: path, standing: standing)
        (withheld.hasLLM, withheld.hasEmbeddings) = (models.llm != nil, models.embeddings != nil)
        let (limits, store) = (models.limits, models.store)
        models = ModelSettings()
        (models.limits, models.store) = (limits, store)
        let folder = ConfigurationFile.folder(of: path)
        func keep(_ key: String, _ file: inout String?) {
            guard let name = file, !FilePlace.isPlainFile(name, inside: folder) else { return }
            withheld.outside.append(key)
            file = nil
        }
        keep("creator", &creator)
        keep("faq", &faq)
        keep("rules", &rules)
        if voice != Self.noVoice { keep("voice", &voice) }
        keep("replies", &replies)
        keep("store", &models.store)
        return withheld
    }

    private mutating func readMethods(_ reader: MappingReader) {
        guard let node = reader.node("methods") else { return }
        let questions = ["category", "sentiment", "urgency", "injection", "opportunity", "faq", "draft"]
        let heads: [String: ModelHead] = [
            "category": .category, "sentiment": .sentiment, "urgency": .urgent, "injection": .injection,
        ]
        let methods = MappingReader(
            node, in: reader.document, subject: "'methods'", keys: questions, faults: reader.faults)
        for question in questions {
            guard let method = methods.string(question), let place = methods.node(question) else { continue }
            switch method {
            case "rules":
                if let head = heads[question] { settings.modelHeads.remove(head) }
                setEncoder(question, false)
                setEscalation(question, .never)
            case "encoder" where ["faq", "sentiment", "urgency"].contains(question):
                setEncoder(question, true)
                setEscalation(question, .never)
            case "encoder":
                methods.fault(
                    "config.no-model", "the encoder does not answer '\(question)'", at: place,
                    remedy: "write \(question): rules, or remove it")
            case "model" where heads[question] != nil:
                setEncoder(question, false)
                setEscalation(question, .never)
            case "model":
                methods.fault(
                    "config.no-model", "the model does not answer '\(question)'", at: place,
                    remedy: "write \(question): rules, or remove it")
            case "llm", "cascade":
                if question == "injection" {
                    methods.fault(
                        "config.no-model", "an LLM cannot decide 'injection', because it is the target", at: place,
                        remedy: "write injection: rules, or remove it")
                } else if models.llm == nil {
                    methods.fault(
                        "config.no-llm", "'\(question)' uses an LLM, but none is configured",
                        at: place, remedy: "add llm: {provider: …, base_url: …, model: …}, or write \(question): rules")
                } else {
                    setEscalation(question, method == "llm" ? .always : .cascade)
                }
            default:
                methods.fault(
                    "config.unknown-method", "there is no method '\(method.prefix(40))'", at: place,
                    remedy: "write \(question): rules")
            }
        }
    }

    private mutating func setEncoder(_ question: String, _ isUsed: Bool) {
        switch question {
        case "faq": settings.encoder.faq = isUsed
        case "sentiment": settings.encoder.sentiment = isUsed
        case "urgency": settings.encoder.urgency = isUsed
        default: break
        }
    }

    private mutating func setEscalation(_ question: String, _ mode: Escalation.Mode) {
        switch question {
        case "category": settings.escalation.category = mode
        case "sentiment": settings.escalation.sentiment = mode
        case "urgency": settings.escalation.urgency = mode
        case "opportunity": settings.escalation.opportunity = mode
        case "faq": settings.escalation.faq = mode
        case "draft": settings.escalation.draft = mode
        default: break
        }
    }

    /// `limits.escalate_below`: a number for the category, or a mapping by question.
    private mutating func readEscalation(_ reader: MappingReader) {
        guard let limits = reader.node("limits"), case .mapping(let entries) = limits.value,
            let node = entries.last(where: { $0.key == "escalate_below" })?.value
        else { return }
        if case .mapping = node.value {
            let parts = MappingReader(
                node, in: reader.document, subject: "'escalate_below'",
                keys: ["category", "sentiment", "urgency", "faq"],
                faults: reader.faults)
            if let value = parts.number("category", in: 0...1) { settings.escalation.categoryBelow = Float(value) }
            if let value = parts.number("sentiment", in: 0...1) { settings.escalation.sentimentBelow = Float(value) }
            if let value = parts.number("urgency", in: 0...1) { settings.escalation.urgencyWithin = Float(value) }
            if let value = parts.number("faq", in: 0...1) { settings.escalation.faqBelow = Float(value) }
            return
        }
        let whole = MappingReader(
            limits, in: reader.document, subject: "'limits'", keys: entries.map(\.key), faults: reader.faults)
        if let below = whole.number("escalate_below", in: 0...1) { settings.escalation.categoryBelow = Float(below) }
    }

    private mutating func readOpportunity(_ reader: MappingReader) {
        guard let node = reader.node("opportunity") else { return }
        let parts = MappingReader(
            node, in: reader.document, subject: "'opportunity'",
            keys: ["monetary", "brand_fit", "legitimacy", "urgency"],
            faults: reader.faults)
        var maxima = OpportunityMaxima()
        let before = reader.faults.faults.count
        maxima.monetary = parts.int("monetary", in: 0...100) ?? maxima.monetary
        maxima.brandFit = parts.int("brand_fit", in: 0...100) ?? maxima.brandFit
        maxima.legitimacy = parts.int("legitimacy", in: 0...100) ?? maxima.legitimacy
        maxima.urgency = parts.int("urgency", in: 0...100) ?? maxima.urgency
        // One fault is enough where a part is no whole number: the sum would be a second for the same mistake.
        guard reader.faults.faults.count == before else { return }
        let sum = maxima.monetary + maxima.brandFit + maxima.legitimacy + maxima.urgency
        guard sum == 100 else {
            parts.fault(
                "config.maxima-sum", "the maxima of 'opportunity' add up to \(sum) but must add up to 100", at: node,
                remedy:
                    "missing parts keep their defaults: monetary 40, brand_fit 30, legitimacy 20, urgency 10")
            return
        }
        settings.opportunity = maxima
    }

    private mutating func readThresholds(_ reader: MappingReader) {
        guard let node = reader.node("thresholds") else { return }
        let outer = MappingReader(
            node, in: reader.document, subject: "'thresholds'",
            keys: ["category", "sentiment", "urgency", "injection", "faq"], faults: reader.faults)
        var thresholds = Thresholds()
        readPair("category", "medium", "high", &thresholds.categoryMedium, &thresholds.categoryHigh, outer)
        readPair("sentiment", "medium", "high", &thresholds.sentimentMedium, &thresholds.sentimentHigh, outer)
        readPair("faq", "possible", "high", &thresholds.faqPossible, &thresholds.faqHigh, outer)
        if let urgent = outer.number("urgency", in: 0...1) { thresholds.urgent = Float(urgent) }
        if let injection = outer.number("injection", in: 0...1) { thresholds.injection = Float(injection) }
        settings.thresholds = thresholds
    }

    private func readPair(
        _ question: String, _ lower: String, _ upper: String, _ low: inout Float, _ high: inout Float,
        _ outer: MappingReader
    ) {
        guard let node = outer.node(question) else { return }
        let reader = MappingReader(
            node, in: outer.document, subject: "'\(question)'", keys: [upper, lower], faults: outer.faults)
        let newLow = reader.number(lower, in: 0...1).map { Float($0) } ?? low
        let newHigh = reader.number(upper, in: 0...1).map { Float($0) } ?? high
        guard newLow <= newHigh else {
            reader.fault(
                "config.threshold-order", "'\(question)': \(lower) is \(newLow), above \(upper), which is \(newHigh)",
                at: node, remedy: "set \(upper) to at least \(lower)")
            return
        }
        low = newLow
        high = newHigh
    }

    private mutating func readExchange(_ reader: MappingReader) {
        guard let node = reader.node("exchange") else { return }
        let exchange = MappingReader(
            node, in: reader.document, subject: "'exchange'", keys: ["date", "rates"], faults: reader.faults)
        var table = settings.exchange
        if let date = exchange.string("date") {
            if Self.isDate(date) {
                table.date = date
            } else {
                reader.faults.add(
                    "config.bad-date", "'date' must be a date such as 2026-10-01", at: exchange.place("date"),
                    remedy: "write the date of the rates")
            }
        } else if exchange.node("date") == nil {
            exchange.fault(
                "config.no-date", "'exchange' has no date for its rates", at: node,
                remedy: "add date: 2026-10-01")
        }
        guard let rates = exchange.node("rates") else {
            settings.exchange = table
            return
        }
        guard case .mapping(let entries) = rates.value else {
            exchange.fault(
                "config.wrong-type", "'rates' must be a mapping of currencies, not \(rates.kind)", at: rates,
                remedy: "write rates: {EUR: 0.86}")
            return
        }
        let list = MappingReader(
            rates, in: reader.document, subject: "'rates'", keys: entries.map(\.key), faults: reader.faults)
        for entry in entries {
            guard let currency = Currency(parsing: entry.key) else {
                reader.faults.add(
                    "config.unknown-currency", "'\(entry.key.prefix(20))' is not a currency code",
                    at: list.place(entry.key), remedy: "use a three-letter ISO 4217 code, such as EUR")
                continue
            }
            // The range keeps amounts in dollars finite.
            guard let rate = list.number(entry.key, in: 0.000_001...1_000_000_000) else { continue }
            if currency == Currency("USD"), rate != 1 {
                reader.faults.add(
                    "config.usd-rate", "the rate of USD is fixed at 1", at: list.place(entry.key), remedy: "remove USD"
                )
                continue
            }
            table.perUSD[currency] = rate
        }
        settings.exchange = table
    }

    /// Whether a text is a day of the calendar as `YYYY-MM-DD`.
    private static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return false }
        let parts = text.split(separator: "-")
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day)
    }
}
