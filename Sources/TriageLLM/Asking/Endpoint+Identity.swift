extension Endpoint {
    /// What makes the answers of this model others than those of another one: for the key of a cache.
    ///
    /// Without the address and the key: the same model behind another door gives the same answers.
    var identity: [[UInt8]] {
        let version = kind == .anthropic ? settings.apiVersion : ""
        // Ollama cuts what is longer than the window.
        let window = kind == .ollama ? "\(settings.contextTokens)" : ""
        let effort = settings.reasoningEffort.map { [Array($0.rawValue.utf8)] } ?? []
        return [
            Array(kind.rawValue.utf8), Array(model.utf8), Array(version.utf8), Array(window.utf8),
            Array("\(settings.seed)".utf8), JSONValue.object(settings.extra).encoded,
        ] + effort
    }
}
