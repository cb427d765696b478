import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The trials of `Tests/Benchmarks/sync_faults.py`, small: whatever is killed and whenever, nothing is lost, doubled,
/// changed, or paid for twice.
#if os(Linux)
    @Suite struct `Trials of sync` {
        struct TookTooLong: Error {}

        @Test(arguments: [
            ["kill", "--kills", "40", "--messages", "100"], ["kill", "--kills", "12", "--messages", "100", "--llm"],
            ["calls", "--points", "60", "--messages", "50", "--batch", "16"],
            ["errors", "--points", "40", "--messages", "50", "--batch", "16"],
            ["signals", "--times", "9", "--messages", "100"], ["inputs", "--times", "5", "--messages", "60"],
            ["closed", "--messages", "40"], ["clock", "--messages", "60"],
        ])
        func `keep their promises`(arguments: [String]) throws {
            let folder = try ScratchFolder()
            let printed = try folder.write("printed", "")
            let output = try #require(FileHandle(forWritingAtPath: printed))
            let trial = Process()
            trial.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let script = ScriptedModel.tests.appendingPathComponent("Benchmarks/sync_faults.py").path
            trial.arguments = ["python3", script] + arguments + ["--triage", Program.path]
            trial.standardInput = FileHandle.nullDevice
            // A pipe would end only with the last process that has it.
            trial.standardOutput = output
            trial.standardError = output
            try trial.run()
            for _ in 0..<60_000 where trial.isRunning { usleep(10_000) }
            if trial.isRunning {
                kill(trial.processIdentifier, SIGKILL)
                throw TookTooLong()
            }
            let words = try folder.text("printed")
            #expect(trial.terminationStatus == 0, "\(words)")
        }
    }
#endif
