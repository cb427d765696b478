#!/usr/bin/env python3
"""Damages a store in many ways, and runs every command over each: none may crash, and none may show what is in it.

    Tests/Benchmarks/store_damage.py [--times 500] [--seed 1] [--commands 3] [--triage .build/release/triage]

A damage is a bit that flipped, a page of zeros or of another page's bytes, a file that was cut off, a log that was, or a
value of another kind, written by SQLite itself past all that the tables promise: text for a number, nothing for something,
numbers at the ends of what there is, blobs of a megabyte, bytes that are no UTF-8. Of each damage some commands are tried
in turn (`--commands 0`: all of them), each on a copy of its own. Faults are:

    crash   the process was ended by a signal, took longer than a minute, or ended with 70
    leak    standard error holds a word that stands in the store alone
    code    an exit code that no guide names
    repair  `store repair` said that the new store is whole, and `store check` says it is not

Ends with 1 when there is one. Needs Python 3 with SQLite, and nothing else.
"""
import argparse
import collections
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

# Words that stand nowhere but in the store.
SECRETS = ["zanzibar", "quokka", "perihelion", "bergamot", "obsidian"]

COMMANDS = {
    "list": ["list", "--view", "all"], "priority": ["list"], "recent": ["list", "--view", "all", "--sort", "recent", "--to", "jsonl"],
    "csv": ["list", "--view", "business", "--sort", "value", "--to", "csv"], "show": ["show", "no:2"], "key": ["show", "no:5"],
    "search": ["search", "reels"], "phrase": ["search", "カメラ"], "stats": ["stats"], "statsjson": ["stats", "--since", "2025-01-01"],
    "export": ["export"], "exportcsv": ["export", "--to", "csv", "--corrections"], "report": ["report", "-o", "report.html"],
    "rescore": ["rescore"], "rescorewrite": ["rescore", "--write"], "sync": ["sync", "in.jsonl", "-q"],
    "syncout": ["sync", "more.jsonl", "-q", "-o", "new.jsonl"], "runs": ["runs"], "run": ["runs", "--to", "jsonl"],
    "forget": ["forget", "zanzibar3", "--yes"], "before": ["forget", "--before", "2030-01-01", "--yes"],
    "feedback": ["feedback", "no:2", "--category", "fan"], "said": ["feedback", "list"], "gold": ["feedback", "export"],
    "check": ["store", "check"], "repair": ["store", "repair"],
}


def records(count, start=0):
    texts = ["Paid collab, $500 for two reels? {}", "love your videos so much {}", "カメラは何ですか {}", "I want to die {}",
             "free crypto, click {}", "Which camera do you use? {}"]
    for number in range(start, start + count):
        yield {"id": f"perihelion{number}", "platform": "instagram", "conversation_id": f"bergamot{number % 4}",
               "sender": {"handle": f"zanzibar{number}", "id": f"obsidian{number}", "name": f"Zanzibar {number}"},
               "sent_at": f"2026-10-{number % 27 + 1:02d}T10:00:00Z", "text": texts[number % len(texts)].format(f"quokka{number}")}


def make(folder, options):
    """A store with all that a store can hold."""
    for name, lines in (("in.jsonl", records(24)), ("more.jsonl", records(6, 22))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    for command in (["sync", "in.jsonl", "-q"], ["feedback", "no:2", "--category", "business"],
                    ["feedback", "no:5", "--seen"], ["feedback", "no:1", "--draft", "dismissed"]):
        run(folder, command, options)
    with sqlite3.connect(os.path.join(folder, "inbox.db")) as database:
        database.execute("INSERT INTO revision SELECT key, 1, record, facts, run FROM message WHERE seq < 5")
        database.execute("INSERT INTO owed (key, digest, revision, line) SELECT key, 7, 1, record FROM message WHERE seq IN (3, 4)")
        database.execute("INSERT INTO spend VALUES (20000, 1, 2, 3, 0.5, 0)")
        database.commit()
    database.close()


def run(folder, command, options):
    environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": options.cache, "HOME": folder, "TMPDIR": folder}
    try:
        done = subprocess.run([options.triage, *command, "--store", "inbox.db"], cwd=folder, env=environment, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True)
    except subprocess.TimeoutExpired:
        return "hangs", b""
    return done.returncode, done.stderr


COLUMNS = {
    "message": ["seq", "key", "revision", "kind", "id", "platform", "conversation", "sender", "sender_id", "handle", "sent_at",
                "category", "confidence", "sentiment", "intensity", "urgent", "urgency", "score", "tier", "usd", "deadline", "faq",
                "faq_match", "language", "has_draft", "injection", "priority", "text", "record", "facts", "run"],
    "known": ["key", "digest", "revision"], "revision": ["key", "revision", "record", "run"],
    "owed": ["key", "digest", "revision", "line", "text_key", "context"],
    "feedback": ["key", "revision", "at", "field", "value", "before", "source", "request", "undoes", "note", "text"],
    "conversation": ["state"], "output": ["role", "path", "device", "inode", "length", "changed", "digest"],
    "run": ["command", "started", "ended", "state", "exit", "version", "rules", "inputs", "counts", "summary", "requests", "cost"],
    "spend": ["day", "requests", "input", "cost"], "grdb_migrations": ["identifier"],
    "pair": ["asked", "answer", "answered", "at", "learned", "id", "intent", "language", "reuse"], "voice": ["habits", "library"],
}
VALUES = [None, "quokka in a number", "", "-1", -1, 0, 2**63 - 1, -2**63, 2**31, 10**15, 1e308, -1e308, float("inf"), 0.5, b"", b"\xff\xfe\x00quokka",
          b"\x00" * 16, b"{", b"[]", b"{\"triage\":{}}", b"{\"triage\":null,\"text\":7}", "\u0000quokka", "CAST", "BIG", "NAN"]


def damage(folder, rng):
    """Does one damage; returns its name."""
    path = os.path.join(folder, "inbox.db")
    kind = rng.choice(["flip", "flip", "page", "zero", "cut", "value", "value", "value", "value", "log", "header", "sql"])
    if kind in ("value", "sql"):
        database = sqlite3.connect(path)
        database.execute("PRAGMA writable_schema = ON")
        # Tables that are strict no more take anything.
        database.execute("UPDATE sqlite_master SET sql = replace(replace(sql, 'STRICT', ''), ' WITHOUT ROWID, ', ' WITHOUT ROWID') WHERE type = 'table'")
        database.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table' AND name <> 'known' AND name <> 'output'")
        database.commit()
        database.close()
        database = sqlite3.connect(path)
        original = sqlite3.connect(os.path.join(os.path.dirname(folder), "base", "inbox.db"))
        schema = original.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        original.close()
        if kind == "sql":
            what = rng.choice(["DROP TABLE %s" % rng.choice(list(COLUMNS)), "DROP INDEX messageInBrief", "DROP TABLE search_runs",
                               "DELETE FROM search_data WHERE id > 10", "UPDATE search_data SET block = x'00ff'", "DROP INDEX messageByID",
                               "UPDATE grdb_migrations SET identifier = 'v9' WHERE identifier = 'v5'", "DELETE FROM grdb_migrations",
                               "DELETE FROM search_docsize", "ALTER TABLE message DROP COLUMN facts", "PRAGMA application_id = 5",
                               "ALTER TABLE run RENAME COLUMN started TO begun", "DELETE FROM message WHERE seq = 3"])
        else:
            table = rng.choice(["message"] * 6 + list(COLUMNS))
            column, value = rng.choice(COLUMNS[table]), rng.choice(VALUES)
            where = rng.choice(["", " WHERE rowid = (SELECT min(rowid) FROM %s)" % table, " WHERE rowid % 2 = 0"]) if table not in ("known",) else ""
            what = f"UPDATE OR IGNORE {table} SET {column} = ?{where}"
        try:
            if kind == "sql":
                database.execute(what)
            elif value == "CAST":
                database.execute(what.replace("?", "CAST(x'ff80fe71756f6b6b61' AS TEXT)", 1))
            elif value == "BIG":
                database.execute(what.replace("?", "zeroblob(1000000)", 1))
            elif value == "NAN":
                database.execute(what.replace("?", "9e999 - 9e999", 1))
            else:
                database.execute(what, [value])
        except sqlite3.Error as error:
            what += f" ({error})"
        database.commit()
        # Strict again, as it was, with what is not.
        database.execute("PRAGMA writable_schema = ON")
        if kind == "value":
            for name, sql in schema:
                database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", [sql, name])
        database.commit()
        database.close()
        return what + (f" {value!r}"[:40] if kind == "value" else "")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    size = 4096
    if kind == "log":
        with open(path + "-wal", "wb") as out:
            out.write(rng.choice([b"", bytes.fromhex("377f0682002de21800001000"), rng.randbytes(5000)]))
        return "log"
    if kind == "cut":
        del data[rng.choice([0, 1, 50, 100, 512, 4096, rng.randrange(len(data)), len(data) - size]):]
    elif kind == "header":
        place = rng.randrange(0, 100)
        data[place] = rng.randrange(256)
    elif kind == "zero":
        page = rng.randrange(1, len(data) // size)
        data[page * size:(page + 1) * size] = bytes(size)
    elif kind == "page":
        a, b = rng.randrange(1, len(data) // size), rng.randrange(1, len(data) // size)
        data[a * size:(a + 1) * size] = data[b * size:(b + 1) * size]
    else:
        for _ in range(rng.choice([1, 3, 40])):
            place = rng.randrange(len(data)) if rng.random() < 0.7 else rng.randrange(size * 40) % len(data)
            data[place] ^= 1 << rng.randrange(8)
    with open(path, "wb") as out:
        out.write(data)
    return kind


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--triage", default=os.path.join(root, ".build", "release", "triage"))
    parser.add_argument("--cache", help="where compiled rules are kept; default: a folder that goes away")
    parser.add_argument("--times", type=int, default=500)
    parser.add_argument("--commands", type=int, default=3, help="commands that are tried over each damage; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, codes, faults = random.Random(options.seed), collections.Counter(), collections.Counter()
    names, turn, done = list(COMMANDS), 0, 0
    with tempfile.TemporaryDirectory(prefix="triage-damage-") as root:
        options.cache = options.cache or os.path.join(root, "xdg")
        base = os.path.join(root, "base")
        os.makedirs(base)
        make(base, options)
        for number in range(options.times):
            damaged = os.path.join(root, "damaged")
            shutil.copytree(base, damaged)
            what = damage(damaged, rng)
            for _ in range(options.commands or len(names)):
                name = names[turn % len(names)]
                turn += 1
                place = os.path.join(root, "place")
                shutil.copytree(damaged, place)
                status, errors = run(place, COMMANDS[name], options)
                done += 1
                codes[status] += 1

                def fault(kind):
                    faults[kind] += 1
                    print(f"{kind}: {number} {what}: {name}: {status}: {errors[-300:]!r}", flush=True)
                if status == "hangs" or not 0 <= status < 128 or status == 70:
                    fault("crash")
                elif status not in (0, 1, 64, 66, 73, 74, 75, 78):
                    fault("code")
                if any(word.encode() in errors.lower() for word in SECRETS):
                    fault("leak")
                if name == "repair" and status in (0, 1):
                    status, errors = run(place, COMMANDS["check"], options)
                    if status != 0:
                        fault("repair")
                shutil.rmtree(place)
            shutil.rmtree(damaged)
    print(f"{options.times} damages, {done} commands: {dict(faults) or 'no faults'}; exit codes {dict(codes)}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
