import CProcess

/// The command line.
package enum ProcessWords {
    /// What stands behind the name of the program; also where there is no `/proc`, from which Swift would read it.
    package static let all: [String] = {
        let count = process_word_count()
        guard count > 0 else { return Array(CommandLine.arguments.dropFirst()) }
        return (1..<max(1, count)).compactMap { index in process_word(index).map { String(cString: $0) } }
    }()
}
