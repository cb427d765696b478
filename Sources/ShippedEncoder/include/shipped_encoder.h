// The sentence encoder that travels with the program, as Tests/Benchmarks/encoder.py wrote it.
#pragma once
#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} shipped_encoder_file;

/// A model as senc_open reads it; begins at a multiple of 64.
extern const shipped_encoder_file shipped_encoder;
