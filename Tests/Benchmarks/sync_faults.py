#!/usr/bin/env python3
"""Trials of `triage sync`: killed, failed, frozen and interrupted everywhere, and counted by an oracle of its own.

    Tests/Benchmarks/sync_faults.py kill      [--kills 500] [--llm]      SIGKILL at random moments
    Tests/Benchmarks/sync_faults.py calls     [--points 0] [--llm]       SIGKILL at every call to the system (0: all)
    Tests/Benchmarks/sync_faults.py power     [--points 0] [--llm]       the same, and what no fsync made safe is gone
    Tests/Benchmarks/sync_faults.py errors    [--points 0]               every call fails, once and for ever
    Tests/Benchmarks/sync_faults.py signals   [--times 100]              SIGTERM, SIGINT, SIGHUP at random moments
    Tests/Benchmarks/sync_faults.py crowd                                 2, 4, 16 runs at once; one frozen and woken
    Tests/Benchmarks/sync_faults.py inputs    [--times 200]              inputs that grow, shrink, are edited, overlap
    Tests/Benchmarks/sync_faults.py clock                                 a clock that jumps
    Tests/Benchmarks/sync_faults.py full                                  a disk that is full, and has room again
    Tests/Benchmarks/sync_faults.py first     [--points 0] [--llm]       the first opening of a store is disturbed at every call
    Tests/Benchmarks/sync_faults.py parts     [--kills 60]               `run -o` is killed, and leaves nothing beside its output
    Tests/Benchmarks/sync_faults.py closed                                started without standard descriptors
    Tests/Benchmarks/sync_faults.py teeth                                 the oracle itself: damage of every kind is seen

What each message must become is reckoned here, from the input alone; what it became is read from the output, the rejects
and the store, and compared with a run that nobody disturbed. Each trial ends with four figures, all of which must be 0:

    lost       messages that are neither in the output nor in the rejects, or not in the store
    doubled    messages that are there more than once
    changed    records whose bytes are not those of the input, or whose answers are not those of the undisturbed run
    paid twice answers that the model gave beyond the distinct questions and those on their way at the kills

Ends with 1 when one is not 0. Needs Linux, Python 3 and a C compiler, and nothing else.
"""
import argparse
import collections
import contextlib
import errno
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from asking import ROOT, Report, Server, rows, sentences  # noqa: E402

SHIM = os.path.join(ROOT, "Tests", "Peers", "fault_shim.c")
CONCURRENCY = 4
# Nothing here may hang: a run that takes longer than this is a fault.
PATIENCE = 120


def line_of(record):
    return json.dumps(record, ensure_ascii=False).encode()


def make_input(count, seed, start=0):
    """Lines of an export as people's are: conversations, own messages, notices, lines that are no record."""
    rng = random.Random(seed)
    lines = []
    for number, text in enumerate(sentences(count, seed), start):
        record = {"id": f"m{number}", "platform": "instagram", "conversation_id": f"c{rng.randrange(count // 6 + 1)}",
                  "sender": {"handle": f"h{rng.randrange(40)}"}, "text": text}
        kind = rng.random()
        if kind < 0.06:
            record["sender"]["is_self"] = True
        elif kind < 0.10:
            record["raw"] = {"kind": "reaction"}
        elif kind < 0.14:
            del record["id"]
        elif kind < 0.20:
            lines.append(b'{"id":"bad%d","text":' % number)
            continue
        lines.append(line_of(record))
    return lines


def key_of(record):
    """What tells messages from each other, as it is promised: platform, conversation and id, else all that they say."""
    if "id" in record:
        return (record.get("platform"), record.get("conversation_id"), record["id"])
    return ("made", json.dumps(record, sort_keys=True))


def content_of(record):
    sender = record.get("sender", {})
    return (record["text"], sender.get("id"), sender.get("handle"), sender.get("is_self"), record.get("raw", {}).get("kind"))


class Expected:
    """What a store must hold after syncs over inputs, reckoned from the inputs."""

    def __init__(self):
        self.contents = {}  # key -> [content...] in the order of their coming
        self.lines = {}     # (key, content) -> the line
        self.rejects = set()

    def see(self, lines):
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                self.rejects.add(line)
                continue
            key, content = key_of(record), content_of(record)
            known = self.contents.setdefault(key, [])
            if content not in known:
                known.append(content)
                self.lines[key, content] = line


class Place:
    """A folder with a store, its files and a configuration."""

    def __init__(self, folder, options, server=None):
        self.folder, self.triage, self.server = folder, options.triage, server
        os.makedirs(folder, exist_ok=True)
        self.environment = {"PATH": os.environ.get("PATH", ""), "XDG_CACHE_HOME": options.cache}
        with open(self.at("triage.yaml"), "w", encoding="utf-8") as out:
            if server:
                out.write(f"llm:\n  provider: openai\n  base_url: http://127.0.0.1:{server.port}/v1\n  model: scripted\n"
                          f"  max_concurrency: {CONCURRENCY}\n  pack: 1\n  price: {{input: 1, output: 2}}\n"
                          "methods:\n  category: llm\n")
            else:
                out.write("limits: {max_requests: 5000}\n")
        self.batch = options.batch

    def at(self, name):
        return os.path.join(self.folder, name)

    def write(self, lines, name="in.jsonl"):
        with open(self.at(name), "wb") as out:
            out.write(b"".join(line + b"\n" for line in lines))

    def command(self, *more, inputs=("in.jsonl",), output=True):
        command = [self.triage, "sync", *(self.at(i) for i in inputs), "--config", self.at("triage.yaml"),
                   "--store", self.at("inbox.db"), "--batch-size", str(self.batch)]
        if output:
            command += ["-o", self.at("out.jsonl"), "--rejects", self.at("rejects.jsonl")]
        if self.server:
            command += ["--cache", self.at("answers.db")]
        return [*command, *more]

    def start(self, *more, fault=None, **rest):
        """Starts a run; `fault` are variables of the shim."""
        environment = dict(self.environment)
        if fault:
            environment |= {"LD_PRELOAD": shim(), **{name: str(value) for name, value in fault.items()}}
        with open(self.at("err"), "wb") as errors:
            return subprocess.Popen(
                self.command(*more, **rest), env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=errors)

    def run(self, *more, **rest):
        """Exit code of a run to its end; a signal is a negative one."""
        process = self.start(*more, **rest)
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "hangs"

    def words(self):
        with open(self.at("err"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def lines(self, name):
        with contextlib.suppress(FileNotFoundError):
            with open(self.at(name), "rb") as file:
                return file.read().split(b"\n")
        return [b""]

    def wait_for_server(self):
        while self.server and self.server.counts["now"]:
            time.sleep(0.005)


def shim(made=[]):
    """The library that fails calls, compiled once."""
    if not made:
        folder = tempfile.mkdtemp(prefix="triage-shim-")
        path = os.path.join(folder, "fault_shim.so")
        for compiler in ("clang", "cc", "gcc"):
            with contextlib.suppress(FileNotFoundError):
                subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", path, SHIM, "-ldl"], check=True)
                break
        else:
            sys.exit("no C compiler is here: this trial needs one")
        made.append(path)
    return made[0]


Figures = collections.namedtuple("Figures", "lost doubled changed paid")


class Oracle:
    """Compares a place with what it must be."""

    def __init__(self, expected, reference=None):
        self.expected, self.reference, self.notes = expected, reference, []

    def note(self, text):
        if len(self.notes) < 12:
            self.notes.append(text)

    def check(self, place, output=True):
        lost = doubled = changed = 0
        want = {(key, content): n + 1 for key, contents in self.expected.contents.items()
                for n, content in enumerate(contents)}
        if output:
            seen = collections.Counter()
            lines = place.lines("out.jsonl")
            if lines.pop() != b"":
                changed += 1
                self.note("the output ends in half a line")
            for line in lines:
                try:
                    record = json.loads(line)
                except ValueError:
                    changed += 1
                    self.note(f"no record: {line[:80]}")
                    continue
                triage = record.pop("triage")
                thing = (key_of(record), content_of(record))
                if thing not in want:
                    doubled += 1
                    self.note(f"nobody sent: {line[:80]}")
                    continue
                seen[thing] += 1
                if triage.get("revision", 1) != want[thing]:
                    changed += 1
                    self.note(f"revision {triage.get('revision', 1)} in place of {want[thing]}: {line[:60]}")
                source = self.expected.lines[thing]
                if not line.startswith(source[:-1]) or not line.endswith(b"}}"):
                    changed += 1
                    self.note(f"other bytes: {line[:80]}")
                if self.reference is not None and self.reference.get(thing) != line:
                    changed += 1
                    self.note(f"another answer: {line[len(source):len(source) + 200]} / "
                              f"{(self.reference.get(thing) or b'')[len(source):len(source) + 200]}")
            lost += sum(1 for thing in want if not seen[thing])
            doubled += sum(count - 1 for count in seen.values() if count > 1)
            rejected = collections.Counter(self.rejected(place))
            lost += sum(1 for line in self.expected.rejects if not rejected[line])
            doubled += sum(count - 1 for count in rejected.values() if count > 1)
            doubled += sum(1 for line in rejected if line not in self.expected.rejects)
            self.lines = {(key_of(r), content_of(r)): line for line in lines
                          for r in [{k: v for k, v in json.loads(line).items() if k != "triage"}]}
        more = self.store(place, want, output)
        return Figures(lost + more[0], doubled + more[1], changed + more[2], 0)

    def rejected(self, place):
        import base64
        for line in place.lines("rejects.jsonl")[:-1]:
            yield base64.b64decode(json.loads(line)["raw_b64"])

    def store(self, place, want, output):
        lost = doubled = changed = 0
        with contextlib.closing(sqlite3.connect(f"file:{place.at('inbox.db')}?mode=ro", uri=True, timeout=20)) as database:
            state = database.execute("PRAGMA integrity_check").fetchone()[0]
            if state != "ok":
                changed += 1
                self.note(f"the store: {state}")
            known = database.execute("SELECT count(*) FROM known").fetchone()[0]
            expected = len(want) + len(self.expected.rejects)
            lost += max(0, expected - known)
            doubled += max(0, known - expected)
            if known != expected:
                self.note(f"{known} known in place of {expected}")
            records = collections.Counter()
            for revision, bytes_ in [*database.execute("SELECT revision, record FROM message"),
                                     *database.execute("SELECT revision, record FROM revision")]:
                record = json.loads(bytes_)
                record.pop("triage")
                thing = (key_of(record), content_of(record))
                records[thing] += 1
                if want.get(thing) != revision or (output and self.lines.get(thing) != bytes(bytes_)):
                    changed += 1
                    self.note(f"the store has another: {bytes(bytes_)[:100]}")
            lost += sum(1 for thing in want if not records[thing])
            doubled += sum(count - 1 for count in records.values() if count > 1)
            for role, path, length in database.execute("SELECT role, path, length FROM output"):
                if os.path.getsize(path) != length:
                    changed += 1
                    self.note(f"{role}: {os.path.getsize(path)} bytes, {length} committed")
        return lost, doubled, changed


class Trial:
    """A trial's books."""

    def __init__(self, options, folder, report):
        self.options, self.folder, self.report = options, folder, report
        self.total = Figures(0, 0, 0, 0)
        self.notes = []
        self.places = 0

    def place(self, server=None):
        self.places += 1
        return Place(os.path.join(self.folder, f"p{self.places}"), self.options, server)

    def add(self, figures, notes=(), what=""):
        self.total = Figures(*(a + b for a, b in zip(self.total, figures)))
        if any(figures):
            self.notes += [f"{what}: {note}" for note in notes] or [what]

    def drop(self, place):
        """Leaves the folder of a place that was as it must be to nobody."""
        subprocess.run(["rm", "-rf", place.folder], check=True)

    def end(self, what):
        for note in self.notes[:20]:
            self.report.note(note)
        names = ("lost", "doubled", "changed", "paid twice")
        self.report.expect(not any(self.total), f"{what}: " + ", ".join(f"{v} {n}" for v, n in zip(self.total, names)))

    def reference(self, lines, server=None):
        """What a run that nobody disturbs makes of these lines: the oracle's last measure."""
        expected = Expected()
        expected.see(lines)
        if not os.path.exists(self.options.cache):
            # Rules are compiled by the first run, which is none of those that count.
            place = self.place()
            place.write(lines[:1])
            place.run()
            self.drop(place)
        place = self.place(server)
        place.write(lines)
        start = time.monotonic()
        status = place.run()
        duration = time.monotonic() - start
        self.report.expect(status in (0, 1), f"an undisturbed run ends by itself: {status}, {duration:.2f} s")
        oracle = Oracle(expected)
        self.add(oracle.check(place), oracle.notes, "undisturbed")
        reference = oracle.lines
        again = place.run()
        self.report.expect(again == 0, f"a second one has nothing to do: {again}")
        self.add(oracle.check(place), oracle.notes, "undisturbed, twice")
        self.drop(place)
        return expected, reference, duration


@contextlib.contextmanager
def maybe_server(options):
    if options.llm:
        with Server("--latency", options.latency) as server:
            yield server
    else:
        yield None


def paid(server, before, pending):
    """Answers beyond one for each question and those that were on their way at kills."""
    if not server:
        return 0
    messages = server.counts["messages"]
    given = sum(messages.values()) - before[0]
    distinct = len(messages) - before[1]
    return max(0, given - distinct - pending)


def asked(server):
    if not server:
        return (0, 0)
    messages = server.counts["messages"]
    return (sum(messages.values()), len(messages))


def kill(trial, server):
    """A1: killed at random moments until it is done, again and again with new stores."""
    options, rng = trial.options, random.Random(trial.options.seed)
    lines = make_input(options.messages, options.seed)
    expected, reference, duration = trial.reference(lines, server)
    kills = cycles = 0
    while kills < options.kills:
        cycles += 1
        # Other texts each time, so that the model is asked anew; the reference is then that of an undisturbed run.
        if server:
            lines = make_input(options.messages, options.seed + cycles)
            expected, reference, duration = trial.reference(lines, server)
            forget = asked(server)
        place = trial.place(server)
        place.write(lines)
        given, kept, lost_on_way, over = 0, 0, 0, False
        counts = asked(server)
        while not over:
            process = place.start()
            delay = rng.uniform(0, duration * 1.1) if kills < options.kills else PATIENCE
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(delay)
                over = True
                if status not in (0, 1):
                    trial.add((0, 0, 1, 0), [place.words()[-400:]], f"run ended with {status}")
            if over:
                break
            process.kill()
            process.wait()
            kills += 1
            place.wait_for_server()
            if server:
                now = asked(server)[0] - counts[0]
                held = rows(place.at("answers.db"))
                lost_on_way += min(2 * CONCURRENCY, max(0, (now - given) - (held - kept)))
                given, kept = now, held
            if kills % 50 == 0:
                trial.report.note(f"{kills} kills")
        oracle = Oracle(expected, reference)
        figures = oracle.check(place)
        if server:
            # Every text was asked for once by the undisturbed run, with a cache of its own.
            beyond = asked(server)[0] - counts[0] - len(set(distinct_texts(lines, reference))) - lost_on_way
            figures = figures._replace(paid=max(0, beyond))
            oracle.note(f"{asked(server)[0] - counts[0]} answers, {lost_on_way} on their way at kills")
        trial.add(figures, oracle.notes, f"cycle {cycles}")
        trial.drop(place)
    trial.end(f"{kills} kills at random moments, {cycles} stores, {len(lines)} lines each")


def distinct_texts(lines, reference):
    """Texts that the undisturbed run had answered by the model."""
    for (key, content), line in reference.items():
        if b'"text.llm"' in line:
            yield content[0]


def points(options, most):
    """All numbers up to `most`, or as many as wanted, spread evenly and with a seed."""
    if not options.points or options.points >= most:
        return list(range(1, most + 1))
    rng = random.Random(options.seed)
    width = most / options.points
    return sorted({1 + int(i * width + rng.random() * width) for i in range(options.points)})


def count_calls(trial, lines, server):
    place = trial.place(server)
    place.write(lines)
    place.run(fault={"FAULT_COUNT": place.at("count")})
    count = int(place.lines("count")[0])
    trial.drop(place)
    return count


def calls(trial, server):
    """A2: killed at each call that can change a disk."""
    options = trial.options
    lines = make_input(options.messages, options.seed)
    expected, reference, _ = trial.reference(lines, server)
    most = count_calls(trial, lines, server)
    chosen = points(options, most)
    killed = 0
    for number in chosen:
        place = trial.place(server)
        place.write(lines)
        status = place.run(fault={"FAULT_AT": number})
        killed += status == -signal.SIGKILL
        if status not in (-signal.SIGKILL, 0, 1):
            trial.add((0, 0, 1, 0), [place.words()[-300:]], f"call {number}: exit {status}")
        settle(trial, place, Oracle(expected, reference), f"killed at call {number}")
    trial.end(f"killed at {killed} of {most} calls to the system, {len(lines)} lines")


def power(trial, server):
    """A4: as if the power went at each call: of files that only grow, what no fsync made safe is cut off or zeroed.

    The store's own pages are left to SQLite, whose log is cut as the files are.
    """
    options = trial.options
    rng = random.Random(options.seed)
    lines = make_input(options.messages, options.seed)
    expected, reference, _ = trial.reference(lines, server)
    most = count_calls(trial, lines, server)
    cut = 0
    for number in points(options, most):
        place = trial.place(server)
        place.write(lines)
        log = place.at("synced")
        place.run(fault={"FAULT_AT": number, "FAULT_SYNCED": log})
        safe = {}
        with contextlib.suppress(FileNotFoundError):
            for line in open(log):
                inode, size = map(int, line.split())
                safe[inode] = size
        for name in ("out.jsonl", "rejects.jsonl", "inbox.db-wal"):
            path = place.at(name)
            if not os.path.exists(path):
                continue
            info = os.stat(path)
            kept = safe.get(info.st_ino, 0)
            if info.st_size <= kept:
                continue
            cut += 1
            if rng.random() < 0.3:
                with open(path, "r+b") as file:
                    file.seek(kept)
                    file.write(bytes(info.st_size - kept))
            else:
                os.truncate(path, rng.randrange(kept, info.st_size))
        settle(trial, place, Oracle(expected, reference), f"power gone at call {number}")
    trial.end(f"power gone at {len(points(options, most))} of {most} calls, {cut} files cut, {len(lines)} lines")


def leftovers(place):
    """Names in a place that no command of ours should leave there."""
    known = {"in.jsonl", "err", "triage.yaml", "inbox.db", "inbox.db-wal", "inbox.db-shm", "inbox.db.lock", "out.jsonl",
             "rejects.jsonl", "answers.db", "answers.db-wal", "answers.db-shm"}
    return sorted(set(os.listdir(place.folder)) - known)


def first(trial, server):
    """The first opening, disturbed at each call: it leaves no store, or one that the next run opens."""
    options = trial.options
    lines = make_input(options.messages, options.seed)
    expected, reference, _ = trial.reference(lines, server)
    place = trial.place(server)
    place.write(lines)
    place.run(fault={"FAULT_COUNT": place.at("count"), "FAULT_OPENS": 1})
    most = int(place.lines("count")[0])
    trial.drop(place)
    ways = [("SIGKILL", 0, False), ("EMFILE", errno.EMFILE, False), ("EMFILE", errno.EMFILE, True),
            ("ENOSPC", errno.ENOSPC, False), ("ENOSPC", errno.ENOSPC, True)]
    # No system answers a write with EMFILE; where this trial does, it is a disk that fails.
    wanted = {"SIGKILL": (-signal.SIGKILL,), "EMFILE": (75, 74), "ENOSPC": (74,)}
    codes = collections.Counter()
    for number in points(options, most):
        for name, code, forever in ways if not options.points else [ways[number % len(ways)]]:
            place = trial.place(server)
            place.write(lines)
            fault = {"FAULT_AT": number, "FAULT_OPENS": 1} | ({"FAULT_ERRNO": code} if code else {})
            if forever:
                fault["FAULT_UNTIL"] = 0
            status = place.run(fault=fault)
            what = f"{name}{' for ever' if forever else ''} at call {number}: exit {status}"
            codes[name, status] += 1
            # What fails may be something that a run can do without, such as a cache.
            if status not in (0, 1, *wanted[name]):
                trial.add((0, 0, 1, 0), [place.words()[-300:]], what)
            looked = subprocess.run([options.triage, "list", "--store", place.at("inbox.db")], env=place.environment,
                                    stdin=subprocess.DEVNULL, capture_output=True).returncode
            if looked not in (0, 66):
                trial.add((0, 0, 1, 0), [f"list: {looked}"], what)
            status = place.run()
            if status not in (0, 1) or "[cache." in place.words():
                trial.add((0, 0, 1, 0), [place.words()[-300:]], f"{what}: the next run ended with {status}")
            if left := leftovers(place):
                trial.add((0, 0, 1, 0), [str(left)], f"{what}: left behind")
            with contextlib.suppress(sqlite3.Error, OSError, ValueError):
                oracle = Oracle(expected, reference)
                trial.add(oracle.check(place), oracle.notes, what)
                trial.drop(place)
                continue
            trial.add((0, 0, 1, 0), ["the store cannot be looked at"], what)
    trial.end(f"the first opening disturbed at {len(points(options, most))} of {most} calls, exits {dict(codes)}")


def parts(trial, server):
    """`run -o` killed at random moments: nothing of what it was writing stays, once it came to its end."""
    options, rng = trial.options, random.Random(trial.options.seed)
    place = trial.place(server)
    place.write(make_input(options.messages, options.seed))
    command = [options.triage, "run", place.at("in.jsonl"), "-q", "-o", place.at("out.jsonl"), "--rejects",
               place.at("rejects.jsonl"), "--offline", "--config", place.at("triage.yaml")]

    def start():
        return subprocess.Popen(command, env=place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
    before = time.monotonic()
    start().wait(PATIENCE)
    duration, bytes_left = time.monotonic() - before, 0
    for _ in range(options.kills):
        process = start()
        time.sleep(rng.uniform(0, duration))
        process.kill()
        process.wait()
        bytes_left += sum(os.path.getsize(place.at(name)) for name in leftovers(place))
    status = start().wait(PATIENCE)
    left = leftovers(place)
    trial.report.expect(status in (0, 1) and not left, f"after {options.kills} kills the next run ends with {status} and leaves {left}")
    trial.report.note(f"{bytes_left} bytes were beside the output after kills, all sums together")
    trial.drop(place)
    trial.end("outputs of killed runs")


def settle(trial, place, oracle, what, allowed=(0, 1)):
    """Runs to the end what was disturbed, and looks."""
    status = place.run()
    if status not in allowed:
        trial.add((0, 0, 1, 0), [place.words()[-300:]], f"{what}: the next run ended with {status}")
    with contextlib.suppress(sqlite3.Error, OSError, ValueError):
        trial.add(oracle.check(place), oracle.notes, what)
        trial.drop(place)
        return
    trial.add((0, 0, 1, 0), ["the store cannot be looked at"], what)


def errors(trial, server):
    """A3: each call fails, once and for ever."""
    options = trial.options
    lines = make_input(options.messages, options.seed)
    expected, reference, _ = trial.reference(lines, server)
    most = count_calls(trial, lines, server)
    ways = [(name, until) for name in ("ENOSPC", "EIO", "EINTR", "EDQUOT") for until in ("once", "ever")
            if (name, until) != ("EINTR", "ever")]
    rng, done, codes = random.Random(options.seed), 0, collections.Counter()
    for place_of_way, number in enumerate(points(options, most)):
        for name, until in ways if not options.points else [ways[place_of_way % len(ways)]]:
            place = trial.place(server)
            place.write(lines)
            fault = {"FAULT_AT": number, "FAULT_ERRNO": getattr(errno, name)}
            if until == "ever":
                fault["FAULT_UNTIL"] = 0
            status = place.run(fault=fault)
            codes[status] += 1
            words = place.words()
            what = f"{name} {until} at call {number}: exit {status}"
            # Said in one message, with a code and a fix, and never a crash.
            if status not in (0, 1, 74) or (status > 1 and "triage: " not in words) or "Fatal error" in words:
                trial.add((0, 0, 1, 0), [words[-300:]], what)
            settle(trial, place, Oracle(expected, reference), what)
            done += 1
    trial.end(f"{done} failures of {most} calls, exits {dict(codes)}")


def signals(trial, server):
    """A11: signals at random moments; the runs end with their code, and whole lines."""
    options, rng = trial.options, random.Random(trial.options.seed)
    lines = make_input(options.messages, options.seed)
    expected, reference, duration = trial.reference(lines, server)
    codes, slow = collections.Counter(), 0
    wanted = {signal.SIGTERM: (143, 0, 1, -signal.SIGTERM), signal.SIGINT: (130, 0, 1, -signal.SIGINT),
              signal.SIGHUP: (129, 0, 1, -signal.SIGHUP)}
    for number in range(options.times):
        place = trial.place(server)
        place.write(lines)
        process = place.start()
        time.sleep(rng.uniform(0, duration))
        sent = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP][number % 3]
        before = time.monotonic()
        process.send_signal(sent)
        try:
            status = process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
            trial.add((0, 0, 1, 0), ["did not end"], f"{sent.name} {number}")
        slow = max(slow, time.monotonic() - before)
        codes[sent.name, status] += 1
        if status not in wanted[sent]:
            trial.add((0, 0, 1, 0), [place.words()[-300:]], f"{sent.name}: exit {status}")
        if sent != signal.SIGHUP and place.lines("out.jsonl")[-1] != b"":
            trial.add((0, 0, 1, 0), ["half a line"], f"{sent.name} {number}")
        settle(trial, place, Oracle(expected, reference), f"{sent.name} {number}")
    # A second one ends it at once.
    place = trial.place(server)
    place.write(lines)
    process = place.start()
    time.sleep(duration / 2)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    settle(trial, place, Oracle(expected, reference), "two signals")
    trial.report.note(f"slowest end {slow:.2f} s; {dict(codes)}")
    trial.end(f"{options.times} signals at random moments")


def crowd(trial, server):
    """A5, A6: several runs at once, one that is frozen and woken, one that was killed."""
    options = trial.options
    lines = make_input(options.messages, options.seed)
    expected, reference, duration = trial.reference(lines, server)
    for many in (2, 4, 16):
        place = trial.place(server)
        place.write(lines)
        processes = []
        for number in range(many):
            with open(place.at(f"err{number}"), "wb") as words:
                processes.append(subprocess.Popen(place.command(), env=place.environment, stdin=subprocess.DEVNULL,
                                                  stdout=subprocess.DEVNULL, stderr=words))
        statuses = [process.wait(PATIENCE) for process in processes]
        refused = 0
        for number, status in enumerate(statuses):
            words = b"\n".join(place.lines(f"err{number}")).decode(errors="replace")
            if status == 75:
                refused += 1
                if "another run holds this store" not in words or "fix:" not in words:
                    trial.add((0, 0, 1, 0), [words[-300:]], "75 without words")
            elif status not in (0, 1):
                trial.add((0, 0, 1, 0), [words[-300:]], f"{many} at once: exit {status}")
        trial.report.note(f"{many} at once: {many - refused} did something, {refused} left with 75")
        settle(trial, place, Oracle(expected, reference), f"{many} at once")
        # Those that wait all come to their turn.
        place = trial.place(server)
        place.write(lines)
        processes = [subprocess.Popen(place.command("--wait", "60", "--quiet"), env=place.environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) for _ in range(min(many, 4))]
        statuses = [process.wait(PATIENCE) for process in processes]
        if any(status not in (0, 1) for status in statuses):
            trial.add((0, 0, 1, 0), [str(statuses)], "waiting")
        settle(trial, place, Oracle(expected, reference), f"{many} that wait")
    for takes_lock_away in (False, True):
        for output in (True, False):
            place = trial.place(server)
            place.write(lines)
            # Stopped by itself at a call in its middle, so that it is always the same one.
            frozen = place.start(fault={"FAULT_AT": options.frozen, "FAULT_SIGNAL": int(signal.SIGSTOP)}, output=output)
            stopped = time.monotonic()
            while time.monotonic() - stopped < 20 and process_state(frozen.pid) not in "TZ":
                time.sleep(0.01)
            if takes_lock_away:
                os.remove(place.at("inbox.db.lock"))
            started = time.monotonic()
            status = place.run(output=output)
            took = time.monotonic() - started
            words = place.words()
            if not takes_lock_away and (status != 75 or f"process {frozen.pid}" not in words):
                trial.add((0, 0, 1, 0), [words[-300:]], f"beside a frozen run: exit {status}")
            frozen.send_signal(signal.SIGCONT)
            woken = frozen.wait(PATIENCE)
            trial.report.note(f"frozen, lock {'removed' if takes_lock_away else 'held'}, "
                              f"{'files' if output else 'store alone'}: the other {status} after {took:.1f} s, the woken {woken}")
            if woken not in (0, 1, 75):
                trial.add((0, 0, 1, 0), [place.words()[-300:]], f"woken: exit {woken}")
            what = f"frozen and woken, lock {'removed' if takes_lock_away else 'held'}"
            last = place.run(output=output)
            if last not in (0, 1):
                trial.add((0, 0, 1, 0), [place.words()[-300:]], f"{what}: the next run ended with {last}")
            oracle = Oracle(expected, reference)
            trial.add(oracle.check(place, output=output), oracle.notes, what)
            trial.drop(place)
    place = trial.place(server)
    place.write(lines)
    holder = place.start(fault={"FAULT_AT": options.frozen})
    holder.wait(PATIENCE)
    trial.report.expect(holder.returncode == -signal.SIGKILL and os.path.exists(place.at("inbox.db.lock")),
                        "a holder was killed and left its lock file")
    settle(trial, place, Oracle(expected, reference), "after a killed holder")
    trial.end("crowds, frozen and killed holders")


def process_state(pid):
    with contextlib.suppress(FileNotFoundError):
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    return "Z"


def inputs(trial, server):
    """A7, A8: inputs that change between runs, exports that overlap, edited messages; some runs are killed."""
    options, rng = trial.options, random.Random(trial.options.seed)
    lines = make_input(options.messages, options.seed)
    trial.reference(lines, server)
    kinds = collections.Counter()
    for script in range(options.times):
        place = trial.place(server)
        expected = Expected()
        pool = make_input(60, options.seed * 1000 + script)
        current = pool[:rng.randrange(5, 40)]
        for _ in range(rng.randrange(3, 8)):
            kind = rng.choice(["grow", "shrink", "replace", "edit", "shuffle", "overlap", "twice", "same", "back"])
            kinds[kind] += 1
            names = ["in.jsonl"]
            if kind == "grow":
                current = current + rng.sample(pool, rng.randrange(1, 10))
            elif kind == "shrink":
                current = current[:rng.randrange(0, len(current) + 1)]
            elif kind == "replace":
                current = rng.sample(pool, rng.randrange(1, len(pool)))
            elif kind == "edit" and current:
                place_of = rng.randrange(len(current))
                with contextlib.suppress(ValueError):
                    record = json.loads(current[place_of])
                    if "id" in record:
                        record["text"] += f" (edit {rng.randrange(3)})"
                        current = [*current[:place_of], line_of(record), *current[place_of + 1:]]
                        pool.append(current[place_of])
            elif kind == "shuffle":
                rng.shuffle(current)
            elif kind == "back":
                pool, current = current + pool, pool[:20]
            elif kind == "overlap":
                share = rng.choice([0, 10, 25, 50, 75, 90, 100])
                rest = current[len(current) * (100 - share) // 100:]
                place.write(rest + rng.sample(pool, 5), "more.jsonl")
                names.append("more.jsonl")
            elif kind == "twice":
                names.append("in.jsonl")
            place.write(current)
            everything = [line for name in names for line in place.lines(name)[:-1]]
            if rng.random() < 0.2:
                process = place.start(inputs=names)
                time.sleep(rng.uniform(0, 0.3))
                process.kill()
                process.wait()
            status = place.run(inputs=names)
            expected.see(everything)
            if status not in (0, 1):
                trial.add((0, 0, 1, 0), [place.words()[-300:]], f"script {script}, {kind}: exit {status}")
        oracle = Oracle(expected)
        trial.add(oracle.check(place), oracle.notes, f"script {script}")
        trial.drop(place)
    # Two exports that overlap by so much.
    for share in (0, 10, 50, 90, 100):
        place = trial.place(server)
        expected = Expected()
        first, second = lines[:len(lines) // 2], lines[len(lines) // 2 - len(lines) * share // 200:]
        place.write(first, "a.jsonl")
        place.write(second, "b.jsonl")
        for names in (["a.jsonl"], ["b.jsonl"], ["b.jsonl", "a.jsonl"]):
            place.run(inputs=names)
        expected.see(first + second)
        oracle = Oracle(expected)
        trial.add(oracle.check(place), oracle.notes, f"overlap of {share} %")
        trial.drop(place)
    trial.end(f"{options.times} scripts of changing inputs: {dict(kinds)}")


def clock(trial, server):
    """A9: a clock that is a year off, or jumps in mid-run."""
    options, year = trial.options, 365 * 86400
    lines = make_input(options.messages, options.seed)
    expected, reference, _ = trial.reference(lines, server)
    for name, fault in [("a year behind", {"FAULT_CLOCK": -year}), ("a year ahead", {"FAULT_CLOCK": year}),
                        ("two hours back in mid-run", {"FAULT_STEP": f"{options.frozen}:-7200"}),
                        ("a day on in mid-run", {"FAULT_STEP": f"{options.frozen}:86400"}),
                        ("at the beginning of time", {"FAULT_CLOCK": -int(time.time()) + 5}),
                        ("before it", {"FAULT_CLOCK": -int(time.time()) - 90000})]:
        place = trial.place(server)
        place.write(lines[:len(lines) // 2])
        first = place.run(fault=fault)
        place.write(lines)
        second = place.run()
        if first not in (0, 1) or second not in (0, 1):
            trial.add((0, 0, 1, 0), [place.words()[-300:]], f"{name}: exits {first}, {second}")
        place.run(fault=fault)
        oracle = Oracle(expected, reference)
        trial.add(oracle.check(place), oracle.notes, name)
        trial.drop(place)
    trial.end("clocks that are wrong")


def full(trial, server):
    """A10: no more room, in steps, and then room."""
    options = trial.options
    lines = make_input(options.messages, options.seed)
    expected, reference, _ = trial.reference(lines, server)
    codes = collections.Counter()
    for kilobytes in (0, 4, 40, 100, 150, 200, 260, 300, 400, 600):
        # No file may grow beyond it, as on a disk with a quota.
        place = trial.place(server)
        place.write(lines)
        limit = kilobytes * 1024
        with open(place.at("err"), "wb") as words:
            process = subprocess.Popen(
                place.command(), env=place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=words,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            status = process.wait(PATIENCE)
        codes[status] += 1
        if status not in (0, 1, 74) or place.lines("out.jsonl")[-1] != b"":
            trial.add((0, 0, 1, 0), [place.words()[-300:]], f"files of {kilobytes} kB: exit {status}")
        settle(trial, place, Oracle(expected, reference), f"files of {kilobytes} kB")
    can_mount = subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0
    for kilobytes in (64, 128, 256, 512, 768, 1024, 1536, 2048) if can_mount else ():
        place = trial.place(server)
        place.write(lines)
        disk = place.at("disk")
        os.makedirs(disk)
        # The store and the files on a small disk of its own; then they are moved to where there is room.
        command = " ".join(f"'{word}'" for word in place.command()).replace(
            place.at("inbox.db"), disk + "/inbox.db").replace(place.at("out.jsonl"), disk + "/out.jsonl").replace(
            place.at("rejects.jsonl"), disk + "/rejects.jsonl")
        script = (f"mount -t tmpfs -o size={kilobytes}k none '{disk}' && {command}; status=$?; "
                  f"if [ $status -gt 1 ]; then mount -o remount,size=64m '{disk}'; {command}; echo $? > '{place.at('second')}'; "
                  f"else echo $status > '{place.at('second')}'; fi; cp -a '{disk}'/. '{place.folder}'/; exit $status")
        with open(place.at("err"), "wb") as words:
            status = subprocess.run(["unshare", "-rm", "sh", "-c", script], env=place.environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=words, timeout=PATIENCE).returncode
        codes["disk", status] += 1
        second = place.lines("second")[0].decode()
        if status not in (0, 1, 74) or second not in ("0", "1"):
            trial.add((0, 0, 1, 0), [place.words()[-400:]], f"a disk of {kilobytes} kB: exits {status}, {second}")
        # The copies are other files: only their contents are looked at here.
        with contextlib.closing(sqlite3.connect(place.at("inbox.db"))) as database:
            database.execute("UPDATE output SET path = replace(path, ?, ?)", (disk, place.folder))
            database.commit()
        oracle = Oracle(expected, reference)
        trial.add(oracle.check(place), oracle.notes, f"a disk of {kilobytes} kB")
        trial.drop(place)
    if not can_mount:
        trial.report.note("no disks can be made here (unshare): only limits on files were tried")
    trial.report.note(f"exits {dict(codes)}")
    trial.end("disks that are full, and then are not")


def closed(trial, server):
    """A12: started without standard input, output or errors."""
    options = trial.options
    lines = make_input(options.messages, options.seed)
    expected, reference, _ = trial.reference(lines, server)
    for redirections in ("<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"):
        place = trial.place(server)
        place.write(lines)
        command = " ".join(f"'{word}'" for word in place.command())
        status = subprocess.run(["sh", "-c", f"exec {command} {redirections}"], env=place.environment,
                                timeout=PATIENCE).returncode
        if status not in (0, 1):
            trial.add((0, 0, 1, 0), [f"exit {status}"], redirections)
        settle(trial, place, Oracle(expected, reference), redirections)
    trial.end("closed descriptors")


def teeth(trial, server):
    """The oracle itself: damage of every kind is seen, and called what it is."""
    lines = make_input(trial.options.messages, trial.options.seed)
    expected, reference, _ = trial.reference(lines, server)

    def output(change, name="out.jsonl"):
        def do(place):
            found = place.lines(name)
            change(found)
            with open(place.at(name), "wb") as out:
                out.write(b"\n".join(found))
        return do

    def store(sql):
        def do(place):
            with contextlib.closing(sqlite3.connect(place.at("inbox.db"))) as database:
                database.execute(sql)
                database.commit()
        return do

    def swap(found):
        found[3], found[4] = found[3].replace(b'"text":', b'"text": '), found[4]

    damages = [
        ("a line less", "lost", output(lambda found: found.pop(5))),
        ("a line twice", "doubled", output(lambda found: found.insert(7, found[2]))),
        ("a blank more in a record", "changed", output(swap)),
        ("another answer", "changed", output(lambda found: found.__setitem__(1, found[1].replace(b'"confidence":0', b'"confidence":1')))),
        ("half a line at the end", "changed", output(lambda found: found.__setitem__(-1, b'{"id"'))),
        ("a rejected line less", "lost", output(lambda found: found.pop(0), "rejects.jsonl")),
        ("a rejected line twice", "doubled", output(lambda found: found.insert(0, found[0]), "rejects.jsonl")),
        ("a message less in the store", "lost", store("DELETE FROM message WHERE seq = 4")),
        ("a record less that is known", "lost", store("DELETE FROM known WHERE key = (SELECT key FROM known LIMIT 1)")),
        ("a record more that is known", "doubled", store("INSERT INTO known VALUES (x'00112233445566778899aabbccddeeff', 1, 1)")),
        ("other bytes in the store", "changed", store("UPDATE message SET record = CAST(replace(record, 'schema', 'schemb') AS BLOB) WHERE seq = 2")),
        ("another length", "changed", store("UPDATE output SET length = length - 1")),
    ]
    for name, figure, damage in damages:
        place = trial.place(server)
        place.write(lines)
        place.run()
        damage(place)
        found = Oracle(expected, reference).check(place)
        trial.report.expect(getattr(found, figure) > 0, f"{name}: {found}")
        trial.drop(place)
    trial.end("nothing else")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    trials = {"kill": kill, "calls": calls, "power": power, "errors": errors, "signals": signals, "first": first, "parts": parts, "crowd": crowd, "inputs": inputs,
              "clock": clock, "full": full, "closed": closed, "teeth": teeth}
    parser.add_argument("trial", choices=trials)
    parser.add_argument("--triage", default=os.path.join(ROOT, ".build", "release", "triage"))
    parser.add_argument("--cache", help="where compiled rules are kept; default: a folder that goes away")
    parser.add_argument("--messages", type=int, default=300)
    parser.add_argument("--batch", type=int, default=32, help="messages in a batch, and so in a commit")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--points", type=int, default=0, help="calls that are tried; 0: all")
    parser.add_argument("--frozen", type=int, default=60, help="the call at which a run is frozen")
    parser.add_argument("--llm", action="store_true", help="with a language model")
    parser.add_argument("--latency", type=float, default=5, help="of the model, in milliseconds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = Report()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="triage-sync-") as folder, maybe_server(options) as server:
        options.cache = options.cache or os.path.join(folder, "xdg")
        trials[options.trial](Trial(options, folder, report), server)
    report.note(f"{time.monotonic() - start:.0f} s")
    sys.exit(1 if report.broken else 0)


if __name__ == "__main__":
    main()
