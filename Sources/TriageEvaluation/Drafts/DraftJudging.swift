import TriageCore

/// What a judge may say of a draft, or of there being none.
package enum DraftMark: String, CaseIterable, Sendable {
    /// Would be sent as it is, or with a name or a comma changed.
    case send
    /// Sound; one marked blank has to be filled in.
    case fill
    /// Harmless, but most of it has to be written anew.
    case rewrite
    /// Wrong, embarrassing or harmful if sent by mistake.
    case bin
    /// No draft, and none was needed.
    case noneRight = "none-right"
    /// No draft, and one was wanted.
    case noneMiss = "none-miss"

    /// Whether it is said where there is no draft.
    package var isOfNone: Bool { self == .noneRight || self == .noneMiss }
    package var canBeSent: Bool { self == .send || self == .fill }
}

/// A message and the draft for it, as judges see them, with what they do not see.
package struct DraftItem: Sendable, Equatable {
    /// The record's id.
    package var record: String
    package var platform = ""
    package var sender = ""
    package var message: String
    /// nil: there is none.
    package var draft: String?
    /// What the draft was made from, such as `faq`, `template`, `own-reply`, `llm`; `none` where there is none.
    package var source: String
    /// Tag of the draft's language; of the message's where there is no draft.
    package var language: String
}

/// The marks of one judge, by record.
package struct JudgeMarks: Sendable {
    package struct Mark: Sendable, Equatable {
        package var mark: DraftMark
        /// Whether the draft refers to something that the message says.
        package var isSpecific: Bool

        package init(_ mark: DraftMark, isSpecific: Bool = false) {
            self.mark = mark
            self.isSpecific = isSpecific
        }
    }

    /// Name of the judge: the sheet's file name without its ending.
    package var judge: String
    package var marks: [String: Mark]

    package init(judge: String, marks: [String: Mark]) {
        self.judge = judge
        self.marks = marks
    }
}

/// What judges said of drafts, counted.
package struct DraftJudging: Sendable {
    /// A number of drafts out of a number of drafts.
    package struct Share: Sendable, Equatable {
        package var count = 0
        package var total = 0
        /// nil for none of none.
        package var value: Double? { total > 0 ? Double(count) / Double(total) : nil }
        /// Of 95 %, by Wilson.
        package var interval: WilsonInterval? { WilsonInterval(count, of: total) }
    }

    /// Marks of one judge in one group of messages.
    package struct Group: Sendable {
        package var name: String
        package var counts: [DraftMark: Int] = [:]
        /// Of the drafts given: marked send or fill, marked bin, and said to be specific.
        package var canBeSent = Share()
        package var bin = Share()
        package var specific = Share()
        /// Of the messages that want a draft by the judge: those that have one.
        package var given = Share()
    }

    package struct Judge: Sendable {
        package var name: String
        package var all: Group
        package var bySource: [Group]
        package var byLanguage: [Group]
    }

    /// How far two judges agree on the messages that both marked.
    package struct Pair: Sendable {
        package var first: String
        package var second: String
        package var agreement: Agreement
    }

    /// Messages in the sheet.
    package let items: Int
    package let judges: [Judge]
    package let pairs: [Pair]
    /// Krippendorff's alpha over the marks of all judges; nil where nothing can disagree.
    package let alpha: Double?

    package init(_ items: [DraftItem], _ judges: [JudgeMarks]) {
        self.items = items.count
        self.judges = judges.map { Self.counted(items, $0) }
        var pairs: [Pair] = []
        for (place, first) in judges.enumerated() {
            for second in judges[(place + 1)...] {
                let both = items.compactMap { item in
                    first.marks[item.record].flatMap { a in second.marks[item.record].map { (a.mark, $0.mark) } }
                }
                pairs.append(Pair(first: first.judge, second: second.judge, agreement: Agreement(both)))
            }
        }
        self.pairs = pairs
        alpha = Agreement.alpha(items.map { item in judges.compactMap { $0.marks[item.record]?.mark } })
    }

    private static func counted(_ items: [DraftItem], _ judge: JudgeMarks) -> Judge {
        var all = Group(name: "all")
        var sources: [String: Group] = [:]
        var languages: [String: Group] = [:]
        for item in items {
            guard let mark = judge.marks[item.record] else { continue }
            add(mark, item, &all)
            add(mark, item, &sources[item.source, default: Group(name: item.source)])
            add(mark, item, &languages[item.language, default: Group(name: item.language)])
        }
        return Judge(
            name: judge.judge, all: all, bySource: sources.values.sorted { $0.name < $1.name },
            byLanguage: languages.values.sorted { $0.name < $1.name })
    }

    private static func add(_ mark: JudgeMarks.Mark, _ item: DraftItem, _ group: inout Group) {
        group.counts[mark.mark, default: 0] += 1
        guard item.draft != nil else {
            if mark.mark == .noneMiss { group.given.total += 1 }
            return
        }
        group.given.count += 1
        group.given.total += 1
        group.canBeSent.total += 1
        group.bin.total += 1
        group.specific.total += 1
        if mark.mark.canBeSent { group.canBeSent.count += 1 }
        if mark.mark == .bin { group.bin.count += 1 }
        if mark.isSpecific { group.specific.count += 1 }
    }
}

/// Agreement of judges on marks without an order.
package struct Agreement: Sendable, Equatable {
    /// Messages that both marked.
    package let count: Int
    /// Share marked alike; nil for none.
    package let observed: Double?
    /// Cohen's kappa (*Educational and Psychological Measurement* 20, 1960); nil where both gave one mark throughout.
    package let kappa: Double?

    package init(_ pairs: [(DraftMark, DraftMark)]) {
        count = pairs.count
        guard !pairs.isEmpty else {
            (observed, kappa) = (nil, nil)
            return
        }
        let n = Double(pairs.count)
        let alike = Double(pairs.count { $0.0 == $0.1 }) / n
        let chance = DraftMark.allCases.reduce(0.0) { sum, mark in
            sum + Double(pairs.count { $0.0 == mark }) / n * Double(pairs.count { $0.1 == mark }) / n
        }
        observed = alike
        kappa = chance < 1 ? (alike - chance) / (1 - chance) : nil
    }

    /// Krippendorff's alpha for nominal marks (*Content Analysis*, 2004, chapter 11): 1 − observed / expected disagreement.
    ///
    /// - Parameter units: the marks that each message got; those with fewer than two say nothing.
    /// - Returns: nil where no two marks could be compared, or all were the same.
    package static func alpha(_ units: [[DraftMark]]) -> Double? {
        let units = units.filter { $0.count >= 2 }
        var totals: [DraftMark: Double] = [:]
        var disagreed = 0.0
        for unit in units {
            for (place, mark) in unit.enumerated() {
                totals[mark, default: 0] += 1
                let others = unit.enumerated().count { $0.offset != place && $0.element != mark }
                disagreed += Double(others) / Double(unit.count - 1)
            }
        }
        let n = totals.values.reduce(0, +)
        let expected = totals.values.reduce(0.0) { $0 + $1 * (n - $1) }
        guard n > 1, expected > 0 else { return nil }
        return 1 - (n - 1) * disagreed / expected
    }
}

/// A report on judged drafts in the formats it is written in.
package enum DraftJudgingText {
    /// A table for people on a terminal.
    package static func table(_ judging: DraftJudging) -> String {
        var out = "\(judging.items) messages; shares with 95 % Wilson intervals\n"
        for judge in judging.judges {
            out += "\n\(ReportTable.oneLine(judge.name))\n"
            let head =
                ["", ""] + DraftMark.allCases.map(\.rawValue)
                + ["send or fill", "bin", "specific", "given of wanted"]
            var rows = [head, row(judge.all)]
            if judge.bySource.count > 1 { rows += judge.bySource.map(row) }
            if judge.byLanguage.count > 1 { rows += judge.byLanguage.map(row) }
            out += ReportTable.align(rows)
        }
        for pair in judging.pairs {
            out +=
                "\n\(ReportTable.oneLine(pair.first)) and \(ReportTable.oneLine(pair.second)): "
                + "\(pair.agreement.count) messages, \(NumberText.fixed(pair.agreement.observed)) alike, "
                + "Cohen's kappa \(NumberText.fixed(pair.agreement.kappa))\n"
        }
        if judging.judges.count > 1 { out += "Krippendorff's alpha \(NumberText.fixed(judging.alpha))\n" }
        return out
    }

    private static func row(_ group: DraftJudging.Group) -> [String] {
        ["", ReportTable.oneLine(group.name)] + DraftMark.allCases.map { "\(group.counts[$0] ?? 0)" }
            + [group.canBeSent, group.bin, group.specific, group.given].map { share in
                guard let value = share.value, let interval = share.interval else { return "-" }
                return
                    "\(NumberText.fixed(value))  \(NumberText.fixed(interval.low))..\(NumberText.fixed(interval.high))"
            }
    }

    /// Every number with all its digits, one JSON object, with a line break at its end.
    package static func json(_ judging: DraftJudging) -> String {
        var bytes: [UInt8] = []
        var json = JSONObjectWriter(&bytes)
        json.member("schema", 1)
        json.member("messages", judging.items)
        json.objects("judges", judging.judges) { judge, json in
            json.member("judge", judge.name)
            group("all", judge.all, &json)
            groups("by_source", judge.bySource, &json)
            groups("by_language", judge.byLanguage, &json)
        }
        json.objects("agreement", judging.pairs) { pair, json in
            json.member("first", pair.first)
            json.member("second", pair.second)
            json.member("messages", pair.agreement.count)
            ReportJSON.number("alike", pair.agreement.observed, &json)
            ReportJSON.number("kappa", pair.agreement.kappa, &json)
        }
        ReportJSON.number("alpha", judging.alpha, &json)
        bytes = json.finish()
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    private static func groups(_ key: String, _ groups: [DraftJudging.Group], _ json: inout JSONObjectWriter) {
        json.object(key) { json in
            for one in groups { group(one.name, one, &json) }
        }
    }

    private static func group(_ key: String, _ group: DraftJudging.Group, _ json: inout JSONObjectWriter) {
        json.key(key)
        json.open("{")
        json.object("marks") { json in
            for mark in DraftMark.allCases { json.member(mark.rawValue, group.counts[mark] ?? 0) }
        }
        for (name, share) in [
            ("send_or_fill", group.canBeSent), ("bin", group.bin), ("specific", group.specific),
            ("given_of_wanted", group.given),
        ] {
            json.object(name) { json in
                json.member("count", share.count)
                json.member("of", share.total)
                ReportJSON.number("share", share.value, &json)
                ReportJSON.number("low", share.interval?.low, &json)
                ReportJSON.number("high", share.interval?.high, &json)
            }
        }
        json.close("}")
    }
}

/// Reads a message and its draft from a line that `triage run` wrote.
package struct DraftItemReader {
    package init() {}

    /// - Returns: nil for what has no draft to judge: spam, rejected records, own messages and what is no message.
    package func item(_ line: UnsafeBufferPointer<UInt8>) -> DraftItem? {
        let record = JSONView(line)
        guard let answers = record["triage"], answers.isObject, answers["rejected"] == nil,
            let text = record["text"]?.string, !text.isEmpty,
            let id = record["id"]?.string ?? answers["id"]?.string, answers["draft"] != nil
        else { return nil }
        // What is spam by its label, or by the answer where there is no label, wants no reply.
        let gold = record["gold"]?["category"]?.string
        guard (gold ?? answers["category"]?["label"]?.string) != "spam" else { return nil }
        let draft = answers["draft"]
        let sender = record["sender"]
        let basedOn = draft?["based_on"]?.string ?? ""
        return DraftItem(
            record: id, platform: record["platform"]?.string ?? "",
            sender: sender?["name"]?.string ?? sender?["handle"]?.string ?? "", message: text,
            draft: draft?["text"]?.string,
            source: basedOn.isEmpty ? "none" : basedOn.split(separator: ":").first.map(String.init) ?? basedOn,
            language: draft?["language"]?.string ?? answers["language"]?["tag"]?.string ?? "und")
    }
}
