import TriageCore

/// A folder or an archive: files with names that are read one after the other.
protocol Container: AnyObject {
    /// As the user gave it.
    var name: String { get }

    /// The paths of its files, without junk, and what was refused.
    func list() throws -> (paths: [String], refused: [RejectReason])

    /// Reads some of its files: in the given order, or in that of the archive.
    ///
    /// - Parameter visit: gets the path and a function that gives the next bytes, nil at the end.
    /// - Throws: ``ArchiveFault`` when the rest cannot be read.
    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws
}
