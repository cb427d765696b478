internal import TriageCore

/// What signals stand for in the reasons of an offer: the `fact.*` tags they raise, and a few detectors above them.
struct OpportunityKinds: Sendable {
    static let companyMail: UInt64 = 1 << 58
    static let freeMail: UInt64 = 1 << 59
    static let shortLink: UInt64 = 1 << 60
    static let niche: UInt64 = 1 << 61
    static let excluded: UInt64 = 1 << 62
    static let work: UInt64 = 1 << 63

    /// By signal.
    let bySignal: [UInt64]

    init(rules: RuleSet) {
        let detectors: [(DetectorName, UInt64)] = [
            (.emailCompany, Self.companyMail), (.emailFree, Self.freeMail), (.linkShort, Self.shortLink),
            (.creatorNiche, Self.niche), (.creatorExcluded, Self.excluded), (.creatorNamesWork, Self.work),
        ]
        bySignal = rules.signals.map { signal in
            var kinds = signal.feeds.facts
            for (name, kind) in detectors where signal.trigger == .detector(name.rawValue) { kinds |= kind }
            return kinds
        }
    }

    /// The kind of signals that raise any of some tags.
    static func tags(_ tags: FactTag...) -> UInt64 { tags.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }
}

/// The hits of one record, asked for the places of what they stand for.
struct OpportunityHits {
    private let hits: UnsafeBufferPointer<SignalHit>
    private let kinds: UnsafeBufferPointer<UInt64>
    private let places: MessagePlaces
    /// Kinds that have a hit with a place, so that most questions need no search.
    private var held: UInt64 = 0

    init(_ hits: UnsafeBufferPointer<SignalHit>, kinds: UnsafeBufferPointer<UInt64>, places: MessagePlaces) {
        self.hits = hits
        self.kinds = kinds
        self.places = places
        for hit in hits where hit.hasPlace { held |= kind(of: hit) }
    }

    @inline(__always)
    private func kind(of hit: SignalHit) -> UInt64 { Int(hit.signal) < kinds.count ? kinds[Int(hit.signal)] : 0 }

    /// Where in the decoded text the first hit of some kinds stands.
    func place(of wanted: UInt64) -> Range<Int>? {
        guard held & wanted != 0 else { return nil }
        for hit in hits where hit.hasPlace && kind(of: hit) & wanted != 0 {
            return places.decodedRange(Int(hit.start)..<Int(hit.end))
        }
        return nil
    }

    /// The same place as it is written.
    func text(of wanted: UInt64) -> UnsafeBufferPointer<UInt8>? {
        place(of: wanted).map { UnsafeBufferPointer(rebasing: places.text[$0.clamped(to: 0..<places.text.count)]) }
    }
}
