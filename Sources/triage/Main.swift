import ArgumentParser
import Platform
import TriageCore
import TriageRun

@main
enum Main {
    static func main() async {
        // Writing to a closed pipe fails in write(2), where it is checked; the signal must not end the process
        // silently.
        signal(SIGPIPE, SIG_IGN)
        // The same holds for a file that has reached its size limit.
        signal(SIGXFSZ, SIG_IGN)
        StandardDescriptors.occupy()
        do {
            try SystemFault.checkDescriptors()
            var command = try TriageCommand.parseAsRoot(ProcessWords.all)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            exit(report(error))
        }
    }

    /// Reports an error on stderr and returns the exit code.
    private static func report(_ error: any Error) -> Int32 {
        switch error {
        case let error as TriageError:
            if error.exit != .readerGone { complain(error.harmless) }
            return error.exit.rawValue
        case let errors as TriageErrors:
            for error in errors.all { complain(error.harmless) }
            return errors.all.first?.exit.rawValue ?? ExitStatus.internalError.rawValue
        case let ended as RunEnded:
            return ended.status.rawValue
        default:
            return reportParsing(error)
        }
    }

    /// Prints the output of the argument parser: help on stdout, errors in the arguments on stderr.
    ///
    /// The parser itself would write it unchecked, with any control characters in the arguments.
    private static func reportParsing(_ error: any Error) -> Int32 {
        let code = TriageCommand.exitCode(for: error)
        let text = TriageCommand.fullMessage(for: error)
        guard code != .success else {
            do {
                if !text.isEmpty { try CheckedWriter.standardOutput.write(text + "\n") }
                return code.rawValue
            } catch {
                return report(error)
            }
        }
        // An error that the parser does not know is not caused by the arguments.
        guard code == .validationFailure || error is ExitCode else {
            // The text of the error may contain data, such as a row of a store.
            complain("this is a bug in triage: \(type(of: error)) [internal]")
            return ExitStatus.internalError.rawValue
        }
        if !text.isEmpty { try? CheckedWriter.standardError.write(Terminal.harmless(text) + "\n") }
        if let meant = CommandWords.meant(by: ProcessWords.all),
            !text.contains("Did you mean") || meant.contains("triage ")
        {
            try? CheckedWriter.standardError.write("triage: \(Terminal.harmlessLine(meant))\n")
        }
        return code.rawValue
    }

    private static func complain(_ text: String) {
        try? CheckedWriter.standardError.write("triage: \(Terminal.harmless(text))\n")
    }
}
