/// The families of servers that are spoken to.
package enum ProviderKind: String, Sendable, CaseIterable {
    /// Chat completions: OpenAI, llama.cpp, vLLM, LM Studio, OpenRouter, LiteLLM and most others.
    case openai
    case anthropic
    /// Ollama's own interface; the other one that it offers cuts long prompts in silence.
    case ollama

    /// How an endpoint is spoken to.
    package static func provider(_ endpoint: Endpoint) -> any ChatProvider {
        switch endpoint.kind {
        case .openai: OpenAIChat(endpoint)
        case .anthropic: AnthropicMessages(endpoint)
        case .ollama: OllamaChat(endpoint)
        }
    }
}
