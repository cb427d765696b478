"""A body for `mapPartitions` that sends a partition through a filter process and refuses every silent loss.

Spark's own `pipe` sees an exit code at best. This sees more: a filter that ends early, that leaves a line out, doubles one,
mixes words among its answers, answers in another order, or hangs; and an upstream that breaks in mid-partition, which to
a filter looks like the end of its input. Each makes the task fail, and Spark runs it again.

What it asks of the filter: one line out for each line in, in order, with the record's "id", or with the verdict that it was
rejected; exit 0 only when all was read and written.
"""
import base64
import json
import os
import subprocess
import threading
import time


class FilterFailed(RuntimeError):
    """The filter did not do what it promises; the partition has to be run again."""


def parsed(line):
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def is_answer(answer, line):
    """Whether this is the answer to that record: it has its "id", or says that just this line was rejected."""
    record = parsed(answer)
    verdict = record.get("triage")
    if isinstance(verdict, dict) and "rejected" in verdict:
        # The line itself stands in it, unless it is blank or very long.
        try:
            return "raw_b64" not in record or base64.b64decode(record["raw_b64"], validate=True) == line.encode("utf-8")
        except (ValueError, TypeError):
            return False
    wanted = parsed(line).get("id")
    return not isinstance(wanted, str) or record.get("id") == wanted


def checked_pipe(command, environment=None, idle_limit=120.0):
    """A function from an iterator of lines to an iterator of lines.

    command       list of words; the program by its absolute path
    environment   all of what the filter gets; the default is nothing at all
    idle_limit    seconds in which nothing goes in and nothing comes out before the filter is taken for hung

    Lines are handed on as they come, before the end is known: write them where a failed task leaves nothing behind, such
    as files of Spark's committer, and not into a table row by row.
    """

    def run(lines):
        lines = iter(lines)
        first = next(lines, None)
        if first is None:
            return  # an empty partition starts no process
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=dict(environment or {}), bufsize=1 << 16, start_new_session=False)
        state = {"in": 0, "fault": None, "beat": time.monotonic(), "done": False}
        asked, words = [], bytearray()
        lock = threading.Lock()

        def feed():
            line = first
            try:
                while line is not None:
                    with lock:
                        asked.append(line)
                    process.stdin.write(line.encode("utf-8") + b"\n")
                    state["in"] += 1
                    state["beat"] = time.monotonic()
                    line = next(lines, None)
            except BaseException as fault:  # also what Spark throws to end a task
                state["fault"] = fault
                if not isinstance(fault, BrokenPipeError):
                    process.kill()  # an end of its input would look like success to the filter
            finally:
                try:
                    process.stdin.close()
                except OSError as fault:
                    state["fault"] = state["fault"] or fault

        def listen():
            # Drained, or a filter with much to say would stand still; the last of it is kept for the error.
            for chunk in iter(lambda: process.stderr.read1(1 << 16), b""):
                words.extend(chunk)
                del words[:-8192]

        def watch():
            while process.poll() is None and not state["done"]:
                if time.monotonic() - state["beat"] > idle_limit:
                    state["fault"] = TimeoutError(f"nothing for {idle_limit:.0f} s")
                    process.kill()
                time.sleep(0.5)

        threads = [threading.Thread(target=body, daemon=True) for body in (feed, listen, watch)]
        for thread in threads:
            thread.start()
        count = 0
        try:
            for line in process.stdout:
                state["beat"] = time.monotonic()
                if not line.endswith(b"\n"):
                    break  # torn; the count shows it
                with lock:
                    if not asked:
                        raise FilterFailed(f"line {count + 1} of the filter answers nothing")
                    wanted = asked.pop(0)
                text = line[:-1].decode("utf-8")
                if not is_answer(text, wanted):
                    raise FilterFailed(f"line {count + 1} of the filter does not answer its record")
                count += 1
                # A slow reader of ours is no fault of the filter's.
                yield text
                state["beat"] = time.monotonic()
            threads[0].join()
            status = process.wait()
            threads[1].join(5)
            if status or state["fault"] is not None or count != state["in"]:
                raise FilterFailed(
                    f"filter: exit {status}, {state['in']} lines in, {count} out, {state['fault']!r}; it said: "
                    + bytes(words[-2000:]).decode("utf-8", "replace"))
        finally:
            state["done"] = True
            if process.poll() is None:
                process.kill()
            process.wait()

    return run


if __name__ == "__main__":
    # For a look without Spark: checked_pipe.py COMMAND… < in > out
    import sys

    source = (line.rstrip("\n") for line in open(0, encoding="utf-8", newline="\n"))
    for answer in checked_pipe(sys.argv[1:], dict(os.environ))(source):
        sys.stdout.write(answer + "\n")
