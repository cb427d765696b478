import TriageCore

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
        json.key("judges")
        json.open("[")
        for judge in judging.judges {
            json.element()
            json.open("{")
            json.member("judge", judge.name)
            group("all", judge.all, &json)
            groups("by_source", judge.bySource, &json)
            groups("by_language", judge.byLanguage, &json)
            json.close("}")
        }
        json.close("]")
        json.key("agreement")
        json.open("[")
        for pair in judging.pairs {
            json.element()
            json.open("{")
            json.member("first", pair.first)
            json.member("second", pair.second)
            json.member("messages", pair.agreement.count)
            ReportJSON.number("alike", pair.agreement.observed, &json)
            ReportJSON.number("kappa", pair.agreement.kappa, &json)
            json.close("}")
        }
        json.close("]")
        ReportJSON.number("alpha", judging.alpha, &json)
        bytes = json.finish()
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    private static func groups(_ key: String, _ groups: [DraftJudging.Group], _ json: inout JSONObjectWriter) {
        json.key(key)
        json.open("{")
        for one in groups { group(one.name, one, &json) }
        json.close("}")
    }

    private static func group(_ key: String, _ group: DraftJudging.Group, _ json: inout JSONObjectWriter) {
        json.key(key)
        json.open("{")
        json.key("marks")
        json.open("{")
        for mark in DraftMark.allCases { json.member(mark.rawValue, group.counts[mark] ?? 0) }
        json.close("}")
        for (name, share) in [
            ("send_or_fill", group.canBeSent), ("bin", group.bin), ("specific", group.specific),
            ("given_of_wanted", group.given),
        ] {
            json.key(name)
            json.open("{")
            json.member("count", share.count)
            json.member("of", share.total)
            ReportJSON.number("share", share.value, &json)
            ReportJSON.number("low", share.interval?.low, &json)
            ReportJSON.number("high", share.interval?.high, &json)
            json.close("}")
        }
        json.close("}")
    }
}
