internal import TriageCore

/// Puts questions into batches, packed as in a live run, and reads the results like live answers.
///
/// A pure value: everything follows from the questions, their digests and the session of the script. So the process
/// that collects the results need not be the one that submitted them, nor know all questions of a pack.
package struct LLMBatch<Question: Sendable, Answer: Sendable & Equatable>: Sendable {
    private let script: any LLMTask<Question, Answer>
    private let limits: LLMLimits

    package init(script: any LLMTask<Question, Answer>, limits: LLMLimits = LLMLimits()) {
        self.script = script
        self.limits = limits
    }

    /// What all answers depend on apart from their questions, 64 hex digits: model, prompt, profile, library.
    package var identity: String { AnswerKey(identity: script.identity).digest(of: []) }

    /// The packs of questions, one per request; each question is in exactly one pack.
    ///
    /// - Parameter questions: with distinct digests.
    package func packs(of questions: [GatheredQuestion<Question>]) -> [[GatheredQuestion<Question>]] {
        let items = questions.map { item in
            let essence = script.essence(of: item.question)
            return PackPlan.Item(digest: item.digest, tokens: essence.tokens, travelsAlone: essence.travelsAlone)
        }
        return PackPlan(items, limits: limits).packs.map { $0.map { questions[$0] } }
    }

    /// The name of a pack in its batch, 64 hex digits; for a single question, the digest of its answer.
    ///
    /// - Parameter digests: those of its questions, as in ``AskingGathering``.
    package static func name(_ digests: [String]) -> String {
        if digests.count == 1 { return digests[0] }
        var hash = SHA256()
        for digest in digests { hash.update(Array(digest.utf8)) }
        return hash.hex()
    }

    /// The request for a pack, or for the part of it that is still to be read.
    ///
    /// - Parameters:
    ///   - digests: those of all questions in the pack.
    ///   - questions: the questions whose answers are wanted, by digest.
    package func question(_ digests: [String], _ questions: [String: Question]) -> BatchQuestion {
        BatchQuestion(id: Self.name(digests), query: exchange(digests, questions).query)
    }

    /// The bytes to store for each valid answer, or why there is none, by digest.
    package func answers(
        in outcome: Result<ChatReply, CallFailure>, to digests: [String], _ questions: [String: Question]
    ) -> [String: Result<[UInt8], CallFailure>] {
        let wanted = digests.filter { questions[$0] != nil }
        let reply: ChatReply
        switch outcome {
        case .failure(let failure):
            return Dictionary(uniqueKeysWithValues: wanted.map { ($0, .failure(failure)) })
        case .success(let found): reply = found
        }
        let reading = exchange(digests, questions).read(reply)
        let ids = Self.ids(digests)
        var results: [String: Result<[UInt8], CallFailure>] = [:]
        for digest in wanted {
            guard let id = ids[digest], let question = questions[digest] else { continue }
            if reading.faults[id] == nil, let answer = reading.answers[id] {
                let bytes = script.bytes(of: answer)
                // An answer that cannot be read back would be requested again and again.
                results[digest] =
                    script.answer(in: bytes, to: question) == nil
                    ? .failure(.badOutput(.wrongSchema)) : .success(bytes)
                continue
            }
            var failure = (reading.faults[id] ?? reading.whole).failure
            if reply.isTruncated, case .badOutput = failure { failure = .badOutput(.truncated) }
            results[digest] = .failure(failure)
        }
        return results
    }

    private func exchange(_ digests: [String], _ questions: [String: Question]) -> LLMExchange<Answer> {
        let ids = Self.ids(digests)
        let asked = digests.compactMap { digest in
            questions[digest].map { AskedQuestion(id: ids[digest] ?? "m", question: $0) }
        }
        return script.exchange(about: asked, maxOutputTokens: limits.output(for: digests.count))
    }

    /// The ids in the request, by digest.
    private static func ids(_ digests: [String]) -> [String: String] {
        PackPlan(digests.map { .init(digest: $0, tokens: 0, travelsAlone: false) }, limits: LLMLimits()).ids
    }
}
