import TriageConfig
import TriageCore
import TriageFormats
package import TriageLLM

/// Puts questions into batches and submits them; a crash at any moment never causes paying for one twice.
///
/// The state is written before the server gets a batch, and again with the server's id right after. When a batch has no
/// id, the server is asked for it before anything else happens.
package struct BatchSubmission {
    package let session: BatchSession
    package let material: BatchMaterial
    package let file: BatchBookFile

    package init(session: BatchSession, material: BatchMaterial, file: BatchBookFile) {
        self.session = session
        self.material = material
        self.file = file
    }

    /// What was submitted.
    package struct Outcome {
        package var ids: [String] = []
        package var messages = 0
        /// The number of requests that hold these messages.
        package var requests = 0
        /// Messages that are already under way in earlier batches.
        package var underWay = 0
        /// Messages beyond the limits of the command.
        package var leftOut = 0
        /// The upper bound of tokens and cost.
        package var most: (tokens: Int, cost: Double?) = (0, 0)
    }

    /// - Parameter questions: those without an answer in the cache.
    /// - Throws: ``TriageError``; even then, the state records what was submitted.
    package func run(
        _ questions: [GatheredQuestion<MessageQuestion>], book: inout BatchBook, asking: MessageBatchAsking
    ) async throws -> Outcome {
        var outcome = Outcome()
        let underWay = book.underWay
        let limits = material.limits
        var spend = Spend(
            limits: SpendLimits(cost: limits.maxCost, requests: limits.maxRequests, tokens: limits.maxTokens),
            price: material.price)
        var fill = BatchFill(session.provider.limits)
        var answers: [[String]] = []
        let new = questions.filter { !underWay.contains($0.digest) }
        outcome.underWay = questions.count - new.count
        let packs = asking.packs(of: new)
        for (place, pack) in packs.enumerated() {
            let digests = pack.map(\.digest)
            let question = asking.question(
                digests, Dictionary(pack.map { ($0.digest, $0.question) }, uniquingKeysWith: { first, _ in first }))
            let need = Spend.Need(
                input: TokenEstimate.input(of: question.query), output: question.query.maxOutputTokens)
            guard spend.reserve(need) != nil else {
                outcome.leftOut = packs[place...].reduce(0) { $0 + $1.count }
                break
            }
            let entry = session.provider.entry(question, features: material.endpoint.features)
            if !fill.takes(entry) {
                try await submit(fill.entries, answers, &book, &outcome)
                fill = BatchFill(session.provider.limits)
                answers = []
            }
            fill.add(entry)
            answers.append(digests)
        }
        if !answers.isEmpty { try await submit(fill.entries, answers, &book, &outcome) }
        let committed = spend.committed
        outcome.most = (committed.tokens, material.price == nil ? nil : committed.cost)
        return outcome
    }

    private func submit(
        _ entries: [[UInt8]], _ answers: [[String]], _ book: inout BatchBook, _ outcome: inout Outcome
    ) async throws {
        try Task.checkCancellation()
        var hash = SHA256()
        for entry in entries { hash.update(entry) }
        let index = book.batches.count
        book.batches.append(
            BatchBook.Batch(
                phase: .submitting, created: BatchSession.now, count: answers.reduce(0) { $0 + $1.count },
                requests: answers.count, digest: hash.hex(),
                answers: answers))
        try file.save(book)
        if let upload = session.provider.upload(entries) {
            switch await session.calls.value(of: upload, session.provider.uploaded) {
            case .success(let name): book.batches[index].upload = name
            case .failure(let failure): throw try giveUp(index, &book, failure)
            }
            try file.save(book)
        }
        let create = session.provider.create(entries, upload: book.batches[index].upload)
        // Runs in a separate task, so an interruption waits until it is known whether the batch exists.
        let (calls, provider) = (session.calls, session.provider)
        switch await Task(operation: { await calls.once(create, provider.state) }).value {
        case .done(let state):
            book.batches[index].id = state.id
            book.batches[index].phase = .submitted
            try file.save(book)
            outcome.ids.append(state.id)
            outcome.messages += book.batches[index].count
            outcome.requests += answers.count
        case .refused(let failure):
            throw try giveUp(index, &book, failure)
        case .unknown(let failure):
            throw TriageError(
                failure.code, "it is unknown whether the server accepted the batch", at: "llm",
                remedy: "run `triage batch submit` again with the same state file: it checks before it sends",
                exit: .temporary)
        }
    }

    /// Removes a batch that is certainly not on the server.
    private func giveUp(_ index: Int, _ book: inout BatchBook, _ failure: CallFailure) throws -> TriageError {
        book.batches.remove(at: index)
        try file.save(book)
        var error = session.calls.error(failure)
        error.what = error.what.replacing(
            "the LLM does not answer", with: "the server did not accept the batch")
        return error
    }
}

/// Batches of questions about messages.
package typealias MessageBatchAsking = LLMBatch<MessageQuestion, MessageVerdict>
