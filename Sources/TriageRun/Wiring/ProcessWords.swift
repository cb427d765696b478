import CProcess

/// The command line.
package enum ProcessWords {
    /// The arguments after the program name; also works without `/proc`, from which Swift would read them.
    package static let all: [String] = {
        let count = process_word_count()
        guard count > 0 else { return Array(CommandLine.arguments.dropFirst()) }
        return (1..<max(1, count)).compactMap { index in process_word(index).map { String(cString: $0) } }
    }()
}
