/// Turns questions of one kind into requests to a model, and reads its answers.
///
/// A pure value: it decides what is sent and what counts as an answer; the client decides when and how often.
package protocol LLMTask<Question, Answer>: Sendable {
    associatedtype Question: Sendable
    associatedtype Answer: Sendable, Equatable

    /// What affects the answer apart from the question: kind of provider, model, API version, id and digest of the
    /// prompt, schema, parameters. It must not include anything that is random for each request.
    var identity: [[UInt8]] { get }

    /// What is sent about a question.
    func essence(of question: Question) -> LLMEssence

    /// The request about these questions, each with an id that we assigned.
    func exchange(about questions: [AskedQuestion<Question>], maxOutputTokens: Int) -> LLMExchange<Answer>

    /// The one request that repairs a useless answer to one question.
    /// - Parameters:
    ///   - answer: what came, at most ``LLMExchange/repairBytes`` of it; as untrusted as a message.
    ///   - errors: what is wrong with it, in our own words.
    /// - Returns: nil when it is not worth a second request.
    func repair(
        of answer: [UInt8], errors: [String], about question: AskedQuestion<Question>, maxOutputTokens: Int
    ) -> LLMExchange<Answer>?

    /// The one request for a better answer, after a valid answer of little use because its content was refused.
    /// - Parameters:
    ///   - answer: what was read.
    ///   - reply: what came, at most ``LLMExchange/repairBytes`` of it.
    /// - Returns: nil when the answer cannot be expected to improve.
    func amendment(
        of answer: Answer, reply: [UInt8], about question: AskedQuestion<Question>, maxOutputTokens: Int
    ) -> LLMExchange<Answer>?

    /// The question with a shorter text, for a model with too small a window; nil when it cannot be cut further.
    func clipped(_ question: Question) -> Question?

    /// Which answers of a pack count only after each question was asked again alone: a text in the pack may have
    /// manipulated them.
    func doubtful(_ answers: [(question: Question, answer: Answer)]) -> [Int]

    /// The part of a doubtful answer that counts if it could not be requested again.
    func unconfirmed(_ answer: Answer, to question: Question) -> Answer

    /// The stored form of an answer: versioned and canonical.
    func bytes(of answer: Answer) -> [UInt8]

    /// A stored answer, checked like a new one; nil: foreign, of another version, damaged, or not an answer to this.
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
    /// The tokens of its part of a request, by ``TokenEstimate``.
    package var tokens: Int
    /// Whether it gets a request of its own, as every draft does.
    package var travelsAlone: Bool
}

/// A question with the id that its request and answer use.
package struct AskedQuestion<Question: Sendable>: Sendable {
    /// `m` and a few letters and digits; reveals nothing about the text.
    package var id: String
    package var question: Question
}

extension AskedQuestion: Equatable where Question: Equatable {}

/// A request, and how its answer is read.
package struct LLMExchange<Answer: Sendable>: Sendable {
    /// The maximum number of bytes of a useless answer that are shown to the model again: a runaway answer is long but
    /// says little.
    package static var repairBytes: Int { 2_048 }

    package var query: ChatQuery
    /// Reads any bytes; pure.
    package var read: @Sendable (ChatReply) -> LLMReading<Answer>
}

/// What an answer says about the questions of its request.
package struct LLMReading<Answer: Sendable>: Sendable {
    /// Valid answers by id; those with an id that was not asked about are dropped.
    package var answers: [String: Answer] = [:]
    /// The faults of individual ids.
    package var faults: [String: LLMFault] = [:]
    /// The fault of the answer as a whole, for every id that has neither an answer nor a fault.
    package var whole = LLMFault(.badOutput(.wrongIDs), errors: ["the id is missing"])
}

/// Why a model's output contains no answer to a question.
package struct LLMFault: Error, Sendable, Equatable {
    package var failure: CallFailure
    /// In our own words, for the model that is asked to repair it; never the model's output.
    package var errors: [String]

    package init(_ failure: CallFailure, errors: [String] = []) {
        self.failure = failure
        self.errors = errors
    }
}

/// Checks the form of a reply before anybody reads its content.
enum ReplyText {
    /// The only object in an answer, or what is wrong with it.
    ///
    /// An incomplete object counts as cut off whatever the server says, because servers say `stop` for such answers
    /// too.
    static func object(in reply: ChatReply) -> Result<JSONValue, LLMFault> {
        let blanks = reply.text.count { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if blanks == reply.text.count { return fault(.empty, "the answer is empty") }
        do throws(JSONFault) {
            return .success(try StrictJSON.answer(in: reply.text))
        } catch {
            // Some models write blanks until the allowance is used up.
            if blanks * 10 > reply.text.count * 9 { return fault(.whitespace, "the answer is nearly all blanks") }
            switch error.kind {
            case .unexpectedEnd: return fault(.truncated, "the JSON object has no end")
            case .severalObjects: return fault(.notJSON, "there is more than one JSON object")
            case .duplicateKey: return fault(.notJSON, "a key stands twice in one JSON object")
            default: return fault(.notJSON, "the answer is not one JSON object by RFC 8259")
            }
        }
    }

    /// Whether a reply contains the run's canary word, in any case or spacing: the instructions have leaked.
    static func leaks(_ canary: Canary, in reply: ChatReply) -> Bool {
        Text.contains(
            Text.skeleton(String(decoding: reply.text, as: UTF8.self)), Array(canary.word.unicodeScalars))
    }

    private static func fault(_ kind: CallFailure.BadOutput, _ error: String) -> Result<JSONValue, LLMFault> {
        .failure(LLMFault(.badOutput(kind), errors: [error]))
    }
}
