import Foundation
import Testing

/// The trials of `Tests/Benchmarks/sync_faults.py`, small: whatever is killed and whenever, nothing is lost, doubled,
/// changed, or paid for twice.
#if os(Linux)
    @Suite struct `Trials of sync` {
        private static func many(_ count: Int) -> String { "\(Trials.areFull ? count : (count + 1) / 2)" }

        @Test(arguments: [
            ["kill", "--kills", many(20), "--messages", "100"],
            ["kill", "--kills", many(8), "--messages", "100", "--llm"],
            ["calls", "--points", many(30), "--messages", "50", "--batch", "16"],
            ["power", "--points", many(12), "--messages", "50", "--batch", "16"],
            ["errors", "--points", many(20), "--messages", "50", "--batch", "16"],
            ["signals", "--times", many(9), "--messages", "100"], ["inputs", "--times", many(5), "--messages", "60"],
            ["first", "--points", many(12), "--messages", "20", "--batch", "16"],
            ["first", "--points", many(5), "--messages", "20", "--batch", "16", "--llm"],
            ["parts", "--kills", many(10)],
            ["closed", "--messages", "40"], ["clock", "--messages", "60"], ["teeth", "--messages", "40"],
        ])
        func `keep their promises`(arguments: [String]) throws {
            let script = ChildServer.tests.appendingPathComponent("Benchmarks/sync_faults.py").path
            let trial = try Tool.run(
                ["python3", script] + arguments + ["--triage", Program.path] + Program.warmRules, mixesErrors: true,
                seconds: 600)
            #expect(trial.status == 0, "\(trial.printed)")
        }
    }
#endif
