public import TriageCore

/// Writes the `triage` object of a record: the one place that knows its members and their order.
public struct TriageObjectEncoder: Sendable {
    private let signalHeads: ByteTable
    private let faqHeads: ByteTable
    private let languageTags: ByteTable
    private let provenance: ByteTable
    private let deciders: ByteTable
    private let questions: Set<Question>
    private let asksAll: Bool

    /// - Parameters:
    ///   - signals: names that evidence refers to.
    ///   - library: the FAQ that answers refer to.
    ///   - questions: those that are printed; empty: all.
    ///   - version: of the program.
    ///   - rulesDigest: of the rule set.
    ///   - modelDigest: of the statistical model; nil where the rules answer everything.
    public init(
        signals: SignalNames, library: FAQLibrary, questions: Set<Question>, version: String, rulesDigest: String,
        modelDigest: String? = nil
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
        languageTags = ByteTable(
            LanguageTable.tags.map { tag in
                var bytes: [UInt8] = []
                JSONText.append(tag, to: &bytes)
                return bytes
            })
        deciders = ByteTable(
            Decider.allCases.map { decider in
                var bytes: [UInt8] = []
                bytes.add(",\"by\":")
                JSONText.append(decider.name, to: &bytes)
                return bytes
            })
        var bytes: [UInt8] = []
        bytes.add(",\"provenance\":{\"version\":")
        JSONText.append(version, to: &bytes)
        bytes.add(",\"rules\":")
        JSONText.append(rulesDigest, to: &bytes)
        if let modelDigest {
            bytes.add(",\"models\":[{\"stage\":\"text.model\",\"model\":")
            JSONText.append(modelDigest, to: &bytes)
            bytes.add("}]")
        }
        bytes.add("}")
        provenance = ByteTable([bytes])
        self.questions = questions
        asksAll = questions.isEmpty
    }

    private func prints(_ question: Question) -> Bool { asksAll || questions.contains(question) }

    /// Appends `"triage":{…}` for a message.
    func encode(
        _ record: UnsafePointer<Record>, of batch: borrowing Batch, _ view: BatchView, into out: inout OutputBuffer
    ) {
        out.add("\"triage\":{\"schema\":1")
        if !record.pointee.fields.id.isPresent {
            out.add(",\"id\":")
            out.add(MadeID.bytes(for: record.pointee, in: batch))
        }
        if let language = record.pointee.language, prints(.language) {
            out.add(",\"language\":{\"tag\":")
            languageTags.add(Int(language.language), to: &out)
            out.add(",\"confidence\":")
            out.add(language.confidence, places: 2)
            out.add("}")
        }
        if prints(.category) { encodeCategory(record, view, &out) }
        if prints(.sentiment) { encodeSentiment(record, view, &out) }
        if prints(.urgency) { encodeUrgency(record, view, &out) }
        if prints(.opportunity) { encodeOpportunity(record, view, &out) }
        if prints(.faq) { encodeFAQ(record, &out) }
        if prints(.injection), let injection = record.pointee.injection {
            out.add(",\"injection\":{\"suspected\":")
            add(injection.isSuspected, &out)
            because(injection.because, record, view, &out)
            out.add("}")
        }
        if prints(.draft) { encodeDraft(record, view, &out) }
        if prints(.priority), let priority = record.pointee.priority {
            out.add(",\"priority\":")
            out.add(priority)
        }
        provenance.add(0, to: &out)
        if record.pointee.hasProblems { encode(batch.problems(of: record.pointee), &out) }
        out.add("}")
    }

    /// Appends `"triage":{"schema":1,"skipped":…}` for what is context only.
    func encodeSkipped(_ record: UnsafePointer<Record>, of batch: borrowing Batch, into out: inout OutputBuffer) {
        out.add("\"triage\":{\"schema\":1")
        if !record.pointee.fields.id.isPresent {
            out.add(",\"id\":")
            out.add(MadeID.bytes(for: record.pointee, in: batch))
        }
        out.add(",\"skipped\":")
        if record.pointee.status == .own { out.add("\"own\"}") } else { out.add("\"not-a-message\"}") }
    }

    /// Appends the one shape that rejected records have, as a whole JSON object.
    public func encodeReject(
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
        // Rounded so that they sum to exactly 1: the largest takes the rest.
        var parts = SIMD4<Int>(SIMD4<Float>((answer.scores * 10_000).rounded(.toNearestOrAwayFromZero)))
        let best = parts[0] >= parts[1] ? (parts[0] >= parts[2] ? 0 : 2) : (parts[1] >= parts[2] ? 1 : 2)
        parts[best] += 10_000 - parts[0] - parts[1] - parts[2]
        out.add(",\"category\":{\"label\":")
        if let label = answer.label {
            switch label {
            case .fan: out.add("\"fan\"")
            case .business: out.add("\"business\"")
            case .spam: out.add("\"spam\"")
            }
            out.add(",\"confidence\":")
            out.addScaled(parts[Int(label.rawValue)], power: 10_000)
        } else {
            out.add("null,\"confidence\":0")
        }
        level(answer.level, &out)
        out.add(",\"scores\":{\"fan\":")
        out.addScaled(parts[0], power: 10_000)
        out.add(",\"business\":")
        out.addScaled(parts[1], power: 10_000)
        out.add(",\"spam\":")
        out.addScaled(parts[2], power: 10_000)
        out.add("}")
        deciders.add(Int(answer.by.rawValue), to: &out)
        because(answer.because, record, view, &out)
        out.add("}")
    }

    private func encodeSentiment(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        guard let answer = record.pointee.sentiment else {
            if record.pointee.status == .message { out.add(",\"sentiment\":null") }
            return
        }
        out.add(",\"sentiment\":{\"label\":")
        switch answer.label {
        case .positive: out.add("\"positive\"")
        case .negative: out.add("\"negative\"")
        case .neutral: out.add("\"neutral\"")
        case nil: out.add("null")
        }
        out.add(",\"confidence\":")
        out.add(answer.confidence, places: 4)
        level(answer.level, &out)
        out.add(",\"intensity\":")
        out.add(answer.intensity, places: 2)
        deciders.add(Int(answer.by.rawValue), to: &out)
        because(answer.because, record, view, &out)
        out.add("}")
    }

    private func encodeUrgency(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        guard let answer = record.pointee.urgency else {
            if record.pointee.status == .message { out.add(",\"urgency\":null") }
            return
        }
        out.add(",\"urgency\":{\"urgent\":")
        add(answer.isUrgent, &out)
        out.add(",\"score\":")
        out.add(answer.score, places: 4)
        deciders.add(Int(answer.by.rawValue), to: &out)
        because(answer.because, record, view, &out)
        out.add("}")
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
        out.add(",\"stars\":")
        // score / 20 to one decimal, half up.
        out.addScaled((score * 10 + 10) / 20, power: 10)
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
            for (n, index) in answer.insights.enumerated() {
                if n > 0 { out.add(",") }
                string(view.generatedSpans[index], of: view, &out)
            }
            out.add("]")
        }
        if let budget = record.pointee.facts.budget ?? record.pointee.thread.budget {
            out.add(",\"budget\":{\"amount\":")
            money(budget.amount, &out)
            if let currency = budget.currency {
                out.add(",\"currency\":\"")
                for shift in [16, 8, 0] as [UInt32] {
                    out.add(byte: UInt8(truncatingIfNeeded: currency.packed >> shift))
                }
                out.add("\"")
            }
            out.add(",\"usd\":")
            money(budget.usd, &out)
            out.add("}")
        }
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
        out.add("{\"points\":")
        out.add(part.points)
        out.add(",\"of\":")
        out.add(part.maximum)
        because(part.because, record, view, &out)
        out.add("}")
    }

    private func encodeFAQ(_ record: UnsafePointer<Record>, _ out: inout OutputBuffer) {
        guard let answer = record.pointee.faq, answer.entry < faqHeads.count else {
            if record.pointee.status == .message { out.add(",\"faq\":null") }
            return
        }
        out.add(",\"faq\":")
        faqHeads.add(answer.entry, to: &out)
        if answer.isHigh { out.add(",\"match\":\"high\"") } else { out.add(",\"match\":\"possible\"") }
        out.add(",\"confidence\":")
        out.add(answer.confidence, places: 4)
        deciders.add(Int(answer.by.rawValue), to: &out)
        out.add("}")
    }

    private func encodeDraft(_ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer) {
        guard let draft = record.pointee.draft else {
            if record.pointee.status == .message { out.add(",\"draft\":null") }
            return
        }
        out.add(",\"draft\":{\"text\":")
        string(draft.text, of: view, &out)
        out.add(",\"language\":")
        languageTags.add(Int(draft.language), to: &out)
        out.add(",\"based_on\":")
        string(draft.basedOn, of: view, &out)
        deciders.add(Int(draft.by.rawValue), to: &out)
        if !draft.fill.isEmpty {
            out.add(",\"fill\":[")
            for (n, index) in draft.fill.enumerated() {
                if n > 0 { out.add(",") }
                string(view.generatedSpans[index], of: view, &out)
            }
            out.add("]")
        }
        out.add("}")
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

    private func because(
        _ range: EvidenceRange, _ record: UnsafePointer<Record>, _ view: BatchView, _ out: inout OutputBuffer
    ) {
        guard !range.isEmpty else { return }
        out.add(",\"because\":[")
        let text = Int(record.pointee.fields.text.start)
        for index in range {
            let evidence = view.evidence[index]
            if index > range.lowerBound { out.add(",") }
            signalHeads.add(Int(evidence.signal), to: &out)
            out.add(evidence.weight, places: 2)
            if evidence.start >= 0 {
                let quote = text &+ Int(evidence.start)..<text &+ Int(evidence.end)
                out.add(
                    quote: UnsafeBufferPointer(rebasing: view.arena[quote]), from: Int(evidence.start),
                    to: Int(evidence.end))
            }
            out.add("}")
        }
        out.add("]")
    }

    private func string(_ span: Span32, of view: BatchView, _ out: inout OutputBuffer) {
        out.add(json: UnsafeBufferPointer(rebasing: view.generated[span.range]))
    }

    private func addString(_ text: String, _ out: inout OutputBuffer) {
        var text = text
        text.withUTF8 { out.add(json: $0) }
    }

    @inline(__always)
    private func add(_ value: Bool, _ out: inout OutputBuffer) {
        if value { out.add("true") } else { out.add("false") }
    }

    @inline(__always)
    private func level(_ level: Level, _ out: inout OutputBuffer) {
        switch level {
        case .high: out.add(",\"level\":\"high\"")
        case .medium: out.add(",\"level\":\"medium\"")
        case .low: out.add(",\"level\":\"low\"")
        }
    }

    /// Whole units above 1,000, cents below.
    private func money(_ amount: Double, _ out: inout OutputBuffer) {
        let bounded = min(max(amount, 0), 1e15)
        if bounded >= 1000 || bounded == bounded.rounded() {
            out.add(Int(bounded.rounded()))
        } else {
            out.addScaled(Int((bounded * 100).rounded()), power: 100)
        }
    }
}
