/// The kinds of danger that somebody may be in, in the order of `Tests/Benchmarks/danger.py`.
package enum Danger: UInt8, Sendable, CaseIterable {
    case selfHarm, violence, threat, stalking, medical
}

/// What the sentence encoder finds of danger in a message, even inside an offer or an advertisement.
package struct DangerAnswer: Sendable, Equatable {
    /// The kind that the worst part of the message tells of.
    package var kind: Danger
    /// Log-odds that somebody is in danger.
    package var odds: Float
    /// Log-odds by the worst part alone.
    package var worst: Float
    /// Log-odds by the worst part among those that tell of violence or of stalking; ``noViolence`` if there is none.
    package var violence: Float
    package static let noViolence: Float = -12
    /// Probability that it is this kind, if it is any.
    package var share: Float
    /// The worst part, in bytes of the text.
    package var place: Range<Int32>

    package init(
        kind: Danger, odds: Float, worst: Float? = nil, violence: Float = noViolence, share: Float = 1,
        place: Range<Int32> = 0..<0
    ) {
        (self.kind, self.odds, self.worst, self.violence) = (kind, odds, worst ?? odds, violence)
        (self.share, self.place) = (share, place)
    }
}

/// What the sentence encoder says about thanking a fan for a message.
package struct ThanksAnswer: Sendable, Equatable {
    /// Probability that a short thank-you answers the message: praise, thanks, or good news.
    package var fits: Float
    /// Probability that it tells of sorrow, which wants sympathy.
    package var sorrow: Float

    package init(fits: Float, sorrow: Float) { (self.fits, self.sorrow) = (fits, sorrow) }
}
