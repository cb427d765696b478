"""Holds what came out against what went in: check.py INPUT_FOLDER OUTPUT_FOLDER

Counts ids that are lost, doubled or changed (any byte of the record before its answer) and torn lines. Ends with 1 if
there is any. A record that was rejected is taken out of its verdict. Keeps one digest a record in memory: 1 million
records take about 150 MB.
"""
import base64
import glob
import hashlib
import json
import os
import sys


def lines(folder, pattern):
    for path in sorted(glob.glob(os.path.join(folder, "**", pattern), recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                yield from file


def main():
    wanted = {}
    for line in lines(sys.argv[1], "*.jsonl"):
        record = line.rstrip(b"\n")
        wanted[json.loads(record)["id"]] = hashlib.blake2b(record[:-1], digest_size=8).digest()
    total, doubled, changed, torn, rejected, seen = 0, 0, 0, 0, 0, set()
    for line in lines(sys.argv[2], "part-*"):
        total += 1
        try:
            answer = json.loads(line)
            if "rejected" in answer["triage"]:
                record = base64.b64decode(answer["raw_b64"])
                rejected += 1
            else:
                record = line[:line.rindex(b',"triage":{"schema"')] + b"}"
            identifier = json.loads(record)["id"]
        except (ValueError, KeyError, TypeError):
            torn += 1
            continue
        doubled += identifier in seen
        seen.add(identifier)
        before = record[:-1]
        changed += wanted.get(identifier) != hashlib.blake2b(before, digest_size=8).digest()
    lost = len(wanted.keys() - seen)
    done = os.path.exists(os.path.join(sys.argv[2], "_SUCCESS"))
    print(f"in {len(wanted)}  out {total}  lost {lost}  doubled {doubled}  changed {changed}  torn {torn}  "
          f"rejected {rejected}  {'committed' if done else 'NOT COMMITTED'}")
    return 1 if lost or doubled or changed or torn or not done else 0


if __name__ == "__main__":
    sys.exit(main())
