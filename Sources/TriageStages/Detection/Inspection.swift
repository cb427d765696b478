internal import TriageCore

/// One message under inspection: which detectors fired, where, and what the finders saw.
///
/// Its steps are called one by one, in the order in which they stand here.
struct Inspection {
    let record: UnsafeMutablePointer<Record>
    let text: MessageText
    /// The way back to the text as it was written.
    let origin: MessagePlaces
    private let words: WordIndex
    // The stage keeps it for as long as this lives.
    private unowned(unsafe) let masks: InspectionMasks
    var detectors = DetectorBits()
    private(set) var places: DetectorPlaces
    var found = FactFindings()
    private var roles: WordRoles = []
    /// Words that finders of dates, money and telephone numbers look at: those with digits and those of
    /// ``WordRoles/finderTriggers``.
    private var candidates: PlainList<Int32>
    /// Words of ``WordRoles/countable``.
    private var countables: PlainList<Int32>
    /// Words of the creator's that the text has, in order.
    private var marks: PlainList<CreatorWords.Mark>
    /// The amounts of the text.
    private(set) var money: [MoneyFind] = []

    /// Memory that a message's inspection writes to, good for as long as it lives.
    struct Room {
        var shape: UnsafeMutablePointer<TextShape>
        var places: UnsafeMutablePointer<DetectorPlaces.Place>
        // For as many elements as the text has words.
        var candidates: UnsafeMutablePointer<Int32>
        var countables: UnsafeMutablePointer<Int32>
        var marks: UnsafeMutablePointer<CreatorWords.Mark>
    }

    init(
        _ record: UnsafeMutablePointer<Record>, _ buffers: MessageBuffers, _ room: Room, words: WordIndex,
        masks: InspectionMasks
    ) {
        self.record = record
        self.words = words
        self.masks = masks
        // A copy, for finders read the counts while the record is written.
        room.shape.pointee = record.pointee.folded.shape
        text = MessageText(
            bytes: UnsafeBufferPointer(rebasing: buffers.folded[record.pointee.folded.span.range]),
            tokens: UnsafeBufferPointer(rebasing: buffers.tokens[record.pointee.folded.tokens]),
            shape: UnsafePointer(room.shape))
        origin = MessagePlaces(
            marks: UnsafeBufferPointer(rebasing: buffers.marks[record.pointee.folded.marks]),
            text: UnsafeBufferPointer(rebasing: buffers.arena[record.pointee.fields.text.range]))
        places = DetectorPlaces(room.places)
        candidates = PlainList(room.candidates)
        countables = PlainList(room.countables)
        marks = PlainList(room.marks)
    }

    /// The one pass over the words: which kinds there are, and where the creator's are.
    ///
    /// - Parameter picked: room for as many numbers as there are words.
    mutating func scan(_ picked: UnsafeMutablePointer<Int32>) {
        // Every word is written down, and the next one over it unless it counts: that needs no branch.
        // Held apart, or they would be loaded again behind every store.
        let (tokens, words) = (text.tokens, words)
        let digits = UInt64(Token.Flags.digits.rawValue.trailingZeroBitCount)
        var count = 0
        for i in 0..<tokens.count {
            picked[count] = Int32(truncatingIfNeeded: i)
            let hasDigits = UInt64(tokens[i].flags.rawValue) &>> digits
            count &+= Int(truncatingIfNeeded: (words.mayBePicked(tokens[i].hash) | hasDigits) & 1)
        }
        var roles: WordRoles = []
        // Held apart for the same reason.
        var (candidates, countables, marks) = (candidates, countables, marks)
        for place in 0..<count {
            let i = picked[place]
            let token = tokens[Int(i)]
            let info = words.info(token.hash)
            // What is no word of letters alone is looked at for its digits, whatever it means.
            let hasDigits = token.flags.contains(.digits)
            let own = hasDigits ? [] : info.roles
            roles.formUnion(own)
            candidates.append(i, if: hasDigits || !own.isDisjoint(with: .finderTriggers))
            countables.append(i, if: own.contains(.countable) && i < OfferSigns.limit)
            marks.append(CreatorWords.Mark(token: i, posting: info.posting), if: own.contains(.creator))
        }
        (self.candidates, self.countables, self.marks) = (candidates, countables, marks)
        self.roles = roles
        let speaksOfSelf =
            roles.contains(.firstPerson) || text.shape.han > 0 && text.has("私", in: 0..<text.bytes.count)
        detectors.insert(masks.firstPerson, if: speaksOfSelf)
    }

    mutating func findLinks() {
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
        if let phone = PhoneFinder(text: text).find(at: candidates.elements) { raise(masks.phone, phone) }
    }

    mutating func findMoney(_ facts: FactGatherer) {
        guard candidates.count > 0 || text.shape.han > 0,
            text.shape.digits > 0 || !roles.isDisjoint(with: .moneyTriggers)
        else { return }
        MoneyFinder(text: text, table: words).find(at: candidates.elements, into: &money)
        for find in money {
            let place = find.start..<find.end
            if find.role == .percent {
                raise(masks.percent, place)
                continue
            }
            raise(masks.money, place)
            if facts.usd(find.value, find.currency) >= 100_000 { raise(masks.moneyLarge, place) }
        }
    }

    mutating func findDeadline(_ facts: FactGatherer) {
        guard candidates.count > 0 || text.shape.han > 0,
            text.shape.digits > 0 || text.shape.han > 0 || !roles.isDisjoint(with: .dateTriggers)
        else { return }
        let frame = facts.frame(
            sentAt: record.pointee.sentAt, isDay: record.pointee.fields.sentAt.count == DateFrame.dayLength)
        let result = DeadlineFinder(text: text, table: words, frame: frame).find(at: candidates.elements)
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

    /// - Parameter parts: is used by the creator's words.
    mutating func findCreator(_ words: CreatorWords, _ parts: inout [UInt8]) {
        guard marks.count > 0 else { return }
        let (text, origin) = (text, origin)
        let creator = words.findings(marks.prefix(CreatorWords.markLimit), in: text, scratch: &parts) {
            origin.isProminent(text.start($0))
        }
        found.creator = creator
        if creator.work >= 0 { raise(masks.work, creator.workPlace) }
        if !creator.nichePlace.isEmpty { raise(masks.niche, creator.nichePlace) }
        if !creator.excludedPlace.isEmpty { raise(masks.excluded, creator.excludedPlace) }
        if !creator.namePlace.isEmpty { raise(masks.creatorName, creator.namePlace) }
    }

    /// Completes the signals.
    ///
    /// - Parameters:
    ///   - raw: the matcher's hits of the batch.
    ///   - hits: gets those of this message.
    mutating func runSignals(
        _ program: SignalProgram, _ raw: UnsafeBufferPointer<SignalHit>, into hits: inout HitList,
        _ scratch: inout SignalProgram.Scratch
    ) {
        let first = hits.count
        found.tags = program.run(
            UnsafeBufferPointer(rebasing: raw[record.pointee.hits]), language: record.pointee.language?.language ?? 0,
            detectors: detectors, places: places, into: &hits, &scratch)
        record.pointee.hits = first..<hits.count
        found.detectors = detectors
    }

    /// Looks closer at what has a sign of business: a tag, an amount, a company's address.
    ///
    /// - Parameter name: the sender's.
    mutating func findOfferSigns(name: UnsafeBufferPointer<UInt8>) {
        guard found.tags != 0 || !money.isEmpty || detectors.bits & masks.emailCompany != 0 else { return }
        let signs = OfferSigns(text: text, table: words)
        let isSaid = found.tags & (1 << UInt64(FactTag.deliverable.rawValue)) != 0
        found.namesDeliverables = isSaid || signs.namesDeliverables(at: countables.elements)
        let isCompany = found.tags & (1 << UInt64(FactTag.company.rawValue)) != 0
        found.isNamed = !isCompany && detectors.bits & masks.senderEmail == 0 && signs.isNamed(name)
        found.signsWithRole = OfferSigns.signsWithRole(origin.text)
    }

    private mutating func raise(_ mask: UInt64, _ place: Range<Int>) {
        detectors.insert(mask, if: true)
        places.set(mask, place)
    }
}

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

/// A list in memory that somebody else made large enough.
///
/// Unlike an array it asks neither who owns it nor, at every element, whether there is room.
struct PlainList<Element: BitwiseCopyable> {
    private let base: UnsafeMutablePointer<Element>
    private(set) var count = 0

    /// - Parameter room: for all elements that there can be, and one more.
    init(_ room: UnsafeMutablePointer<Element>) { base = room }

    /// Adds an element if a condition holds: it is written anyway, and the next one over it, which needs no branch.
    @inline(__always)
    mutating func append(_ element: Element, if condition: Bool) {
        base[count] = element
        count &+= condition ? 1 : 0
    }

    var elements: UnsafeBufferPointer<Element> {
        @inline(__always) get { UnsafeBufferPointer(start: base, count: count) }
    }

    /// The first elements, no more than `limit`.
    func prefix(_ limit: Int) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: base, count: min(count, limit))
    }
}
