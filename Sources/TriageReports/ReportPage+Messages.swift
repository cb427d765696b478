import TriageFormats
import TriageStore

extension ReportPage {
    // MARK: Urgent

    var urgentMessages: String {
        guard counts.all.urgent > 0 else {
            return section("urgent", "Urgent", "<p>Nothing is urgent.</p>")
        }
        let items = contents.urgent.enumerated().map { place, message in
            var out = "<li>\n<h3>\(sender(message) ?? "Message \(place + 1)")</h3>\n<p class=\"facts\">"
            var facts: [String] = ["<span class=\"badge urgent\">urgent</span>"]
            if let category = kind(message.category) {
                facts.append("<span class=\"badge \(category)\">\(category)</span>")
            }
            if message.isUpset { facts.append("<span class=\"badge negative\">negative</span>") }
            if let priority = message.priority { facts.append("<span>priority \(priority)</span>") }
            out += (facts + about(message)).joined(separator: " ") + "</p>"
            if hasTexts, !message.text.isEmpty { out += "\n" + quote(message) }
            return out + "\n</li>"
        }
        let words = "\(messages(counts.all.urgent)) to look at within a day."
        return section(
            "urgent", "Urgent",
            "<p>\(words)</p>\n<ol class=\"cards\">\(items.joined(separator: "\n"))</ol>"
                + more(contents.moreUrgent, "`triage list --view priority`"))
    }

    // MARK: Offers

    var offers: String {
        guard !contents.offers.isEmpty else {
            return section("offers", "Offers", "<p>There are no offers.</p>")
        }
        let tiers = ReportOffer.tiers.map { tier in
            "\(number("tiers.\(tier)", counts.tiers[tier] ?? 0)) \(tier)"
        }.joined(separator: ", ")
        var words = "\(MoneyText.count(contents.offers.count + contents.moreOffers)) open, best first. "
        words += "All offers by tier: \(tiers)."
        if counts.dismissedOffers > 0 {
            words += " You dismissed \(number("dismissed_offers", counts.dismissedOffers))."
        }
        let items = contents.offers.enumerated().map { offer($1, place: $0 + 1) }
        return section(
            "offers", "Offers",
            "<p>\(words)</p>\n<ol class=\"cards offers\">\(items.joined(separator: "\n"))</ol>"
                + more(contents.moreOffers, "`triage list --view business`"))
    }

    private func offer(_ offer: ReportOffer, place: Int) -> String {
        let message = offer.message
        var out = "<li>\n<h3>\(sender(message) ?? "Offer \(place)")</h3>\n"
        out += "<p class=\"score\"><b>\(offer.score)</b> <span class=\"soft\">of 100</span> "
        if let tier = offer.tier { out += "<span class=\"badge \(tier)\">\(tier)</span> " }
        let stars = "\(offer.stars / 10).\(offer.stars % 10)"
        out += "<span class=\"stars\">\(Self.stars(offer.stars))<span>\(stars) of 5 stars</span></span></p>\n"
        var facts: [String] = []
        if let budget = offer.budget { facts.append("<span>Budget <b>\(PageText.html(budget))</b></span>") }
        if let deadline = offer.deadline { facts.append("<span>Deadline <b>\(deadline)</b></span>") }
        facts += about(message)
        if !facts.isEmpty { out += "<p class=\"facts\">\(facts.joined(separator: " "))</p>\n" }
        if !offer.parts.isEmpty {
            out += "<dl class=\"parts\">"
            for part in offer.parts {
                out += "<div><dt>\(part.name)</dt><dd>\(part.points) of \(part.most)</dd>"
                out += "<dd aria-hidden=\"true\">\(Self.bar(part.points, of: part.most))</dd></div>"
            }
            out += "</dl>\n"
        }
        if hasTexts, !offer.insights.isEmpty {
            out += "<ul class=\"insights\">"
            for insight in offer.insights { out += "<li><bdi dir=\"auto\">\(PageText.html(insight))</bdi></li>" }
            out += "</ul>\n"
        }
        return out + "</li>"
    }

    private static func stars(_ tenths: Int) -> String {
        // Five stars in 80 columns; what is cut off behind them is the part that is missing.
        let width = VolumePlot.fixed(Double(tenths) * 1.6)
        return "<svg width=\"80\" height=\"16\" aria-hidden=\"true\"><use href=\"#stars\" class=\"track\" width=\"80\" "
            + "height=\"16\"/><svg width=\"\(width)\" height=\"16\"><use href=\"#stars\" class=\"gold\" width=\"80\" "
            + "height=\"16\"/></svg></svg>"
    }

    private static func bar(_ points: Int, of most: Int) -> String {
        let share = most > 0 ? 100 * Double(points) / Double(most) : 0
        return "<svg width=\"100%\" height=\"8\"><rect class=\"track\" width=\"100%\" height=\"8\" rx=\"4\"/>"
            + "<rect class=\"ai\" width=\"\(VolumePlot.fixed(share))%\" height=\"8\" rx=\"4\"/></svg>"
    }

    // MARK: Pieces

    private func sender(_ message: ReportMessage) -> String? {
        guard hasTexts else { return nil }
        return message.sender.map { "<bdi dir=\"auto\">\(PageText.html($0))</bdi>" } ?? "Unknown sender"
    }

    /// Where and when, and what it is found by.
    private func about(_ message: ReportMessage) -> [String] {
        var facts: [String] = []
        if let platform = message.platform { facts.append("<span>on <bdi>\(PageText.html(platform))</bdi></span>") }
        if let day = message.day { facts.append("<span>sent \(day)</span>") }
        // The id of a record may name its sender; a number in a store names nobody.
        if let name = message.name, hasTexts || contents.origin == .store {
            facts.append("<span class=\"id\"><bdi>\(PageText.html(name))</bdi></span>")
        }
        return facts
    }

    private func quote(_ message: ReportMessage) -> String {
        let language = message.language.flatMap { $0 == "und" ? nil : " lang=\"\($0)\"" } ?? ""
        return "<blockquote dir=\"auto\"\(language)>\(PageText.html(message.text))</blockquote>"
    }

    private func kind(_ category: String?) -> String? {
        category.flatMap { ["fan", "business", "spam"].contains($0) ? $0 : nil }
    }

    private func more(_ count: Int, _ command: String) -> String {
        guard count > 0 else { return "" }
        let place = contents.origin == .store ? ": \(command) shows all" : ""
        return "\n<p class=\"soft\">And \(MoneyText.count(count)) more\(code(place)).</p>"
    }
}
