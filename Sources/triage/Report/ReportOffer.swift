import TriageCore
import TriageFormats
import TriageLLM

/// An offer as the board of a report shows it; every text is as long as it may be, and still to be escaped.
struct ReportOffer: Equatable {
    /// A part of the score.
    struct Part: Equatable {
        var name: String
        var points: Int
        var most: Int
    }

    var message: ReportMessage
    /// 0–100.
    var score: Int
    /// `gold`, `blue` or `gray`; nil: none of them.
    var tier: String?
    var parts: [Part]
    var insights: [String]
    /// Such as `$5,000`.
    var budget: String?
    /// `YYYY-MM-DD`.
    var deadline: String?

    /// Tenths of a star, 0–50.
    var stars: Int { (score * 10 + 10) / 20 }

    static let tiers = ["gold", "blue", "gray"]
    private static let parts = [
        ("monetary", "Money"), ("brand_fit", "Fit"), ("legitimacy", "Trust"), ("urgency", "Time"),
    ]
    private static let mostInsights = 12
    private static let insightLength = 200

    /// - Parameter opportunity: the answer; what is odd in it is left out.
    init(_ message: ReportMessage, score: Int, opportunity: JSONValue?) {
        self.message = message
        self.score = min(max(score, 0), 100)
        tier = opportunity?["tier"]?.string.flatMap { Self.tiers.contains($0) ? $0 : nil }
        parts = Self.parts.compactMap { key, name in
            guard let part = opportunity?["breakdown"]?[key], let points = part["points"]?.integer,
                let most = part["of"]?.integer, (0...100).contains(most), (0...most).contains(points)
            else { return nil }
            return Part(name: name, points: points, most: most)
        }
        insights = (opportunity?["insights"]?.array ?? []).prefix(Self.mostInsights).compactMap {
            $0.string.map { ReportMessage.cut($0, Self.insightLength) }
        }
        if let money = opportunity?["budget"], let amount = money["amount"]?.double, amount > 0 {
            budget = MoneyText.short(
                MoneyAmount(
                    amount: amount, currency: money["currency"]?.string.flatMap { Currency(parsing: $0) }, usd: 0,
                    start: 0, end: 0))
        }
        deadline = opportunity?["deadline"]?.string.flatMap { ReportMessage.day($0) }
    }
}
