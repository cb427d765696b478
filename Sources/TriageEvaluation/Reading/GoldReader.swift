package import TriageCore

/// Reads the labels of a record: its `gold` member.
///
/// A label that the set does not have is left out of the evaluation; `null` for `opportunity` and `faq_id` is a label
/// (no offer, no entry). `spam` true or false serves sets that know no more than that; where `category` is there too,
/// both are asked.
package struct GoldReader {
    package init() {}

    /// What a record is known by: its `id` as text.
    ///
    /// - Parameter line: the record's JSON, checked before.
    package func id(_ line: UnsafeBufferPointer<UInt8>) -> String? {
        guard let member = JSONView(line)["id"] else { return nil }
        return member.string ?? member.number.map { $0 == $0.rounded() && abs($0) < 1e15 ? "\(Int($0))" : "\($0)" }
    }

    /// The id of the record that this one is a changed copy of, as its `meta.changed` says; nil when it is no copy.
    ///
    /// - Parameter line: the record's JSON, checked before.
    package func original(_ line: UnsafeBufferPointer<UInt8>) -> String? {
        guard let changes = JSONView(line)["meta"]?["changed"]?.strings, !changes.isEmpty, let id = id(line) else {
            return nil
        }
        return CopyName.original(of: id, changes)
    }

    /// Whose record it is; nil when it does not say.
    package func creator(_ line: UnsafeBufferPointer<UInt8>) -> String? {
        JSONView(line)["creator"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Labels and what the record is sliced by.
    ///
    /// - Parameters:
    ///   - line: the record's JSON, checked before.
    ///   - set: gives names and conversations their numbers.
    /// - Throws: ``TriageError`` `evaluate.bad-label` (exit 65) without a place: the caller knows it.
    package func gold(_ line: UnsafeBufferPointer<UInt8>, in set: inout EvaluationSet) throws(TriageError) -> Gold {
        let record = JSONView(line)
        var gold = Gold()
        let creator = record["creator"]?.string
        let platform = record["platform"]?.string
        gold.language = set.names.number(record["lang"]?.string)
        gold.platform = set.names.number(platform)
        gold.creator = set.names.number(creator)
        gold.source = set.names.number(record["source"]?.string)
        let text = record["text"]?.string ?? ""
        gold.length = LengthBucket.index(scalars: text.unicodeScalars.count)
        gold.textDigest = TextDigest.of(text)
        let conversation = record["conversation_id"]?.string
        gold.cluster = set.cluster(
            conversation.map { "\(creator ?? "")\u{0}\(platform ?? "")\u{0}\($0)" }, id: id(line),
            copyOf: original(line))
        if let labels = record["gold"], labels.isObject { try read(labels, into: &gold, &set.names) }
        return gold
    }

    private func read(_ labels: JSONView, into gold: inout Gold, _ names: inout Names) throws(TriageError) {
        gold.category = try label(labels["category"], .category)
        gold.sentiment = try label(labels["sentiment"], .sentiment)
        gold.spam = try flag(labels["spam"], "spam")
        gold.urgent = try flag(labels["urgent"], "urgent")
        gold.injection = try flag(labels["injection"], "injection")
        if let faq = labels["faq_id"] {
            guard faq.isNull || faq.string?.isEmpty == false else {
                throw Self.fault("faq_id", "the id of an entry, or null")
            }
            gold.hasFAQ = true
            gold.faq = faq.string.map { names.number($0) } ?? Gold.noEntry
        }
        if let points = labels["opportunity"] {
            gold.hasOpportunity = true
            guard !points.isNull else { return }
            var parts = SIMD4<Float>()
            for (place, part) in OpportunityPoints.parts.enumerated() {
                guard let value = points[part]?.number, (0...100).contains(value) else {
                    throw Self.fault(
                        "opportunity", "null, or points for \(OpportunityPoints.parts.joined(separator: ", "))")
                }
                parts[place] = Float(value)
            }
            gold.opportunity = OpportunityPoints(
                monetary: parts[0], brandFit: parts[1], legitimacy: parts[2], urgency: parts[3])
        }
    }

    private func label(_ value: JSONView?, _ question: EvaluatedQuestion) throws(TriageError) -> UInt8 {
        guard let value else { return Gold.absent }
        guard let name = value.string, let index = question.classes.firstIndex(of: name) else {
            throw Self.fault(question.rawValue, question.classes.joined(separator: ", "))
        }
        return UInt8(index)
    }

    private func flag(_ value: JSONView?, _ key: String) throws(TriageError) -> UInt8 {
        guard let value else { return Gold.absent }
        guard let isSet = value.bool else { throw Self.fault(key, "true or false") }
        return isSet ? 1 : 0
    }

    private static func fault(_ key: String, _ expected: String) -> TriageError {
        TriageError(
            "evaluate.bad-label", "'gold.\(key)' must be \(expected)", remedy: "fix the label, or remove it",
            exit: .badData)
    }
}

/// How a changed copy is called, and what it is a copy of.
enum CopyName {
    static func joined(_ id: String, _ changes: [String]) -> String { ([id] + changes).joined(separator: "+") }

    /// The id of the original.
    ///
    /// - Parameter changes: as `meta.changed` says; an id that does not end in them is cut at its first `+`.
    static func original(of id: String, _ changes: [String]) -> String {
        let end = "+" + changes.joined(separator: "+")
        if id.hasSuffix(end), id.utf8.count > end.utf8.count { return String(id.dropLast(end.count)) }
        return String(id.prefix { $0 != "+" })
    }
}
