import Foundation
import Testing

/// Stores on disks that are full, damaged or read-only, with no descriptors left, and whoever asks before deleting.
@Suite struct `Stores in trouble` {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try folder.write("in.jsonl", Self.input)
    }

    static let input = (1...20).map {
        #"{"id":"m\#($0)","sender":{"handle":"h\#($0 % 3)"},"sent_at":"2026-10-\#(10 + $0)T10:00:00Z","text":"#
            + #""Paid collab, $500 for two reels?"}"# + "\n"
    }.joined()

    private func sync(_ store: String = "inbox.db") throws {
        let outcome = try Program.run(["sync", "in.jsonl", "--store", store, "-q"], directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Runs a script of the shell with `$T` as the program; the lines that it prints.
    private func shell(_ script: String, mounts: Bool = false) throws -> [String] {
        let words =
            (mounts ? ["unshare", "-rm"] : []) + [
                "/bin/sh", "-c", "cd '\(folder.path)'; T='\(Program.path)'\n" + script,
            ]
        let told = try Tool.run(
            words,
            environment: Program.warm.merging(["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "TMPDIR": folder.path]) { $1 },
            mixesErrors: false, seconds: 300)
        return told.printed.split(separator: "\n").map(String.init)
    }

    // MARK: - Codes

    #if os(Linux)
        /// Commands that open files of every kind; each has to end alike.
        static let commands = [
            "run in.jsonl -q -o out.jsonl", "sync in.jsonl -q --store fresh.db", "sync in.jsonl -q --store inbox.db",
            "list --store inbox.db", "show 1 --store inbox.db", "search reels --store inbox.db",
            "stats --store inbox.db",
            "export --store inbox.db -o export.jsonl", "report --store inbox.db -o report.html",
            "runs --store inbox.db",
            "forget h1 --store inbox.db --dry-run", "rescore --store inbox.db", "store check --store inbox.db",
            "formats detect in.jsonl", "schema",
        ]

        // Fewer than 4, and the system cannot load the program's libraries.
        @Test(arguments: [4, 7, 11, 17])
        func `without descriptors every command ends with 75, and what is there stays as it is`(limit: Int) throws {
            try sync()
            let tries = Self.commands.map { "(ulimit -n \(limit); exec $T \($0)) >/dev/null 2>>err; echo $?" }
            #expect(try shell(tries.joined(separator: "\n")) == Self.commands.map { _ in "75" })
            #expect(
                try folder.text("err").components(separatedBy: "[system.no-descriptors]").count == Self.commands.count
                    + 1)
            let left = folder.listing.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
            #expect(left == ["err", "in.jsonl", "inbox.db", "inbox.db.lock"])
        }

        @Test func `a limit that only the caller lowered is raised again`() throws {
            #expect(try shell("ulimit -Sn 9; $T sync in.jsonl -q --store inbox.db; echo $?") == ["0"])
        }

        @Test func `a store whose first opening had too few descriptors is opened by the next run`() throws {
            let script = """
                for n in 18 20 22 24 25 26 27 28 29 30 31 32 34 36; do
                (ulimit -n $n; exec $T sync in.jsonl -q --store s$n.db >/dev/null 2>&1); a=$?
                $T sync in.jsonl -q --store s$n.db >/dev/null 2>&1; echo "$a $?"
                done
                """
            #expect(try shell(script).allSatisfy { ["0 0", "75 0"].contains($0) })
        }

        @Test(.enabled(if: OutputFaultTests.canMount))
        func `a full disk is 74 for every command that writes, also where the file is new`() throws {
            try sync()
            try folder.write("faq.yaml", "- {id: a, question: Which camera?, answer: A small one.}\n")
            try folder.write(
                "gold.jsonl", #"{"id":"1","creator":"a","text":"hi","gold":{"category":"fan"}}"# + "\n")
            // A page is left, and then none.
            let commands = [
                "run in.jsonl -q -o /mnt/out.jsonl", "run in.jsonl -q -o /mnt/o --rejects /mnt/rejects.jsonl",
                "run in.jsonl -q --summary /mnt/s", "sync in.jsonl -q --store /mnt/fresh.db",
                "sync in.jsonl -q --store s.db -o /mnt/out.jsonl",
                "export --store inbox.db -o /mnt/export.jsonl", "report --store inbox.db -o /mnt/report.html",
                "sync in.jsonl -q --store /mnt/inbox.db", "store repair --store inbox.db -o /mnt/saved.db",
            ]
            let script =
                """
                mount -t tmpfs -o size=4m none /mnt || exit 99
                cp inbox.db /mnt/ && chmod 600 /mnt/inbox.db
                dd if=/dev/zero of=/mnt/fill bs=1k >/dev/null 2>&1
                """
                + commands.map { "\n$T \($0) >/dev/null 2>>err </dev/null; echo $?" }.joined()
                    // What filled up left nothing, and is opened once there is room.
                    + """

                    ls -A /mnt | tr '\\n' ' '; echo
                    rm /mnt/fill; rm -f s.db*
                    $T sync in.jsonl -q --store /mnt/fresh.db; echo $?
                    """
            let told = try shell(script, mounts: true)
            let words = try folder.text("err")
            // The known store has all of these: only its lock and its log want room.
            #expect(Array(told.prefix(commands.count)) == commands.map { _ in "74" }, "\(words)")
            #expect(told.last == "0")
            #expect(!told[commands.count].contains(".part"))
        }

        @Test(arguments: [0, 8])
        func `a limit on the size of files is a full disk`(blocks: Int) throws {
            let commands = ["sync in.jsonl -q --store fresh.db", "run in.jsonl -q -o out.jsonl"]
            let script = commands.map { "(ulimit -f \(blocks); exec $T \($0) 2>/dev/null); echo $?" }
            #expect(try shell(script.joined(separator: "\n")) == ["74", "74"])
            #expect(try shell(commands.map { "$T \($0) 2>/dev/null; echo $?" }.joined(separator: "\n")) == ["0", "0"])
        }

        @Test func `a lock that another process holds is 75 for every command`() throws {
            try sync()
            try folder.write("out.jsonl", "")
            let commands = [
                "sync in.jsonl -q --store inbox.db", "forget h1 --store inbox.db --yes",
                "rescore --write --store inbox.db",
                "store repair --store inbox.db", "sync in.jsonl -q --store new.db -o out.jsonl",
            ]
            let script =
                "exec 8>>inbox.db.lock 9>>out.jsonl; flock -x 8; flock -x 9\n"
                + commands.map { "$T \($0) 2>/dev/null 8>&- 9>&-; echo $?" }.joined(separator: "\n")
            #expect(try shell(script) == commands.map { _ in "75" })
        }

        // MARK: - Read-only

        static let looking = [
            "list --view all", "show no:1", "search reels", "stats", "export", "runs", "store check", "report -o '$R'",
            "feedback list",
        ]

        @Test(.enabled(if: OutputFaultTests.canMount), arguments: ["", "log", "v1"])
        func `a store on a disk that is mounted to be read can be looked at`(kind: String) throws {
            try folder.write("box/.keep", "")
            switch kind {
            case "v1":
                let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                let sql = tests.appendingPathComponent("TriageStoreTests/Fixtures/store-v1.sql").path
                let script = "import sqlite3,sys; sqlite3.connect(sys.argv[2]).executescript(open(sys.argv[1]).read())"
                _ = try Tool.run(["python3", "-c", script, sql, folder.place("box/inbox.db")])
                try shell("chmod 600 box/inbox.db").forEach { _ in }
            case "log":
                // Killed while its log held everything.
                try sync("first.db")
                let script = """
                    import sqlite3, shutil, sys, os
                    d = sys.argv[1]
                    c = sqlite3.connect(d + '/first.db'); c.execute('PRAGMA wal_autocheckpoint = 0')
                    c.execute("UPDATE message SET id = 'late' WHERE seq = 1"); c.commit()
                    for s in ('', '-wal'): shutil.copyfile(d + '/first.db' + s, d + '/box/inbox.db' + s)
                    """
                _ = try Tool.run(["python3", "-c", script, folder.path])
                _ = try shell("chmod 600 box/*")
            default: try sync("box/inbox.db")
            }
            let looks = Self.looking.map {
                "$T \($0.replacing("'$R'", with: "r.html")) --store box/inbox.db >out 2>>err; echo $?; wc -c < out"
            }
            let script =
                "mount --bind box box && mount -o remount,bind,ro box || exit 99\n" + looks.joined(separator: "\n")
                + "\n$T show id:late --store box/inbox.db 2>/dev/null | grep -c late"
            let told = try shell(script, mounts: true)
            let codes = told.dropLast().enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            #expect(codes == looks.map { _ in "0" }, "\(told)")
            // Each but the report, and decisions that there are none of, prints something.
            for (place, look) in Self.looking.enumerated()
            where !look.hasPrefix("report") && !look.hasPrefix("feedback") {
                #expect((Int(told[2 * place + 1]) ?? 0) > 0, "\(look): \(told)")
            }
            // What stands in the log alone is seen, too.
            if kind == "log" { #expect((told.last.flatMap { Int($0) } ?? 0) > 0, "\(told)") }
            #expect(folder.listing.allSatisfy { !$0.hasPrefix("triage-") })
        }
    #endif

    // MARK: - Asking before deleting

    @Test func `off a terminal a day removes nothing without --yes, and says how much it would be`() throws {
        try sync()
        let arguments = ["forget", "--before", "2030-01-01", "--store", "inbox.db"]
        let refused = try Program.run(arguments, directory: folder.path)
        #expect(refused.status == 64)
        #expect(refused.errors.contains("20 messages") && refused.errors.contains("--yes"), "\(refused.errors)")
        #expect(try Program.run(["export", "--store", "inbox.db"], directory: folder.path).lines.count == 20)
        let done = try Program.run(arguments + ["--yes"], directory: folder.path)
        #expect(done.status == 0 && done.errors.contains("removed 20 messages"), "\(done.errors)")
        // Nothing to remove is nothing to ask about.
        #expect(try Program.run(arguments, directory: folder.path).status == 1)
    }

    static let answers: [(arguments: [String], typed: String, status: Int, left: Int)] = [
        (["--before", "2030-01-01"], "n\n", 1, 20), (["--before", "2030-01-01"], "\n", 1, 20),
        (["--before", "2030-01-01"], "\u{4}", 1, 20), (["--before", "2030-01-01"], "yes please\n", 1, 20),
        (["--before", "2030-01-01"], "y\n", 0, 0), (["h1"], "N\n", 1, 20), (["h1"], "YES\n", 0, 13),
        (["--before", "2030-01-01", "--yes"], "", 0, 0), (["nobody"], "", 1, 20),
    ]

    @Test(arguments: answers)
    func `on a terminal it says how much would go, and asks`(
        arguments: [String], typed: String, status: Int, left: Int
    ) throws {
        try sync()
        let script = """
            import os, pty, sys
            typed, command = sys.argv[1].encode(), sys.argv[2:]
            child, terminal = pty.fork()
            if child == 0:
                os.execv(command[0], command)
            said = b''
            while True:
                try:
                    chunk = os.read(terminal, 4096)
                except OSError:
                    break
                if not chunk: break
                said += chunk
                if b'[y/N]' in said and typed is not None:
                    os.write(terminal, typed); typed = None
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), b'[y/N]' in said, said.decode())
            """
        let command = [Program.path, "forget"] + arguments + ["--store", folder.place("inbox.db")]
        let told = try Tool.run(["python3", "-c", script, typed] + command).printed
        #expect(told.hasPrefix("\(status) \(typed.isEmpty ? "False" : "True")"), "\(told)")
        if !typed.isEmpty { #expect(told.contains(arguments == ["h1"] ? "7 messages of 1 sender" : "20 messages")) }
        #expect(try Program.run(["export", "--store", "inbox.db"], directory: folder.path).lines.count == left)
    }

    // MARK: - Damage

    @Test func `what is damaged crashes nothing and shows nothing, whatever is asked of it`() throws {
        let script = ChildServer.tests.appendingPathComponent("Benchmarks/store_damage.py").path
        let trial = try Tool.run(
            ["python3", script, "--times", "40", "--commands", "2", "--triage", Program.path] + Program.warmRules,
            mixesErrors: true, seconds: 600)
        #expect(trial.status == 0, "\(trial.printed)")
    }

    static let damages: [(name: String, script: String, saved: Int)] = [
        ("nothing", "", 20),
        ("a number that is text", "x(\"UPDATE message SET revision = 'a private word' WHERE seq = 4\")", 19),
        ("a page of zeros", "z(\"SELECT rootpage FROM sqlite_master WHERE name = 'messageBySent'\")", 20),
        ("words that are gone", "x('DELETE FROM search_docsize')", 20),
    ]

    @Test(arguments: damages)
    func `a damaged store is told, saved as far as it can be, and kept as it was`(
        name: String, script: String, saved: Int
    ) throws {
        try sync()
        let preface = """
            import sqlite3, sys
            p = sys.argv[1]
            def x(sql):
                c = sqlite3.connect(p); c.execute('PRAGMA writable_schema = ON')
                old = c.execute("SELECT sql FROM sqlite_master WHERE name = 'message'").fetchone()[0]
                c.execute("UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = 'message'"); c.commit(); c.close()
                c = sqlite3.connect(p); c.execute('PRAGMA writable_schema = ON'); c.execute(sql)
                c.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'message'", [old]); c.commit(); c.close()
            def z(sql):
                c = sqlite3.connect(p); page = c.execute(sql).fetchone()[0]; c.close()
                f = open(p, 'r+b'); f.seek((page - 1) * 4096); f.write(bytes(4096)); f.close()

            """
        _ = try Tool.run(["python3", "-c", preface + script, folder.place("inbox.db")])
        let before = try folder.bytes("inbox.db")
        let isDamaged = name != "nothing"
        let check = try Program.run(["store", "check", "--store", "inbox.db"], directory: folder.path)
        #expect(check.status == (isDamaged ? 1 : 0), "\(check.text) \(check.errors)")
        #expect(!check.text.contains("private") && !check.errors.contains("private"))
        // Beside it first: then nothing of it is touched.
        let aside = try Program.run(
            ["store", "repair", "--store", "inbox.db", "-o", "saved.db"], directory: folder.path)
        #expect(aside.status == (saved < 20 ? 1 : 0), "\(aside.errors)")
        #expect(aside.errors.contains("messages: \(saved) saved"), "\(aside.errors)")
        #expect(try folder.bytes("inbox.db") == before)
        let repair = try Program.run(["store", "repair", "--store", "inbox.db"], directory: folder.path)
        #expect(repair.status == aside.status, "\(repair.errors)")
        #expect(!repair.errors.contains("private"))
        #expect(try folder.bytes("inbox.db.damaged.bak") == before)
        for store in ["saved.db", "inbox.db"] {
            #expect(try Program.run(["store", "check", "--store", store], directory: folder.path).status == 0)
            let found = try Program.run(["search", "reels", "--limit", "99", "--store", store], directory: folder.path)
            #expect(found.status == 0)
            #expect(try Program.run(["export", "--store", store], directory: folder.path).lines.count == saved)
        }
        // What is lost comes back with the export that holds it, and nothing twice.
        try sync()
        #expect(try Program.run(["export", "--store", "inbox.db"], directory: folder.path).lines.count == saved)
    }
}
