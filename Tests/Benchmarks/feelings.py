"""Adjusts the feelings in `sentence.heads` to messages that are true to life.

    OMP_NUM_THREADS=1 python3 feelings.py --base BASE.heads --folder FOLDER [--triage PROGRAM] [-o sentence.heads]

BASE.heads is what `model.py heads` wrote: it learned from composed messages only, where who feels something says so. What fans really write
are stories, and one in five kind ones was called negative. A linear map of the three feelings and of the message's vector is learned
from the fans of `Tests/Data/judged`, and from a few composed messages of each author, so that what was right there stays so; it is multiplied
into the heads. Prints what maps that did not see a creator say of that creator. FOLDER keeps vectors.
"""
import argparse
import json
import os
import random
import subprocess

import numpy as np
from scipy.optimize import minimize

import heads
import model
import sentences

# Who was asked to write as true to life as possible; the other creators' authors were asked to be hard.
TRUE = {"noemi", "corinne", "rafferty", "tobias", "kofi", "vera"}
# Weights of a message of the one kind, of the other, and of a composed one.
TRUE_WEIGHT, HARD_WEIGHT, COMPOSED_WEIGHT = 2.0, 0.7, 0.7
SAMPLE = 45
# Penalties on what the map of the feelings differs from none, and on the weights of the vector.
FEELING_PENALTY, VECTOR_PENALTY = 3.0, 40.0


def answered(triage, folder, author, group, records, profile):
    """Labelled messages to a creator, with what the program says of them without the encoder."""
    config = os.path.join(folder, "without-encoder.yaml")
    with open(config, "w", encoding="utf-8") as file:
        file.write(model.WITHOUT_ENCODER)
    lines = "".join(json.dumps({key: value for key, value in record.items() if key != "gold"}) + "\n" for record in records)
    result = subprocess.run([triage, "run", "--offline", "--quiet", "--config", config, "--creator", profile, "--to", "jsonl"],
                            input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return sentences.Answers(author, group, {record["id"]: record for record in records},
                             [json.loads(line) for line in result.stdout.splitlines()])


def judged(triage, folder):
    path = os.path.join(model.DATA, "judged")
    parts = []
    for group, name in enumerate(sorted(entry for entry in os.listdir(path) if os.path.isdir(os.path.join(path, entry)))):
        with open(os.path.join(path, name, "messages.jsonl"), encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        parts.append(answered(triage, folder, name, group, records, os.path.join(path, name, "creator.yaml")))
    return sentences.Answers.joined(parts)


def composed(triage, folder):
    draw, parts = random.Random(5), []
    for group, (author, path) in enumerate(sorted(model.authors().items())):
        if not os.path.exists(os.path.join(path, "creators.json")):
            continue
        with open(os.path.join(path, "messages.jsonl"), encoding="utf-8") as file:
            records = [record for record in map(json.loads, file) if record["gold"]["category"] != "spam"]
        records = draw.sample(records, min(SAMPLE, len(records)))
        with open(os.path.join(path, "creators.json"), encoding="utf-8") as file:
            creators = {creator["id"]: creator for creator in json.load(file)}
        for name in sorted({record["creator"] for record in records}):
            profile = os.path.join(folder, "profile.json")
            with open(profile, "w", encoding="utf-8") as file:
                json.dump(creators[name], file)
            own = [record for record in records if record["creator"] == name]
            parts.append(answered(triage, folder, author, group, own, profile))
    return sentences.Answers.joined(parts)


def read(path, width):
    """The rows of a file of heads, by question: bias, what the program found, vector."""
    with open(path, "rb") as file:
        values = np.frombuffer(file.read()[len(sentences.MAGIC):], np.float32).astype(float)
    found, start = {}, 0
    for question, rows in sentences.ROWS.items():
        count = rows * (1 + width[question] + 384)
        table = values[start:start + count].reshape(rows, -1)
        found[question] = table[:, 0], table[:, 1:1 + width[question]].T, table[:, 1 + width[question]:].T
        start += count
    return found


def fit(feelings, vectors, right, weight):
    """The map of the feelings (3 x 3), of the vector (384 x 3), and a bias."""
    right, vectors = np.eye(3)[right], vectors * sentences.SCALE

    def loss(point):
        own, of_vector, bias = unpacked(point)
        scores = feelings @ own + vectors @ of_vector + bias
        top = scores.max(1, keepdims=True)
        powers = np.exp(scores - top)
        total = powers.sum(1, keepdims=True)
        value = (weight * ((np.log(total) + top)[:, 0] - (scores * right).sum(1))).sum()
        slope = (powers / total - right) * weight[:, None]
        value += FEELING_PENALTY / 2 * ((own - np.eye(3)) ** 2).sum() + VECTOR_PENALTY / 2 * (of_vector ** 2).sum()
        gradient = [feelings.T @ slope + FEELING_PENALTY * (own - np.eye(3)), vectors.T @ slope + VECTOR_PENALTY * of_vector, slope.sum(0)]
        return value, np.concatenate([part.ravel() for part in gradient])
    start = np.concatenate([np.eye(3).ravel(), np.zeros(384 * 3 + 3)])
    own, of_vector, bias = unpacked(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x)
    return own, of_vector * sentences.SCALE, bias


def unpacked(point):
    return point[:9].reshape(3, 3), point[9:-3].reshape(384, 3), point[-3:]


def report(name, right, said):
    parts = []
    for label, feeling in enumerate(sentences.SENTIMENTS):
        hit = ((right == label) & (said == label)).sum()
        parts.append(f"{feeling} P {hit / max(1, (said == label).sum()):.2f} R {hit / max(1, (right == label).sum()):.2f}")
    print(f"  {name:24}{len(right):6}  macro-F1 {sentences.macro(right, said):.3f}  {'  '.join(parts)}", flush=True)


def main():
    description, details = __doc__.split("\n\n", 1)
    parser = argparse.ArgumentParser(description=description, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--triage", default=os.path.join(model.ROOT, ".build", "release", "triage"))
    parser.add_argument("-o", "--output", default=os.path.join(model.ROOT, "Sources", "ShippedEncoder", "sentence.heads"))
    options = parser.parse_args()
    own, others = judged(options.triage, options.folder), composed(options.triage, options.folder)
    kept = heads.Sentences(options.folder, os.path.join(model.ROOT, "Sources", "ShippedEncoder", "encoder.bin"))
    kept.add(own.texts + others.texts)
    for part in (own, others):
        part.vectors, part.found = kept.of(part.texts), sentences.features(part)
    base = read(options.base, {question: own.found[question].shape[1] for question in sentences.ROWS})
    feelings = [sentences.centred(sentences.said(base["sentiment"], part.found["sentiment"], part.vectors)) for part in (own, others)]
    right = [part.right("sentiment") for part in (own, others)]
    is_fan, is_true = own.category == 0, np.isin(own.author, sorted(TRUE))
    weight = np.where(is_true, TRUE_WEIGHT, HARD_WEIGHT)

    def learned(use):
        return fit(np.concatenate([feelings[0][use], feelings[1]]), np.concatenate([own.vectors[use], others.vectors]),
                   np.concatenate([right[0][use], right[1]]), np.concatenate([weight[use], np.full(len(right[1]), COMPOSED_WEIGHT)]))

    def said(fitted, part, number):
        return (feelings[number] @ fitted[0] + part.vectors @ fitted[1] + fitted[2]).argmax(1)

    after = np.zeros(len(right[0]), int)
    for name in sorted(set(own.author)):
        use = own.author == name
        after[use] = said(learned(is_fan & ~use), own, 0)[use]
    whole = learned(is_fan)
    for name, use in (("fans, true to life", is_fan & is_true), ("fans, hard", is_fan & ~is_true)):
        report(name + ", before", right[0][use], feelings[0][use].argmax(1))
        report(name + ", after", right[0][use], after[use])
    report("composed, before", right[1], feelings[1].argmax(1))
    report("composed, after", right[1], said(whole, others, 1))
    # Feelings are compared with each other, so what is common to them is left out.
    turn = (np.eye(3) - 1 / 3) @ whole[0]
    bias, of_found, of_vector = base["sentiment"]
    sentences.write(options.output, {**base, "sentiment": (bias @ turn + whole[2], of_found @ turn, of_vector @ turn + whole[1])})


if __name__ == "__main__":
    main()
