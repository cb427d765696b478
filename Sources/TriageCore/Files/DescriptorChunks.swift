import Platform

/// Reads open files in chunks.
package enum DescriptorChunks {
    /// Passes the rest of an open file to `body`, up to 64 KiB at a time, until the file ends or `body` returns false.
    ///
    /// - Returns: 0, or the `errno` that ended it; an interrupted read is retried.
    package static func forEach<E: Error>(
        of descriptor: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> Bool
    ) throws(E) -> Int32 {
        let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
        defer { chunk.deallocate() }
        while true {
            let count = read(descriptor, chunk.baseAddress, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            if count == 0 { return 0 }
            guard try body(UnsafeBufferPointer(rebasing: chunk[..<count])) else { return 0 }
        }
    }
}
