import Synchronization
import TriageCore
import TriageStore

/// The output files beside a store: they grow with it and are truncated to what it has committed.
///
/// If a file is moved away or emptied, between runs or during one, output continues in a new file.
final class SyncOutput: Sendable {
    private let files: Mutex<[OutputState.Role: AppendingFile]>
    private let store: InboxStore
    private let notice: @Sendable (String) -> Void

    /// Opens and truncates the files, and records them in the store before anything is written to them.
    ///
    /// - Parameters:
    ///   - paths: as made by ``AppendingFile/place(of:)``.
    ///   - adopts: whether copies of the old files are accepted.
    ///   - notice: receives notices for people.
    /// - Throws: ``TriageError``.
    init(
        _ paths: [OutputState.Role: String], of store: InboxStore, adopts: Bool,
        notice: @escaping @Sendable (String) -> Void
    ) throws {
        let known = try store.outputs()
        // The newest run is the current one.
        let mayHaveLeft = try store.runs(limit: 50).dropFirst().prefix { $0.state != .done }.contains {
            $0.ended == nil
        }
        var files: [OutputState.Role: AppendingFile] = [:]
        var begun: [OutputState] = []
        // Always in the same order.
        for role in OutputState.Role.allCases {
            guard let path = paths[role] else { continue }
            let earlier = known.first { $0.role == role && $0.path == path }
            let file = try AppendingFile(
                path: path, committed: earlier.map(AppendingFile.Commitment.init), adopts: adopts,
                cutsPredecessor: mayHaveLeft)
            if file.cutOff > 0 {
                notice("\(path): removed \(file.cutOff) uncommitted bytes of an interrupted run")
            }
            if file.isSuccessor { notice(Self.rotated(path)) }
            files[role] = file
            if earlier == nil || file.isSuccessor { begun.append(OutputState(role, try file.synchronize())) }
        }
        if !begun.isEmpty {
            var commit = InboxCommit()
            commit.outputs = begun
            try store.commit(commit)
        }
        self.files = Mutex(files)
        self.store = store
        self.notice = notice
    }

    private static func rotated(_ path: String) -> String {
        "\(path): the earlier file was moved or emptied; new records go to a new file"
    }

    /// Writes a batch and flushes it to disk.
    ///
    /// - Returns: the file states to commit with the batch.
    /// - Throws: ``TriageError``.
    func write(_ output: ByteBlock, _ rejects: [UInt8]) throws -> [OutputState] {
        var states: [OutputState] = []
        if !output.isEmpty, let file = try current(.output) {
            try output.withUnsafeBytes { try file.append($0) }
            states.append(OutputState(.output, try file.synchronize()))
        }
        if !rejects.isEmpty, let file = try current(.rejects) {
            try rejects.withUnsafeBytes { try file.append($0) }
            states.append(OutputState(.rejects, try file.synchronize()))
        }
        return states
    }

    /// The file to write to; a new one if the old one was moved away.
    ///
    /// Everything in the old one is committed.
    private func current(_ role: OutputState.Role) throws -> AppendingFile? {
        guard let file = files.withLock({ $0[role] }), file.isRotated else { return files.withLock { $0[role] } }
        // If the file was emptied, the lock on it is our own.
        file.close()
        let next = try AppendingFile(path: file.path, committed: nil)
        files.withLock { $0[role] = next }
        // Record it before writing, so that the next run knows that the file is ours.
        var commit = InboxCommit()
        commit.outputs = [OutputState(role, try next.synchronize())]
        try store.commit(commit)
        notice(Self.rotated(file.path))
        return next
    }

    /// Called after the store has committed these states.
    func committed(_ states: [OutputState]) {
        let files = files.withLock { $0 }
        for state in states { files[state.role]?.commit(AppendingFile.Commitment(state)) }
    }

    /// Truncates what is not committed, and releases the files.
    func close() {
        for file in files.withLock({ $0 }).values {
            file.cutBack()
            file.close()
        }
    }

    /// Releases the files as they are.
    ///
    /// Whether the last lines are committed is unknown until the store is opened again.
    func abandon() {
        for file in files.withLock({ $0 }).values { file.close() }
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
