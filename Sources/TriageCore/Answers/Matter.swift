/// What a business message is about: what decides how a reply is written.
///
/// In the order of `Tests/Benchmarks/matters.py`.
package enum Matter: UInt8, Sendable, CaseIterable {
    /// Paid content or a paid partnership; a wish to work together, terms unknown.
    case deal, collab
    /// A share of sales in place of a fee; a product, stay or meal for posts; a gift without strings.
    case commission, gift, freebie
    /// What the creator charges; use of what there is already.
    case rates, licence
    case press, podcast
    /// Speaking, teaching, judging or performing; help for a cause; employment or labour; a book.
    case event, charity, job, book
    /// Wants to represent the creator.
    case represent
    /// Papers of agreed work; a claim or the complaint of a partner.
    case invoice, dispute
    /// Orders goods; sells something to the creator; another creator's plan without money; a study; anything else.
    case wholesale, service, peer, research, other

    /// The kind that is answered alike; ``other`` for those that no words answer.
    package var answered: Matter {
        switch self {
        case .collab: .deal
        case .podcast: .press
        case .wholesale, .service, .peer, .research: .other
        default: self
        }
    }

    /// Whether a manager handles it, where there is one.
    package var isHandled: Bool {
        switch self {
        case .deal, .collab, .rates, .licence, .podcast, .event, .job, .book, .represent: true
        default: false
        }
    }

    /// Whether something is to be shown to the creator's audience.
    package var isAdvertising: Bool {
        switch self {
        case .deal, .collab, .commission, .gift, .freebie: true
        default: false
        }
    }
}

/// What the sentence encoder reads a business message to be about.
package struct MatterAnswer: Sendable, Equatable {
    /// The likeliest of the likeliest ``Matter/answered``.
    package var kind: Matter
    /// That it is answered as that kind, 0–1.
    package var probability: Float
    /// That it is answered as the second likeliest.
    package var second: Float
    /// That a manager handles it, whichever kind it is.
    package var handled: Float
    /// That it offers a commission, or a gift for a post.
    package var feeless: Float
    /// That a topic which the creator excludes is advertised.
    package var excluded: Float
    /// That it goes on with something that was agreed, ordered or talked about before.
    package var ongoing: Float

    package init(
        kind: Matter, probability: Float, second: Float = 0, handled: Float = 0, feeless: Float = 0,
        excluded: Float = 0, ongoing: Float = 0
    ) {
        self.kind = kind
        self.probability = probability
        self.second = second
        self.handled = handled
        self.feeless = feeless
        self.excluded = excluded
        self.ongoing = ongoing
    }
}
