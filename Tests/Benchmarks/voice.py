#!/usr/bin/env python3
"""Measures drafts in a creator's own words, with pairs held out and with creators held out.

    Tests/Benchmarks/voice.py check [--program .build/release/triage]
    Tests/Benchmarks/voice.py show --sample 60 [--creator maya]
    Tests/Benchmarks/voice.py speed
    Tests/Benchmarks/voice.py sync

`check` learns from four fifths of a creator's conversations and drafts for the rest, five times: an own reply is right where
what the creator really wrote does the same (its first sentence has the words of the draft's first sentence) or says the
same (half of the draft's words). The figures stand for each creator, so that thresholds chosen with two can be read on the
third. `show` prints drafts for messages that no pair is of, the same ones each time, to be read. `speed` learns 10,000
conversations and drafts with them; `sync` takes them into a store, with and without learning, in turn (user seconds).
"""
import argparse
import collections
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import unicodedata

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "Tests", "Data", "creators")
FOLDS = 5


def words(text):
    text = unicodedata.normalize("NFD", text.lower().replace("’", "'"))
    text = "".join(c for c in text if unicodedata.category(c) != "Mn")
    return re.findall(r"[\w'@./-]*\w", text)


def number(text):
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Creator:
    def __init__(self, profile, folder):
        self.id = profile["id"]
        self.profile = os.path.join(folder, self.id + ".json")
        with open(self.profile, "w", encoding="utf-8") as file:
            json.dump(profile, file)
        self.faq = os.path.join(DATA, f"faq-{self.id}.json")
        self.history = read(os.path.join(DATA, f"history-{self.id}.jsonl"))
        self.messages = [m for m in read(os.path.join(DATA, "messages.jsonl")) if m.get("creator") == self.id]

    def options(self):
        return ["--creator", self.profile, "--faq", self.faq]


def run(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def write(path, records):
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def drafts(program, creator, records, voice, folder):
    path = os.path.join(folder, "in.jsonl")
    write(path, records)
    voice = ["--voice", voice] if voice else []
    out = run(program, "run", path, *creator.options(), *voice, "--quiet")
    return [json.loads(line) for line in out.splitlines()]


def learned(program, creator, records, folder):
    path, voice = os.path.join(folder, "history.jsonl"), os.path.join(folder, "voice.jsonl")
    write(path, records)
    run(program, "voice", "learn", path, *creator.options(), "-o", voice)
    return voice


def agrees(draft, reply, name):
    """Whether a reply does or says what a draft does."""
    own = [w for w in words(reply)]
    first = re.split(r"(?<=[.!?])\s", draft)[0]
    act = [w for w in words(first) if w not in words(name)]
    if act and all(w in own for w in act):
        return True
    said = set(words(draft)) - set(words(name))
    return len(said) > 4 and len(said & set(own)) >= 0.5 * len(said)


def check(program, creators, folder):
    for creator in creators:
        replies, last = {}, {}
        for record in creator.history:
            if record["sender"].get("is_self"):
                asked = last.pop(record["conversation_id"], None)
                if asked:
                    replies[asked["id"]] = record["text"]
            else:
                last[record["conversation_id"]] = record
        counts = collections.Counter()
        for fold in range(FOLDS):
            def held(record):
                return number(record["conversation_id"]) % FOLDS == fold
            voice = learned(program, creator, [r for r in creator.history if not held(r)], folder)
            asked = [r for r in creator.history if held(r) and not r["sender"].get("is_self")]
            pairs = {p["id"]: p for p in read(voice)[1:]}
            for record in drafts(program, creator, asked, voice, folder):
                draft = record["triage"].get("draft") or {}
                counts["messages"] += 1
                if not draft.get("based_on", "").startswith("own-reply:"):
                    continue
                kind = "faq" if pairs[draft["based_on"][10:]]["intent"].startswith("faq:") else "other"
                if record["id"] not in replies:
                    counts[kind, "unanswered"] += 1
                    continue
                right = agrees(draft["text"], replies[record["id"]], record["sender"].get("name", ""))
                counts[kind, "right" if right else "wrong"] += 1
        print(creator.id, f"{counts['messages']} messages held out;", end=" ")
        for kind in ("faq", "other"):
            right, wrong = counts[kind, "right"], counts[kind, "wrong"]
            print(f"{kind}: {right} of {right + wrong} as they wrote, {counts[kind, 'unanswered']} never answered;", end=" ")
        print()


def show(program, creators, folder, sample, source):
    for creator in creators:
        voice = learned(program, creator, creator.history, folder)
        records = [r for r in drafts(program, creator, creator.messages, voice, folder)]
        given = collections.Counter(
            (r["triage"].get("draft") or {"based_on": "none:" + r["triage"].get("no_draft", "-")})["based_on"].split(":")[0]
            for r in records)
        print("#", creator.id, dict(given))
        if source:
            records = [
                r for r in records if (r["triage"].get("draft") or {}).get("based_on", "").startswith(source)]
        records.sort(key=lambda r: number(r["id"]))
        for record in records[:sample]:
            triage = record["triage"]
            draft = triage.get("draft") or {}
            gold = record.get("gold", {})
            print("---", record["id"], record["platform"], gold.get("category"), gold.get("faq_id") or "")
            print("  <", f"[{record['sender'].get('name')}]", record["text"].replace("\n", " | "))
            print("  >", f"({draft.get('based_on', triage.get('no_draft', '-'))})", draft.get("text", "").replace("\n", " | "))


def crowd(creator):
    many = []
    for turn in range(10_000 // len({r["conversation_id"] for r in creator.history}) + 1):
        for record in creator.history:
            copy = dict(record, id=f"{record['id']}-{turn}", conversation_id=f"{record['conversation_id']}-{turn}")
            if not record["sender"].get("is_self"):
                copy["sender"] = dict(record["sender"], handle=f"{record['sender']['handle']}{turn}")
            many.append(copy)
    return many


def speed(program, creators, folder):
    creator = creators[0]
    many = crowd(creator)
    start = time.monotonic()
    voice = learned(program, creator, many, folder)
    print(f"learned {len(many)} records in {time.monotonic() - start:.2f} s, {os.path.getsize(voice) >> 10} KiB")
    path = os.path.join(folder, "in.jsonl")
    write(path, creator.messages * 40)
    for options in ([], ["--voice", voice]):
        best = min(timed(program, path, creator, options, folder) for _ in range(3))
        print(f"{len(creator.messages) * 40} messages with {options[:1] or 'no voice'}: {best:.2f} s")
    write(path, creator.messages[:1])
    for options in ([], ["--voice", voice]):
        best = min(timed(program, path, creator, options, folder) for _ in range(3))
        print(f"1 message with {options[:1] or 'no voice'}: {best:.2f} s")


def sync(program, creators, folder):
    creator = creators[0]
    many, few = os.path.join(folder, "many.jsonl"), os.path.join(folder, "few.jsonl")
    write(many, crowd(creator))
    write(few, creator.messages[:20])
    for name, path in (("10,000 conversations", many), ("20 messages more", few)):
        seconds = {"learned": [], "none": []}
        for _ in range(5):
            for voice in seconds:
                store = os.path.join(folder, f"{voice}.db")
                options = ["--voice", "none"] if voice == "none" else []
                used = store if path == many else os.path.join(folder, "copy.db")
                for suffix in ("", "-wal", "-shm", ".lock"):
                    if os.path.exists(used + suffix):
                        os.remove(used + suffix)
                if path == few:
                    shutil.copyfile(store, used)
                before = os.times().children_user
                run(program, "sync", path, "--store", used, *creator.options(), *options, "--quiet")
                seconds[voice].append(os.times().children_user - before)
        print(name, {voice: round(statistics.median(all), 3) for voice, all in seconds.items()})


def timed(program, path, creator, options, folder):
    start = time.monotonic()
    run(program, "run", path, *creator.options(), *options, "--quiet", "--jobs", "1", "-o", os.path.join(folder, "out"))
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["check", "show", "speed", "sync"])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "release", "triage"))
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--creator")
    parser.add_argument("--source", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(DATA, "creators.json"), encoding="utf-8") as file:
            creators = [Creator(p, folder) for p in json.load(file) if options.creator in (None, p["id"])]
        if options.what == "check":
            check(options.program, creators, folder)
        elif options.what == "show":
            show(options.program, creators, folder, options.sample, options.source)
        elif options.what == "sync":
            sync(options.program, creators, folder)
        else:
            speed(options.program, creators, folder)


if __name__ == "__main__":
    main()
