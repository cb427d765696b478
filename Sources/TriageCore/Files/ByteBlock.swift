/// A run of bytes on its way from a worker to the writer, handed on without copying.
public final class ByteBlock: @unchecked Sendable {
    // Proof: whoever makes a block has written its bytes before and keeps no other way to them; nothing writes after.
    private let bytes: UnsafeRawBufferPointer

    /// Takes over memory that `allocate` gave.
    ///
    /// - Parameters:
    ///   - memory: freed with the block; nobody else may use it from here on.
    ///   - count: how many of its bytes, from the first, were written.
    public init(owning memory: UnsafeMutableRawPointer, count: Int) {
        bytes = UnsafeRawBufferPointer(start: memory, count: count)
    }

    /// Copies bytes.
    public convenience init(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        self.init(owning: memory, count: bytes.count)
    }

    deinit { bytes.baseAddress?.deallocate() }

    public var isEmpty: Bool { bytes.isEmpty }

    /// A copy of the bytes.
    public var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Calls `body` with the bytes, which are good until it returns.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withExtendedLifetime(self) { try body(bytes) }
    }
}
