// What the FAQ matcher learned, as Tests/Benchmarks/faq.py fit wrote it.
#pragma once
#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} shipped_faq_file;

/// Weights of both models, as text.
extern const shipped_faq_file shipped_faq_weights;
/// What words mean, as numbers; begins at a multiple of 64.
extern const shipped_faq_file shipped_faq_vectors;
/// What is read from sentence vectors, as numbers; begins at a multiple of 64.
extern const shipped_faq_file shipped_faq_heads;
