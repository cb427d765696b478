#!/usr/bin/env python3
"""The contract of a filter: what a distributed engine or a queue may rely on, as a black-box test.

  filter_contract.py [--config-flag FLAG] [--only NUMBERS] [--slack FACTOR] -- COMMAND [ARGUMENT...]

Runs COMMAND again and again as an engine would (an empty environment, any directory, pipes) and prints one line a check:
its number, ok or FAILED or "left out", and what was seen. Ends with 0 when all that apply are kept, else with 1. Nothing
is known of the command but that it takes one JSON record a line with "text" and answers each with one line that has
"triage" as an additional member.

  --config-flag FLAG   the flag that names a configuration file, to see a bad one refused (default --config)
  --summary-flag FLAG  the flag that asks for a summary (default --summary)
  --only 1,4,7         only these checks
  --slack FACTOR       all time limits times this, for slow machines and debug builds (default 1)
"""
import argparse
import base64
import hashlib
import json
import os
import random
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

TEXTS = ["Love your last video!", "We pay $5,000 for one reel, reply by Friday", "Win a free phone, click here now",
         "¿Qué cámara usas?", "いつも見てます 🎉", "line\u2028separator and \u0000 nul", "ok", ""]


def record(number, **extra):
    return json.dumps({"id": f"m{number}", "text": TEXTS[number % len(TEXTS)], **extra}, ensure_ascii=number % 2 == 0)


def records(count):
    return "".join(record(n) + "\n" for n in range(count)).encode()


class Failed(Exception):
    pass


def want(condition, words):
    if not condition:
        raise Failed(words)


class Kit:
    def __init__(self, command, slack, options):
        self.command, self.slack, self.options = command, slack, options
        self.folder = tempfile.mkdtemp(prefix="filter-contract.")

    def start(self, extra=(), **how):
        how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "env": {},
               "cwd": self.folder, **how}
        return subprocess.Popen([*self.command, *extra], **how)

    def run(self, data, extra=(), seconds=20, **how):
        """Status and output for an input that is all there."""
        process = self.start(extra, **how)
        try:
            out, _ = process.communicate(data, timeout=seconds * self.slack)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failed(f"did not end within {seconds * self.slack:.0f} s")
        return process.returncode, out

    def answers(self, data, extra=(), status=0, **how):
        code, out = self.run(data, extra, **how)
        want(code == status, f"exit {code}, not {status}")
        want(not out or out.endswith(b"\n"), "the last line has no end")
        return [json.loads(line) for line in out.split(b"\n")[:-1]], out

    def read_line(self, process, seconds):
        """One line of a live process; None when none came in time."""
        end, line = time.monotonic() + seconds * self.slack, b""
        while not line.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                return None
            byte = os.read(process.stdout.fileno(), 1)
            if not byte:
                return None
            line += byte
        return line

    def started(self, extra=(), **how):
        """A process that has answered a first line, so that it is past its start."""
        process = self.start(extra, bufsize=0, **how)
        process.stdin.write(records(1))
        if self.read_line(process, 10) is None:
            process.kill()
            process.wait()
            raise Failed("no answer to a first line while the input is open")
        return process

    def ends(self, process, seconds):
        try:
            return process.wait(seconds * self.slack)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Failed(f"did not end within {seconds * self.slack:.1f} s")
        finally:
            for end in (process.stdin, process.stdout):
                try:
                    if end:
                        end.close()
                except OSError:
                    pass

    # The sixteen lines.

    def check_1(self):
        """one line out for each line in, in order, blank and unended lines too"""
        lines = [record(n).encode() for n in range(300)]
        for place, odd in [(3, b""), (50, b"   "), (120, b'{"text":"cr at the end","id":"cr"}\r'), (200, b"[1,2]")]:
            lines[place] = odd
        data = b"\n".join(lines)
        found, out = self.answers(data)
        want(len(found) == 300, f"{len(found)} lines out for 300 lines in")
        out.decode("utf-8")
        for n, answer in enumerate(found):
            want("triage" in answer, f"line {n + 1} has no answer")
            if n not in (3, 50, 120, 200):
                want(answer.get("id") == f"m{n}", f"line {n + 1} answers {answer.get('id')}")
        want(len(self.answers(b"\n\n")[0]) == 2, "an input of two blank lines has not two answers")

    def check_2(self):
        """members that are not the filter's come out byte for byte, `triage` last, an old one replaced"""
        line = ('{ "x":1.0e+02 , "id":"a\\u00e9\\/b","big":12345678901234567890123,"text":"hello \\ud83d there",'
                '"n":{"a":[1, 2 ,3],"triage":0},"z":null')
        found, out = self.answers((line + "}\n" + '{"text":"hi","triage":{"old":1},"y":2}\n').encode())
        first, second = out.split(b"\n")[:2]
        want(first.startswith(line.encode()), "a member came out changed")
        want(second.count(b'"triage"') == 1 and b'"old"' not in second, "an old answer was kept")
        want(list(found[1])[-1] == "triage", "`triage` is not the last member")

    def check_3(self):
        """bad input is answered in its place, with a code and the bytes, and ends nothing"""
        bad = [b"nonsense", b'{"text":', b'{"text":"\xff\xfe"}', b'{"id":1}', b"[" * 5000, b'{"text":5}', b"\x00",
               b'{"text":"raw \x01 control"}']
        data = b"".join(record(n).encode() + b"\n" + line + b"\n" for n, line in enumerate(bad))
        found, _ = self.answers(data)
        want(len(found) == 2 * len(bad), f"{len(found)} lines out for {2 * len(bad)} in")
        for n, line in enumerate(bad):
            want(found[2 * n].get("id") == f"m{n}", f"a neighbor of {line[:12]!r} was harmed")
            problem = found[2 * n + 1]["triage"].get("rejected") or found[2 * n + 1]["triage"].get("error")
            want(isinstance(problem, dict) and problem.get("code"), f"{line[:12]!r} has no code")
            raw = found[2 * n + 1].get("raw_b64")
            want(raw is not None and base64.b64decode(raw) == line, f"{line[:12]!r} did not keep its bytes")

    def check_4(self):
        """exit 0 only when everything was written and taken"""
        if not os.path.exists("/dev/full"):
            return "no /dev/full here"
        with open("/dev/full", "wb") as full:
            code, _ = self.run(records(10), stdout=full)
        want(code not in (0, None), "exit 0 onto a full disk")
        process = self.started()
        process.kill()
        want(self.ends(process, 5) != 0, "exit 0 after a kill")
        # Closed output is no success either.
        command = ["/bin/sh", "-c", '"$@" >&-', "sh", *self.command]
        code = subprocess.run(command, input=records(3), env={"PATH": "/usr/bin:/bin"}, cwd=self.folder,
                              stderr=subprocess.DEVNULL, timeout=20 * self.slack).returncode
        want(code != 0, "exit 0 with a closed output")

    def check_5(self):
        """records alone on the output; errors are few, and need neither be read nor be open"""
        data = b"".join(b"nonsense\n" for _ in range(30_000))
        process = self.start(stderr=subprocess.PIPE)
        feeder = threading.Thread(target=lambda: (process.stdin.write(data), process.stdin.close()))
        feeder.start()
        lines = 0
        # Nobody reads the errors meanwhile.
        end = time.monotonic() + 20 * self.slack
        while time.monotonic() < end:
            if not select.select([process.stdout], [], [], 1)[0]:
                continue
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            if not chunk:
                break
            lines += chunk.count(b"\n")
        feeder.join(5)
        words = process.stderr.read()
        process.stderr.close()
        want(self.ends(process, 5) == 0 and lines == 30_000, f"{lines} answers with unread errors")
        want(len(words) <= 1 << 16, f"{len(words)} bytes of errors")
        command = ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *self.command]
        out = subprocess.run(command, input=records(5), env={}, cwd=self.folder, stdout=subprocess.PIPE,
                             timeout=20 * self.slack)
        want(out.returncode == 0 and out.stdout.count(b"\n") == 5, "with closed errors it does not work")
        for line in out.stdout.split(b"\n")[:-1]:
            json.loads(line)

    def check_6(self):
        """answers at once when nothing more is waiting; no deadlock, one line at a time or all before reading"""
        process = self.started()
        for n in range(1, 20):
            process.stdin.write(record(n).encode() + b"\n")
            line = self.read_line(process, 2)
            if line is None:
                process.kill()
                self.ends(process, 5)
                raise Failed(f"line {n} was not answered while the next was held back")
        half = record(20).encode()
        process.stdin.write(half[:9])
        time.sleep(0.05)
        process.stdin.write(half[9:] + b"\n")
        want(self.read_line(process, 2) is not None, "a line in two halves was not answered")
        process.stdin.close()
        want(self.ends(process, 5) == 0, "the end of the input was not taken well")
        # Much more than any pipe holds is written before anything is read.
        big = records(30_000)
        process = self.start()
        written = []
        feeder = threading.Thread(target=lambda: (process.stdin.write(big), process.stdin.close(), written.append(1)),
                                  daemon=True)
        feeder.start()
        time.sleep(0.5)
        out = process.stdout.read()
        want(out.count(b"\n") == 30_000, "answers are missing when the reader comes late")
        want(self.ends(process, 5) == 0, "not 0")

    def check_7(self):
        """a reader that goes is noticed while waiting (141), SIGHUP and SIGTERM end it (129, 143)"""
        process = self.started()
        process.stdout.close()
        start = time.monotonic()
        code = self.ends(process, 2)
        want(code in (141, -signal.SIGPIPE), f"exit {code} when the reader went")
        want(time.monotonic() - start < 1 * self.slack, "more than a second until it noticed")
        for number, code in ((signal.SIGHUP, 129), (signal.SIGTERM, 143), (signal.SIGINT, 130)):
            process = self.started()
            process.send_signal(number)
            found = self.ends(process, 2)
            want(found in (code, -number), f"exit {found} after {number.name}")

    def check_8(self):
        """the end of the input has no effect outside: nothing is left in its folder"""
        self.answers(records(20))
        want(os.listdir(self.folder) == [], f"it left {os.listdir(self.folder)}")

    def check_9(self):
        """no state: copies run at once, and the same input gives the same bytes"""
        data = records(2000)
        outs = [None] * 3

        def one(place):
            outs[place] = self.run(data)

        threads = [threading.Thread(target=one, args=(place,)) for place in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        want(all(out and out[0] == 0 for out in outs), "copies at once disturb each other")
        want(len({out[1] for out in outs}) == 1, "the same input gave other bytes")

    def check_10(self):
        """paid once: needs a model and a cache, see the tests of asking"""
        return "no model is asked here"

    def check_11(self):
        """an empty environment, any directory, a read-only disk; a bad configuration is refused before a line is read"""
        want(len(self.answers(records(5), cwd="/")[0]) == 5, "not in /")
        closed = os.path.join(self.folder, "closed")
        os.mkdir(closed, 0o500)
        try:
            want(len(self.answers(records(5), cwd=closed)[0]) == 5, "not where nothing can be written")
        finally:
            os.rmdir(closed)
        bad = os.path.join(self.folder, "bad.yaml")
        with open(bad, "w") as file:
            file.write("surely: [no, such: thing\n")
        try:
            process = self.start([self.options.config_flag, bad], bufsize=0)
            # The input stays open and silent.
            want(self.ends(process, 5) == 78, "a bad configuration is not refused with 78")
        finally:
            os.unlink(bad)

    def check_12(self):
        """empty input: exit 0, no output, at once"""
        best = 1e9
        for _ in range(3):
            start = time.monotonic()
            code, out = self.run(b"")
            best = min(best, time.monotonic() - start)
            want(code == 0 and out == b"", f"exit {code}, {len(out)} bytes")
        return f"{best * 1000:.0f} ms"

    def check_13(self):
        """time limits inside: a silent input ends with 75 where that is asked for"""
        if not self.options.idle_flag:
            return "no flag for it"
        process = self.start([self.options.idle_flag, "0.3"], bufsize=0)
        process.stdin.write(records(2))
        want(self.read_line(process, 10) is not None, "no answer")
        want(self.ends(process, 5) == 75, "not 75")

    def check_14(self):
        """bounded memory, also for a line that never ends: it is answered, and the next one is fine"""
        process = self.start()

        def feed():
            process.stdin.write(b'{"text":"')
            for _ in range(24):
                process.stdin.write(b"x" * (1 << 20))
            process.stdin.write(b'"}\n' + records(1))
            process.stdin.close()

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        out = process.stdout.read().split(b"\n")[:-1]
        want(len(out) == 2, f"{len(out)} lines out for 2 in")
        want(len(out[0]) < 1 << 20, "the long line came back")
        want(json.loads(out[1]).get("id") == "m0", "the next line was harmed")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        peak = usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
        want(process.returncode == 0, f"exit {process.returncode}")
        want(peak < 160, f"{peak:.0f} MB")
        return f"{peak:.0f} MB"

    def check_15(self):
        """a summary on request, written last: what went in and came out, and its digests"""
        if not self.options.summary_flag:
            return "no flag for it"
        path = os.path.join(self.folder, "summary.json")
        data = records(50) + b"nonsense\n"
        _, out = self.answers(data, [self.options.summary_flag, path])
        with open(path, "rb") as file:
            summary = json.load(file)
        os.unlink(path)
        want(summary["in"] == 51 and summary["out"] == 51 and summary["errors"] == 1, f"counts are {summary}")
        want(summary["sha256_in"] == hashlib.sha256(data).hexdigest(), "another digest of the input")
        want(summary["sha256_out"] == hashlib.sha256(out).hexdigest(), "another digest of the output")
        read, write = os.pipe()
        os.set_inheritable(write, True)
        process = self.start([self.options.summary_flag, f"fd:{write}"], pass_fds=(write,))
        os.close(write)
        process.communicate(data, timeout=20 * self.slack)
        with os.fdopen(read, "rb") as pipe:
            want(json.load(pipe)["in"] == 51, "nothing on a descriptor")

    def check_16(self):
        """the version and what decided stand in every record"""
        found, _ = self.answers(records(20))
        for answer in found:
            provenance = answer["triage"].get("provenance", {})
            want(provenance.get("version") and provenance.get("rules"), "a record does not say what made it")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--config-flag", default="--config")
    parser.add_argument("--summary-flag", default="--summary")
    parser.add_argument("--idle-flag", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--slack", type=float, default=1)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("command", nargs="*")
    options = parser.parse_args()
    if options.help or not options.command:
        print(__doc__)
        return 0 if options.help else 2
    kit = Kit(options.command, options.slack, options)
    only = {int(number) for number in options.only.split(",") if number}
    failures = 0
    for number in range(1, 17):
        if only and number not in only:
            continue
        check = getattr(kit, f"check_{number}")
        start = time.monotonic()
        try:
            said = check()
            # What could not be looked at is no failure, and no success.
            state = "left out" if said and not said[0].isdigit() else "ok"
        except Exception as fault:  # whatever a bad filter does is a finding, not an end of the kit
            said, state = f"{fault or type(fault).__name__}", "FAILED"
            failures += 1
        print(f"{number:2} {state:8} {check.__doc__}" + (f" ({said})" if said else "")
              + f" [{time.monotonic() - start:.1f} s]", flush=True)
    try:
        os.rmdir(kit.folder)
    except OSError:
        pass
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
