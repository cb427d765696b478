public import TriageCore

/// Takes the bytes of an export and pushes its messages into the context's assembler.
///
/// Whatever the bytes are, it must not crash, and its memory must be bounded. What cannot be read becomes a reject with
/// a place. Used by one thread.
public protocol ExportReader: AnyObject {
    /// A file begins; its bytes follow, those of the opening included.
    func begin(_ member: Member, opening: Opening) throws
    /// The next bytes.
    ///
    /// - Returns: whether the reader wants more of this file.
    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool
    /// The file ends; `fault` says why it ended early, such as a truncated archive.
    func end(fault: RejectReason?) throws
    /// Everything was read.
    func finish() throws
    /// A live input has nothing more for now: what is held only in case more of it comes should go out.
    func idle() throws
}

extension ExportReader {
    public func idle() throws {}
}
