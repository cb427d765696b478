internal import Foundation
internal import GRDB

/// A row holds what its column may not hold, as nothing but a damaged file does.
///
/// Says nothing of what it holds.
struct DamagedRow: Error {}

extension Row {
    /// The value of a column; of an optional kind where it may be empty.
    ///
    /// The library's own subscripts end the process where a value is of another kind, with the whole row in their last words.
    ///
    /// - Throws: ``DamagedRow``.
    func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        do { return try decode(Value.self, forColumn: column) } catch { throw DamagedRow() }
    }

    /// The value of a column by its place, from 0.
    ///
    /// - Throws: ``DamagedRow``.
    func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ place: Int) throws -> Value {
        guard place < count else { throw DamagedRow() }
        do { return try decode(Value.self, atIndex: place) } catch { throw DamagedRow() }
    }

    /// The key in a column.
    ///
    /// - Throws: ``DamagedRow``.
    func key(_ column: String) throws -> RecordKey {
        guard let key = RecordKey(try get(column) as Data) else { throw DamagedRow() }
        return key
    }

    /// The number of a revision: from 1, and no more than anybody ever makes, so that there is always a next one.
    ///
    /// - Throws: ``DamagedRow``.
    func revision(_ column: String = "revision") throws -> Int {
        let revision: Int = try get(column)
        guard (1...Int(Int32.max)).contains(revision) else { throw DamagedRow() }
        return revision
    }

    /// A sum that the database made with `total`.
    ///
    /// - Throws: ``DamagedRow`` for one that no count of messages reaches.
    func count(_ column: String) throws -> Int {
        guard let count = Int(exactly: (try get(column) as Double).rounded()) else { throw DamagedRow() }
        return count
    }
}
