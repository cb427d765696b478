/// How questions of one kind are put to a model, and how what it says is read: everything about asking that is words.
///
/// A pure value. What is here decides what is sent and what counts as an answer; when and how often is the client's.
package protocol LLMTask<Question, Answer>: Sendable {
    associatedtype Question: Sendable
    associatedtype Answer: Sendable, Equatable

    /// What makes an answer another one apart from the question: kind of provider, model, API version, id and digest of
    /// the prompt, schema, parameters. Without anything that is drawn anew for each request.
    var identity: [[UInt8]] { get }

    /// What is sent about a question.
    func essence(of question: Question) -> LLMEssence

    /// The request that asks about questions, each under an id that is ours.
    func exchange(about questions: [AskedQuestion<Question>], maxOutputTokens: Int) -> LLMExchange<Answer>

    /// The one request that repairs a useless answer about one question.
    /// - Parameters:
    ///   - answer: what came; at most ``LLMExchange/repairBytes`` of it; as untrusted as a message.
    ///   - errors: what is wrong with it, in words of ours.
    /// - Returns: nil when it is not worth a second request.
    func repair(
        of answer: [UInt8], errors: [String], about question: AskedQuestion<Question>, maxOutputTokens: Int
    ) -> LLMExchange<Answer>?

    /// The one request that asks for a better answer, where one came that is sound and of little use: what it said was
    /// refused.
    /// - Parameters:
    ///   - answer: what was read.
    ///   - reply: what came; at most ``LLMExchange/repairBytes`` of it.
    /// - Returns: nil where the answer is as good as it gets.
    func amendment(
        of answer: Answer, reply: [UInt8], about question: AskedQuestion<Question>, maxOutputTokens: Int
    ) -> LLMExchange<Answer>?

    /// The question with a shorter text, for a model whose window is too small; nil when it cannot be cut further.
    func clipped(_ question: Question) -> Question?

    /// Which answers of one pack are asked for again, each question alone, before they count: a text in the pack may
    /// have spoken for them.
    func doubtful(_ answers: [(question: Question, answer: Answer)]) -> [Int]

    /// What counts of a doubtful answer that could not be asked for again.
    func unconfirmed(_ answer: Answer, to question: Question) -> Answer

    /// The answer as it is kept: versioned and canonical.
    func bytes(of answer: Answer) -> [UInt8]

    /// A kept answer, checked as if it had just come; nil: foreign, of another version, damaged, or no answer to this.
    func answer(in bytes: [UInt8], to question: Question) -> Answer?
}

extension LLMTask {
    package func amendment(
        of answer: Answer, reply: [UInt8], about question: AskedQuestion<Question>, maxOutputTokens: Int
    ) -> LLMExchange<Answer>? { nil }

    package func doubtful(_ answers: [(question: Question, answer: Answer)]) -> [Int] { [] }

    package func unconfirmed(_ answer: Answer, to question: Question) -> Answer { answer }
}

/// What is sent about one question, as far as its answer depends on it.
package struct LLMEssence: Sendable, Equatable {
    /// The neutralized text and its context, part by part.
    package var parts: [[UInt8]]
    /// What its part of a request takes, by ``TokenEstimate``.
    package var tokens: Int
    /// Whether it gets a request of its own, as every draft does.
    package var travelsAlone: Bool

    package init(parts: [[UInt8]], tokens: Int, travelsAlone: Bool) {
        self.parts = parts
        self.tokens = tokens
        self.travelsAlone = travelsAlone
    }
}

/// A question under the id by which a request and its answer call it.
package struct AskedQuestion<Question: Sendable>: Sendable {
    /// `m` and a few letters and digits; says nothing of the text.
    package var id: String
    package var question: Question

    package init(id: String, question: Question) {
        self.id = id
        self.question = question
    }
}

extension AskedQuestion: Equatable where Question: Equatable {}

/// A request and how its answer is read.
package struct LLMExchange<Answer: Sendable>: Sendable {
    /// Most bytes of a useless answer that are shown to the model again: a run-away answer is long and says little.
    package static var repairBytes: Int { 2_048 }

    package var query: ChatQuery
    /// Reads any bytes; pure.
    package var read: @Sendable (ChatReply) -> LLMReading<Answer>

    package init(query: ChatQuery, read: @escaping @Sendable (ChatReply) -> LLMReading<Answer>) {
        self.query = query
        self.read = read
    }
}

/// What an answer says about the questions of its request.
package struct LLMReading<Answer: Sendable>: Sendable {
    /// Sound answers by id; under an id that was not asked about they are nobody's, and dropped.
    package var answers: [String: Answer]
    /// What is wrong about single ids.
    package var faults: [String: LLMFault]
    /// What is wrong with the answer as a whole, and so with every id that has neither an answer nor a fault.
    package var whole: LLMFault

    package init(
        answers: [String: Answer] = [:], faults: [String: LLMFault] = [:],
        whole: LLMFault = LLMFault(.badOutput(.wrongIDs), errors: ["the id is missing"])
    ) {
        self.answers = answers
        self.faults = faults
        self.whole = whole
    }
}

/// Why there is no answer about a question in what a model said.
package struct LLMFault: Error, Sendable, Equatable {
    package var failure: CallFailure
    /// In words of ours, for the model that is asked to repair it; never what it said.
    package var errors: [String]

    package init(_ failure: CallFailure, errors: [String] = []) {
        self.failure = failure
        self.errors = errors
    }
}

/// What the bytes of a reply are before anybody asks what they say.
enum ReplyText {
    /// The one object of an answer, or what is wrong with it.
    ///
    /// An object that ends in its middle counts as cut whatever the server says: servers say `stop` for cut answers.
    static func object(in reply: ChatReply) -> Result<JSONValue, LLMFault> {
        let blanks = reply.text.count { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if blanks == reply.text.count { return fault(.empty, "the answer is empty") }
        do throws(JSONFault) {
            return .success(try StrictJSON.answer(in: reply.text))
        } catch {
            // Some models fall into blanks until the allowance is used up.
            if blanks * 10 > reply.text.count * 9 { return fault(.whitespace, "the answer is nearly all blanks") }
            switch error.kind {
            case .unexpectedEnd: return fault(.truncated, "the JSON object has no end")
            case .severalObjects: return fault(.notJSON, "there is more than one JSON object")
            case .duplicateKey: return fault(.notJSON, "a key stands twice in one JSON object")
            default: return fault(.notJSON, "the answer is not one JSON object by RFC 8259")
            }
        }
    }

    /// Whether the run's private word is in it, in any case and however spaced: the instructions were told to somebody.
    static func leaks(_ canary: Canary, in reply: ChatReply) -> Bool {
        Text.contains(
            Text.skeleton(String(decoding: reply.text, as: UTF8.self)), Array(canary.word.unicodeScalars))
    }

    private static func fault(_ kind: CallFailure.BadOutput, _ error: String) -> Result<JSONValue, LLMFault> {
        .failure(LLMFault(.badOutput(kind), errors: [error]))
    }
}
