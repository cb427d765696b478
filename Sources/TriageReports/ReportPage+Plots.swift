import TriageFormats
import TriageRun
import TriageStore

extension ReportPage {
    // MARK: Volumes

    var volumes: String {
        guard !counts.days.isEmpty else { return "" }
        let volumes = VolumeBins(counts.days)
        let dated = counts.days.reduce(0) { $0 + $1.volume.messages }
        let step =
            switch volumes.step {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .years(let count): count == 1 ? "year" : "\(count) years"
            }
        var words = "\(messages(dated)) on \((contents.dayCount ?? counts.days.count).of("day"))"
        if let most = volumes.bins.max(by: { $0.volume.messages < $1.volume.messages }), volumes.bins.count > 1 {
            let place =
                switch volumes.step {
                case .day: "on \(most.name)"
                case .week: "in the week of \(most.name)"
                case .month: "in \(most.name)"
                case .years(let count): count == 1 ? "in \(most.name)" : "in the \(count) years from \(most.name)"
                }
            words += "; most of them \(place): \(MoneyText.count(most.volume.messages))"
        }
        words += "."
        if dated < counts.all.messages {
            words += " \(messages(counts.all.messages - dated)) more have no date."
        }
        // Days and weeks are those of `stats`.
        let list: String? = volumes.step == .day ? "days" : volumes.step == .week ? "weeks" : nil
        let rows = volumes.bins.filter { $0.volume.messages > 0 }.map { bin in
            [bin.name]
                + Self.columns(bin.volume).map { name, count in
                    list.map { number("\($0).\(bin.name).\(name)", count) } ?? MoneyText.count(count)
                }
        }
        let heads = [volumes.step.name, "Messages", "Fan", "Business", "Spam", "Urgent", "Offers"]
        return section(
            "volumes", "Messages by \(step)",
            figure(
                "volumes", words, VolumePlot.svg(volumes, label: "volumes-words"), legend: Self.legend,
                table: table("Messages by \(step)", heads: heads, rows: rows)))
    }

    private static func columns(_ volume: InboxStatistics.Volume) -> [(String, Int)] {
        [
            ("messages", volume.messages), ("fan", volume.fan), ("business", volume.business), ("spam", volume.spam),
            ("urgent", volume.urgent), ("offers", volume.offers),
        ]
    }

    private static let legend = """
        <ul class="legend" aria-hidden="true">\
        <li><svg width="12" height="12"><rect class="fan" width="12" height="12" rx="3"/></svg> fan</li>\
        <li><svg width="12" height="12"><rect class="business" width="12" height="12" rx="3"/></svg> business</li>\
        <li><svg width="12" height="12"><rect class="spam" width="12" height="12" rx="3"/></svg> spam</li></ul>

        """

    // MARK: Kinds and feelings

    var kinds: String {
        let all = counts.all
        let rest = all.messages - all.fan - all.business - all.spam
        var bars = [("fan", all.fan), ("business", all.business), ("spam", all.spam)]
        if rest > 0 { bars.append(("none", rest)) }
        let words =
            bars.map { "\(MoneyText.count($0.1)) \($0.0 == "none" ? "uncategorized" : $0.0)" }.joined(separator: ", ")
            + "."
        return section(
            "kinds", "Categories",
            figure(
                "kinds", words,
                BarPlot.svg(
                    bars.map { bar($0.0 == "none" ? "uncategorized" : $0.0, $0.1, style: $0.0) }, of: all.messages,
                    label: "kinds-words"),
                table: table("Categories", heads: ["Category", "Messages", "Share"], rows: bars.map { shares($0) })))
    }

    var feelings: String {
        let all = counts.all
        // What is neutral says nothing about people; its number is in the table.
        let bars = [("positive", all.positive), ("negative", all.negative)]
        let rest = all.messages - all.positive - all.negative
        let words =
            bars.map { "\(MoneyText.count($0.1)) \($0.0)" }.joined(separator: ", ")
            + "; \(MoneyText.count(rest)) \(rest == 1 ? "shows" : "show") no clear sentiment."
        return section(
            "feelings", "Sentiment",
            figure(
                "feelings", words,
                BarPlot.svg(
                    bars.map { bar($0.0, $0.1, style: $0.0) }, of: all.messages, label: "feelings-words"),
                table: table(
                    "Messages by sentiment", heads: ["Sentiment", "Messages", "Share"],
                    rows: (bars + [("neutral", all.neutral)]).map { shares($0) })))
    }

    private func bar(_ name: String, _ count: Int, style: String) -> BarPlot.Bar {
        BarPlot.Bar(
            name: name, count: count, style: style,
            words: "\(MoneyText.count(count)) · \(Self.percent(count, of: counts.all.messages))")
    }

    private func shares(_ row: (String, Int)) -> [String] {
        [
            row.0 == "none" ? "uncategorized" : row.0,
            row.0 == "none" ? MoneyText.count(row.1) : number("all.\(row.0)", row.1),
            PageText.plain(Self.percent(row.1, of: counts.all.messages)),
        ]
    }

    // MARK: FAQ and languages

    var faq: String {
        guard !counts.faq.isEmpty else {
            return section("faq", "Your FAQ", "<p>No FAQ entry answers any of the messages.</p>")
        }
        let ranked = counts.faq.sorted { ($1.high + $1.possible, $0.id) < ($0.high + $0.possible, $1.id) }
        let high = ranked.reduce(0) { $0 + $1.high }
        let possible = ranked.reduce(0) { $0 + $1.possible }
        var words = "\(messages(high)) answered surely and \(MoneyText.count(possible)) possibly, "
        words += "by \(ranked.count == 1 ? "1 entry" : "\(MoneyText.count(ranked.count)) entries")."
        if let said = counts.agreement[.faq], said.asked > 0 {
            words += " Right in \(MoneyText.count(said.agreed)) of \(MoneyText.count(said.asked)) you rated."
        }
        let shown = ranked.prefix(8)
        let bars = shown.map { use in
            BarPlot.Bar(
                name: use.id, count: use.high, further: use.possible, style: "business",
                words: use.possible > 0
                    ? "\(MoneyText.count(use.high)) + \(MoneyText.count(use.possible)) possible"
                    : MoneyText.count(use.high))
        }
        let rows = ranked.prefix(100).map { use in
            ["<bdi>\(PageText.html(use.id))</bdi>"]
                + [("high", use.high), ("possible", use.possible), ("right", use.right), ("wrong", use.wrong)].map {
                    number("faq.\(use.id).\($0.0)", $0.1)
                }
        }
        var further = ""
        if ranked.count > shown.count { further = "<p class=\"soft\">The table below has all entries.</p>\n" }
        return section(
            "faq", "Your FAQ",
            figure(
                "faq", words,
                BarPlot.svg(bars, of: bars.map { $0.count + $0.further }.max() ?? 0, label: "faq-words") + further,
                table: table(
                    "Use of your FAQ", heads: ["Entry", "Sure", "Possible", "Right", "Wrong"], rows: rows)))
    }

    var languages: String {
        let ranked = contents.languages
        guard let first = ranked.first else { return "" }
        let words =
            ranked.count == 1
            ? "All messages are in one language: \(LanguageNames.name(of: first.tag))."
            : "\(ranked.count) languages; most are in \(LanguageNames.name(of: first.tag))."
        let shown = ranked.prefix(8)
        var rows = ranked.prefix(ReportContents.mostKinds).map { entry in
            [
                PageText.html(LanguageNames.name(of: entry.tag)), PageText.html(entry.tag),
                MoneyText.count(entry.messages),
            ]
        }
        let rest = ranked.dropFirst(ReportContents.mostKinds).reduce(0) { $0 + $1.messages }
        if rest > 0 { rows.append(["others", "", MoneyText.count(rest)]) }
        return section(
            "languages", "Languages",
            figure(
                "languages", PageText.html(words),
                BarPlot.svg(
                    shown.map { bar(LanguageNames.name(of: $0.tag), $0.messages, style: "language") },
                    of: counts.all.messages, label: "languages-words"),
                table: table("Messages by language", heads: ["Language", "Tag", "Messages"], rows: rows)))
    }

    func messages(_ count: Int) -> String { "\(MoneyText.count(count)) \(count == 1 ? "message" : "messages")" }
}

/// Counts side by side as horizontal bars: inline SVG whose bars take the width there is.
private enum BarPlot {
    /// A bar, in one or two parts.
    struct Bar {
        /// Text that is still to be escaped.
        var name: String
        var count: Int
        /// What the second part shows.
        var further = 0
        /// Class that colors it.
        var style: String
        /// Behind the name, such as `10 (59%)`.
        var words: String
    }

    private static let row = 44

    /// - Parameters:
    ///   - most: what a bar of full width stands for.
    ///   - label: id of the element that says the same in words.
    static func svg(_ bars: [Bar], of most: Int, label: String) -> String {
        let height = max(1, bars.count) * row
        var out = "<svg class=\"plot\" role=\"img\" aria-labelledby=\"\(label)\" width=\"100%\" height=\"\(height)\">"
        for (place, bar) in bars.enumerated() {
            let y = place * row
            let first = share(bar.count, of: most)
            let second = share(bar.further, of: most)
            out += "<text class=\"name\" x=\"0\" y=\"\(y + 16)\">\(PageText.plain(cut(bar.name)))</text>"
            out += "<text class=\"value\" x=\"100%\" y=\"\(y + 16)\" text-anchor=\"end\">"
            out += "\(PageText.plain(bar.words))</text>"
            out += "<rect class=\"track\" x=\"0\" y=\"\(y + 24)\" width=\"100%\" height=\"8\" rx=\"4\"/>"
            if bar.count > 0 {
                out += "<rect class=\"\(bar.style)\" x=\"0\" y=\"\(y + 24)\" width=\"\(VolumePlot.fixed(first))%\""
                out += " height=\"8\" rx=\"4\"/>"
            }
            if bar.further > 0 {
                out += "<rect class=\"\(bar.style) faint\" x=\"\(VolumePlot.fixed(first))%\" y=\"\(y + 25)\""
                out += " width=\"\(VolumePlot.fixed(second))%\" height=\"6\" rx=\"3\"/>"
            }
        }
        return out + "</svg>"
    }

    /// Percent of the width.
    private static func share(_ count: Int, of most: Int) -> Double {
        most > 0 ? min(100, max(0, 100 * Double(count) / Double(most))) : 0
    }

    /// A name and its count share a line of a small phone.
    private static func cut(_ name: String) -> String {
        var out = ""
        var columns = 0
        for scalar in name.unicodeScalars {
            columns += max(1, TerminalText.width(scalar))
            if columns > 20 { return out + "…" }
            out.unicodeScalars.append(scalar)
        }
        return out
    }
}

/// Names of languages in English, which is the language of the page.
private enum LanguageNames {
    /// A tag that has no name here is its own; it is text that is still to be escaped.
    static func name(of tag: String) -> String { names[tag] ?? tag }

    private static let names = [
        "und": "unknown", "en": "English", "es": "Spanish", "pt": "Portuguese", "fr": "French", "de": "German",
        "it": "Italian", "nl": "Dutch", "tr": "Turkish", "id": "Indonesian", "hi-Latn": "Hindi (Latin)",
        "pl": "Polish", "ro": "Romanian", "sv": "Swedish", "da": "Danish", "no": "Norwegian", "fi": "Finnish",
        "cs": "Czech", "hu": "Hungarian", "vi": "Vietnamese", "tl": "Tagalog", "sw": "Swahili", "ru": "Russian",
        "uk": "Ukrainian", "bg": "Bulgarian", "sr": "Serbian", "el": "Greek", "ar": "Arabic", "fa": "Persian",
        "ur": "Urdu", "he": "Hebrew", "hi": "Hindi", "bn": "Bengali", "ta": "Tamil", "th": "Thai", "ja": "Japanese",
        "zh": "Chinese", "ko": "Korean", "ms": "Malay", "ca": "Catalan",
    ]
}
