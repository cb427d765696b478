"""Measures how large exports are read: rate and peak memory, next to a plain tool on the same file in the same run.

    python3 Tests/Benchmarks/exports.py instagram [--megabytes 2048]

The export is made in a temporary folder: many conversations and one very long one, newest first, as Instagram writes them.
`triage` answers no question here but priority, so that reading is what counts; the other tool is `unzip -p | jq -c .`.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile

TRIAGE = os.environ.get("TRIAGE", ".build/release/triage")
WORDS = "love your videos so much where is that jacket from can we talk about a paid reel for our brand next week".split()


def mojibake(text):
    """As Meta writes it: the bytes of UTF-8, each as a character of its own."""
    return text.encode().decode("latin-1")


def thread(rng, name, messages):
    """One conversation file; its newest message comes first."""
    start = 1_780_000_000_000
    entries = []
    for i in range(messages):
        entry = {
            "sender_name": mojibake("Mara Makes") if i % 3 == 2 else mojibake(name),
            "timestamp_ms": start - i * 61_000 - rng.randrange(1000),
            "content": mojibake(" ".join(rng.choices(WORDS, k=rng.randrange(3, 40))) + " 🙂"),
            "is_geoblocked_for_viewer": False,
        }
        if i % 11 == 0:
            entry["reactions"] = [{"reaction": mojibake("❤️"), "actor": mojibake("Mara Makes")}]
        entries.append(entry)
    return {
        "participants": [{"name": mojibake(name)}, {"name": "Mara Makes"}],
        "messages": entries,
        "title": mojibake(name),
        "is_still_participant": True,
    }


def instagram(path, megabytes):
    """Writes an export of about so many megabytes of JSON; returns its messages."""
    rng = random.Random(7)
    written = count = number = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        root = "your_instagram_activity/messages/inbox"
        # Made once and written often: making text is what takes long.
        blocks = []
        for _ in range(8):
            messages = rng.choice([40, 400, 4000, 10_000])
            blocks.append((messages, thread(rng, "Zoë Krüger", messages)))
        while written < megabytes << 20:
            messages, body = blocks[number % len(blocks)]
            folder = f"zoekruger_{1000 + number}"
            body["thread_path"] = "inbox/" + folder
            body["messages"][0]["content"] = f"first of {number}"
            data = json.dumps(body)
            archive.writestr(f"{root}/{folder}/message_1.json", data)
            written += len(data)
            count += messages
            number += 1
    return count, written


def measure(command, **options):
    """Wall seconds and peak memory in MB of a command whose output goes nowhere."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command}: {errors.decode()[-500:]}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("export", choices=["instagram"])
    parser.add_argument("--megabytes", type=int, default=2048)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "instagram-mara.zip")
        count, size = instagram(path, arguments.megabytes)
        megabytes = size / (1 << 20)
        print(f"{count:,} messages, {megabytes:,.0f} MB of JSON, {os.path.getsize(path) >> 20:,} MB zipped")
        seconds, memory = measure([TRIAGE, "run", "--quiet", "--only", "priority", "--jobs", "2", path])
        print(f"triage            {seconds:7.1f} s  {megabytes / seconds:6.1f} MB/s  {count / seconds:10,.0f} messages/s  peak {memory:.0f} MB")
        seconds, _ = measure(f"unzip -p '{path}' | jq -c .", shell=True)
        print(f"unzip -p | jq -c . {seconds:6.1f} s  {megabytes / seconds:6.1f} MB/s")


main()
