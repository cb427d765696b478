import TriageCore

/// What is in a folder or archive.
struct Listing {
    /// The files that can be read.
    var paths: [String] = []
    /// What of an archive is refused.
    var refused: [RejectReason] = []
    /// What of a folder cannot be read.
    var left: [LeftOut] = []
    /// Links to files that are in it anyway.
    var copies: [(path: String, original: String)] = []
    /// Whether files in it want a password.
    var isEncrypted = false
}

/// A folder or an archive: files with names that are read one after the other.
protocol Container: AnyObject {
    /// As the user gave it.
    var name: String { get }

    /// What is in it, without junk.
    func list() throws -> Listing

    /// Reads some of its files: in the given order, or in that of the archive.
    ///
    /// - Parameter visit: gets the path and a function that gives the next bytes, nil at the end.
    /// - Throws: ``ArchiveFault`` when the rest cannot be read.
    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws
}
