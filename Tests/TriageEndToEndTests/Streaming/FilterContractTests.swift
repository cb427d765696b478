import Foundation
import Testing

/// The contract of a filter, as a script checks it that knows nothing of the program.
struct FilterContractTests {
    private func check(_ flags: [String], _ command: [String]) throws -> (status: Int32, lines: [String]) {
        let script = ChildServer.tests.appendingPathComponent("Peers/filter_contract.py").path
        let checked = try Tool.run(["python3", script] + flags + ["--"] + command)
        return (checked.status, checked.printed.split(separator: "\n").map(String.init))
    }

    @Test(arguments: [
        ["stream"], ["run", "--on-error", "pass", "--from", "jsonl"],
    ])
    func `every line of the contract is kept`(words: [String]) throws {
        _ = Program.warm
        let cache = Program.warm["XDG_CACHE_HOME"].map { ["--rule-cache", $0 + "/triage"] } ?? []
        let idle = words[0] == "stream" ? ["--idle-flag=--idle-timeout"] : []
        let (status, lines) = try check(["--slack", "6"] + idle, [Program.path] + words + cache)
        #expect(status == 0, "\(lines.filter { $0.contains("FAILED") })")
        #expect(lines.count == 16)
    }

    @Test(arguments: [
        // Drops what it cannot read, and holds answers back until the end.
        (
            """
            import json,sys
            out=[]
            for line in sys.stdin.buffer:
                try: r=json.loads(line)
                except ValueError: continue
                r["triage"]={}
                out.append(json.dumps(r))
            print("\\n".join(out))
            """, [1, 2, 3, 6, 16]
        ),
        // Talks on its output, remembers what it saw, and calls every end a success.
        (
            """
            import os,signal,sys
            for s in (signal.SIGTERM,signal.SIGHUP,signal.SIGINT): signal.signal(s,lambda *a: os._exit(0))
            open("seen","a").write("x")
            print("starting",flush=True)
            for line in sys.stdin.buffer:
                try: sys.stdout.buffer.write(line.rstrip(b"\\n}")+b',"triage":{}}\\n')
                except OSError: os._exit(0)
                try: sys.stdout.flush()
                except OSError: os._exit(0)
            """, [1, 3, 7, 8, 12]
        ),
    ])
    func `a bad filter is told from a good one`(source: String, faults: [Int]) throws {
        let wanted = faults.map(String.init).joined(separator: ",")
        let (status, lines) = try check(
            ["--only", wanted, "--slack", "0.5"], ["/usr/bin/env", "python3", "-c", source])
        #expect(status == 1)
        #expect(lines.count == faults.count && lines.allSatisfy { $0.contains("FAILED") }, "\(lines)")
    }
}
