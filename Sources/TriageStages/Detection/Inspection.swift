internal import TriageCore

/// The inspection of one message: which detectors fired, where, and what the finders found.
///
/// Its steps must be called one by one, in the order in which they are declared.
struct Inspection {
    let record: UnsafeMutablePointer<Record>
    let text: MessageText
    /// Maps places back to the original text.
    let origin: MessagePlaces
    private let words: WordIndex
    // Unowned, because the stage keeps it alive for as long as this value exists.
    private unowned(unsafe) let masks: InspectionMasks
    var detectors = DetectorBits()
    private(set) var places: DetectorPlaces
    var found = FactFindings()
    private var roles: WordRoles = []
    /// Words that the finders of dates, money and phone numbers examine: those with digits and those in
    /// ``WordRoles/finderTriggers``.
    private var candidates: PlainList<Int32>
    /// Words in ``WordRoles/countable``.
    private var countables: PlainList<Int32>
    /// The creator's words in the text, in order.
    private var marks: PlainList<CreatorWords.Mark>
    /// The amounts in the text.
    private(set) var money: [MoneyFind] = []

    /// Memory that the inspection of a message writes to; it must outlive the inspection.
    struct Room {
        var shape: UnsafeMutablePointer<TextShape>
        var places: UnsafeMutablePointer<DetectorPlaces.Place>
        // Each has room for as many elements as the text has words.
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
        // A copy, because finders read the counts while the record is written.
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

    /// Reads all words once: determines which kinds occur, and where the creator's words are.
    ///
    /// - Parameter picked: room for as many numbers as there are words.
    mutating func scan(_ picked: UnsafeMutablePointer<Int32>) {
        // Every index is stored, and the next one overwrites it unless the word counts, which needs no branch. The
        // locals keep the values in registers; otherwise they would be reloaded after every store.
        let (tokens, words) = (text.tokens, words)
        let digits = UInt64(Token.Flags.digits.rawValue.trailingZeroBitCount)
        var count = 0
        for i in 0..<tokens.count {
            picked[count] = Int32(truncatingIfNeeded: i)
            let hasDigits = UInt64(tokens[i].flags.rawValue) &>> digits
            count &+= Int(truncatingIfNeeded: (words.mayBePicked(tokens[i].hash) | hasDigits) & 1)
        }
        var roles: WordRoles = []
        // Locals for the same reason.
        var (candidates, countables, marks) = (candidates, countables, marks)
        for place in 0..<count {
            let i = picked[place]
            let token = tokens[Int(i)]
            let info = words.info(token.hash)
            // A word that is not letters only is examined for its digits, whatever it means; but creators have words
            // such as "web3" and "pay in 4".
            let hasDigits = token.flags.contains(.digits)
            let own = hasDigits ? [] : info.roles
            roles.formUnion(own)
            candidates.append(i, if: hasDigits || !own.isDisjoint(with: .finderTriggers))
            countables.append(i, if: own.contains(.countable) && i < OfferSigns.limit)
            marks.append(CreatorWords.Mark(token: i, posting: info.posting), if: info.roles.contains(.creator))
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

    /// Runs the detectors for the creator's words.
    ///
    /// - Parameter parts: scratch memory.
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

    /// Completes the signals of the message.
    ///
    /// - Parameters:
    ///   - raw: the pattern hits of the batch.
    ///   - hits: receives the hits of this message.
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

    /// Examines a message with a sign of business more closely: a tag, an amount, or a company address.
    ///
    /// - Parameter name: the sender's name.
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

/// Bits of the detectors that ``Inspection`` raises; shared instead of copied for every message.
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

/// A list in memory that its owner made large enough.
///
/// Unlike an array, it checks neither ownership nor, for each element, the capacity.
private struct PlainList<Element: BitwiseCopyable> {
    private let base: UnsafeMutablePointer<Element>
    private(set) var count = 0

    /// Creates an empty list.
    ///
    /// - Parameter room: memory for the maximum number of elements plus one.
    init(_ room: UnsafeMutablePointer<Element>) { base = room }

    /// Appends an element if a condition holds.
    ///
    /// It is always written, and overwritten by the next one if it does not count; this needs no branch.
    @inline(__always)
    mutating func append(_ element: Element, if condition: Bool) {
        base[count] = element
        count &+= condition ? 1 : 0
    }

    var elements: UnsafeBufferPointer<Element> {
        @inline(__always) get { UnsafeBufferPointer(start: base, count: count) }
    }

    /// Returns the first elements, at most `limit`.
    func prefix(_ limit: Int) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: base, count: min(count, limit))
    }
}
