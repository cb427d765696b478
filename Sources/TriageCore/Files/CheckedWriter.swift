import Platform

/// Writes bytes to a descriptor with `write(2)` and checks every return value.
///
/// `print` reports success even when the disk is full or the pipe is closed, and `FileHandle.write` crashes there.
package struct CheckedWriter: Sendable {
    package let descriptor: Int32
    /// The name used in errors: `stdout`, `stderr` or a path.
    package let name: String

    package static let standardOutput = CheckedWriter(descriptor: 1, name: "stdout")
    package static let standardError = CheckedWriter(descriptor: 2, name: "stderr")

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``TriageError`` `output.reader-gone` (exit 141) when the reader of a pipe is gone, `output.io` (exit
    ///   74) on any other failure, such as a full disk.
    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    /// Writes all bytes; see ``write(_:)-([UInt8])``.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        var done = 0
        while done < bytes.count {
            let wrote = systemWrite(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if wrote > 0 {
                done += wrote
                continue
            }
            let code = errno
            if wrote < 0, code == EINTR { continue }
            if wrote < 0, code == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
                continue
            }
            if code == EPIPE {
                throw TriageError(
                    "output.reader-gone", "the program reading \(name) has closed the pipe", exit: .readerGone)
            }
            throw TriageError(
                "output.io", "cannot write: \(String(cString: strerror(code)))", at: name,
                remedy: SystemFault.remedy(code, otherwise: nil), exit: .ioError)
        }
    }

    /// Writes a string.
    package func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Makes the kernel put everything on disk; does nothing for pipes and terminals.
    package func synchronize() throws {
        while fsync(descriptor) != 0 {
            let code = errno
            if code == EINTR { continue }
            if code == EINVAL || code == ENOTSUP || code == EROFS { return }
            throw TriageError(
                "output.io", "cannot flush the output to disk: \(String(cString: strerror(code)))", at: name,
                remedy: SystemFault.remedy(code, otherwise: nil), exit: .ioError)
        }
    }
}

@inline(__always)
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// A run of bytes that moves from a worker to the writer without being copied.
package final class ByteBlock: @unchecked Sendable {
    // Proof: the maker writes the bytes before creating the block and keeps no other access to them; nothing writes
    // later.
    private let bytes: UnsafeRawBufferPointer

    /// Takes over memory allocated with `allocate`.
    ///
    /// - Parameters:
    ///   - memory: freed with the block; nobody else may use it from now on.
    ///   - count: number of bytes that were written, from the first.
    package init(owning memory: UnsafeMutableRawPointer, count: Int) {
        bytes = UnsafeRawBufferPointer(start: memory, count: count)
    }

    /// Copies bytes.
    package convenience init(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        self.init(owning: memory, count: bytes.count)
    }

    deinit { bytes.baseAddress?.deallocate() }

    package var isEmpty: Bool { bytes.isEmpty }

    /// A copy of the bytes.
    package var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Calls `body` with the bytes, which are valid until it returns.
    package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withExtendedLifetime(self) { try body(bytes) }
    }
}
