import Foundation
import Testing

/// The trials of `Tests/Benchmarks/asking.py`, small: its promises hold on every machine, its figures on none.
@Suite struct `Trials of asking` {
    @Test(arguments: [
        ["faults", "--messages", "300", "--pack", "8"], ["faults", "--messages", "150", "--pack", "1", "--seed", "2"],
        ["kill", "--messages", "400", "--times", "5", "--longest", "200"],
        ["kill", "--messages", "800", "--times", "3", "--longest", "200", "--pack", "4"],
    ])
    func `keep their promises`(arguments: [String]) throws {
        let trial = Process()
        let output = Pipe()
        trial.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = ScriptedModel.tests.appendingPathComponent("Benchmarks/asking.py").path
        trial.arguments = ["python3", script] + arguments + ["--triage", Program.path]
        trial.standardOutput = output
        trial.standardError = output
        try trial.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        trial.waitUntilExit()
        #expect(trial.terminationStatus == 0, "\(words)")
    }
}
