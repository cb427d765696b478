import Synchronization
internal import TriageCore

/// The vectors of a library's wordings, made once in a run and when they are first needed.
final class LibraryVectors: Sendable {
    typealias Wordings = [(entry: Int, vector: [Float])]

    private let source: any VectorSource
    private let wordings: [(entry: Int, text: String)]
    private let making = Mutex<Task<Result<Wordings, CallFailure>, Never>?>(nil)

    init(source: any VectorSource, library: FAQLibrary) {
        self.source = source
        wordings = library.entries.enumerated().flatMap { index, entry in
            ([entry.question] + entry.alsoAsked).map { (index, $0) }
        }
    }

    var isEmpty: Bool { wordings.isEmpty }

    /// The vectors, or why there are none; then the next call tries again.
    func all() async -> Result<Wordings, CallFailure> {
        let task = making.withLock { making in
            if let making { return making }
            let (source, wordings) = (source, wordings)
            let task = Task {
                var all: Wordings = []
                for (wording, result) in zip(wordings, await source.vectors(of: wordings.map(\.text))) {
                    switch result {
                    case .success(let vector): all.append((wording.entry, vector))
                    case .failure(let failure): return Result<Wordings, CallFailure>.failure(failure)
                    }
                }
                return .success(all)
            }
            making = task
            return task
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .failure = result { making.withLock { if $0 == task { $0 = nil } } }
        return result
    }
}
