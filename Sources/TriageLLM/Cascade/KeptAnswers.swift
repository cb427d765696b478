public import TriageCore

/// What language models answered about one message, and which ones: kept with it, to be weighed again without asking.
public struct KeptAnswers: Sendable, Equatable {
    public var model: String
    /// Ids of the prompts, such as `triage/v1`.
    public var textPrompt: String
    public var draftPrompt: String
    /// Labels and figures in the form of the cache; nil: it was not asked, or did not answer.
    public var text: [UInt8]?
    /// The draft as a person got to see it.
    public var draft: String?

    /// Raised when a member changes its meaning.
    private static let version = 1

    /// What a batch holds about a record; nil: no model answered.
    public init?(of record: Record, in batch: borrowing Batch, model: String, textPrompt: String, draftPrompt: String) {
        self.model = model
        self.textPrompt = textPrompt
        self.draftPrompt = draftPrompt
        text = batch.modelAnswer(for: .text, of: record)
        draft = batch.modelAnswer(for: .draft, of: record).map { String(decoding: $0, as: UTF8.self) }
        if text == nil, draft == nil { return nil }
    }

    /// Reads ``bytes`` back; nil for what is not ours.
    public init?(_ bytes: [UInt8]) {
        guard let value = try? StrictJSON.parse(bytes, limits: .answer), value["v"]?.integer == Self.version,
            let model = value["model"]?.string, let textPrompt = value["prompt"]?.string,
            let draftPrompt = value["draft_prompt"]?.string
        else { return nil }
        self.model = model
        self.textPrompt = textPrompt
        self.draftPrompt = draftPrompt
        text = value["text"]?.string.map { Array($0.utf8) }
        draft = value["draft"]?.string
    }

    /// Compact JSON, the same for equal answers.
    public var bytes: [UInt8] {
        var members = [
            JSONMember("v", .number("\(Self.version)")), JSONMember("model", .string(model)),
            JSONMember("prompt", .string(textPrompt)), JSONMember("draft_prompt", .string(draftPrompt)),
        ]
        if let text { members.append(JSONMember("text", .string(String(decoding: text, as: UTF8.self)))) }
        if let draft { members.append(JSONMember("draft", .string(draft))) }
        return JSONValue.object(members).encoded
    }
}
