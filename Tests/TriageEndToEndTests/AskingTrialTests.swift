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
        let script = ChildServer.tests.appendingPathComponent("Benchmarks/asking.py").path
        let trial = try Tool.run(
            ["python3", script] + arguments + ["--triage", Program.path] + Program.warmRules, mixesErrors: true,
            seconds: 600)
        #expect(trial.status == 0, "\(trial.printed)")
    }
}
