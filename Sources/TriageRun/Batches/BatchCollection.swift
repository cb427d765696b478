package import TriageCore
package import TriageLLM

/// Fetches the answers of batches that have ended, checks each like a live answer, and keeps the good ones.
package struct BatchCollection {
    package let session: BatchSession
    package let asking: MessageBatchAsking
    package let cache: any AnswerCache
    package let file: BatchBookFile
    /// Questions without an answer in the cache, by digest.
    package let questions: [String: MessageQuestion]
    /// Digests of answers that were already in the cache.
    package let kept: Set<String>

    package init(
        session: BatchSession, asking: MessageBatchAsking, cache: any AnswerCache, file: BatchBookFile,
        questions: [String: MessageQuestion], kept: Set<String>
    ) {
        self.session = session
        self.asking = asking
        self.cache = cache
        self.file = file
        self.questions = questions
        self.kept = kept
    }

    /// The counts of one collection.
    package struct Tally {
        package var kept = 0
        /// Answers that were already in the cache.
        package var already = 0
        /// Unusable answers, and texts that no model answers, by error code.
        package var failed: [String: Int] = [:]
        package var refused = 0
        /// Answers that expired, were cancelled or were lost by the server; they have to be submitted again.
        package var expired = 0
        /// Answers to messages that are not in the input.
        package var foreign = 0
        /// Batches with answers to messages outside the input.
        ///
        /// Their other answers are kept, and the batches stay open so that the rest can be collected later.
        package var withForeign: Set<String> = []
        package var usage = TokenUsage()
        /// Batches that the server refused as a whole.
        package var refusedBatches: [String] = []
        /// Batches that are not done yet, with how many of their answers are.
        package var pending: [(id: String, done: Int?, total: Int)] = []

        package init(
            kept: Int = 0, already: Int = 0, failed: [String: Int] = [:], refused: Int = 0, expired: Int = 0,
            foreign: Int = 0, withForeign: Set<String> = [], usage: TokenUsage = TokenUsage(),
            refusedBatches: [String] = [], pending: [(id: String, done: Int?, total: Int)] = []
        ) {
            self.kept = kept
            self.already = already
            self.failed = failed
            self.refused = refused
            self.expired = expired
            self.foreign = foreign
            self.withForeign = withForeign
            self.usage = usage
            self.refusedBatches = refusedBatches
            self.pending = pending
        }
    }

    /// The first and the longest wait between two rounds, in seconds; each wait is 1.5 times the one before.
    private static let waits = (first: 5.0, longest: 300.0)

    /// Collects what has ended; with `waits`, repeats until everything has.
    ///
    /// - Parameter notice: prints a line for people before each wait.
    package func rounds(
        _ book: inout BatchBook, into tally: inout Tally, waits: Bool, notice: (String) -> Void
    ) async throws {
        var wait = Self.waits.first
        while true {
            try await round(&book, into: &tally)
            guard waits, !tally.pending.isEmpty else { return }
            let (done, total) = tally.pending.reduce((0, 0)) { ($0.0 + ($1.done ?? 0), $0.1 + $1.total) }
            notice("\(done) of \(total) answered; checking again in about \(Int(wait)) s")
            // Random jitter keeps many waiting processes from asking at the same moment.
            try await Task.sleep(for: .seconds(wait * Double.random(in: 0.8..<1.2)))
            wait = min(wait * 1.5, Self.waits.longest)
        }
    }

    /// One round over all batches that are not finished with.
    ///
    /// - Throws: ``TriageError`` when the server or the cache fails; answers kept up to that point stay kept.
    package func round(_ book: inout BatchBook, into tally: inout Tally) async throws {
        tally.pending = []
        for index in book.batches.indices where book.batches[index].phase == .submitted {
            let batch = book.batches[index]
            guard let id = batch.id, !tally.withForeign.contains(id) else { continue }
            let state = try await session.state(of: id)
            switch state.phase {
            case .running: tally.pending.append((id, state.done, batch.requests))
            case .failed:
                tally.refusedBatches.append(id)
                try finish(index, as: .failed, &book)
                await cleanUp(state, batch)
            case .ended:
                if try await collect(batch, state, into: &tally) {
                    try finish(index, as: .collected, &book)
                    await cleanUp(state, batch)
                } else {
                    tally.withForeign.insert(id)
                }
            }
        }
    }

    private func finish(_ index: Int, as phase: BatchBook.Phase, _ book: inout BatchBook) throws {
        book.batches[index].phase = phase
        book.batches[index].answers = []
        try file.save(book)
    }

    /// People's messages should not stay on the server longer than necessary; failing to delete them does us no harm.
    private func cleanUp(_ state: BatchState, _ batch: BatchBook.Batch) async {
        for request in session.provider.cleanUp(state, upload: batch.upload) {
            _ = await session.calls.value(of: request) { _ in .success(()) }
        }
    }

    /// - Returns: whether nothing is left to collect.
    private func collect(_ batch: BatchBook.Batch, _ state: BatchState, into tally: inout Tally) async throws -> Bool {
        let all = batch.answers.joined()
        let already = all.count { kept.contains($0) }
        let asked = all.count { questions[$0] != nil }
        let foreign = all.count - already - asked
        // Packs by request name; some answers of a pack may no longer be wanted.
        var packs: [String: [String]] = [:]
        var wanted: [BatchQuestion] = []
        for digests in batch.answers where digests.contains(where: { questions[$0] != nil }) {
            let question = asking.question(digests, questions)
            packs[question.id] = digests
            wanted.append(question)
        }
        tally.already += already
        tally.foreign += foreign
        guard !wanted.isEmpty else { return foreign == 0 }
        var outcomes: [String: Result<ChatReply, CallFailure>] = [:]
        for request in session.provider.results(of: state) {
            switch await session.calls.value(of: request, { session.provider.read([$0], to: wanted) }) {
            case .success(let results): outcomes.merge(results.outcomes) { first, _ in first }
            case .failure(let failure): throw session.calls.error(failure)
            }
        }
        for (name, digests) in packs where outcomes[name] == nil {
            tally.expired += digests.count { questions[$0] != nil }
        }
        var good: [(digest: String, bytes: [UInt8])] = []
        for (name, outcome) in outcomes {
            if case .success(let reply) = outcome { tally.add(reply.usage) }
            for (digest, answer) in asking.answers(in: outcome, to: packs[name] ?? [], questions) {
                switch answer {
                case .success(let bytes): good.append((digest, bytes))
                case .failure(.refused): tally.refused += 1
                case .failure(let failure): tally.failed[failure.code, default: 0] += 1
                }
            }
        }
        try await keep(good)
        tally.kept += good.count
        return foreign == 0
    }

    /// Answers written per transaction; a transaction takes as long as a single answer.
    private static let together = 512

    private func keep(_ answers: [(digest: String, bytes: [UInt8])]) async throws {
        let cache = cache
        for start in stride(from: 0, to: answers.count, by: Self.together) {
            let some = answers[start..<min(start + Self.together, answers.count)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (digest, bytes) in some { group.addTask { try await cache.keep(bytes, for: digest) } }
                try await group.waitForAll()
            }
            // A broken cache keeps nothing and reports it once; then the batch must stay open to be collected again.
            guard let last = some.last, await cache.answer(for: last.digest) == last.bytes else {
                throw TriageError(
                    "batch.not-kept", "the answers could not be cached", at: "--cache",
                    remedy: "fix the cache, or name another file, and collect again", exit: .ioError)
            }
        }
    }
}

extension BatchCollection.Tally {
    fileprivate mutating func add(_ more: TokenUsage) {
        func sum(_ a: Int, _ b: Int) -> Int { a > Int.max / 2 || b > Int.max / 2 ? Int.max / 2 : a + max(0, b) }
        usage.input = sum(usage.input, more.input)
        usage.cachedInput = sum(usage.cachedInput, more.cachedInput)
        usage.output = sum(usage.output, more.output)
        usage.isEstimated = usage.isEstimated || more.isEstimated
    }
}
