#!/usr/bin/env python3
"""Fits what tells the matter of a business message (MatterHeads), and measures it on authors that were left out.

    Tests/Benchmarks/matters.py -o Sources/ShippedEncoder/matter.heads [--folder KEPT]

Learns from `kinds.txt` beside the messages to creators: what each message is about, whether it advertises a topic that the creator
excludes, and whether it goes on with something that was agreed or talked about before. Needs a release build, whose answers and rules it weighs with sentence vectors; gives the same bytes from the same data.
--folder keeps the answers and the vectors. The figures are of heads that did not see an author; the program's own answers did, but
what is taken of them comes from rules.
"""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import contextlib
import json
import struct
import subprocess
import sys
import tempfile

import numpy as np

import heads
import model
import sentences

# In the order of Matter.
KINDS = ["deal", "collab", "commission", "gift", "freebie", "rates", "licence", "press", "podcast", "event", "charity", "job", "book",
         "represent", "invoice", "dispute", "wholesale", "service", "peer", "research", "other"]
# Kinds that one reply serves, as Matter.answered has them; of the last ones nothing is said.
REPLIES = {kind: kind for kind in KINDS} | {"collab": "deal", "podcast": "press"} | {
    kind: "other" for kind in ("wholesale", "service", "peer", "research")}
# What is advertised to the audience, if anything is.
ADVERTISES = ["deal", "collab", "commission", "gift", "freebie"]
# Kinds of the rules' table, in the order of MatterHeads.
RULES = ["legal", "bill", "payment", "notice", "order", "podcast", "press", "charity", "agency", "job", "event", "licence", "rates",
         "affiliate", "gift", "service", "purchase", "speaking", "hire", "rights", "position", "takeover", "publishing", "sponsorship",
         "barter"]
FLAGS = ["money.offer", "fit.work", "fit.generic", "fit.excluded", "legitimacy.company", "legitimacy.address", "legitimacy.role",
         "legitimacy.deliverables", "legitimacy.contract", "urgency.deadline", "urgency.soon"]
PARTS = [("monetary", 40), ("brand_fit", 30), ("legitimacy", 20), ("urgency", 10)]
CATEGORIES = ["fan", "business", "spam"]
LONGEST = 1200
SCALE = 15.0
PENALTY, TOPIC_PENALTY = 10.0, 3.0
# What goes to a manager, whichever of them it is.
HANDLED = ["deal", "collab", "rates", "licence", "podcast", "event", "job", "book", "represent"]
# Of a creator's topics and niches no more are read.
MOST_TOPICS = 32
# With fewer topics and niches of a creator, the middle of all creators' is taken.
LEAST_TOPICS = 4
# Probability from which a topic counts as excluded.
EXCLUDED = 0.3
# How many creators without its topic each excluded offer is shown to, so that the creator's own topics decide.
STRANGERS = 3
# A topic that is nearer to one of another creator's than this is the same.
SAME_TOPIC = 0.5
MAGIC = b"TMH2"


def read(triage, folder):
    """Labelled messages, and what the program says of them."""
    rows = []
    for author, path in model.authors().items():
        with open(os.path.join(path, "kinds.txt"), encoding="utf-8") as file:
            labels = {line.split()[0]: line.split()[1:] for line in file}
        answered = answers(triage, author, path, folder)
        with open(os.path.join(path, "creators.json"), encoding="utf-8") as file:
            creators = {creator["id"]: creator for creator in json.load(file)}
        with open(os.path.join(path, "messages.jsonl"), encoding="utf-8") as file:
            for record in map(json.loads, file):
                said = answered.get(record["id"])
                if record["id"] not in labels or said is None or (said["category"] or {}).get("label") != "business":
                    continue
                kind, excluded, ongoing = labels[record["id"]]
                text = record["text"].encode().strip(b" \t\n\v\f\r")[:LONGEST].decode("utf-8", "ignore")
                rows.append({"author": author, "kind": kind, "excluded": excluded == "1", "ongoing": ongoing == "1", "text": text, "said": said,
                             "creator": creators[record["creator"]]})
    return rows


def answers(triage, author, path, folder):
    """By id, what the program says without the encoder."""
    kept = os.path.join(folder, f"{author}.matters.json")
    if not os.path.exists(kept):
        found = {}
        config = os.path.join(folder, "without-encoder.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(model.WITHOUT_ENCODER)
        with open(os.path.join(path, "messages.jsonl"), encoding="utf-8") as file:
            lines = file.readlines()
        with open(os.path.join(path, "creators.json"), encoding="utf-8") as file:
            creators = json.load(file)
        for creator in creators:
            profile = os.path.join(folder, "profile.json")
            with open(profile, "w", encoding="utf-8") as file:
                json.dump(creator, file)
            own = "".join(line for line in lines if json.loads(line)["creator"] == creator["id"])
            result = model.call(["run", "--config", config, "--creator", profile, "--quiet"], triage=triage, input=own.encode(),
                                stdout=subprocess.PIPE)
            for line in result.stdout.splitlines():
                record = json.loads(line)
                found[record["id"]] = {key: record["triage"].get(key) for key in ("category", "sentiment", "urgency", "opportunity")}
        with open(kept, "w", encoding="utf-8") as file:
            json.dump(found, file)
    with open(kept, encoding="utf-8") as file:
        return json.load(file)


def found(row):
    """What the program found without the encoder, in the order of MatterHeads.Found."""
    said, text = row["said"], row["text"]
    offer = said["opportunity"]
    signals = {reason["signal"] for part, _ in PARTS for reason in offer["breakdown"][part].get("because", [])}
    scores = [np.log(max(1e-3, said["category"]["scores"][name])) for name in CATEGORIES]
    return ([3.0 * (offer.get("kind") == kind) for kind in RULES] + [2.0 * (name in signals) for name in FLAGS]
            + [2.0 * offer["breakdown"][part]["points"] / of for part, of in PARTS] + [2 / 3 * score for score in scores]
            + [2.0 * (said["sentiment"]["label"] == label) for label in ("positive", "negative")] + [2.0 * said["urgency"]["urgent"]]
            + [np.log(len(text.encode())) - 5.5]
            + [2.0 * any(sign in text for sign in signs) for signs in ("0123456789", "$€£¥₹", "?", "%")])


def unit(vectors):
    return vectors / np.maximum(1e-6, np.linalg.norm(vectors, axis=-1, keepdims=True))


class Fitting:
    def __init__(self, rows, vectors, topics):
        self.rows, self.vectors = rows, vectors
        self.found = np.array([found(row) for row in rows])
        self.kind = np.array([KINDS.index(row["kind"]) for row in rows])
        self.excluded = np.array([row["excluded"] for row in rows])
        self.ongoing = np.array([row["ongoing"] for row in rows])
        # The same centres for all: they say nothing of any label.
        self.centre = vectors.mean(0)
        self.topic_centre = np.array([topics[name] for name in sorted(topics)]).mean(0)
        self.topics, self.centred = topics, {}
        self.table = ((vectors - self.centre) * SCALE).astype(np.float32)
        self.pointed = unit(vectors - self.centre)

    def pointing(self, creator):
        """Where the topics of a creator lie: beside the middle of all topics and niches of the creator, so that the language that
        they are written in says nothing."""
        key = json.dumps(creator, sort_keys=True)
        if key not in self.centred:
            names = [name for part in ("excluded_topics", "niches") for name in creator.get(part, [])[:MOST_TOPICS]]
            vectors = {name: self.topics[name] for name in names}
            centre = np.array(list(vectors.values())).mean(0) if len(names) >= LEAST_TOPICS else self.topic_centre
            self.centred[key] = {name: unit(vector - centre) for name, vector in vectors.items()}
        return self.centred[key]

    def nearest(self, row, creator, part):
        """The cosine of the nearest of some topics of a creator; 0 without any."""
        pointing = self.pointing(creator)
        return max((float(self.pointed[row] @ pointing[name]) for name in creator.get(part, [])[:MOST_TOPICS]), default=0.0)

    def regress(self, right, count, use):
        """Biases and weights of what was found and of the vector."""
        table = np.concatenate([self.table, self.found], 1).astype(np.float32)[use]
        weights, bias = sentences.regress(table, right[use], count, PENALTY, rounds=150)
        vector = weights[:384] * SCALE
        return bias - self.centre @ vector, weights[384:], vector

    def learn(self, use):
        return self.regress(self.kind, len(KINDS), use)

    def learn_ongoing(self, use):
        return self.regress(self.ongoing.astype(int), 1, use)

    def shares(self, fitted, use):
        bias, own, vector = fitted
        scores = self.found[use] @ own + self.vectors[use] @ vector + bias
        powers = np.exp(scores - scores.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)

    def of_topics(self, row, creator, is_flagged, advertised):
        near = self.nearest(row, creator, "excluded_topics")
        return [10 * near, 2.0 * is_flagged, 10 * near * is_flagged, 5 * (near - self.nearest(row, creator, "niches")), 2 * advertised]

    def cases(self, advertised, use):
        """Rows, what is known of the topics, and what is right; excluded offers also as strangers get them."""
        creators = {json.dumps(row["creator"], sort_keys=True): row["creator"] for row in self.rows}
        creators = [creators[key] for key in sorted(creators)]
        flag = FLAGS.index("fit.excluded") + len(RULES)
        found, right, places, real = [], [], [], []
        for row in np.flatnonzero(use):
            creator = self.rows[row]["creator"]
            found.append(self.of_topics(row, creator, self.found[row, flag] > 0, advertised[row]))
            right.append(self.excluded[row]), places.append(row), real.append(True)
            if not self.excluded[row]:
                continue
            own = max(creator["excluded_topics"], key=lambda name: self.pointing(creator)[name] @ self.pointed[row])
            own = unit(self.topics[own] - self.topic_centre)
            others = [other for other in creators if other.get("excluded_topics") and all(
                own @ unit(self.topics[name] - self.topic_centre) < SAME_TOPIC for name in other["excluded_topics"])]
            for step in range(min(STRANGERS, len(others))):
                found.append(self.of_topics(row, others[(row + 17 * step) % len(others)], False, advertised[row]))
                right.append(False), places.append(row), real.append(False)
        return np.array(places), np.array(found), np.array(right), np.array(real)

    def learn_topics(self, advertised, use):
        places, known, right, _ = self.cases(advertised, use)
        table = np.concatenate([self.table[places] / 2, known], 1)
        weights, bias = sentences.regress(table, right.astype(int), 1, TOPIC_PENALTY, rounds=300)
        vector = weights[:384] * SCALE / 2
        return bias - self.centre @ vector, weights[384:], vector

    def advertised(self, shares):
        return shares[:, [KINDS.index(kind) for kind in ADVERTISES]].sum(1)


def measure(fitting, groups):
    """With authors left out."""
    shares, going = np.zeros((len(fitting.rows), len(KINDS))), np.zeros(len(fitting.rows))
    for group in range(model.GROUPS):
        left = groups == group
        shares[left] = fitting.shares(fitting.learn(~left), left)
        bias, own, vector = fitting.learn_ongoing(~left)
        going[left] = fitting.found[left] @ own[:, 0] + fitting.vectors[left] @ vector[:, 0] + bias[0]
    advertised = fitting.advertised(shares)
    excluded, places, right, real = [], [], [], []
    for group in range(model.GROUPS):
        left = groups == group
        bias, own, vector = fitting.learn_topics(advertised, ~left)
        at, known, is_right, is_real = fitting.cases(advertised, left)
        excluded.append(known @ own[:, 0] + fitting.vectors[at] @ vector[:, 0] + bias[0])
        places.append(at), right.append(is_right), real.append(is_real)
    replies = sorted(set(REPLIES.values()))
    merged = np.stack([shares[:, [REPLIES[kind] == reply for kind in KINDS]].sum(1) for reply in replies], 1)
    gold = np.array([replies.index(REPLIES[row["kind"]]) for row in fitting.rows])
    said, sure = merged.argmax(1), merged.max(1)
    print(f"{len(gold)} messages; each group of authors left out: kind right {(shares.argmax(1) == fitting.kind).mean():.3f},"
          f" reply right {(said == gold).mean():.3f}")
    for least in (.4, .5, .6, .7, .8):
        print(f"  from {least} on: {(sure >= least).mean():.2f} of all, right {(said == gold)[sure >= least].mean():.3f}")
    for place, reply in enumerate(replies):
        row = f"  {reply:11} {(gold == place).sum():4}"
        for least in (0, .5, .6):
            taken = (said == place) & (sure >= least)
            row += f"   {'all' if not least else f'from {least}'}: {taken.sum():4} right {(taken & (gold == place)).sum() / max(1, taken.sum()):.2f}"
        print(row)
    second = np.sort(merged, 1)[:, -2]
    clear = (sure >= .5) & (second < .3)
    print(f"  from 0.5 on and no other kind from 0.3 on: {clear.mean():.2f}, right {(said == gold)[clear].mean():.3f}")
    handled = shares[:, [KINDS.index(kind) for kind in HANDLED]].sum(1)
    is_handled = np.isin(fitting.kind, [KINDS.index(kind) for kind in HANDLED])
    for least in (.7, .75, .8, .85):
        taken = ~clear & (handled >= least)
        print(f"  a manager's, of no clear kind, from {least} on: {taken.mean():.3f} of all, right {is_handled[taken].mean():.3f}")
    feeless = shares[:, [KINDS.index(kind) for kind in ("commission", "gift")]].sum(1)
    is_feeless = np.isin(fitting.kind, [KINDS.index(kind) for kind in ("commission", "gift")])
    for least in (.5, .6, .65, .7):
        print(f"  commission or a gift for a post from {least} on: {(feeless >= least).sum()}, right {is_feeless[feeless >= least].mean():.3f}")
    odds, right, real = np.concatenate(excluded), np.concatenate(right), np.concatenate(real)
    flagged = fitting.found[:, FLAGS.index("fit.excluded") + len(RULES)] > 0
    print(f"excluded topics: {fitting.excluded.sum()}; rules flag {flagged.sum()}, right {(flagged & fitting.excluded).sum()}")
    for least in (.1, .15, .2, .3, .4, .5):
        taken = odds >= np.log(least / (1 - least))
        print(f"  from {least} on: {(taken & real).sum()}, right {(taken & right & real).sum()};"
              f" of {(~real).sum()} shown to creators without the topic {(taken & ~real).sum()}")
    print(f"ongoing: {fitting.ongoing.sum()}")
    for least in (.3, .4, .5, .6, .7, .8):
        taken = going >= np.log(least / (1 - least))
        print(f"  from {least} on: {taken.sum()}, right {(taken & fitting.ongoing).sum()}")
    return advertised


def write(path, fitting, kinds, topics, ongoing):
    """`TMH2`, then 32-bit floats: the centres of messages and topics; of each kind, of excluded topics and of ongoing matters the bias,
    what the program found, the vector."""
    with open(path, "wb") as file:
        file.write(MAGIC)
        for values in (fitting.centre, fitting.topic_centre):
            file.write(struct.pack(f"<{len(values)}f", *values))
        for bias, own, vector in (kinds, topics, ongoing):
            for row in range(len(bias)):
                values = [bias[row], *own[:, row], *vector[:, row]]
                file.write(struct.pack(f"<{len(values)}f", *values))


def arguments(description, name):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triage", default=os.path.join(model.ROOT, ".build", "release", "triage"))
    parser.add_argument("-o", "--output", default=os.path.join(model.ROOT, "Sources", "ShippedEncoder", name + ".heads"))
    parser.add_argument("--folder", help="where answers and vectors are kept")
    return parser.parse_args()


@contextlib.contextmanager
def workplace(options):
    """The folder where answers and vectors are kept, or one that goes away."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        yield folder


def main():
    options = arguments(__doc__, "matter")
    with workplace(options) as folder:
        rows = read(options.triage, folder)
        vectors = heads.Sentences(folder, os.path.join(model.ROOT, "Sources", "ShippedEncoder", "encoder.bin"))
        topics = sorted({topic for row in rows for key in ("excluded_topics", "niches") for topic in row["creator"].get(key, [])})
        texts = [sentences.plain(row["text"].encode()) for row in rows]
        vectors.add(texts + topics)
        fitting = Fitting(rows, vectors.of(texts), dict(zip(topics, vectors.of(topics))))
    groups = list(model.authors())
    groups = np.array([groups.index(row["author"]) % model.GROUPS for row in rows])
    advertised = measure(fitting, groups)
    everybody = np.full(len(rows), True)
    write(options.output, fitting, fitting.learn(everybody), fitting.learn_topics(advertised, everybody), fitting.learn_ongoing(everybody))


if __name__ == "__main__":
    sys.exit(main())
