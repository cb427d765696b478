import ArgumentParser
import TriageCore
import TriageRun

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@main
enum Main {
    static func main() async {
        // A closed pipe is an error of write(2), checked there, and never a silent death.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that may not grow any more.
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

    /// Says what went wrong on stderr and returns the exit code.
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

    /// Says what the parser of arguments has to say: help on stdout, what is wrong with the arguments on stderr.
    ///
    /// The parser would write it itself, unchecked, and with whatever control characters the arguments hold.
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
        // What the parser does not know is no fault of the arguments.
        guard code == .validationFailure || error is ExitCode else {
            // Its own words may hold what it was working on, such as a row of a store.
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
