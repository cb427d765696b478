#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The three descriptors every program begins with.
package enum StandardDescriptors {
    /// Takes the numbers 0 to 2 where the caller closed them.
    ///
    /// Otherwise the first file that is opened gets such a number, and words for people are written into a database. What
    /// stands in fails as a closed one does: input cannot be read, output cannot be written; words for people vanish.
    package static func occupy() {
        for (descriptor, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            let opened = open("/dev/null", mode)
            if opened >= 0, opened != descriptor {
                _ = dup2(opened, descriptor)
                close(opened)
            }
        }
    }
}
