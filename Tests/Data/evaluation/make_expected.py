#!/usr/bin/env python3
"""Makes expected.json: what scikit-learn, scipy and numpy say about made-up answers.

Made with scikit-learn 1.9.1, scipy 1.17.1 and numpy 2.4.6.

    python3 make_expected.py          # writes records.jsonl, predictions-*.jsonl and expected.json beside itself

The draws of the bootstrap come from the generator that the program uses (SplitMix64), written out here again, so that
the intervals can be compared to the last digit; what is computed on each draw is scikit-learn's.
"""
import json, os, random
import numpy as np
from scipy.stats import binomtest, spearmanr
from sklearn.metrics import (accuracy_score, brier_score_loss, confusion_matrix, f1_score, mean_absolute_error,
                             precision_score, recall_score)

HERE = os.path.dirname(os.path.abspath(__file__))
CATEGORIES = ["fan", "business", "spam"]
SENTIMENTS = ["positive", "negative", "neutral"]
PARTS = {"monetary": 40, "brand_fit": 30, "legitimacy": 20, "urgency": 10}


def draw(rng, options, none=0.0):
    return None if rng.random() < none else rng.choice(options)


def make(name, seed, count, categories, sentiments, has):
    """Records and two sets of answers; probabilities on a grid, so that there are ties and bounds of bins."""
    rng = random.Random(seed)
    records, answers = [], [[], []]
    for i in range(count):
        category = rng.choice(categories)
        gold = {}
        if "category" in has:
            gold["category"] = category
        if "spam" in has:
            gold["spam"] = category == "spam"
        if "sentiment" in has:
            gold["sentiment"] = rng.choice(sentiments)
        if "urgent" in has:
            gold["urgent"] = rng.random() < has["urgent"]
        if "injection" in has:
            gold["injection"] = rng.random() < has["injection"]
        if "opportunity" in has:
            gold["opportunity"] = None if category != "business" else {
                part: rng.choice([0, top // 2, top]) for part, top in PARTS.items()}
        if "faq" in has:
            gold["faq_id"] = draw(rng, ["a", "b", "c"], 0.5)
        record = {"id": f"{name}-{i}", "platform": rng.choice(["x", "email"]), "text": "t" * rng.choice([5, 50, 300]),
                  "gold": gold}
        if rng.random() < 0.6:
            record["conversation_id"] = f"c{rng.randrange(max(1, count // 3))}"
        records.append(record)
        for method in (0, 1):
            skill = (0.55, 0.75)[method]
            answer = {}
            label = category if rng.random() < skill else draw(rng, CATEGORIES, 0.15)
            confidence = rng.randrange(0, 31) / 30
            if label is None:
                answer["category"] = {"label": None, "confidence": 0.0}
            else:
                rest = [c for c in CATEGORIES if c != label]
                scores = {label: confidence, rest[0]: (1 - confidence) / 2, rest[1]: (1 - confidence) / 2}
                answer["category"] = {"label": label, "confidence": confidence, "scores": scores}
            label = gold.get("sentiment") if rng.random() < skill else draw(rng, SENTIMENTS, 0.1)
            answer["sentiment"] = {"label": label, "confidence": rng.randrange(0, 16) / 15 if label else 0.0}
            for key, shape in (("urgent", "urgency"), ("injection", "injection")):
                truth = gold.get(key, False) if rng.random() < skill else rng.random() < 0.3
                score = rng.randrange(8, 16) / 15 if truth else rng.randrange(0, 8) / 15
                answer[shape] = {"urgent" if key == "urgent" else "suspected": truth, "score": score}
            answer["opportunity"] = None if rng.random() < 0.2 else {
                "breakdown": {part: {"points": rng.choice([0, top // 2, top]), "of": top} for part, top in PARTS.items()}}
            entry = gold.get("faq_id") if rng.random() < skill else draw(rng, ["a", "b", "c"], 0.4)
            ranked = rng.sample(["a", "b", "c", "d", "e", "f"], 6)
            answer["faq"] = {"candidates": ranked}
            if entry:
                answer["faq"].update(id=entry, match=rng.choice(["high", "possible"]), confidence=rng.randrange(10, 21) / 20)
            answers[method].append({"id": record["id"], "prediction": answer})
    return records, answers


def f32(x):
    return float(np.float32(x))


def ece(probabilities, outcomes, bins=15):
    p, y = np.array(probabilities), np.array(outcomes, dtype=float)
    edges = np.arange(1, bins + 1) / bins
    places = np.searchsorted(edges, p, side="left").clip(0, bins - 1)
    gap, curve = 0.0, []
    for b in range(bins):
        inside = places == b
        if inside.any():
            curve.append([int(inside.sum()), float(p[inside].mean()), float(y[inside].mean())])
            gap += inside.sum() * abs(p[inside].mean() - y[inside].mean())
    return gap / len(p), curve


def coverage(confidences, right):
    """Right answers among the first k, ties in the mean of all orders."""
    c, r = np.array(confidences), np.array(right, dtype=float)
    order = np.argsort(-c, kind="stable")
    c, r = c[order], r[order]
    for value in np.unique(c):
        r[c == value] = r[c == value].mean()
    hits = np.cumsum(r)
    k = np.arange(1, len(r) + 1)
    at = {share: float(hits[int(np.ceil(share * len(r))) - 1] / np.ceil(share * len(r))) for share in (0.5, 0.8, 0.9)}
    return float((1 - hits / k).mean()), at


def or_none(x):
    return None if x is None or np.isnan(x) else float(x)


def classes_of(question, gold, predicted, weights):
    gold, predicted = np.repeat(gold, weights), np.repeat(predicted, weights)
    labels = CATEGORIES if question == "category" else SENTIMENTS
    out = {"macro_f1": None, "accuracy": None, "answered": None}
    if len(gold):
        present = [c for c in labels if c in set(gold)]
        out["macro_f1"] = f1_score(gold, predicted, labels=present, average="macro", zero_division=0)
        out["accuracy"] = accuracy_score(gold, predicted)
        out["answered"] = float(np.mean(predicted != "none"))
    for c in labels:
        args = dict(labels=[c], average="macro", zero_division=np.nan)
        has = len(gold) > 0
        out[f"precision.{c}"] = or_none(precision_score(gold, predicted, **args)) if has and (predicted == c).any() else None
        out[f"recall.{c}"] = or_none(recall_score(gold, predicted, **args)) if has and (gold == c).any() else None
        out[f"f1.{c}"] = (or_none(f1_score(gold, predicted, labels=[c], average="macro", zero_division=0))
                          if has and ((gold == c).any() or (predicted == c).any()) else None)
    return out


def binary(gold, predicted, weights):
    g, p = np.repeat(gold, weights), np.repeat(predicted, weights)
    out = dict.fromkeys(["f1", "precision", "recall", "false_alarms", "accuracy"])
    if not len(g):
        return out
    y = g == 1
    if (p == 1).any():
        out["precision"] = precision_score(y, p == 1)
    if y.any():
        out["recall"] = recall_score(y, p == 1)
    if y.any() or (p == 1).any():
        out["f1"] = f1_score(y, p == 1, zero_division=0)
    if (~y).any():
        out["false_alarms"] = float((p[~y] == 1).mean())
    out["accuracy"] = float((g == p).mean())
    return out


def faq(gold, answers, weights):
    g = np.repeat(np.array([x or "-" for x in gold]), weights)
    p = np.repeat(np.array([x["faq"].get("id") or "-" for x in answers]), weights)
    high = np.repeat(np.array([x["faq"].get("match") == "high" for x in answers]), weights)
    rank = np.repeat(np.array([x["faq"]["candidates"].index(y) + 1 if y else 0 for x, y in zip(answers, gold)]), weights)
    asked, given, right = g != "-", p != "-", (p == g) & (g != "-")
    mean = lambda x: None if len(x) == 0 else float(np.mean(x))
    return {"f1": None if not (asked.any() or given.any()) else 2 * right.sum() / (asked.sum() + given.sum()),
            "precision": mean(right[given]), "recall": mean(right[asked]), "none_correct": mean(~given[~asked]),
            "accuracy": mean(p == g), "high_precision": mean(right[high]), "high_recall": mean((right & high)[asked]),
            **{f"recall_at_{k}": mean((rank <= k)[asked]) for k in (1, 3, 5)}}


def points(x):
    if x is None:
        return [0, 0, 0, 0]
    return [x["breakdown"][p]["points"] for p in PARTS]


def opportunity(gold, answers, weights):
    g = np.repeat(np.array([[x[p] for p in PARTS] for x in gold], dtype=float).reshape(-1, 4), weights, axis=0)
    p = np.repeat(np.array([points(x["opportunity"]) for x in answers], dtype=float).reshape(-1, 4), weights, axis=0)
    found = np.repeat(np.array([x["opportunity"] is not None for x in answers], dtype=bool), weights)
    out = dict.fromkeys(["mae", "spearman", "mae_found", "found"] + [f"mae.{x}" for x in PARTS])
    if len(g):
        out["mae"] = mean_absolute_error(g.sum(1), p.sum(1))
        a, b = g.sum(1), p.sum(1)
        if len(a) > 1 and len(set(a)) > 1 and len(set(b)) > 1:
            out["spearman"] = float(spearmanr(a, b).statistic)
        out["found"] = float(found.mean())
        if found.any():
            out["mae_found"] = mean_absolute_error(g.sum(1)[found], p.sum(1)[found])
        for i, part in enumerate(PARTS):
            out[f"mae.{part}"] = mean_absolute_error(g[:, i], p[:, i])
    return out


def splitmix(seed):
    mask = (1 << 64) - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def expected(records, answers, draws, seed):
    answers = [[a["prediction"] for a in m] for m in answers]
    numbers, clusters = {}, []
    for i, record in enumerate(records):
        key = (record["platform"], record["conversation_id"]) if "conversation_id" in record else ("lone", i)
        clusters.append(numbers.setdefault(key, len(numbers)))
    clusters = np.array(clusters)
    out = {"conversations": len(numbers), "methods": [{}, {}], "comparisons": {}}

    def question(name):
        def truth(r):
            g = r["gold"]
            return {"category": lambda: g.get("category"), "sentiment": lambda: g.get("sentiment"),
                    "spam": lambda: g.get("spam"), "urgent": lambda: g.get("urgent"),
                    "injection": lambda: g.get("injection"), "opportunity": lambda: g.get("opportunity"),
                    "faq": lambda: g.get("faq_id", "?") if "faq_id" in g else "?"}[name]()
        keep = [i for i, r in enumerate(records)
                if (truth(r) != "?" if name == "faq" else truth(r) is not None)]
        return keep, [truth(records[i]) for i in keep]

    plain = {}
    for name in ["category", "spam", "sentiment", "urgent", "opportunity", "faq", "injection"]:
        keep, gold = question(name)
        if not keep:
            continue
        for m in (0, 1):
            mine = [answers[m][i] for i in keep]
            if name in ("category", "sentiment"):
                predicted = np.array([x[name]["label"] or "none" for x in mine])
                statistic = lambda w, g=np.array(gold), p=predicted, q=name: classes_of(q, g, p, w)
            elif name == "opportunity":
                statistic = lambda w, g=gold, a=mine: opportunity(g, a, w)
            elif name == "faq":
                statistic = lambda w, g=gold, a=mine: faq(g, a, w)
            else:
                label = {"spam": lambda x: -1 if x["category"]["label"] is None else int(x["category"]["label"] == "spam"),
                         "urgent": lambda x: int(x["urgency"]["urgent"]),
                         "injection": lambda x: int(x["injection"]["suspected"])}[name]
                predicted = np.array([label(x) for x in mine])
                statistic = lambda w, g=np.array([int(x) for x in gold]), p=predicted: binary(g, p, w)
            plain[name, m] = (keep, statistic)
            values = statistic(np.ones(len(keep), dtype=int))
            entry = {"records": len(keep), "values": {k: None if v is None else float(v) for k, v in values.items()}}
            if name != "opportunity":
                stated, true, sure, right = [], [], [], []
                for x, y in zip(mine, gold):
                    if name in ("category", "sentiment"):
                        a = x[name]
                        stated.append(f32(a["confidence"])); true.append(a["label"] == y)
                        sure.append(stated[-1]); right.append(true[-1])
                    elif name == "faq":
                        if "id" not in x["faq"]:
                            continue
                        stated.append(f32(x["faq"]["confidence"])); true.append(x["faq"]["id"] == y)
                        sure.append(stated[-1]); right.append(true[-1])
                    else:
                        if name == "spam":
                            if "scores" not in x["category"]:
                                continue
                            p, l = f32(x["category"]["scores"]["spam"]), x["category"]["label"] == "spam"
                        else:
                            a = x["urgency" if name == "urgent" else "injection"]
                            p, l = f32(a["score"]), a["urgent" if name == "urgent" else "suspected"]
                        stated.append(p); true.append(bool(y))
                        sure.append(p if l else 1 - p); right.append(l == y)
                if stated:
                    entry["ece"], entry["reliability"] = ece(stated, true)
                    entry["brier"] = float(np.mean((np.array(stated) - np.array(true)) ** 2))
                    if len(set(true)) == 2:
                        assert abs(entry["brier"] - brier_score_loss(true, stated)) < 1e-12
                    entry["aurc"], at = coverage(sure, right)
                    entry["accuracy_at"] = [at[0.5], at[0.8], at[0.9]]
            if name in ("category", "sentiment"):
                labels = CATEGORIES if name == "category" else SENTIMENTS
                p = [x[name]["label"] or "none" for x in mine]
                entry["confusion"] = confusion_matrix(gold + labels + ["none"], p + labels + ["none"], labels=labels + ["none"]).tolist()
                for i in range(4):
                    entry["confusion"][i][i] -= 1
                entry["confusion"] = entry["confusion"][:3]
            out["methods"][m][name] = entry

    generator = splitmix(seed)
    samples = {key: [] for key in plain}
    for _ in range(draws):
        weights = np.zeros(len(numbers), dtype=int)
        for _ in range(len(numbers)):
            weights[(next(generator) * len(numbers)) >> 64] += 1
        for key, (keep, statistic) in plain.items():
            samples[key].append(statistic(weights[clusters[keep]]))
    headline = {"category": "macro_f1", "sentiment": "macro_f1", "opportunity": "mae"}
    for (name, m), rows in samples.items():
        bounds = {}
        for metric in rows[0]:
            defined = np.array([r[metric] for r in rows if r[metric] is not None], dtype=float)
            value = out["methods"][m][name]["values"][metric]
            enough = len(defined) >= 2 and 2 * len(defined) >= draws and value is not None
            bounds[metric] = np.percentile(defined, [2.5, 97.5]).tolist() if enough else None
        out["methods"][m][name]["intervals"] = bounds
        if m == 1:
            metric = headline.get(name, "f1")
            pairs = [(a[metric], b[metric]) for a, b in zip(samples[name, 0], rows)]
            difference = np.array([b - a for a, b in pairs if a is not None and b is not None])
            entry = {"metric": metric}
            if 2 * len(difference) >= draws and all(out["methods"][k][name]["values"][metric] is not None for k in (0, 1)):
                entry["interval"] = np.percentile(difference, [2.5, 97.5]).tolist()
                entry["standard_error"] = float(difference.std(ddof=1))
            if name != "opportunity":
                keep, gold = question(name)
                def is_right(k, i, y):
                    a = answers[k][i]
                    if name == "spam":
                        return a["category"]["label"] is not None and (a["category"]["label"] == "spam") == y
                    if name in ("urgent", "injection"):
                        return a["urgency" if name == "urgent" else name]["urgent" if name == "urgent" else "suspected"] == y
                    return (a["faq"].get("id") if name == "faq" else a[name]["label"]) == y
                pairs = [(is_right(0, i, y), is_right(1, i, y)) for i, y in zip(keep, gold)]
                b, c = sum(x and not y for x, y in pairs), sum(y and not x for x, y in pairs)
                entry["mcnemar"] = [b, c, 1.0 if b + c == 0 else float(binomtest(b, b + c).pvalue)]
            out["comparisons"][name] = entry
    return out


def main():
    every = {"category": 1, "sentiment": 1, "urgent": 0.2, "injection": 0.1, "opportunity": 1, "faq": 1}
    sets = {
        "all": make("all", 1, 120, CATEGORIES, SENTIMENTS, every),
        "absent-class": make("absent-class", 2, 40, ["fan", "spam"], ["neutral"], every),
        "spam-only": make("spam-only", 3, 60, CATEGORIES, SENTIMENTS, {"spam": 1}),
        "no-positives": make("no-positives", 4, 30, ["fan"], SENTIMENTS, {"urgent": 0, "injection": 0, "faq": 1}),
        "one-record": make("one-record", 5, 1, ["business"], SENTIMENTS, every),
    }
    expectations = {}
    for name, (records, answers) in sets.items():
        expectations[name] = expected(records, answers, draws=60, seed=7)
        for file, rows in [("gold", records), ("first", answers[0]), ("second", answers[1])]:
            with open(os.path.join(HERE, f"{name}-{file}.jsonl"), "w") as out:
                for row in rows:
                    out.write(json.dumps(row) + "\n")
    rng = random.Random(9)
    rows = []
    for n in [2, 3, 5, 20, 200]:
        for top in [2, 5, 1000]:
            x, y = [rng.randrange(top) for _ in range(n)], [rng.randrange(top) for _ in range(n)]
            r = spearmanr(x, y).statistic if len(set(x)) > 1 and len(set(y)) > 1 else None
            rows.append({"x": x, "y": y, "spearman": None if r is None else float(r)})
    mcnemar = [[b, c, float(binomtest(b, b + c).pvalue)] for b, c in
               [(1, 0), (0, 5), (5, 5), (10, 25), (3, 40), (100, 131), (2000, 2150), (40000, 40400), (0, 200)]]
    expectations["correlations"], expectations["mcnemar"] = rows, mcnemar
    with open(os.path.join(HERE, "expected.json"), "w") as out:
        json.dump(expectations, out, indent=0)


main()
