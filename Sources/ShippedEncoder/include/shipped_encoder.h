// The sentence encoder that travels with the program, as Tests/Benchmarks/encoder.py wrote it, and what reads its vectors.
#pragma once
#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} shipped_encoder_file;

/// A model as senc_open reads it; begins at a multiple of 64.
extern const shipped_encoder_file shipped_encoder;

/// What reads feeling and urgency from its vectors, as Tests/Benchmarks/model.py heads wrote it.
extern const shipped_encoder_file shipped_sentence_heads;

/// What tells from its vectors which topic an offer advertises, as Tests/Benchmarks/topics.py wrote it.
extern const shipped_encoder_file shipped_topic_heads;

/// What tells from its vectors whom to thank, as Tests/Benchmarks/thanks.py wrote it.
extern const shipped_encoder_file shipped_thanks_heads;

/// What finds danger in its vectors, as Tests/Benchmarks/model.py danger wrote it.
extern const shipped_encoder_file shipped_danger_heads;

/// What tells the matter of a business message from its vector, as Tests/Benchmarks/matters.py wrote it.
extern const shipped_encoder_file shipped_matter_heads;
