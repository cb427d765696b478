/// Asks a server for the names of its models.
package struct ModelListProvider: Sendable {
    private let endpoint: Endpoint

    package init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    /// The request, which is free of charge everywhere.
    package func request() -> HTTPRequest {
        switch endpoint.kind {
        case .openai: endpoint.get("/models")
        // Pages hold 20 unless more is asked for.
        case .anthropic: endpoint.get(endpoint.baseURL.contains("?") ? "/models" : "/models?limit=1000")
        case .ollama: endpoint.get("/tags")
        }
    }

    /// Names in the server's order, without those that cannot be printed.
    package func read(_ response: HTTPResponse) -> Result<[String], CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let rows = (body["data"] ?? body["models"])?.array else { return .failure(.transient(.inside)) }
            return .success(
                rows.compactMap { ($0["id"] ?? $0["model"] ?? $0["name"])?.string.flatMap(ReplyReading.label) })
        }
    }
}
