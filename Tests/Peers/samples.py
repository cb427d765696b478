#!/usr/bin/env python3
"""What the samples for queues and clusters promise of a filter, tried with the filter itself.

  samples.py -- TRIAGE [ARGUMENT...]

Prints one line a check, and ends with 1 if one fails. No queue and no cluster is needed.
"""
import base64
import faulthandler
import json
import os
import subprocess
import sys
import tempfile
import types

sys.dont_write_bytecode = True
SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Samples")
sys.path += [os.path.join(SAMPLES, "redis"), os.path.join(SAMPLES, "spark")]
# Only the queue's client needs it, and nothing here does.
sys.modules.setdefault("redis", types.ModuleType("redis"))

import checked_pipe  # noqa: E402
import stream_worker  # noqa: E402

# A text that is none, a record without one, no record, a blank line, and a line too long to be given back.
STRANGE = ['{"id":"x","text":"hi"}', '{"id":"y","text":5}', '{"id":"y"}', "not json", "", '{"id":"z","text":"hello"}',
           '{"id":"w","text":5,"more":"' + "m" * 70_000 + '"}', "[" * 200_000]
# Says of every line that it is rejected, and gives another one back.
LIAR = """
import base64, sys
for line in sys.stdin.buffer:
    other = base64.b64encode(b"another").decode()
    print('{"triage":{"schema":1,"rejected":{"code":"no"}},"raw_b64":"' + other + '"}', flush=True)
"""
# Answers each line with as much as it was asked, and gives no record its own id.
FALSE = """
import sys
for line in sys.stdin.buffer: print('{"id":"other","triage":{"schema":1}}', flush=True)
"""
DEAF = "import time; time.sleep(3600)"
EARLY = "import sys; sys.stdin.buffer.readline()"


def python(source):
    return [sys.executable, "-c", source]


def refused(answer):
    try:
        answer()
    except (OSError, checked_pipe.FilterFailed):
        return True
    return False


def worker_takes_batches_of_any_size(command):
    worker = stream_worker.Filter(command, 300)
    lines = [json.dumps({"id": f"m{n}", "text": "word " * 600 + str(n)}).encode() for n in range(200)]
    for _ in range(2):
        found = [json.loads(answer) for answer in worker.answers(lines)]
        assert [record["id"] for record in found] == [f"m{n}" for n in range(200)]
    worker.end()


def worker_answers_rejected_records(command):
    worker = stream_worker.Filter(command, 300)
    lines = [line.encode() for line in STRANGE]
    found = [json.loads(answer) for answer in worker.answers(lines)]
    worker.end()
    assert [record.get("id") for record in found] == ["x", None, None, None, None, "z", None, None]
    assert base64.b64decode(found[1]["raw_b64"]) == lines[1]


def worker_refuses_wrong_answers(command):
    lines = [b'{"id":"a","text":"a"}', b'{"id":"b","text":"b"}']
    for source in (LIAR, FALSE, EARLY):
        worker = stream_worker.Filter(python(source), 300)
        assert refused(lambda: worker.answers(lines)), source
        assert worker.process is None


def worker_ends_a_filter_that_hangs(command):
    worker = stream_worker.Filter(python(DEAF), 0.5)
    assert refused(lambda: worker.answers([b'{"id":"a","text":"' + b"a" * 1_000_000 + b'"}']))
    assert worker.process is None


def partition_keeps_rejected_records(command):
    found = [json.loads(answer) for answer in checked_pipe.checked_pipe(command, dict(os.environ))(STRANGE)]
    assert [record.get("id") for record in found] == ["x", None, None, None, None, "z", None, None]


def partition_refuses_wrong_answers(command):
    for source in (LIAR, FALSE):
        run = checked_pipe.checked_pipe(python(source), dict(os.environ))
        assert refused(lambda: list(run(STRANGE[:1]))), source


def check_counts_rejected_records(command):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("in", "out"):
            os.mkdir(os.path.join(folder, name))
        records = STRANGE[:2] + STRANGE[5:6]
        with open(os.path.join(folder, "in", "a.jsonl"), "w") as file:
            file.write("".join(line + "\n" for line in records))
        with open(os.path.join(folder, "out", "part-0"), "w") as file:
            for answer in checked_pipe.checked_pipe(command, dict(os.environ))(records):
                file.write(answer + "\n")
        open(os.path.join(folder, "out", "_SUCCESS"), "w").close()
        check = [sys.executable, os.path.join(SAMPLES, "spark", "check.py"), folder + "/in", folder + "/out"]
        done = subprocess.run(check, stdout=subprocess.PIPE, timeout=120)
        assert done.returncode == 0 and b"rejected 1" in done.stdout, done.stdout


def main():
    # Whatever stands still is ended, and says where.
    faulthandler.dump_traceback_later(240, exit=True)
    command, failed = sys.argv[2:], 0
    for check in (worker_takes_batches_of_any_size, worker_answers_rejected_records, worker_refuses_wrong_answers,
                  worker_ends_a_filter_that_hangs, partition_keeps_rejected_records, partition_refuses_wrong_answers,
                  check_counts_rejected_records):
        try:
            check(command)
            print(f"ok {check.__name__}", flush=True)
        except (AssertionError, OSError, checked_pipe.FilterFailed) as fault:
            failed += 1
            print(f"FAILED {check.__name__}: {fault!r}"[:500], flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
