internal import Foundation
internal import GRDB
internal import TriageCore

/// Notices when any process commits to a store.
package final class InboxWatch: Sendable {
    private let queue: DatabaseQueue
    private let path: String

    /// - Parameter path: of an existing store.
    /// - Throws: `TriageError` `store.unwatchable` (exit 74).
    package init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        configuration.label = "store watch"
        do { queue = try DatabaseQueue(path: path, configuration: configuration) } catch {
            throw Self.failure(path)
        }
    }

    /// A number that changes with every commit to the store; it need not grow.
    ///
    /// - Throws: `TriageError` `store.unwatchable` (exit 74).
    package func version() throws -> Int64 {
        // This connection never writes, so every commit it sees is another connection's.
        do {
            return try queue.inDatabase { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        } catch { throw Self.failure(path) }
    }

    /// Closes the file; nothing else may be called afterwards.
    package func close() { try? queue.close() }

    private static func failure(_ path: String) -> TriageError {
        TriageError("store.unwatchable", "cannot watch the store for changes", at: path, exit: .ioError)
    }
}
