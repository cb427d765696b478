import TriageCore

/// Scores clauses against the parts of the library and keeps the best part of each entry.
///
/// It holds the memory that one batch needs and is created once per batch.
struct FAQMatcher: ~Copyable {
    /// Evidence for or against one part answering one clause.
    struct Evidence {
        /// Share of the part's weight that the clause names, 0–1.
        var partCovered: Float = 0
        /// Share of the clause's known weight that the part or the answer names, 0–1.
        var clauseCovered: Float = 0
        /// Weight of the terms named in both.
        var matched: Float = 0
        /// Weight of the part's terms that the clause does not name.
        var partMissing: Float = 0
        /// Known weight of the clause's terms that the part does not name.
        var clauseMissing: Float = 0
        /// Weight of terms that occur only in the entry's answer.
        var side: Float = 0
        /// 1 for the same kind of question, 0 for unknown, −1 for a different one.
        var kind: Float = 0
        /// 1 for the same person, 0 for unknown, −1 for a different one.
        var person: Float = 0
        /// 1 if it ends with a question mark, 0.5 if it has a question word.
        var asks: Float = 0
        /// The number n of words that the vocabulary does not know, as n / (n + 3).
        var unknown: Float = 0
        /// Whether the part is half of a wording.
        var fragment: Float = 0
        /// 1 for a clause, 0.5 for a sentence, 0 for two sentences.
        var partial: Float = 0
        /// Number of strong terms named in both, 0–3.
        var strong: Float = 0
        /// Cosine of the four-byte pieces of the clause and of all wordings of the entry.
        var pieces: Float = 0
        /// Sum of the ``FAQCues`` of the clause.
        var cue: Float = 0
        /// Known weight of the clause's terms that no entry of the library names.
        var strange: Float = 0
        /// Cosine of the meanings of the clause and of the entry.
        var meaning: Float = 0
        /// How much closer in meaning the entry is than any other.
        var meaningLead: Float = 0
        /// Logarithm of the entry's share of the clause by meaning.
        var meaningShare: Float = 0

        /// All values, in the order of declaration.
        var values: [Float] {
            [
                partCovered, clauseCovered, matched, partMissing, clauseMissing, side, kind, person, asks, unknown,
                fragment, partial, strong, pieces, cue, strange, meaning, meaningLead, meaningShare,
            ]
        }
    }

    /// What is collected for one part while a clause is scored.
    private struct Tally {
        var groups: UInt32 = 0
        var matched: Float = 0
        var clause: Float = 0
        var strong: Float = 0
        var isTouched = false
    }

    /// The best entry for a text, and the score of the second best.
    struct Result {
        var entry = -1
        var score = -Float.infinity
        var second = -Float.infinity
        /// The highest cue among all clauses.
        var cue = -Float.infinity
        /// The topics of the sentences that ask.
        var topics: FAQTerms.Topics = []
        var evidence = Evidence()
        /// The meaning summary of the best entry.
        var meaning = FAQMeaningReader.Summary()
    }

    private let index: FAQIndex.View
    private let tallies: UnsafeMutableBufferPointer<Tally>
    private let touched: UnsafeMutableBufferPointer<UInt16>
    private let side: UnsafeMutableBufferPointer<Float>
    private let sideTouched: UnsafeMutableBufferPointer<UInt16>
    private let terms: UnsafeMutableBufferPointer<UInt16>
    private var pieces: FAQPieces.Likeness
    private var meaning: FAQMeaningReader
    private let memory: FAQWordMemory
    private var result = Result()
    /// Called with every scored pair; for fitting the weights.
    var observer: ((Int, Evidence) -> Void)?
    /// The highest cosine of each entry for the last text; also for fitting.
    var highestMeanings: UnsafeBufferPointer<Float> { UnsafeBufferPointer(meaning.highest) }

    /// Creates a matcher.
    ///
    /// - Parameters:
    ///   - index: must outlive the matcher.
    ///   - memory: remembers words of this index's vocabulary.
    init(index: FAQIndex.View, memory: FAQWordMemory) {
        self.index = index
        self.memory = memory
        tallies = .allocate(capacity: index.parts.count)
        tallies.initialize(repeating: Tally())
        touched = .allocate(capacity: index.parts.count)
        touched.initialize(repeating: 0)
        side = .allocate(capacity: index.entries)
        side.initialize(repeating: 0)
        sideTouched = .allocate(capacity: index.entries)
        sideTouched.initialize(repeating: 0)
        pieces = FAQPieces.Likeness(entries: index.entries)
        meaning = FAQMeaningReader(
            index: index.meanings, vectors: index.vectors)
        terms = .allocate(capacity: 96)
        terms.initialize(repeating: 0)
    }

    deinit {
        tallies.deallocate()
        touched.deallocate()
        side.deallocate()
        sideTouched.deallocate()
        pieces.deallocate()
        meaning.deallocate()
        terms.deallocate()
    }

    /// A text to be matched.
    struct Question {
        /// Folded.
        var text: UnsafeBufferPointer<UInt8>
        var tokens: UnsafeBufferPointer<Token>
        /// Whether it has letters of scripts that put no blank between words.
        var hasLiterals: Bool
        var hasQuestionMark: Bool
        /// Whether the folded text has a question mark.
        var mayEndInQuestion: Bool
        var language: UInt8
    }

    /// Returns the best entry for a text and the score of the second best.
    mutating func match(_ question: Question) -> Result {
        result = Result()
        pieces.clear()
        meaning.clear()
        var reader = FAQReader(
            vocabulary: index.vocabulary, question: question, ignored: index.ignored, terms: terms,
            cues: index.cues, memory: memory.view)
        let text = reader.text
        let tokens = question.tokens
        reader.read { clause, scope in score(clause, scope, text, tokens) }
        if result.entry >= 0 { result.meaning = meaning.summary(of: result.entry) }
        return result
    }

    private mutating func score(
        _ clause: FAQReader.Clause, _ scope: FAQReader.Scope, _ text: UnsafeBufferPointer<UInt8>,
        _ tokens: UnsafeBufferPointer<Token>
    ) {
        let cues = index.cues
        let cue = (clause.cue + (clause.isQuestion ? cues.question : cues.statement)) / (clause.cues + 1).squareRoot()
        result.cue = max(result.cue, cue)
        var count = 0
        var sideCount = 0
        var known: Float = 0
        var strange: Float = 0
        for k in clause.terms {
            let id = Int(terms[k])
            result.topics.formUnion(index.vocabulary.terms[id].topics)
            let weight = index.weights[id]
            var isRepeated = false
            for before in clause.terms.lowerBound..<k where Int(terms[before]) == id { isRepeated = true }
            if isRepeated { continue }
            known += weight
            if index.first[id] == index.first[id + 1] { strange += weight }
            for p in Int(index.first[id])..<Int(index.first[id + 1]) {
                let posting = index.postings[p]
                let part = Int(posting.part)
                add(part, &count)
                tallies[part].clause += weight
                let bit: UInt32 = 1 << UInt32(posting.group & 31)
                if tallies[part].groups & bit == 0 {
                    tallies[part].groups |= bit
                    tallies[part].matched += posting.weight
                    if weight >= 0.55 { tallies[part].strong += 1 }
                }
            }
            for s in Int(index.firstSide[id])..<Int(index.firstSide[id + 1]) {
                let entry = Int(index.side[s])
                if side[entry] == 0 {
                    sideTouched[sideCount] = index.side[s]
                    sideCount += 1
                }
                side[entry] += weight
            }
        }
        guard count > 0 || sideCount > 0 || clause.isQuestion else { return }
        meaning.move(to: clause.bytes, tokens)
        pieces.move(to: clause.bytes.clamped(to: 0..<text.count), of: text, index.pieces)
        let length = pieces.length
        // Entries that share no term are scored, too, if their spelling is similar or their answer mentions the terms.
        for k in 0..<sideCount where side[Int(sideTouched[k])] >= Self.sideEnough {
            let part = index.mainParts[Int(sideTouched[k])]
            if part >= 0 { add(Int(part), &count) }
        }
        let enough = Self.alikeEnough * length
        for k in 0..<pieces.count where pieces.sums[Int(pieces.touched[k])] >= enough {
            let part = index.mainParts[Int(pieces.touched[k])]
            if part >= 0 { add(Int(part), &count) }
        }
        // The two entries closest in meaning are scored whatever their words.
        addMain(meaning.first, &count)
        addMain(meaning.second, &count)
        for k in 0..<count { weigh(Int(touched[k]), clause, scope, known, strange, cue, length) }
        for k in 0..<count { tallies[Int(touched[k])] = Tally() }
        for k in 0..<sideCount { side[Int(sideTouched[k])] = 0 }
    }

    /// Weight of terms in an answer from which its entry is scored even if the question shares no term.
    private static let sideEnough: Float = 0.6
    /// Cosine of pieces from which an entry is scored even if it shares no term.
    private static let alikeEnough: Float = 0.12

    /// Adds a part to those that are scored, unless it is already included.
    @inline(__always)
    private func add(_ part: Int, _ count: inout Int) {
        guard !tallies[part].isTouched else { return }
        tallies[part].isTouched = true
        touched[count] = UInt16(truncatingIfNeeded: part)
        count += 1
    }

    /// Adds the first part of an entry to those that are scored.
    @inline(__always)
    private func addMain(_ entry: Int, _ count: inout Int) {
        guard entry >= 0, index.mainParts[entry] >= 0 else { return }
        add(Int(index.mainParts[entry]), &count)
    }

    @inline(__always)
    private mutating func weigh(
        _ number: Int, _ clause: FAQReader.Clause, _ scope: FAQReader.Scope, _ known: Float,
        _ strange: Float, _ cue: Float, _ length: Float
    ) {
        let part = index.parts[number]
        let tally = tallies[number]
        let entry = Int(part.entry)
        var evidence = Evidence()
        evidence.matched = tally.matched
        evidence.partCovered = tally.matched / max(part.total, 0.01)
        evidence.partMissing = part.total - tally.matched
        evidence.side = max(0, min(known - tally.clause, side[entry]))
        evidence.clauseCovered = (tally.clause + 0.5 * evidence.side) / max(known + 0.15 * clause.unknowns, 0.01)
        evidence.clauseMissing = max(0, known - tally.clause - evidence.side)
        let questions = FAQLexicon.Role.strongQuestions
        evidence.kind = Self.agreement(part.roles & questions, clause.roles & questions)
        let persons = FAQLexicon.Role.persons
        evidence.person = Self.agreement(part.roles & persons, clause.roles & persons)
        evidence.asks = clause.isQuestion ? 1 : clause.asks ? 0.5 : 0
        evidence.unknown = clause.unknowns / (clause.unknowns + 3)
        evidence.fragment = part.isFragment ? 1 : 0
        evidence.partial = scope == .clause ? 1 : scope == .sentence ? 0.5 : 0
        evidence.strong = min(3, tally.strong)
        evidence.pieces = pieces.sums[entry] / length
        evidence.cue = cue
        evidence.strange = strange
        evidence.meaning = meaning.cosines[entry]
        evidence.meaningLead = meaning.lead(of: entry)
        evidence.meaningShare = FAQIndex.log(0.01 + meaning.share(of: entry))
        // "Which tripod do you use?" is spelled much like "Which camera do you use?" but asks something else.
        if tally.strong == 0, strange >= 0.5, evidence.side < 0.3 { return }
        observer?(number, evidence)
        let score = index.ranking.score(evidence)
        if entry == result.entry {
            if score > result.score {
                result.score = score
                result.evidence = evidence
            }
        } else if score > result.score {
            result.second = result.score
            result.score = score
            result.entry = entry
            result.evidence = evidence
        } else if score > result.second {
            result.second = score
        }
    }

    @inline(__always)
    private static func agreement(_ a: UInt16, _ b: UInt16) -> Float {
        if a == 0 || b == 0 { return 0 }
        if a & b == 0 { return -1 }
        return a == b ? 1 : 0.5
    }
}
