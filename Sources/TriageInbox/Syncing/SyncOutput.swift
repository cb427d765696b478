import Synchronization
import TriageCore
import TriageStore

/// The files beside a store: they grow with it, and are cut back to what it has committed.
///
/// A file that is moved away or emptied, between two runs or under one, is gone on with in a new one.
final class SyncOutput: Sendable {
    private let files: Mutex<[OutputState.Role: AppendingFile]>
    private let store: InboxStore
    private let notice: @Sendable (String) -> Void

    /// Opens the files, cuts them back, and notes in the store which files they are before anything is written to them.
    ///
    /// - Parameters:
    ///   - paths: as ``AppendingFile/place(of:)`` makes them.
    ///   - adopts: whether copies of the old files will do.
    ///   - notice: words for people.
    /// - Throws: ``TriageError``.
    init(
        _ paths: [OutputState.Role: String], of store: InboxStore, adopts: Bool,
        notice: @escaping @Sendable (String) -> Void
    ) throws {
        let known = try store.outputs()
        // The newest run is this one.
        let mayHaveLeft = try store.runs(limit: 50).dropFirst().prefix { $0.state != .done }.contains {
            $0.ended == nil
        }
        var files: [OutputState.Role: AppendingFile] = [:]
        var begun: [OutputState] = []
        // In a fixed order.
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

    /// Writes a batch and has it on disk.
    ///
    /// - Returns: what to commit with it.
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

    /// The file to write to; a new one where the old one was moved away.
    ///
    /// All that the old one has is committed.
    private func current(_ role: OutputState.Role) throws -> AppendingFile? {
        guard let file = files.withLock({ $0[role] }), file.isRotated else { return files.withLock { $0[role] } }
        // An emptied file is locked by ourselves.
        file.close()
        let next = try AppendingFile(path: file.path, committed: nil)
        files.withLock { $0[role] = next }
        // Before anything is written: the next run has to know whose the file is.
        var commit = InboxCommit()
        commit.outputs = [OutputState(role, try next.synchronize())]
        try store.commit(commit)
        notice(Self.rotated(file.path))
        return next
    }

    /// Notes that the store has committed these.
    func committed(_ states: [OutputState]) {
        let files = files.withLock { $0 }
        for state in states { files[state.role]?.commit(AppendingFile.Commitment(state)) }
    }

    /// Takes away what is not committed, and gives the files free.
    func close() {
        for file in files.withLock({ $0 }).values {
            file.cutBack()
            file.close()
        }
    }

    /// Gives the files free as they are: whether the last lines are committed is known to nobody before the store is
    /// opened again.
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
