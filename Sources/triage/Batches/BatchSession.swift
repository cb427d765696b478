import TriageConfig
import TriageCore
import TriageFormats
import TriageLLM

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The server of batches, and what is known of the batches on it.
struct BatchSession {
    let provider: any BatchProvider
    let calls: BatchCalls

    /// - Throws: ``TriageError`` (exit 78) when the provider takes no batches.
    init(endpoint: Endpoint, transport: any HTTPTransport) throws {
        guard let provider = ProviderKind.batches(endpoint) else {
            throw TriageError(
                "batch.no-batches", "this provider does not support batches", at: "llm.provider",
                remedy: "use openai or anthropic, or `triage run`", exit: .badConfiguration)
        }
        self.provider = provider
        calls = BatchCalls(transport: transport)
    }

    /// How far a batch is.
    func state(of id: String) async throws -> BatchState {
        switch await calls.value(of: provider.status(of: id), provider.state) {
        case .success(let state): return state
        case .failure(.configuration):
            throw TriageError(
                "batch.unknown", "the server does not know the batch \(id)", at: "llm.base_url",
                remedy: "check that base_url and key are the same as for the submission", exit: .unavailable)
        case .failure(let failure): throw calls.error(failure)
        }
    }

    /// Finds out what became of batches whose submission was interrupted, and notes it.
    ///
    /// - Parameter resubmits: whether those that cannot be found out about count as lost.
    /// - Throws: ``TriageError`` when it cannot be found out.
    func reconcile(_ book: inout BatchBook, in file: BatchBookFile, resubmits: Bool = false) async throws {
        for index in book.batches.indices.reversed() where book.batches[index].phase == .submitting {
            let batch = book.batches[index]
            let needsUpload = provider.upload([]) != nil
            if resubmits || needsUpload && batch.upload == nil {
                // Without its upload no batch was made.
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
    static var now: Int { Int(time(nil)) }
}
