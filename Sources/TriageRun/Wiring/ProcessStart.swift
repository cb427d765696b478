import CProcess
import Platform

/// The three standard descriptors that every program starts with.
package enum StandardDescriptors {
    /// Opens placeholders for descriptors 0 to 2 if the caller closed them.
    ///
    /// Otherwise the first opened file would get such a number, and notices for people could end up in a database. A
    /// placeholder fails like a closed descriptor: input cannot be read, output cannot be written, and notices are
    /// lost.
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

/// The command line.
package enum ProcessWords {
    /// The arguments after the program name; also works without `/proc`, from which Swift would read them.
    package static let all: [String] = {
        let count = process_word_count()
        guard count > 0 else { return Array(CommandLine.arguments.dropFirst()) }
        return (1..<max(1, count)).compactMap { index in process_word(index).map { String(cString: $0) } }
    }()
}
