package import TriageCore

/// The language model of a run, as named in the answers.
package struct LLMName: Sendable, Equatable {
    package var model: String
    /// Id of the prompt for questions about texts, such as `triage/v1`.
    package var textPrompt: String
    package var draftPrompt: String
    /// The model that writes drafts; usually the same as ``model``.
    package var draftModel: String

    /// - Parameter draftModel: nil: the same as `model`.
    package init(model: String, textPrompt: String, draftPrompt: String, draftModel: String? = nil) {
        self.model = model
        self.draftModel = draftModel ?? model
        self.textPrompt = textPrompt
        self.draftPrompt = draftPrompt
    }
}

/// Writes the `triage` object of a record; only this type knows its members and their order.
package struct TriageObjectEncoder: Sendable {
    private let signalHeads: ByteTable
    private let faqHeads: ByteTable
    private let languageTags: ByteTable
    /// Indexed by ``ModelUse``.
    private let provenance: ByteTable
    /// Indexed by ``Decider``.
    private let deciders: ByteTable
    /// Indexed by ``NoDraft/rawValue``.
    private let noDrafts: ByteTable
    /// Indexed by ``Category``; the last row is for no category.
    private let categoryHeads: ByteTable
    /// Indexed by ``Sentiment``; the last row is for no sentiment.
    private let sentimentHeads: ByteTable
    /// Indexed by ``Level``.
    private let levels: ByteTable
    /// Maximum bytes of one piece of evidence without its quote.
    private let evidenceRoom: Int
    private let questions: Set<Question>
    private let asksAll: Bool

    /// - Parameters:
    ///   - signals: names that evidence refers to.
    ///   - library: the FAQ that answers refer to.
    ///   - questions: those to write; empty: all.
    ///   - version: the program's version.
    ///   - rulesDigest: digest of the rule set.
    ///   - modelDigest: digest of the statistical model; nil if rules alone answer.
    ///   - llm: the language model that answers for some records; nil: none.
    ///   - voiceDigest: digest of the voice that drafts are written in; nil: none.
    package init(
        signals: SignalNames, library: FAQLibrary, questions: Set<Question>, version: String, rulesDigest: String,
        modelDigest: String? = nil, llm: LLMName? = nil, voiceDigest: String? = nil
    ) {
        signalHeads = ByteTable(
            signals.names.map { name in
                var head: [UInt8] = []
                head.add("{\"signal\":")
                JSONText.append(name, to: &head)
                head.add(",\"weight\":")
                return head
            })
        let entries = library.entries.map { entry in
            var head: [UInt8] = []
            head.add("{\"id\":")
            JSONText.append(entry.id, to: &head)
            head.add(",\"question\":")
            JSONText.append(entry.question, to: &head)
            head.add(",\"answer\":")
            JSONText.append(entry.answer, to: &head)
            return head
        }
        faqHeads = ByteTable(entries)
        evidenceRoom = signalHeads.room + 3 * JSONWriter.numberRoom + 64
        let categories = Category.allCases.map { "{\"label\":\"\($0.name)\",\"confidence\":" }
        categoryHeads = ByteTable(
            (categories + ["{\"label\":null,\"confidence\":0"]).map { Array((",\"category\":" + $0).utf8) })
        let sentiments = Sentiment.allCases.map { "\"\($0.name)\"" } + ["null"]
        sentimentHeads = ByteTable(
            sentiments.map { Array(",\"sentiment\":{\"label\":\($0),\"confidence\":".utf8) })
        levels = ByteTable(
            [Level.high, .medium, .low].map { Array(",\"level\":\"\($0.name)\"".utf8) })
        languageTags = ByteTable(
            LanguageTable.tags.map { tag in
                var bytes: [UInt8] = []
                JSONText.append(tag, to: &bytes)
                return bytes
            })
        noDrafts = ByteTable(
            NoDraft.allCases.map { reason in
                // A victim of insults or stalking may need the message as evidence.
                let advice = reason == .abuse ? ",\"advice\":\"keep-evidence\"" : ""
                return Array(",\"no_draft\":\"\(reason.name)\"\(advice)".utf8)
            })
        deciders = ByteTable(
            Decider.allCases.map { decider in
                var bytes: [UInt8] = []
                bytes.add(",\"by\":")
                JSONText.append(decider.name, to: &bytes)
                return bytes
            })
        provenance = ByteTable(
            (UInt8(0)..<4).map { bits in
                let use = ModelUse(rawValue: bits)
                var models: [(stage: String, model: String, prompt: String?)] = []
                if let modelDigest { models.append(("text.model", modelDigest, nil)) }
                if let llm, use.contains(.text) { models.append(("text.llm", llm.model, llm.textPrompt)) }
                if let llm, use.contains(.draft) {
                    models.append(("reply.llm", llm.draftModel, llm.draftPrompt))
                }
                let voice = questions.isEmpty || questions.contains(.draft) ? voiceDigest : nil
                return Self.provenance(version: version, rules: rulesDigest, voice: voice, models: models)
            })
        self.questions = questions
        asksAll = questions.isEmpty
    }

    private static func provenance(
        version: String, rules: String, voice: String?, models: [(stage: String, model: String, prompt: String?)]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.add(",\"provenance\":{\"version\":")
        JSONText.append(version, to: &bytes)
        bytes.add(",\"rules\":")
        JSONText.append(rules, to: &bytes)
        if let voice {
            bytes.add(",\"voice\":")
            JSONText.append(voice, to: &bytes)
        }
        for (index, entry) in models.enumerated() {
            bytes.add(index == 0 ? ",\"models\":[{\"stage\":" : ",{\"stage\":")
            JSONText.append(entry.stage, to: &bytes)
            bytes.add(",\"model\":")
            JSONText.append(entry.model, to: &bytes)
            if let prompt = entry.prompt {
                bytes.add(",\"prompt\":")
                JSONText.append(prompt, to: &bytes)
            }
            bytes.add("}")
        }
        bytes.add(models.isEmpty ? "}" : "]}")
        return bytes
    }

    private func prints(_ question: Question) -> Bool { asksAll || questions.contains(question) }

    /// Maximum bytes written between two reservations of room, without strings and table rows.
    private static let fixedRoom = 1024

    /// Appends `"triage":{…}` for a message.
    func encode(
        _ record: UnsafePointer<Record>, of batch: borrowing Batch, _ view: BatchView, into out: inout OutputBuffer
    ) {
        begin(record, of: batch, into: &out)
        if let language = record.pointee.language, prints(.language) {
            var pen = out.pen(room: Self.fixedRoom &+ languageTags.room)
            pen.write(",\"language\":{\"tag\":")
            languageTags.write(Int(language.language), with: &pen)
            pen.write(",\"confidence\":")
            pen.write(language.confidence, places: 2)
            pen.write("}")
            out.take(pen)
        }
        if prints(.category) { encodeCategory(record, view, &out) }
        if prints(.sentiment) { encodeSentiment(record, view, &out) }
        if prints(.urgency) { encodeUrgency(record, view, &out) }
        if prints(.opportunity) { encodeOpportunity(record, view, &out) }
        if prints(.faq) { encodeFAQ(record, &out) }
        if prints(.injection), let injection = record.pointee.injection {
            if injection.isSuspected {
                out.add(",\"injection\":{\"suspected\":true")
            } else {
                out.add(",\"injection\":{\"suspected\":false")
            }
            close(injection.because, record, view, &out)
        }
        if prints(.campaign), let campaign = record.pointee.campaign {
            out.add(",\"campaign\":{\"id\":\"")
            out.add(name: campaign)
            out.add("\",\"count\":")
            out.add(Int(campaign.senders))
            out.add("}")
        }
        if prints(.draft) { encodeDraft(record, view, &out) }
        if prints(.priority), let priority = record.pointee.priority {
            var pen = out.pen(room: Self.fixedRoom)
            pen.write(",\"priority\":")
            pen.write(priority)
            out.take(pen)
        }
        provenance.add(Int(record.pointee.askedOfModel.rawValue & 3), to: &out)
        if record.pointee.hasProblems { encode(batch.problems(of: record.pointee), &out) }
        out.add("}")
    }

    /// Writes what comes first in every record's object.
    @inline(__always)
    private func begin(_ record: UnsafePointer<Record>, of batch: borrowing Batch, into out: inout OutputBuffer) {
        out.add("\"triage\":{\"schema\":1")
        if !record.pointee.fields.id.isPresent {
            out.add(",\"id\":")
            out.add(MadeID.bytes(for: record.pointee, in: batch))
        }
        if record.pointee.revision > 1 {
            var pen = out.pen(room: Self.fixedRoom)
            pen.write(",\"revision\":")
            pen.write(Int(record.pointee.revision))
            out.take(pen)
        }
    }

    /// Appends `"triage":{"schema":1,"skipped":…}` for a record that is context only.
    func encodeSkipped(_ record: UnsafePointer<Record>, of batch: borrowing Batch, into out: inout OutputBuffer) {
        begin(record, of: batch, into: &out)
        out.add(",\"skipped\":")
        if record.pointee.status == .own { out.add("\"own\"}") } else { out.add("\"not-a-message\"}") }
    }

    /// Appends a rejected record as a complete JSON object; all rejects have this form.
    package func encodeReject(
        _ reject: Reject, of batch: borrowing Batch, sources: [String], into out: inout [UInt8]
    ) {
        let line = batch.input.lines[reject.line]
        out.add("{\"triage\":{\"schema\":1,\"rejected\":{\"code\":")
        JSONText.append(reject.reason.code, to: &out)
        out.add(",\"reason\":")
        JSONText.append(reject.reason.reason, to: &out)
        out.add(",\"line\":")
        out.add(line.number)
        out.add(",\"offset\":")
        out.add(max(0, line.offset) + reject.reason.offset)
        if Int(line.source) < sources.count {
            out.add(",\"source\":")
            JSONText.append(sources[Int(line.source)], to: &out)
        }
        out.add("}}")
        if line.span.count > 0, line.span.count <= 65_536 {
            out.add(",\"raw_b64\":\"")
            Base64.append(batch.input.bytes[line.span.range], to: &out)
            out.add("\"")
        }
        out.add("}")
    }

    private func encodeCategory(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        guard let answer = record.pointee.category else {
            if record.pointee.status == .message { out.add(",\"category\":null") }
            return
        }
        let scores = CategoryScores(answer)
        var pen = out.pen(room: Self.fixedRoom)
        if let label = answer.label {
            categoryHeads.write(Int(label.rawValue), with: &pen)
            pen.writeScaled(scores.of(label), power: 10_000)
        } else {
            categoryHeads.write(Category.allCases.count, with: &pen)
        }
        levels.write(Int(answer.level.rawValue), with: &pen)
        pen.write(",\"scores\":{\"fan\":")
        pen.writeScaled(scores.fan, power: 10_000)
        pen.write(",\"business\":")
        pen.writeScaled(scores.business, power: 10_000)
        pen.write(",\"spam\":")
        pen.writeScaled(scores.spam, power: 10_000)
        pen.write("}")
        deciders.write(Int(answer.by.rawValue), with: &pen)
        out.take(pen)
        close(answer.because, record, view, &out)
    }

    private func encodeSentiment(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        guard let answer = record.pointee.sentiment else {
            if record.pointee.status == .message { out.add(",\"sentiment\":null") }
            return
        }
        var pen = out.pen(room: Self.fixedRoom)
        sentimentHeads.write(answer.label.map { Int($0.rawValue) } ?? Sentiment.allCases.count, with: &pen)
        pen.write(answer.confidence, places: 4)
        levels.write(Int(answer.level.rawValue), with: &pen)
        pen.write(",\"intensity\":")
        pen.write(answer.intensity, places: 2)
        deciders.write(Int(answer.by.rawValue), with: &pen)
        out.take(pen)
        close(answer.because, record, view, &out)
    }

    private func encodeUrgency(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        guard let answer = record.pointee.urgency else {
            if record.pointee.status == .message { out.add(",\"urgency\":null") }
            return
        }
        var pen = out.pen(room: Self.fixedRoom)
        if answer.isUrgent {
            pen.write(",\"urgency\":{\"urgent\":true,\"score\":")
        } else {
            pen.write(",\"urgency\":{\"urgent\":false,\"score\":")
        }
        pen.write(answer.score, places: 4)
        deciders.write(Int(answer.by.rawValue), with: &pen)
        out.take(pen)
        close(answer.because, record, view, &out)
    }

    private func encodeOpportunity(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        guard let answer = record.pointee.opportunity else {
            if record.pointee.status == .message { out.add(",\"opportunity\":null") }
            return
        }
        out.add(",\"opportunity\":{\"score\":")
        let score = answer.score
        out.add(score)
        out.add(",\"tier\":")
        if let tier = answer.tier { addString(tier, &out) } else { out.add("null") }
        var pen = out.pen(room: Self.fixedRoom)
        pen.write(",\"stars\":")
        // score / 20, rounded half up to one decimal.
        pen.writeScaled((score * 10 + 10) / 20, power: 10)
        out.take(pen)
        if answer.kind >= 0 {
            out.add(",\"kind\":")
            string(answer.kind, of: view, closing: "\"", &out)
        }
        out.add(",\"breakdown\":{\"monetary\":")
        part(answer.monetary, record, view, &out)
        out.add(",\"brand_fit\":")
        part(answer.brandFit, record, view, &out)
        out.add(",\"legitimacy\":")
        part(answer.legitimacy, record, view, &out)
        out.add(",\"urgency\":")
        part(answer.urgency, record, view, &out)
        out.add("}")
        if !answer.insights.isEmpty {
            out.add(",\"insights\":[")
            list(answer.insights, of: view, &out)
        }
        if let budget = record.pointee.facts.budget ?? record.pointee.thread.budget { encode(budget, &out) }
        if let day = record.pointee.facts.deadlineDay {
            out.add(",\"deadline\":\"")
            out.add(CivilDate(daysSince1970: Int(day)))
            out.add("\"")
        }
        out.add("}")
    }

    private func part(
        _ part: OpportunityAnswer.Part, _ record: UnsafePointer<Record>, _ view: BatchView,
        _ out: inout OutputBuffer
    ) {
        var pen = out.pen(room: Self.fixedRoom)
        pen.write("{\"points\":")
        pen.write(part.points)
        pen.write(",\"of\":")
        pen.write(part.maximum)
        out.take(pen)
        close(part.because, record, view, &out)
    }

    private func encode(_ budget: MoneyAmount, _ out: inout OutputBuffer) {
        var pen = out.pen(room: Self.fixedRoom)
        pen.write(",\"budget\":{\"amount\":")
        money(budget.amount, &pen)
        if let currency = budget.currency {
            pen.write(",\"currency\":\"")
            for shift in [16, 8, 0] as [UInt32] {
                pen.write(byte: UInt8(truncatingIfNeeded: currency.packed >> shift))
            }
            pen.write("\"")
        }
        pen.write(",\"usd\":")
        money(budget.usd, &pen)
        pen.write("}")
        out.take(pen)
    }

    private func encodeFAQ(_ record: UnsafePointer<Record>, _ out: inout OutputBuffer) {
        guard let answer = record.pointee.faq, answer.entry < faqHeads.count else {
            if record.pointee.status == .message { out.add(",\"faq\":null") }
            return
        }
        var pen = out.pen(room: Self.fixedRoom &+ faqHeads.room)
        pen.write(",\"faq\":")
        faqHeads.write(answer.entry, with: &pen)
        if answer.isHigh {
            pen.write(",\"match\":\"high\",\"confidence\":")
        } else {
            pen.write(",\"match\":\"possible\",\"confidence\":")
        }
        pen.write(answer.confidence, places: 4)
        deciders.write(Int(answer.by.rawValue), with: &pen)
        pen.write("}")
        out.take(pen)
    }

    private func encodeDraft(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        guard let draft = record.pointee.draft else {
            guard record.pointee.status == .message else { return }
            out.add(",\"draft\":null")
            if let reason = record.pointee.noDraft {
                var pen = out.pen(room: Self.fixedRoom)
                noDrafts.write(Int(reason.rawValue), with: &pen)
                out.take(pen)
            }
            return
        }
        let strings = JSONWriter.room(forString: Int(draft.text.count) &+ Int(draft.basedOn.count))
        var pen = out.pen(room: Self.fixedRoom &+ strings &+ languageTags.room)
        pen.write(",\"draft\":{\"text\":\"")
        pen.write(escaped: view.generated, from: Int(draft.text.start), count: Int(draft.text.count))
        pen.write("\",\"language\":")
        languageTags.write(Int(draft.language), with: &pen)
        pen.write(",\"based_on\":\"")
        pen.write(escaped: view.generated, from: Int(draft.basedOn.start), count: Int(draft.basedOn.count))
        pen.write("\"")
        deciders.write(Int(draft.by.rawValue), with: &pen)
        out.take(pen)
        if !draft.fill.isEmpty {
            out.add(",\"fill\":[")
            list(draft.fill, of: view, &out)
        }
        out.add("}")
    }

    /// Writes the generated strings of a non-empty range, and the bracket that closes their list.
    private func list(_ range: Range<Int>, of view: BatchView, _ out: inout OutputBuffer) {
        for index in range {
            string(index, of: view, closing: index == range.upperBound - 1 ? "\"]" : "\",", &out)
        }
    }

    /// Writes a text generated by a stage, and the literal that follows it.
    private func string(_ index: Int, of view: BatchView, closing: StaticString, _ out: inout OutputBuffer) {
        let span = view.generatedSpans[index]
        var pen = out.pen(room: Self.fixedRoom &+ JSONWriter.room(forString: Int(span.count)))
        pen.write("\"")
        pen.write(escaped: view.generated, from: Int(span.start), count: Int(span.count))
        pen.write(closing)
        out.take(pen)
    }

    private func encode(_ problems: [Problem], _ out: inout OutputBuffer) {
        out.add(",\"problems\":[")
        for (n, problem) in problems.enumerated() {
            if n > 0 { out.add(",") }
            out.add("{\"stage\":")
            addString(problem.stage, &out)
            out.add(",\"code\":")
            addString(problem.code, &out)
            out.add(",\"message\":")
            addString(problem.message, &out)
            out.add("}")
        }
        out.add("]")
    }

    /// Writes the evidence of an answer, if any, and the closing brace.
    @inline(__always)
    private func close(
        _ range: EvidenceRange, _ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer
    ) {
        if range.isEmpty { out.add("}") } else { because(range, record, view, &out) }
    }

    /// - Parameter range: not empty.
    @inline(never)
    private func because(
        _ range: EvidenceRange, _ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer
    ) {
        // Most quotes are one or two words.
        let usual = range.count &* (evidenceRoom &+ JSONWriter.room(forString: Self.usualQuote)) &+ Self.fixedRoom
        var pen = out.pen(room: usual)
        pen.write(",\"because\":[")
        let text = Int(record.pointee.fields.text.start)
        for evidence in UnsafeBufferPointer(rebasing: view.evidence[range]) {
            signalHeads.write(Int(evidence.signal), with: &pen)
            pen.write(evidence.weight, places: 2)
            if evidence.start >= 0 {
                let (start, end) = (Int(evidence.start), Int(evidence.end))
                let count = end &- start
                if count > Self.usualQuote { out.renew(&pen, room: usual &+ JSONWriter.room(forString: count)) }
                pen.write(",\"quote\":\"")
                pen.write(escaped: view.arena, from: text &+ start, count: count)
                pen.write("\",\"start\":")
                pen.write(start)
                pen.write(",\"end\":")
                pen.write(end)
            }
            pen.write("},")
        }
        pen.back(1)
        pen.write("]}")
        out.take(pen)
    }

    /// Length of quotes for which room is always reserved.
    private static let usualQuote = 64

    private func addString(_ text: String, _ out: inout OutputBuffer) {
        var text = text
        text.withUTF8 { out.add(json: $0) }
    }

    /// Writes whole units from 1,000 up, and cents below.
    private func money(_ amount: Double, _ pen: inout JSONWriter) {
        let bounded = min(max(amount, 0), 1e15)
        if bounded >= 1000 || bounded == bounded.rounded() {
            pen.write(Int(bounded.rounded()))
        } else {
            pen.writeScaled(Int((bounded * 100).rounded()), power: 100)
        }
    }
}

/// Byte strings stored in one block, so that appending one neither retains nor follows a pointer.
final class ByteTable: @unchecked Sendable {
    // Safe: the memory is written in `init`, only read afterwards, and freed with the table.

    /// The start of each row in ``bytes``, and its length.
    private let rows: UnsafePointer<(start: UInt32, count: UInt32)>
    private let bytes: UnsafeRawPointer
    let count: Int
    /// The room that writing any row requires.
    let room: Int

    /// - Parameter rows: the bytes to append, ready to use.
    init(_ rows: [[UInt8]]) {
        let places = UnsafeMutablePointer<(start: UInt32, count: UInt32)>.allocate(capacity: max(1, rows.count))
        // A short row is copied as a whole block, so the last one must be followed by readable bytes, too.
        let all = Array(rows.joined()) + [UInt8](repeating: 0, count: OutputBuffer.blockSize)
        let block = UnsafeMutableRawPointer.allocate(byteCount: all.count, alignment: 16)
        block.copyMemory(from: all, byteCount: all.count)
        var start = 0
        for (index, row) in rows.enumerated() {
            (places + index).initialize(to: (start: UInt32(start), count: UInt32(row.count)))
            start += row.count
        }
        self.rows = UnsafePointer(places)
        bytes = UnsafeRawPointer(block)
        count = rows.count
        room = rows.reduce(OutputBuffer.blockSize) { max($0, $1.count) }
    }

    deinit {
        rows.deallocate()
        bytes.deallocate()
    }

    /// Appends a row.
    @inline(__always)
    func add(_ row: Int, to out: inout OutputBuffer) {
        var pen = out.pen(room: room)
        write(row, with: &pen)
        out.take(pen)
    }

    /// Writes a row; ``room`` bytes must be reserved.
    @inline(__always)
    func write(_ row: Int, with pen: inout JSONWriter) {
        precondition(UInt(bitPattern: row) < UInt(bitPattern: count), "a row of the table")
        let row = rows[row]
        pen.write(block: bytes + Int(row.start), count: Int(row.count))
    }
}

/// Probabilities of fan, business and spam, as in all outputs: ten-thousandths that sum to exactly 1.
struct CategoryScores {
    private(set) var fan: Int
    private(set) var business: Int
    private(set) var spam: Int

    /// Rounds each probability, and adjusts the largest so that they sum to 1.
    @inline(__always)
    init(_ answer: CategoryAnswer) {
        (fan, business, spam) = (
            Self.rounded(answer.scores[0]), Self.rounded(answer.scores[1]), Self.rounded(answer.scores[2])
        )
        let rest = 10_000 &- fan &- business &- spam
        if fan >= business, fan >= spam {
            fan &+= rest
        } else if business >= spam {
            business &+= rest
        } else {
            spam &+= rest
        }
    }

    /// The value written as a label's confidence.
    @inline(__always)
    func of(_ label: Category) -> Int { label == .fan ? fan : label == .business ? business : spam }

    /// Rounds half up.
    @inline(__always)
    private static func rounded(_ probability: Float) -> Int {
        let scaled = Double(probability * 10_000)
        return scaled > 0 ? Int(min(scaled, 10_000) + 0.5) : 0
    }
}

/// A batch's borrowed buffers: reading them involves neither retains nor uniqueness checks.
struct BatchView {
    let records: UnsafeBufferPointer<Record>
    let input: UnsafeBufferPointer<UInt8>
    let lines: UnsafeBufferPointer<InputLine>
    let arena: UnsafeBufferPointer<UInt8>
    let evidence: UnsafeBufferPointer<Evidence>
    let generated: UnsafeBufferPointer<UInt8>
    let generatedSpans: UnsafeBufferPointer<Span32>
    let cuts: UnsafeBufferPointer<Range<Int>>

    /// Calls `body` with a view of a batch that is valid during the call.
    static func with(_ batch: borrowing Batch, _ body: (BatchView) -> Void) {
        batch.records.withUnsafeBufferPointer { records in
            batch.input.bytes.withUnsafeBufferPointer { input in
                batch.input.lines.withUnsafeBufferPointer { lines in
                    batch.arena.withUnsafeBufferPointer { arena in
                        batch.evidence.withUnsafeBufferPointer { evidence in
                            batch.generated.withUnsafeBufferPointer { generated in
                                batch.generatedSpans.withUnsafeBufferPointer { spans in
                                    batch.cuts.withUnsafeBufferPointer { cuts in
                                        body(
                                            BatchView(
                                                records: records, input: input, lines: lines, arena: arena,
                                                evidence: evidence, generated: generated, generatedSpans: spans,
                                                cuts: cuts))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
