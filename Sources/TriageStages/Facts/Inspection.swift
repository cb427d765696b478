internal import TriageCore

/// Bits of the detectors that ``Inspection`` raises; shared, not copied for every message.
final class InspectionMasks: Sendable {
    let firstPerson = DetectorBits.mask(.shapeFirstPerson)
    let linkAny = DetectorBits.mask(.linkAny)
    let linkShort = DetectorBits.mask(.linkShort)
    let linkIP = DetectorBits.mask(.linkIP)
    let linkPunycode = DetectorBits.mask(.linkPunycode)
    let linkLookalike = DetectorBits.mask(.linkLookalike)
    let linkMessenger = DetectorBits.mask(.linkMessenger)
    let linkOnly = DetectorBits.mask(.linkOnly)
    let linkPathVerb = DetectorBits.mask(.linkPathVerb)
    let emailFree = DetectorBits.mask(.emailFree)
    let emailCompany = DetectorBits.mask(.emailCompany)
    let senderEmail = DetectorBits.mask(.senderEmail)
    let phone = DetectorBits.mask(.phoneNumber)
    let money = DetectorBits.mask(.moneyAmount)
    let moneyLarge = DetectorBits.mask(.moneyLarge)
    let percent = DetectorBits.mask(.moneyPercent)
    let work = DetectorBits.mask(.creatorNamesWork)
    let creatorName = DetectorBits.mask(.creatorName)
    let niche = DetectorBits.mask(.creatorNiche)
    let excluded = DetectorBits.mask(.creatorExcluded)
    let within48h = DetectorBits.mask(.deadlineWithin48h)
    let week = DetectorBits.mask(.deadlineWeek)
    let deadline = DetectorBits.mask(.deadlineAny)
    let date = DetectorBits.mask(.dateAny)
}

/// What one call of the stage reuses from message to message.
struct InspectionScratch: ~Copyable {
    var program: SignalProgram.Scratch
    /// Words of the creator's that the text has, in order.
    fileprivate(set) var marks = PlainList<CreatorWords.Mark>()
    var parts: [UInt8] = []
    var money: [MoneyFind] = []
    /// Words that finders of dates, money and telephone numbers look at: those with digits and those of
    /// ``WordRoles/finderTriggers``.
    fileprivate(set) var candidates = PlainList<Int32>()
    /// Words of ``WordRoles/countable``.
    fileprivate(set) var countables = PlainList<Int32>()
    /// Words that may be one of these.
    fileprivate var picked = PlainList<Int32>()
    let places = DetectorPlaces.Memory()

    init(_ program: SignalProgram) { self.program = SignalProgram.Scratch(program) }

    /// Forgets the message before.
    ///
    /// - Parameter words: how many the text has.
    @inline(__always)
    mutating func reset(words: Int) {
        if !money.isEmpty { money.removeAll(keepingCapacity: true) }
        marks.clear(room: words)
        candidates.clear(room: words)
        countables.clear(room: words)
        picked.clear(room: words)
    }
}

/// Where detectors fired, for the few that have a place.
struct DetectorPlaces {
    /// Room for a place of each detector.
    struct Memory: ~Copyable {
        fileprivate let places = UnsafeMutablePointer<(start: UInt32, end: UInt32)>.allocate(capacity: 64)
        init() { places.initialize(repeating: (start: 1, end: 0), count: 64) }
        deinit { places.deallocate() }
    }

    /// Detectors that have one.
    private var bits: UInt64 = 0
    private let places: UnsafeMutablePointer<(start: UInt32, end: UInt32)>

    init(_ memory: borrowing Memory) { places = memory.places }

    /// Notes where a detector fired, unless it has a place already.
    mutating func set(_ mask: UInt64, _ range: Range<Int>) {
        guard !range.isEmpty, bits & mask == 0 else { return }
        bits |= mask
        places[mask.trailingZeroBitCount & 63] = (
            UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound)
        )
    }

    /// The hit of a detector's signal, with its place if there is one.
    @inline(__always)
    func hit(_ signal: UInt16, of detector: Int) -> SignalHit {
        guard bits &>> UInt64(detector) & 1 != 0 else { return SignalHit(signal: signal) }
        let place = places[detector]
        return SignalHit(signal: signal, start: place.start, end: place.end)
    }
}

/// One message under inspection: which detectors fired, where, and what the finders saw.
struct Inspection {
    let text: MessageText
    let words: WordIndex
    // The stage keeps it for as long as this lives.
    unowned(unsafe) let masks: InspectionMasks
    var detectors = DetectorBits()
    var places: DetectorPlaces
    var found = FactFindings()
    private var roles: WordRoles = []

    init(text: MessageText, words: WordIndex, masks: InspectionMasks, places: DetectorPlaces) {
        self.text = text
        self.words = words
        self.masks = masks
        self.places = places
    }

    /// The one pass over the words: which kinds there are, and where the creator's are.
    mutating func scan(_ scratch: inout InspectionScratch) {
        // Every word is written down, and the next one over it unless it counts: that needs no branch.
        // Held apart, or they would be loaded again behind every store.
        let (tokens, words) = (text.tokens, words)
        scratch.reset(words: tokens.count)
        let picked = scratch.picked.base
        let digits = UInt64(Token.Flags.digits.rawValue.trailingZeroBitCount)
        var count = 0
        for i in 0..<tokens.count {
            picked[count] = Int32(truncatingIfNeeded: i)
            let hasDigits = UInt64(tokens[i].flags.rawValue) &>> digits
            count &+= Int(truncatingIfNeeded: (words.mayBePicked(tokens[i].hash) | hasDigits) & 1)
        }
        var roles: WordRoles = []
        let (candidates, countables, marks) = (
            scratch.candidates.base, scratch.countables.base, scratch.marks.base
        )
        var (candidateCount, countableCount, markCount) = (0, 0, 0)
        for place in 0..<count {
            let i = picked[place]
            let token = tokens[Int(i)]
            let info = words.info(token.hash)
            // What is no word of letters alone is looked at for its digits, whatever it means.
            let hasDigits = token.flags.contains(.digits)
            let own = hasDigits ? [] : info.roles
            roles.formUnion(own)
            candidates[candidateCount] = i
            candidateCount &+= hasDigits || !own.isDisjoint(with: .finderTriggers) ? 1 : 0
            countables[countableCount] = i
            countableCount &+= own.contains(.countable) && i < OfferSigns.limit ? 1 : 0
            marks[markCount] = CreatorWords.Mark(token: i, posting: info.posting)
            markCount &+= own.contains(.creator) ? 1 : 0
        }
        scratch.candidates.setCount(candidateCount)
        scratch.countables.setCount(countableCount)
        scratch.marks.setCount(min(markCount, CreatorWords.markLimit))
        self.roles = roles
        let speaksOfSelf =
            roles.contains(.firstPerson) || text.shape.han > 0 && text.has("私", in: 0..<text.bytes.count)
        detectors.insert(masks.firstPerson, if: speaksOfSelf)
    }

    mutating func findLinks(_ candidates: UnsafeBufferPointer<Int32>) {
        guard text.shape.dots > 0 || text.shape.atSigns > 0 || text.shape.digits >= 7 else { return }
        let links = LinkFinder(text: text).find()
        found.links = links
        if links.links > 0 {
            raise(masks.linkAny, links.firstLink)
            let kinds = links.kinds
            if kinds.contains(.short) { raise(masks.linkShort, links.firstLink) }
            if kinds.contains(.ip) { raise(masks.linkIP, links.firstLink) }
            if kinds.contains(.punycode) { raise(masks.linkPunycode, links.firstLink) }
            if kinds.contains(.lookalike) { raise(masks.linkLookalike, links.firstLink) }
            if kinds.contains(.only) { raise(masks.linkOnly, links.firstLink) }
            if kinds.contains(.pathVerb) { raise(masks.linkPathVerb, links.firstLink) }
        }
        if links.kinds.contains(.messenger) { raise(masks.linkMessenger, links.messenger) }
        if links.kinds.contains(.freeMail) { raise(masks.emailFree, links.freeMail) }
        if links.kinds.contains(.companyMail) { raise(masks.emailCompany, links.companyMail) }
        if let phone = PhoneFinder(text: text).find(at: candidates) { raise(masks.phone, phone) }
    }

    mutating func findMoney(_ scratch: inout InspectionScratch, _ facts: FactGatherer) {
        guard text.shape.digits > 0 || !roles.isDisjoint(with: .moneyTriggers) else { return }
        MoneyFinder(text: text, table: words).find(at: scratch.candidates.elements, into: &scratch.money)
        for find in scratch.money {
            let place = find.start..<find.end
            if find.role == .percent {
                raise(masks.percent, place)
                continue
            }
            raise(masks.money, place)
            if facts.usd(find.value, find.currency) >= 100_000 { raise(masks.moneyLarge, place) }
        }
    }

    mutating func findDeadline(_ candidates: UnsafeBufferPointer<Int32>, _ frame: DateFrame) {
        let shape = text.shape
        guard shape.digits > 0 || shape.han > 0 || !roles.isDisjoint(with: .dateTriggers) else { return }
        let result = DeadlineFinder(text: text, table: words, frame: frame).find(at: candidates)
        found.deadline = result
        found.today = frame.today
        detectors.insert(masks.date, if: result.hasDate)
        guard let deadline = result.deadline else { return }
        let place = deadline.start..<deadline.end
        places.set(masks.date, place)
        guard deadline.isReply else { return }
        raise(masks.deadline, place)
        guard let hours = deadline.hours else { return }
        if hours <= 48 { raise(masks.within48h, place) }
        if hours <= 7 * 24 { raise(masks.week, place) }
    }

    mutating func note(_ creator: CreatorWords.Findings) {
        found.creator = creator
        if creator.work >= 0 { raise(masks.work, creator.workPlace) }
        if !creator.nichePlace.isEmpty { raise(masks.niche, creator.nichePlace) }
        if !creator.excludedPlace.isEmpty { raise(masks.excluded, creator.excludedPlace) }
        if !creator.namePlace.isEmpty { raise(masks.creatorName, creator.namePlace) }
    }

    /// Looks closer at what has a sign of business: a tag, an amount, a company's address.
    mutating func findOfferSigns(
        _ scratch: borrowing InspectionScratch, raw: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>
    ) {
        guard found.tags != 0 || !scratch.money.isEmpty || detectors.bits & masks.emailCompany != 0 else { return }
        let signs = OfferSigns(text: text, table: words)
        let isSaid = found.tags & (1 << UInt64(FactTag.deliverable.rawValue)) != 0
        found.namesDeliverables = isSaid || signs.namesDeliverables(at: scratch.countables.elements)
        let isCompany = found.tags & (1 << UInt64(FactTag.company.rawValue)) != 0
        found.isNamed = !isCompany && detectors.bits & masks.senderEmail == 0 && signs.isNamed(name)
        found.signsWithRole = OfferSigns.signsWithRole(raw)
    }

    private mutating func raise(_ mask: UInt64, _ place: Range<Int>) {
        detectors.insert(mask, if: true)
        places.set(mask, place)
    }
}
