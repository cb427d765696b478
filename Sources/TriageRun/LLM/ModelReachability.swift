package import TriageConfig
import TriageCore
import TriageLLM

/// Checks whether the configured servers can be used: their keys exist, and they answer.
///
/// None of these checks costs money.
package struct ModelReachability {
    /// A result, and whether the server failed rather than the configuration.
    package struct Finding {
        package var line: FolderCheck.Line
        package var isServer = false
    }

    private static let connect: Duration = .seconds(5)
    private static let total: Duration = .seconds(20)

    /// - Parameter isOffline: checks keys and prompts only, and calls no server.
    package static func findings(_ models: ModelSettings, isOffline: Bool) async -> [Finding] {
        var findings: [Finding] = []
        if let llm = models.llm {
            do {
                _ = try PromptFiles.library(folder: llm.prompts)
                let endpoint = try ModelAddress.endpoint(llm)
                if !isOffline {
                    let transport = ModelAddress.transport(llm)
                    defer { transport.close() }
                    findings.append(await finding("llm", endpoint, llm.model, transport))
                }
            } catch {
                findings += faults(error, "llm")
            }
        }
        if let embeddings = models.embeddings {
            do {
                let endpoint = try ModelAddress.endpoint(embeddings)
                if !isOffline {
                    let transport = ModelAddress.transport(embeddings)
                    defer { transport.close() }
                    findings.append(await finding("embeddings", endpoint, embeddings.model, transport))
                }
            } catch {
                findings += faults(error, "embeddings")
            }
        }
        return findings
    }

    /// Requests the server's list of model names, which is free everywhere.
    private static func finding(
        _ subject: String, _ endpoint: Endpoint, _ model: String, _ transport: any HTTPTransport
    ) async -> Finding {
        let provider = ModelListProvider(endpoint)
        var request = provider.request()
        request.limits.connect = connect
        request.limits.firstByte = total
        request.limits.total = total
        let failure: CallFailure
        var words: ServerWords?
        do {
            let response = try await transport.send(request)
            switch provider.read(response) {
            case .success(let names):
                let isListed = names.isEmpty || names.contains(model) || names.contains(model + ":latest")
                guard isListed else {
                    return Finding(
                        line: FolderCheck.Line(
                            .warn, subject, "the server answers, but does not list the model '\(model)'",
                            remedy: "`triage models list` lists its models"))
                }
                return Finding(line: FolderCheck.Line(.ok, subject, "the server answers"))
            case .failure(.configuration) where [400, 404, 405, 501].contains(response.status):
                return Finding(
                    line: FolderCheck.Line(
                        .ok, subject, "the server answers, but lists no models; `triage models check` asks the model"))
            case .failure(let found):
                failure = found
                words = ServerWords(response, to: request)
            }
        } catch let fault as TransportFault {
            failure = .transient(.transport(fault))
        } catch {
            failure = .cancelled
        }
        let said = words.map { " (\($0.description))" } ?? ""
        return Finding(
            line: FolderCheck.Line(
                .fail, subject, "the server is not available\(said) [\(failure.code)]", remedy: failure.remedy),
            isServer: true)
    }

    private static func faults(_ error: any Error, _ subject: String) -> [Finding] {
        let all: [TriageError] =
            switch error {
            case let error as TriageError: [error]
            case let errors as TriageErrors: errors.all
            default: [TriageError("config.not-readable", "\(error)", at: subject)]
            }
        return all.map { fault in
            var fault = fault
            fault.at = fault.at.map { $0.hasPrefix(subject) || $0.contains("/") ? $0 : "\(subject).\($0)" } ?? subject
            return Finding(line: FolderCheck.line(of: fault))
        }
    }
}
