import Synchronization
import TriageCore
import TriageLLM

/// Speaks to the server of batches, with patience for what heals by itself.
struct BatchCalls: Sendable {
    let transport: any HTTPTransport
    private let policy = RetryPolicy()
    private let words = LastWords()

    /// What the server said last with a failure.
    private final class LastWords: Sendable {
        let state = Mutex<ServerWords?>(nil)
    }

    /// A failure of the server as the end of a command, with its own words.
    func error(_ failure: CallFailure) -> TriageError {
        if case .transient(.transport) = failure { return ModelProbe.error(failure) }
        return ModelProbe.error(failure, words.state.withLock { $0 })
    }

    init(transport: any HTTPTransport) { self.transport = transport }

    /// What became of a request that may be carried out only once.
    enum Ending<Value: Sendable>: Sendable {
        case done(Value)
        /// Nothing came of it, and nothing will.
        case refused(CallFailure)
        /// The server may have carried it out, or may yet.
        case unknown(CallFailure)
    }

    /// Longest wait that a server may ask for in the middle of a command.
    private static let longestWait: Duration = .seconds(120)

    /// Sends a request that may be repeated, up to four times.
    func value<Value: Sendable>(
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

    /// Sends a request that must not be carried out twice: again only after what surely was none.
    func once<Value: Sendable>(
        _ request: HTTPRequest, _ read: (HTTPResponse) -> Result<Value, CallFailure>
    ) async -> Ending<Value> {
        var request = request
        // On a connection that was kept open and died, nobody could tell whether it went out.
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
            // Of what is too long to be searched for what it repeats, the status alone is told.
            let isShort = request.body.count <= 4 << 20
            let said = ServerWords(
                isShort ? response : HTTPResponse(status: response.status), to: request,
                hiding: isShort ? String(decoding: request.body, as: UTF8.self) : "")
            words.state.withLock { $0 = said }
            switch failure {
            case .authentication, .quota, .configuration, .unsupported, .tooLong, .refused, .rateLimited:
                return (outcome, false)
            default:
                // An error of a gateway says nothing about the server behind it.
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

    /// Waits for the next attempt; false when there is none.
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
