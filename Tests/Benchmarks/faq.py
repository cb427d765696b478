#!/usr/bin/env python3
"""Measures how well questions are matched with the entries of a library, beside plain TF-IDF.

    Tests/Benchmarks/faq.py measure PUBLIC

PUBLIC is a folder with the public sets stackfaq, clinc150, banking77_oos (and hwu64, if it is there), one `<set>.jsonl` each in the
record format of `triage evaluate`; they may not be redistributed and are not in this repository. Needs a release build, and for
the comparison the Python package scikit-learn: without it that column stays empty.

Public sets: a fifth of the records, by a hash of their ids, is asked. The library is made of others, five example wordings of
each entry and then only one, and the rest of them chooses the threshold by F1. The program answers with its own threshold, too.
"""
import argparse
import glob
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    from sklearn.feature_extraction.text import TfidfVectorizer
except ImportError:
    TfidfVectorizer = None

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.path.join(ROOT, "Tests", "Data")

PUBLIC = ["stackfaq", "clinc150", "banking77_oos", "hwu64"]
# More questions to choose a threshold by change nothing.
TUNING = 3000
DRAWS = 1000
SEED = 20261001
# The thresholds of the program.
POSSIBLE, HIGH = 0.40, 0.84


def authors():
    """Folders of messages to creators by author."""
    folders = {"creators": os.path.join(DATA, "creators")}
    for path in sorted(glob.glob(os.path.join(DATA, "composed", "*", "messages.jsonl"))):
        folders[os.path.basename(os.path.dirname(path))] = os.path.dirname(path)
    return folders


def load(path):
    with open(path, encoding="utf-8") as source:
        return [json.loads(line) for line in source]


def digest(text):
    return hashlib.sha256(text.encode()).digest()


def is_validation(record):
    """A fifth of the public records, as in model.py."""
    return digest("v" + record["id"])[0] % 5 == 0


def split(records, wordings):
    """The library as wordings by entry, the questions that choose a threshold, and those that are asked."""
    train = sorted((r for r in records if not is_validation(r)), key=lambda r: digest("e" + r["id"]))
    train.sort(key=lambda r: not r.get("meta", {}).get("canonical", False))
    library, tuning = {}, []
    for record in train:
        entry = record["gold"]["faq_id"]
        if entry is not None and len(library.get(entry, [])) < wordings:
            library.setdefault(entry, []).append(record["text"])
        else:
            tuning.append(record)
    tuning.sort(key=lambda r: digest("t" + r["id"]))
    asked = [r for r in records if is_validation(r)]
    return dict(sorted(library.items())), tuning[:TUNING], asked


def ask(triage, records, creator, library, model=None):
    """The best entry of each record and its confidence, down to next to nothing; and what else was found out."""
    with tempfile.TemporaryDirectory() as folder:
        def write(name, value):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(value, file)
            return path
        command = [triage, "run", "--quiet", "--offline", "--creator", write("creator.json", creator),
                   "--faq", write("faq.json", library),
                   "--config", write("triage.yaml", {"thresholds": {"faq": {"high": 0.99, "possible": 0.001}}})]
        if model:
            command += ["--model", model]
        lines = "".join(json.dumps({k: v for k, v in r.items() if k != "gold"}) + "\n" for r in records)
        answer = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    found = [json.loads(line)["triage"] for line in answer.stdout.splitlines()]
    assert len(found) == len(records)
    pairs = [(f["faq"]["id"], f["faq"]["confidence"]) if f["faq"] else (None, 0.0) for f in found]
    return pairs, found


def by_spelling(library, records):
    """The same by the cosine of TF-IDF over pieces of three to five letters."""
    wordings = [(text, entry) for entry, texts in library.items() for text in texts]
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=False)
    known = vectors.fit_transform([text for text, _ in wordings])
    likeness = (vectors.transform([r["text"] for r in records]) @ known.T).tocsr()
    pairs = []
    for row in range(likeness.shape[0]):
        values = likeness[row].toarray()[0]
        best = int(values.argmax())
        pairs.append((wordings[best][1], float(values[best])) if values[best] > 0 else (None, 0.0))
    return pairs


def counts(gold, pairs, threshold):
    """Right answers, answers, questions that have one, questions that have none, and those of them left alone."""
    right = answered = have = without = silent = 0
    for label, (entry, confidence) in zip(gold, pairs):
        is_answered = entry is not None and confidence >= threshold
        answered += is_answered
        have += label is not None
        without += label is None
        right += is_answered and entry == label
        silent += label is None and not is_answered
    return right, answered, have, without, silent


def scores(found):
    right, answered, have, without, silent = found
    precision = right / answered if answered else 0.0
    recall = right / have if have else 0.0
    f1 = 2 * right / (answered + have) if answered + have else 0.0
    return {"f1": f1, "precision": precision, "recall": recall, "none": silent / without if without else 1.0}


def best_threshold(gold, pairs):
    """The threshold with the best F1."""
    have = sum(label is not None for label in gold)
    best, threshold, right = -1.0, 1.0, 0
    order = sorted((-confidence, entry == label) for label, (entry, confidence) in zip(gold, pairs) if entry is not None)
    for place, (confidence, is_right) in enumerate(order):
        right += is_right
        f1 = 2 * right / (place + 1 + have)
        if f1 > best:
            best, threshold = f1, -confidence
    return threshold


def intervals(groups, draws=DRAWS):
    """95 % intervals of all scores, by drawing whole groups (counts each) again and again."""
    draw = random.Random(SEED)
    found = {}
    groups = list(groups)
    for _ in range(draws):
        total = [sum(column) for column in zip(*draw.choices(groups, k=len(groups)))]
        for name, value in scores(total).items():
            found.setdefault(name, []).append(value)
    return {name: (sorted(values)[draws * 25 // 1000], sorted(values)[draws * 975 // 1000])
            for name, values in found.items()}


def grouped(keys, gold, pairs, threshold):
    groups = {}
    for key, label, pair in zip(keys, gold, pairs):
        old = groups.get(key, (0, 0, 0, 0, 0))
        groups[key] = tuple(map(sum, zip(old, counts([label], [pair], threshold))))
    return groups


def interval(name, value, ranges):
    return f"{value[name]:.3f} ({ranges[name][0]:.3f}-{ranges[name][1]:.3f})"


def answer_creators(triage, folders, model=None):
    """What the program says to the messages of each author: records, answers and everything else of them."""
    answers = {}
    for author, folder in folders.items():
        records = load(os.path.join(folder, "messages.jsonl"))
        with open(os.path.join(folder, "creators.json"), encoding="utf-8") as source:
            creators = json.load(source)
        pairs, found = {}, {}
        for creator in creators:
            own = [r for r in records if r["creator"] == creator["id"]]
            with open(os.path.join(folder, f"faq-{creator['id']}.json"), encoding="utf-8") as source:
                answered, others = ask(triage, own, creator, json.load(source), model)
            for record, pair, other in zip(own, answered, others):
                pairs[record["id"]], found[record["id"]] = pair, other
        answers[author] = (records, [pairs[r["id"]] for r in records], [found[r["id"]] for r in records])
    return answers


def print_creators(answers):
    """A table by author. `answers`: records and pairs of each."""
    print(f"  {'':12}{'records':>8}{'answerable':>11}  {'F1':22}{'precision':22}{'recall':22}{'none-correct':22}precision of high")
    everything = ([], [], [])
    for author, (records, pairs) in list(answers.items()) + [("all", ([], []))]:
        if author == "all":
            keys, gold, pairs = everything
        else:
            keys = [(r["creator"], r.get("conversation_id", r["id"])) for r in records]
            gold = [r["gold"]["faq_id"] for r in records]
            for total, part in zip(everything, (keys, gold, pairs)):
                total.extend(part)
        groups = grouped(keys, gold, pairs, POSSIBLE)
        high = grouped(keys, gold, pairs, HIGH)
        value, ranges = scores(map(sum, zip(*groups.values()))), intervals(groups.values())
        sure, sure_ranges = scores(map(sum, zip(*high.values()))), intervals(high.values())
        number = sum(group[1] for group in high.values())
        print(f"  {author:12}{len(gold):8}{sum(label is not None for label in gold):11}  "
              + "".join(f"{interval(name, value, ranges):22}" for name in ("f1", "precision", "recall", "none"))
              + f"{interval('precision', sure, sure_ranges)} of {number}", flush=True)


def measure_public(public, pairs_of):
    """`pairs_of(library, records)` answers questions."""
    print(f"\npublic sets: F1 of answers, the threshold chosen on other questions (and with the program's own, {POSSIBLE})")
    print(f"  {'':16}{'wordings':>8}{'asked':>7}{'none':>6}  {'triage F1':22}{'precision':22}{'recall':22}{'at ' + str(POSSIBLE):8}"
          f"{'first':8}{'char TF-IDF F1':22}{'first':8}difference")
    for wordings in (5, 1):
        for name in PUBLIC:
            path = os.path.join(public, name + ".jsonl")
            if not os.path.exists(path):
                continue
            library, tuning, asked = split(load(path), wordings)
            gold = [r["gold"]["faq_id"] for r in asked]
            row = []
            for method in (pairs_of, by_spelling if TfidfVectorizer else None):
                if method is None:
                    continue
                both = method(library, tuning + asked)
                threshold = best_threshold([r["gold"]["faq_id"] for r in tuning], both[:len(tuning)])
                pairs = both[len(tuning):]
                each = [counts([label], [pair], threshold) for label, pair in zip(gold, pairs)]
                first = sum(pair[0] == label for label, pair in zip(gold, pairs) if label is not None)
                row.append((each, scores(counts(gold, pairs, threshold)), first / sum(label is not None for label in gold),
                            scores(counts(gold, pairs, POSSIBLE))))
            each, value, first, fixed = row[0]
            ranges = intervals(each)
            line = (f"  {name:16}{wordings:8}{len(asked):7}{sum(label is None for label in gold):6}  "
                    + "".join(f"{interval(key, value, ranges):22}" for key in ("f1", "precision", "recall"))
                    + f"{fixed['f1']:<8.3f}{first:<8.3f}")
            if len(row) > 1:
                line += f"{interval('f1', row[1][1], intervals(row[1][0])):22}{row[1][2]:<8.3f}"
                draw, differences = random.Random(SEED), []
                for _ in range(DRAWS):
                    drawn = draw.choices(range(len(each)), k=len(each))
                    differences.append(scores(map(sum, zip(*(each[i] for i in drawn))))["f1"]
                                       - scores(map(sum, zip(*(row[1][0][i] for i in drawn))))["f1"])
                differences.sort()
                line += (f"{value['f1'] - row[1][1]['f1']:+.3f} ({differences[DRAWS * 25 // 1000]:+.3f} to "
                         f"{differences[DRAWS * 975 // 1000]:+.3f})")
            print(line, flush=True)


def measure(options):
    print("messages to creators, answers from 0.40 on, 95 % intervals by conversation")
    print_creators({author: (records, pairs) for author, (records, pairs, _)
                    in answer_creators(options.triage, authors()).items()})

    def pairs_of(library, records):
        names = list(library)
        found = ask(options.triage, records, *entries_of(library))[0]
        return [(None if entry is None else names[int(entry)], confidence) for entry, confidence in found]
    measure_public(options.public, pairs_of)


def entries_of(library):
    """A creator without a name, and a library as a file holds it; its ids are numbers."""
    return {"name": "-"}, [{"id": str(number), "question": texts[0], "also_asked": texts[1:], "answer": "-"}
                           for number, texts in enumerate(library.values())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["measure"])
    parser.add_argument("public")
    parser.add_argument("--triage", default=os.path.join(ROOT, ".build", "release", "triage"))
    measure(parser.parse_args())


if __name__ == "__main__":
    main()
