import Foundation
import Testing

/// The trials of `Tests/Benchmarks/sync_faults.py`, small: whatever is killed and whenever, nothing is lost, doubled,
/// changed, or paid for twice.
#if os(Linux)
    @Suite struct `Trials of sync` {
        @Test(arguments: [
            ["kill", "--kills", "20", "--messages", "100"], ["kill", "--kills", "8", "--messages", "100", "--llm"],
            ["calls", "--points", "30", "--messages", "50", "--batch", "16"],
            ["power", "--points", "12", "--messages", "50", "--batch", "16"],
            ["errors", "--points", "20", "--messages", "50", "--batch", "16"],
            ["signals", "--times", "9", "--messages", "100"], ["inputs", "--times", "5", "--messages", "60"],
            ["first", "--points", "12", "--messages", "20", "--batch", "16"],
            ["first", "--points", "5", "--messages", "20", "--batch", "16", "--llm"], ["parts", "--kills", "10"],
            ["closed", "--messages", "40"], ["clock", "--messages", "60"], ["teeth", "--messages", "40"],
        ])
        func `keep their promises`(arguments: [String]) throws {
            let script = ChildServer.tests.appendingPathComponent("Benchmarks/sync_faults.py").path
            let trial = try Tool.run(
                ["python3", script] + arguments + ["--triage", Program.path], mixesErrors: true, seconds: 600)
            #expect(trial.status == 0, "\(trial.printed)")
        }
    }
#endif
