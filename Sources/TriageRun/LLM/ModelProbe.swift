package import TriageCore
package import TriageLLM

/// Sends one tiny live request and reports what it shows about the server.
package struct ModelProbe {
    package struct Line {
        package var subject: String
        package var text: String

        package init(subject: String, text: String) {
            self.subject = subject
            self.text = text
        }
    }

    package let endpoint: Endpoint
    package let transport: any HTTPTransport
    /// The output token limit; nil: small at first, then enough for a model that thinks.
    package var mostOutput: Int?

    package init(endpoint: Endpoint, transport: any HTTPTransport, mostOutput: Int? = nil) {
        self.endpoint = endpoint
        self.transport = transport
        self.mostOutput = mostOutput
    }

    /// The instruction contradicts the schema, so only a server that enforces schemas answers as the schema says.
    private static let schema = AnswerSchema(
        name: "probe",
        root: .object([
            JSONMember("type", .string("object")),
            JSONMember(
                "properties",
                .object([
                    JSONMember(
                        "word",
                        .object([
                            JSONMember("type", .string("string")),
                            JSONMember("enum", .array([.string("quartz"), .string("basalt")])),
                        ]))
                ])),
            JSONMember("required", .array([.string("word")])),
            JSONMember("additionalProperties", .bool(false)),
        ]))

    /// - Throws: ``TriageError`` with exit 69 or 75 when there is no answer, with exit 1 when the answer is unusable.
    package func run() async throws -> [Line] {
        let provider = ProviderKind.provider(endpoint)
        var query = ChatQuery(
            model: endpoint.model,
            system: "Answer with a JSON object whose member \"word\" is the color of a clear sky. JSON only.",
            user: "Which color?", schema: Self.schema, maxOutputTokens: mostOutput ?? 64)
        var features = endpoint.features
        var refused: ServerFeatures = []
        var thinks = false
        while true {
            let request = provider.request(query, features: features)
            let response: HTTPResponse
            do {
                response = try await transport.send(request)
            } catch let fault as TransportFault {
                throw Self.error(.transient(.transport(fault)))
            }
            let words = ServerWords(response, to: request)
            switch provider.read(response, to: query) {
            case .success(let reply): return lines(reply, response, refused, thinks: thinks)
            case .failure(.unsupported(let named)):
                // If the output limit is refused under both of its names, it stays refused.
                let hasTurned = named.contains(.completionTokens) && refused.contains(.completionTokens)
                guard !hasTurned, let less = features.after(refusal: named) else {
                    throw Self.error(.unsupported(named), words)
                }
                refused.formUnion(named)
                features = less
            case .failure(.badOutput(.thoughtOnly)) where mostOutput == nil && !thinks:
                thinks = true
                query.maxOutputTokens = 64 + LLMLimits.thinkingTokens
            case .failure(.badOutput(.thoughtOnly)): throw Self.error(.overthinking, words)
            case .failure(.badOutput(let kind)):
                throw TriageError(
                    "llm.bad-output", "the LLM answers, but its answer is unusable (\(kind.rawValue))",
                    at: "llm", remedy: "choose another model, or check the server's chat template", exit: .finding)
            case .failure(let failure): throw Self.error(failure, words)
            }
        }
    }

    private func lines(_ reply: ChatReply, _ response: HTTPResponse, _ refused: ServerFeatures, thinks: Bool) -> [Line]
    {
        var lines = [Line(subject: "answer", text: "after \(Self.milliseconds(response.elapsed)) ms")]
        if let model = reply.model {
            lines.append(
                Line(subject: "model", text: model == endpoint.model ? model : "\(model) (asked for \(endpoint.model))")
            )
        }
        lines.append(Line(subject: "schema", text: schema(reply, refused)))
        let counted =
            reply.usage.isEstimated
            ? "not reported by the server; estimates are used"
            : "\(reply.usage.input) in, \(reply.usage.output) out, reported by the server"
        lines.append(Line(subject: "tokens", text: counted))
        let less = refused.subtracting([.schema, .jsonObject])
        if !less.isEmpty {
            lines.append(Line(subject: "refused", text: less.refusedNames.joined(separator: ", ") + "; sent without"))
        }
        if thinks {
            lines.append(
                Line(
                    subject: "thinking",
                    text: "uses more tokens than an answer needs; reasoning_effort: none or low saves most of them"))
        }
        return lines + Self.rates(response)
    }

    private func schema(_ reply: ChatReply, _ refused: ServerFeatures) -> String {
        if refused.contains(.schema) { return "refused; answers are checked locally, and requested again if wrong" }
        guard let word = (try? StrictJSON.parse(reply.text))?["word"] else {
            return "ignored: the answer has the wrong structure; answers are checked locally"
        }
        return word == .string("quartz") || word == .string("basalt")
            ? "enforced" : "ignored: the answer has the wrong vocabulary; answers are checked locally"
    }

    private static func rates(_ response: HTTPResponse) -> [Line] {
        let headers = RateHeaders(response)
        var parts: [String] = []
        if let limit = headers.requests?.limit { parts.append("\(limit) requests") }
        if let limit = headers.tokens?.limit { parts.append("\(limit) tokens") }
        return parts.isEmpty ? [] : [Line(subject: "limits", text: "the server says " + parts.joined(separator: ", "))]
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// The answer to one request.
    ///
    /// - Throws: ``TriageError`` with exit 69 or 75 when there is none.
    package static func answer<Value>(
        of transport: any HTTPTransport, to request: HTTPRequest,
        _ read: (HTTPResponse) -> Result<Value, CallFailure>
    ) async throws -> Value {
        do {
            let response = try await transport.send(request)
            switch read(response) {
            case .success(let value): return value
            case .failure(let failure): throw error(failure, ServerWords(response, to: request))
            }
        } catch let fault as TransportFault {
            throw error(.transient(.transport(fault)))
        }
    }

    /// A server failure as the error that ends a command.
    ///
    /// - Parameter words: the server's own words; nil: it said nothing.
    package static func error(_ failure: CallFailure, _ words: ServerWords? = nil) -> TriageError {
        TriageError(
            failure.code,
            "the LLM does not answer" + (words.map { " (\($0.description))" } ?? ""), at: "llm",
            remedy: failure.remedy, exit: failure.isFinalForRun ? .unavailable : .temporary)
    }
}

extension CallFailure {
    /// How to fix it, for someone who sees nothing but this line.
    var remedy: String {
        switch self {
        case .transient(.transport(let fault)):
            switch fault.kind {
            case .resolve: "the host name in base_url does not resolve; check it"
            case .connect, .connectTimeout: "there is no server at base_url; start it, or check the address"
            case .certificate: "its certificate is not trusted; set ca_file, or check the address"
            default: "the connection broke (\(fault.kind.rawValue)); try again"
            }
        default: explanation
        }
    }
}
