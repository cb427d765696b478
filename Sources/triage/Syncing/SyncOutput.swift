import Synchronization
import TriageCore
import TriageStore

/// The files beside a store: they grow with it, and are cut back to what it has committed.
final class SyncOutput: Sendable {
    private let files: [OutputState.Role: AppendingFile]

    /// Opens the files, cuts them back, and notes in the store which files they are before anything is written to them.
    ///
    /// - Parameters:
    ///   - paths: as ``AppendingFile/place(of:)`` makes them.
    ///   - adopts: whether copies of the old files will do.
    ///   - notice: words for people.
    /// - Throws: ``TriageError``.
    init(
        _ paths: [OutputState.Role: String], of store: InboxStore, adopts: Bool, notice: (String) -> Void
    ) throws {
        let known = try store.outputs()
        var files: [OutputState.Role: AppendingFile] = [:]
        var begun: [OutputState] = []
        // In a fixed order.
        for role in OutputState.Role.allCases {
            guard let path = paths[role] else { continue }
            let earlier = known.first { $0.role == role && $0.path == path }
            let file = try AppendingFile(
                path: path, committed: earlier.map(AppendingFile.Commitment.init), adopts: adopts)
            if file.cutOff > 0 {
                notice("\(path): \(file.cutOff) bytes that a run left without committing them were cut off")
            }
            files[role] = file
            if earlier == nil { begun.append(OutputState(role, try file.synchronize())) }
        }
        if !begun.isEmpty {
            var commit = InboxCommit()
            commit.outputs = begun
            try store.commit(commit)
        }
        self.files = files
    }

    /// Writes a batch and has it on disk.
    ///
    /// - Returns: what to commit with it.
    /// - Throws: ``TriageError``.
    func write(_ output: ByteBlock, _ rejects: [UInt8]) throws -> [OutputState] {
        var states: [OutputState] = []
        if let file = files[.output], !output.isEmpty {
            try output.withUnsafeBytes { try file.append($0) }
            states.append(OutputState(.output, try file.synchronize()))
        }
        if let file = files[.rejects], !rejects.isEmpty {
            try rejects.withUnsafeBytes { try file.append($0) }
            states.append(OutputState(.rejects, try file.synchronize()))
        }
        return states
    }

    /// Notes that the store has committed these.
    func committed(_ states: [OutputState]) {
        for state in states { files[state.role]?.commit(AppendingFile.Commitment(state)) }
    }

    /// Takes away what is not committed, and gives the files free.
    func close() {
        for file in files.values {
            file.cutBack()
            file.close()
        }
    }

    /// Gives the files free as they are: whether the last lines are committed is known to nobody before the store is
    /// opened again.
    func abandon() {
        for file in files.values { file.close() }
    }
}

extension OutputState {
    init(_ role: Role, _ commitment: AppendingFile.Commitment) {
        self.init(
            role: role, path: commitment.path, device: commitment.device, inode: commitment.inode,
            length: Int64(commitment.length), changed: Int64(commitment.changed), digestState: commitment.digest)
    }
}

extension AppendingFile.Commitment {
    init(_ state: OutputState) {
        self.init(
            path: state.path, device: state.device, inode: state.inode, length: Int(state.length),
            digest: state.digestState, changed: Int(state.changed))
    }
}
