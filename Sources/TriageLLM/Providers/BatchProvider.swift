/// How a server takes many queries at once, to answer within a day for about half the price: a pure description.
///
/// The course: ``entry(_:features:)`` for each question, ``upload(_:)`` if there is one, ``create(_:upload:)``, then
/// ``status(of:)`` until ``BatchState/phase`` is no longer `running`, ``results(of:)`` and ``read(_:to:)``. Keep the id of
/// ``BatchState`` before waiting: a batch that is lost is paid for twice.
public protocol BatchProvider: Sendable {
    var limits: BatchLimits { get }

    /// The bytes of one question; their sum is what ``limits`` is about.
    func entry(_ question: BatchQuestion, features: ServerFeatures) -> [UInt8]

    /// The request that hands over the entries; nil where ``create(_:upload:)`` holds them.
    func upload(_ entries: [[UInt8]]) -> HTTPRequest?

    /// The name of what was uploaded.
    func uploaded(_ response: HTTPResponse) -> Result<String, CallFailure>

    /// The request that starts the batch.
    func create(_ entries: [[UInt8]], upload: String?) -> HTTPRequest

    func status(of id: String) -> HTTPRequest

    /// Stops a batch; what was answered by then stays and is paid.
    func cancel(_ id: String) -> HTTPRequest

    /// The request for the batches of late, of which ``find(_:in:)`` makes sense.
    func recent() -> HTTPRequest

    /// The ids of batches that may be one that was lost; none where the server surely never took it.
    ///
    /// - Returns: a failure too when the answer does not go back far enough to say.
    func find(_ lost: LostBatch, in response: HTTPResponse) -> Result<[String], CallFailure>

    /// The requests that delete a batch's texts from the server; best sent when its results are safe.
    func cleanUp(_ state: BatchState, upload: String?) -> [HTTPRequest]

    /// The state in an answer to the requests of create, status and cancel.
    func state(_ response: HTTPResponse) -> Result<BatchState, CallFailure>

    /// The requests for all results of a batch that ended; none when it has none.
    func results(of state: BatchState) -> [HTTPRequest]

    /// Joins results with questions by id; answers come in any order and may be missing.
    func read(_ results: [HTTPResponse], to questions: [BatchQuestion]) -> Result<BatchResults, CallFailure>
}

extension ProviderKind {
    /// How an endpoint takes batches; nil where it does not.
    public static func batches(_ endpoint: Endpoint) -> (any BatchProvider)? {
        switch endpoint.kind {
        case .openai: OpenAIBatch(endpoint)
        case .anthropic: AnthropicBatch(endpoint)
        case .ollama: nil
        }
    }
}
