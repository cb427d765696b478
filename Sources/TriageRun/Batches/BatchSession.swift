import Platform
import Synchronization
import TriageConfig
package import TriageCore
import TriageFormats
package import TriageLLM

/// The batch server of the configured provider, and what is known of the batches on it.
package struct BatchSession {
    package let provider: any BatchProvider
    package let calls: BatchCalls

    /// - Throws: ``TriageError`` (exit 78) when the provider has no batches.
    package init(endpoint: Endpoint, transport: any HTTPTransport) throws {
        guard let provider = ProviderKind.batches(endpoint) else {
            throw TriageError(
                "batch.no-batches", "this provider does not support batches", at: "llm.provider",
                remedy: "use openai or anthropic, or `triage run`", exit: .badConfiguration)
        }
        self.provider = provider
        calls = BatchCalls(transport: transport)
    }

    /// The current state of a batch.
    package func state(of id: String) async throws -> BatchState {
        switch await calls.value(of: provider.status(of: id), provider.state) {
        case .success(let state): return state
        case .failure(.configuration):
            throw TriageError(
                "batch.unknown", "the server does not know the batch \(id)", at: "llm.base_url",
                remedy: "check that base_url and key are the same as for the submission", exit: .unavailable)
        case .failure(let failure): throw calls.error(failure)
        }
    }

    /// Finds out whether interrupted submissions reached the server, and records the result.
    ///
    /// - Parameter resubmits: whether batches whose state cannot be found out count as lost.
    /// - Throws: ``TriageError`` when it cannot be found out.
    package func reconcile(_ book: inout BatchBook, in file: BatchBookFile, resubmits: Bool = false) async throws {
        for index in book.batches.indices.reversed() where book.batches[index].phase == .submitting {
            let batch = book.batches[index]
            let needsUpload = provider.upload([]) != nil
            if resubmits || needsUpload && batch.upload == nil {
                // Without an upload, no batch was created.
                book.batches.remove(at: index)
                try file.save(book)
                continue
            }
            let lost = LostBatch(upload: batch.upload, entries: batch.requests, since: batch.created)
            let known = Set(book.batches.compactMap(\.id))
            switch await calls.value(of: provider.recent(), { provider.find(lost, in: $0) }) {
            case .success(let ids):
                let ids = ids.filter { !known.contains($0) }
                guard ids.count <= 1 else { throw Self.unclear("several batches match, so it is unknown", file) }
                if let id = ids.first {
                    book.batches[index].id = id
                    book.batches[index].phase = .submitted
                } else {
                    book.batches.remove(at: index)
                }
                try file.save(book)
            case .failure(.configuration), .failure(.badOutput):
                throw Self.unclear("the server's list of batches does not show", file)
            case .failure(let failure): throw calls.error(failure)
            }
        }
    }

    private static func unclear(_ why: String, _ file: BatchBookFile) -> TriageError {
        TriageError(
            "batch.unclear", "a submission was interrupted, and \(why) whether it arrived", at: file.path,
            remedy: "check your provider's dashboard; `triage batch submit --resubmit` treats it as lost",
            exit: .temporary)
    }

    /// Seconds since 1970.
    package static var now: Int { Int(time(nil)) }
}

/// Sends requests to the batch server and retries temporary failures.
package struct BatchCalls: Sendable {
    package let transport: any HTTPTransport
    private let policy = RetryPolicy()
    private let words = LastWords()

    /// What the server last said about a failure.
    private final class LastWords: Sendable {
        let state = Mutex<ServerWords?>(nil)
    }

    /// A server failure as the error that ends a command, with the server's own words.
    package func error(_ failure: CallFailure) -> TriageError {
        if case .transient(.transport) = failure { return ModelProbe.error(failure) }
        return ModelProbe.error(failure, words.state.withLock { $0 })
    }

    package init(transport: any HTTPTransport) { self.transport = transport }

    /// The outcome of a request that may be carried out only once.
    package enum Ending<Value: Sendable>: Sendable {
        case done(Value)
        /// The request was not carried out and never will be.
        case refused(CallFailure)
        /// The server may have carried it out, or may still do so.
        case unknown(CallFailure)
    }

    /// The longest wait that a server may ask for in the middle of a command.
    private static let longestWait: Duration = .seconds(120)

    /// Sends a request that may be repeated, up to four times.
    package func value<Value: Sendable>(
        of request: HTTPRequest, _ read: (HTTPResponse) -> Result<Value, CallFailure>
    ) async -> Result<Value, CallFailure> {
        var attempt = 1
        while true {
            let result = await attempted(request, read)
            guard case .failure(let failure) = result.outcome, Self.mayHeal(failure),
                await waits(after: failure, attempt)
            else { return result.outcome }
            attempt += 1
        }
    }

    /// Sends a request that must not be carried out twice; retries only when it certainly was not carried out.
    package func once<Value: Sendable>(
        _ request: HTTPRequest, _ read: (HTTPResponse) -> Result<Value, CallFailure>
    ) async -> Ending<Value> {
        var request = request
        // If a kept-alive connection dies, nobody can tell whether the request went out; so a fresh one is used.
        request.isFresh = true
        var attempt = 1
        while true {
            let (outcome, mayHaveWorked) = await attempted(request, read)
            switch outcome {
            case .success(let value): return .done(value)
            case .failure(let failure):
                if mayHaveWorked { return .unknown(failure) }
                guard Self.mayHeal(failure), await waits(after: failure, attempt) else { return .refused(failure) }
                attempt += 1
            }
        }
    }

    private func attempted<Value: Sendable>(
        _ request: HTTPRequest, _ read: (HTTPResponse) -> Result<Value, CallFailure>
    ) async -> (outcome: Result<Value, CallFailure>, mayHaveWorked: Bool) {
        do {
            let response = try await transport.send(request)
            let outcome = read(response)
            guard case .failure(let failure) = outcome else { return (outcome, true) }
            // Large bodies are not searched for text that the server repeats; then only the status is reported.
            let isShort = request.body.count <= 4 << 20
            let said = ServerWords(
                isShort ? response : HTTPResponse(status: response.status), to: request,
                hiding: isShort ? String(decoding: request.body, as: UTF8.self) : "")
            words.state.withLock { $0 = said }
            switch failure {
            case .authentication, .quota, .configuration, .unsupported, .tooLong, .refused, .rateLimited:
                return (outcome, false)
            default:
                // A gateway error says nothing about the server behind it.
                return (outcome, true)
            }
        } catch let fault as TransportFault {
            return (.failure(.transient(.transport(fault))), fault.mayBeBilled)
        } catch {
            return (.failure(.cancelled), true)
        }
    }

    private static func mayHeal(_ failure: CallFailure) -> Bool {
        switch failure {
        case .rateLimited, .overloaded: true
        case .transient(.transport(let fault)): fault.isTransient
        case .transient: true
        default: false
        }
    }

    /// Waits before the next attempt; returns false when there is none.
    private func waits(after failure: CallFailure, _ attempt: Int) async -> Bool {
        guard attempt < policy.attempts else { return false }
        var floor: Duration?
        switch failure {
        case .rateLimited(let after), .overloaded(let after): floor = after
        default: break
        }
        let wait = policy.wait(afterFailures: attempt, floor: floor, random: Double.random(in: 0..<1))
        guard wait <= Self.longestWait else { return false }
        do { try await Task.sleep(for: wait) } catch { return false }
        return true
    }
}
