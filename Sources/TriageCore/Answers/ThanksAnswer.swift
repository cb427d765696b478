/// What the sentence encoder says about thanking a fan for a message.
package struct ThanksAnswer: Sendable, Equatable {
    /// Probability that a short thank-you answers the message: praise, thanks, or good news.
    package var fits: Float
    /// Probability that it tells of sorrow, which wants sympathy.
    package var sorrow: Float

    package init(fits: Float, sorrow: Float) { (self.fits, self.sorrow) = (fits, sorrow) }
}
