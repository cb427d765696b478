public import TriageCore

/// Finds what patterns cannot say: links, addresses, money, dates, what the sender is and what the text says of the
/// creator; then completes the signals of every message.
///
/// Reads fields, folded text, raw hits and language. Writes the facts of offers, and refines the hits: those of signals
/// gated to another language or beyond their limit are dropped, those of detectors and composites are added. Costs one
/// pass over the words of a text, and looks closer only where that pass finds digits, dates or the creator's words.
public struct SignalDetectionStage: LocalStage {
    public let name = "signals.detect"
    public let reads: Set<Field> = [.fields, .folded, .hits, .language]
    public let writes: Set<Field> = [.facts, .hits]

    private let program: SignalProgram
    private let table: WordTable
    private let creator: CreatorWords
    private let sender: SenderInspector
    private let shape = ShapeInspector()
    private let facts: FactGatherer
    private let masks = Masks()

    public init(rules: RuleSet, profile: CreatorProfile, settings: Settings) {
        program = SignalProgram(rules)
        var table = FactWords.makeTable()
        creator = CreatorWords(profile, into: &table)
        self.table = table
        sender = SenderInspector(profile)
        facts = FactGatherer(profile: profile, settings: settings)
    }

    /// Bits of the detectors that this stage raises itself.
    private struct Masks {
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

    /// What one call reuses from message to message.
    private struct Scratch {
        var program: SignalProgram.Scratch
        var marks: [(token: Int, posting: Int)] = []
        var parts: [UInt8] = []
        var money: [MoneyFind] = []
        /// Folded places of detectors, by index; only those of fired detectors are read.
        var places: [(start: UInt32, end: UInt32)] = []
        static let nowhere: (start: UInt32, end: UInt32) = (1, 0)
    }

    public func annotate(_ batch: inout Batch) {
        var scratch = Scratch(program: SignalProgram.Scratch(program))
        scratch.places = [(start: UInt32, end: UInt32)](repeating: Scratch.nowhere, count: 64)
        let raw = batch.hits
        let folded = batch.folded
        let tokens = batch.tokens
        let arena = batch.arena
        var hits: [SignalHit] = []
        hits.reserveCapacity(raw.count + batch.records.count * 12)
        folded.withUnsafeBufferPointer { folded in
            tokens.withUnsafeBufferPointer { tokens in
                arena.withUnsafeBufferPointer { arena in
                    for index in batch.records.indices {
                        guard batch.records[index].isAsked else {
                            batch.records[index].hits = hits.count..<hits.count
                            continue
                        }
                        inspect(
                            index, in: &batch, Buffers(folded: folded, tokens: tokens, arena: arena), raw, &hits,
                            &scratch)
                    }
                }
            }
        }
        batch.hits = hits
    }

    private struct Buffers {
        let folded: UnsafeBufferPointer<UInt8>
        let tokens: UnsafeBufferPointer<Token>
        let arena: UnsafeBufferPointer<UInt8>
    }

    private func inspect(
        _ index: Int, in batch: inout Batch, _ buffers: Buffers, _ raw: [SignalHit], _ hits: inout [SignalHit],
        _ scratch: inout Scratch
    ) {
        let record = batch.records[index]
        let text = MessageText(
            bytes: UnsafeBufferPointer(rebasing: buffers.folded[record.folded.span.range]),
            tokens: UnsafeBufferPointer(rebasing: buffers.tokens[record.folded.tokens]), shape: record.folded.shape)
        let rawText = UnsafeBufferPointer(rebasing: buffers.arena[record.fields.text.range])
        var detectors = DetectorBits()
        var found = FactFindings()
        for i in scratch.places.indices { scratch.places[i] = Scratch.nowhere }

        let roles = scan(text, &scratch.marks)
        shape.inspect(text, raw: rawText, into: &detectors)
        detectors.insert(masks.firstPerson, if: roles.contains(.firstPerson) || text.shape.han > 0 && text.has("私", in: 0..<text.bytes.count))
        sender.inspect(record.fields, arena: buffers.arena, into: &detectors)
        if text.shape.dots > 0 || text.shape.atSigns > 0 || text.shape.digits >= 7 {
            findLinks(text, &detectors, &found, &scratch)
        }
        let hasDigits = text.shape.digits > 0
        if hasDigits || !roles.isDisjoint(with: .moneyTriggers) { findMoney(text, &detectors, &found, &scratch) }
        if hasDigits || !roles.isDisjoint(with: .dateTriggers) || text.shape.kana > 0 {
            findDeadline(text, record, &detectors, &found, &scratch)
        }
        if !scratch.marks.isEmpty { findCreator(text, record, batch, rawText, &detectors, &found, &scratch) }

        let first = hits.count
        let places = scratch.places
        let result = program.run(
            raw[record.hits], language: record.language?.language ?? 0, detectors: detectors, place: { places[$0] },
            into: &hits, &scratch.program)
        batch.records[index].hits = first..<hits.count
        found.tags = result.facts
        found.money = scratch.money
        found.detectors = detectors
        batch.records[index].facts = facts.facts(found, record: record, text: text) { start, end in
            batch.decodedRange(UInt32(start), UInt32(end), of: record)
        }
        scratch.money.removeAll(keepingCapacity: true)
    }

    /// The one pass over the words: which kinds of words there are, and where the creator's are.
    private func scan(_ text: MessageText, _ marks: inout [(token: Int, posting: Int)]) -> WordRoles {
        marks.removeAll(keepingCapacity: true)
        var roles: WordRoles = []
        for (i, token) in text.tokens.enumerated() where table.mayTrigger(token.hash) {
            let info = table.info(token.hash)
            roles.formUnion(info.roles)
            if info.posting != 0, marks.count < 1024 { marks.append((i, Int(info.posting))) }
        }
        return roles
    }

    private func setPlace(_ mask: UInt64, _ range: Range<Int>, _ scratch: inout Scratch) {
        guard !range.isEmpty else { return }
        scratch.places[mask.trailingZeroBitCount] = (UInt32(range.lowerBound), UInt32(range.upperBound))
    }

    private func findLinks(
        _ text: MessageText, _ detectors: inout DetectorBits, _ found: inout FactFindings, _ scratch: inout Scratch
    ) {
        let links = LinkFinder(text: text).find()
        found.links = links
        if links.links > 0 {
            for (mask, kind) in [
                (masks.linkShort, LinkFindings.Kinds.short), (masks.linkIP, .ip), (masks.linkPunycode, .punycode),
                (masks.linkLookalike, .lookalike), (masks.linkOnly, .only), (masks.linkPathVerb, .pathVerb),
            ] where links.kinds.contains(kind) {
                detectors.insert(mask, if: true)
                setPlace(mask, links.firstLink, &scratch)
            }
            detectors.insert(masks.linkAny, if: true)
            setPlace(masks.linkAny, links.firstLink, &scratch)
        }
        if links.kinds.contains(.messenger) {
            detectors.insert(masks.linkMessenger, if: true)
            setPlace(masks.linkMessenger, links.messenger, &scratch)
        }
        if links.kinds.contains(.freeMail) {
            detectors.insert(masks.emailFree, if: true)
            setPlace(masks.emailFree, links.freeMail, &scratch)
        }
        if links.kinds.contains(.companyMail) {
            detectors.insert(masks.emailCompany, if: true)
            setPlace(masks.emailCompany, links.companyMail, &scratch)
        }
        if let phone = PhoneFinder(text: text).find() {
            detectors.insert(masks.phone, if: true)
            setPlace(masks.phone, phone, &scratch)
        }
    }

    private func findMoney(
        _ text: MessageText, _ detectors: inout DetectorBits, _ found: inout FactFindings, _ scratch: inout Scratch
    ) {
        scratch.money.removeAll(keepingCapacity: true)
        MoneyFinder(text: text, table: table).find(into: &scratch.money)
        for find in scratch.money {
            if find.role == .percent {
                if detectors.bits & masks.percent == 0 { setPlace(masks.percent, find.start..<find.end, &scratch) }
                detectors.insert(masks.percent, if: true)
                continue
            }
            if detectors.bits & masks.money == 0 { setPlace(masks.money, find.start..<find.end, &scratch) }
            detectors.insert(masks.money, if: true)
            if facts.usd(find.value, find.currency) >= 100_000 {
                if detectors.bits & masks.moneyLarge == 0 { setPlace(masks.moneyLarge, find.start..<find.end, &scratch) }
                detectors.insert(masks.moneyLarge, if: true)
            }
        }
    }

    private func findDeadline(
        _ text: MessageText, _ record: Record, _ detectors: inout DetectorBits, _ found: inout FactFindings,
        _ scratch: inout Scratch
    ) {
        let result = DeadlineFinder(text: text, table: table, frame: facts.frame(sentAt: record.sentAt)).find()
        found.deadline = result
        detectors.insert(masks.date, if: result.hasDate)
        guard let deadline = result.deadline else { return }
        let place = deadline.start..<deadline.end
        setPlace(masks.date, place, &scratch)
        guard deadline.isReply else { return }
        detectors.insert(masks.deadline, if: true)
        setPlace(masks.deadline, place, &scratch)
        guard let hours = deadline.hours else { return }
        detectors.insert(masks.within48h, if: hours <= 48)
        detectors.insert(masks.week, if: hours <= 7 * 24)
        setPlace(masks.within48h, place, &scratch)
        setPlace(masks.week, place, &scratch)
    }

    private func findCreator(
        _ text: MessageText, _ record: Record, _ batch: borrowing Batch, _ raw: UnsafeBufferPointer<UInt8>,
        _ detectors: inout DetectorBits, _ found: inout FactFindings, _ scratch: inout Scratch
    ) {
        let base = record.folded
        let marks = batch.marks
        let creatorFindings = creator.findings(scratch.marks, in: text, scratch: &scratch.parts) { token in
            let at = Self.decodedOffset(text.start(token), base, marks)
            guard at >= 0, at < raw.count else { return false }
            if raw[at] &- 0x41 < 26 { return true }
            let before = at > 0 ? raw[at - 1] : 0
            // A straight quotation mark, or the last byte of a curly one.
            return before == 0x22 || before == 0x9C || before == 0x9E || before == 0xAB
        }
        found.creator = creatorFindings
        if creatorFindings.work >= 0 {
            detectors.insert(masks.work, if: true)
            setPlace(masks.work, creatorFindings.workPlace, &scratch)
        }
        detectors.insert(masks.niche, if: !creatorFindings.nichePlace.isEmpty)
        setPlace(masks.niche, creatorFindings.nichePlace, &scratch)
        detectors.insert(masks.excluded, if: !creatorFindings.excludedPlace.isEmpty)
        setPlace(masks.excluded, creatorFindings.excludedPlace, &scratch)
        detectors.insert(masks.creatorName, if: !creatorFindings.namePlace.isEmpty)
        setPlace(masks.creatorName, creatorFindings.namePlace, &scratch)
    }

    /// As ``Batch/decodedOffset(_:in:)``, on marks that are held apart from the batch.
    private static func decodedOffset(_ folded: Int, _ text: FoldedText, _ marks: [FoldMark]) -> Int {
        var low = text.marks.lowerBound
        var high = text.marks.upperBound
        while low < high {
            let middle = (low + high) / 2
            if Int(marks[middle].folded) <= folded { low = middle + 1 } else { high = middle }
        }
        return low == text.marks.lowerBound ? folded : folded + Int(marks[low - 1].delta)
    }
}
