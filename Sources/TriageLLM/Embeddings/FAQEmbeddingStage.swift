import Synchronization
package import TriageCore

/// Proposes a library entry where the offline matcher found none, by semantic similarity from an embedding model.
///
/// It fills `faq`, always as `possible`, for messages that may contain a question and have no entry yet. Spam, and
/// messages that may be injections, are not sent. If the model does not answer, the offline answer stays and the record
/// gets a problem.
package struct FAQEmbeddingStage: RemoteStage {
    package let name = "faq.embeddings"
    package let reads: Set<Field> = [.fields, .folded, .language, .category, .faq, .injection]
    package let writes: Set<Field> = [.faq]

    /// Settings that depend on the embedding model.
    package struct Rule: Sendable, Equatable {
        /// The minimum cosine, 0–1, between a message and a wording of the proposed entry.
        package var threshold: Float
        /// Tags of the languages that the model supports; empty: all.
        ///
        /// Messages in other languages are not sent.
        package var languages: [String]

        /// At 0.6, all-MiniLM-L6-v2 costs no precision on English messages; other models have other scales.
        package init(threshold: Float = 0.6, languages: [String] = []) {
            self.threshold = threshold
            self.languages = languages
        }
    }

    private let source: any VectorSource
    private let wordings: LibraryVectors
    private let threshold: Float
    private let languages: Set<UInt8>
    private let neutralizer = Neutralizer(limit: 1_200)
    private let redactor: Redactor?
    private let steers: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool
    private let cancellation: LLMCancellation

    /// The maximum size, in bytes, of a message that may be a question without a question mark: one or two sentences.
    private static let shortMessage = 240

    /// - Parameters:
    ///   - redacts: whether people's addresses and numbers are removed first.
    ///   - steers: whether a text addresses an automated reader.
    ///   - cancellation: stops the asking early.
    package init(
        source: any VectorSource, library: FAQLibrary, rule: Rule = Rule(), redacts: Bool = false,
        steers: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool,
        cancellation: LLMCancellation = LLMCancellation()
    ) {
        self.source = source
        wordings = LibraryVectors(source: source, library: library)
        threshold = rule.threshold
        languages = Set(rule.languages.compactMap { LanguageTable.index(of: $0) })
        redactor = redacts ? Redactor() : nil
        self.steers = steers
        self.cancellation = cancellation
    }

    package func annotate(_ batch: inout Batch) async throws {
        guard !wordings.isEmpty else { return }
        let chosen = choose(batch)
        guard !chosen.isEmpty else { return }
        let texts = chosen.map { text(of: batch.records[$0], in: batch) }
        let (source, wordings) = (source, wordings)
        let deadline = batch.input.deadline?.instant
        let answers = await cancellation.run(
            until: deadline, else: ([], texts.map { _ in .failure(.deadline) })
        ) { () -> (LibraryVectors.Wordings, [Result<[Float], CallFailure>]) in
            // The library comes first, because nothing else is useful without it.
            switch await wordings.all() {
            case .failure(let failure): return ([], texts.map { _ in .failure(failure) })
            case .success(let all): return (all, await source.vectors(of: texts, sendBefore: deadline))
            }
        }
        try Task.checkCancellation()
        for (index, result) in zip(chosen, answers.1) {
            switch result {
            case .success(let vector): propose(vector, answers.0, &batch.records[index])
            case .failure(let failure):
                batch.report(
                    Problem(stage: name, code: failure.code, message: Self.explanation(of: failure)), at: index)
            }
        }
    }

    private func choose(_ batch: borrowing Batch) -> [Int] {
        batch.records.indices.filter { index in
            let record = batch.records[index]
            guard record.isAsked, record.folded.span.count > 0, record.faq == nil, record.category?.label != .spam,
                record.injection?.isSuspected != true,
                record.folded.shape.questionMarks > 0 || record.fields.text.count <= Self.shortMessage,
                languages.isEmpty || languages.contains(record.language?.language ?? LanguageTable.undetermined)
            else { return false }
            return batch.arena.withUnsafeBufferPointer { arena in
                !steers(UnsafeBufferPointer(rebasing: arena[record.fields.text.range]))
            }
        }
    }

    private func text(of record: Record, in batch: borrowing Batch) -> String {
        let neutral = neutralizer.neutralized(batch.string(record.fields.text) ?? "")
        return redactor?.redacted(neutral.text).text ?? neutral.text
    }

    /// Proposes the entry with the most similar wording, if it is similar enough.
    private func propose(_ vector: [Float], _ wordings: LibraryVectors.Wordings, _ record: inout Record) {
        var best: (entry: Int, cosine: Float) = (-1, -1)
        for (entry, wording) in wordings where wording.count == vector.count {
            var cosine: Float = 0
            for place in vector.indices { cosine += vector[place] * wording[place] }
            if cosine > best.cosine { best = (entry, cosine) }
        }
        guard best.entry >= 0, best.cosine >= threshold else { return }
        record.faq = FAQAnswer(
            entry: best.entry, isHigh: false, confidence: confidence(best.cosine), by: .faqEmbeddings)
    }

    /// Measured: 0.55 of the proposals just above the threshold are right, and 0.7 from 0.05 above it.
    private func confidence(_ cosine: Float) -> Float { min(0.7, 0.55 + 3 * (cosine - threshold)) }

    private static func explanation(of failure: CallFailure) -> String {
        switch failure {
        case .badOutput, .tooLong:
            "the embedding model returned no vector for the text; the offline FAQ answer is kept"
        default: failure.explanation
        }
    }
}

/// The vectors of a library's wordings, computed once per run, on first use.
private final class LibraryVectors: Sendable {
    typealias Wordings = [(entry: Int, vector: [Float])]

    private let source: any VectorSource
    private let wordings: [(entry: Int, text: String)]
    private let making = Mutex<Task<Result<Wordings, CallFailure>, Never>?>(nil)

    init(source: any VectorSource, library: FAQLibrary) {
        self.source = source
        wordings = library.entries.enumerated().flatMap { index, entry in
            ([entry.question] + entry.alsoAsked).map { (index, $0) }
        }
    }

    var isEmpty: Bool { wordings.isEmpty }

    /// The vectors, or why there are none; after a failure, the next call tries again.
    func all() async -> Result<Wordings, CallFailure> {
        let task = making.withLock { making in
            if let making { return making }
            let (source, wordings) = (source, wordings)
            let task = Task {
                var all: Wordings = []
                for (wording, result) in zip(wordings, await source.vectors(of: wordings.map(\.text))) {
                    switch result {
                    case .success(let vector): all.append((wording.entry, vector))
                    case .failure(let failure): return Result<Wordings, CallFailure>.failure(failure)
                    }
                }
                return .success(all)
            }
            making = task
            return task
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .failure = result { making.withLock { if $0 == task { $0 = nil } } }
        return result
    }
}
