// The statistical model that travels inside the binary, as `triage train` wrote it.
#pragma once
#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} shipped_model_file;

extern const shipped_model_file shipped_model;
