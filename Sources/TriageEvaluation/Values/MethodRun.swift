/// What one method answered for all records, and what that took.
public struct MethodRun: Sendable {
    /// As people called it.
    public var name: String
    /// In the order of the records.
    public var predictions: [Prediction]
    /// Processor time of reading and answering; nil where it is not known.
    public var seconds: Double?
    /// Tokens asked and answered; nil where no answer said.
    public var tokens: Double?
    /// In US dollars; nil where no answer said: unknown is not free.
    public var cost: Double?

    public init(name: String, predictions: [Prediction] = []) {
        self.name = name
        self.predictions = predictions
    }
}
